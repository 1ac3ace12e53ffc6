// tests/data/formats/svmlight/svmlight_test.cpp
#include "data/data_testing.h"

namespace quickselection {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

TEST(Svmlight, FindsOutWhereColumnsBegin) {
  for (const char* name : {"zero_based.svm", "one_based.svmlight", "packed.libsvm.gz"}) {
    SCOPED_TRACE(name);
    const Dataset data = read(fixture(name));
    ASSERT_TRUE(data.is_sparse());
    EXPECT_EQ(data.type(), ValueType::u8);
    expect_sparse_values(data);
    EXPECT_THAT(data.labels.value().classes, ElementsAre("-1", "0", "1"));
  }
}

TEST(Svmlight, ReadsCommentsGroupsBlankLinesAndRowsWithoutValues) {
  const TemporaryFolder folder;
  const std::string path = folder.write("a.svm",
                                        "# made by hand\n+1 qid:3 1:0.5 3:2 # first\r\n\n"
                                        "-1\n1 2:1e-1  \n");
  const Dataset data = read(path);
  ASSERT_EQ(data.rows(), 3u);
  ASSERT_EQ(data.features(), 3u);
  EXPECT_EQ(data.at(0, 0), 0.5);
  EXPECT_EQ(data.at(0, 2), 2);
  EXPECT_EQ(data.at(1, 0), 0);
  EXPECT_EQ(data.at(2, 1), static_cast<double>(0.1f));
  EXPECT_THAT(label_texts(data), ElementsAre("1", "-1", "1"));
}

TEST(Svmlight, TakesTheNumberOfFeatures) {
  const TemporaryFolder folder;
  const std::string path = folder.write("a.svm", "1 2:5\n2 3:1\n");
  ReadOptions options;
  EXPECT_EQ(read(path).features(), 3u);
  EXPECT_THAT(read(path).notes, ElementsAre(HasSubstr("counted from 1")));
  options.features = 10;
  EXPECT_EQ(read(path, options).features(), 10u);
  options.features = 2;
  EXPECT_THAT(error_text([&] { read(path, options); }), HasSubstr("‹features› is 2"));
}

TEST(Svmlight, SortsColumnsAndAddsUpTwins) {
  const TemporaryFolder folder;
  const Dataset data = read(folder.write("a.svm", "1 3:1 1:2 3:4\n0 2:1\n"));
  EXPECT_EQ(data.at(0, 0), 2);
  EXPECT_EQ(data.at(0, 2), 5);
  EXPECT_EQ(data.sparse().stored(), 3u);
  EXPECT_THAT(error_text([&] { read(folder.write("b.svm", "1 1:200 1:100\n0 2:1\n")); }),
              AllOf(HasSubstr("b.svm"), HasSubstr("row 0, column 0")));
}

TEST(Svmlight, IsFoundByItsContent) {
  const TemporaryFolder folder;
  EXPECT_TRUE(read(folder.write("unnamed", "# x\n-1 1:5 2:4\n+1 2:1\n")).is_sparse());
  EXPECT_FALSE(read(folder.write("table", "1 2,3\n4 5,6\n"), with_label("0")).is_sparse());
}

TEST(Svmlight, SaysWhatIsWrongAndWhere) {
  const TemporaryFolder folder;
  const auto text_of = [&](const char* content) {
    return error_text([&] { read(folder.write("a.svm", content)); });
  };
  EXPECT_THAT(text_of("1 1:2\n1,2 1:3\n"), AllOf(HasSubstr("line 2"), HasSubstr("several labels")));
  EXPECT_THAT(text_of("1 1:2\nx 1:3\n"), AllOf(HasSubstr("line 2"), HasSubstr("'x'")));
  EXPECT_THAT(text_of("1 1:2 5\n"), AllOf(HasSubstr("line 1"), HasSubstr("'5'")));
  EXPECT_THAT(text_of("1 1:a\n"), HasSubstr("'1:a'"));
  EXPECT_THAT(text_of("1 -1:2\n"), HasSubstr("'-1:2'"));
  EXPECT_THAT(text_of("1 99999999999:2\n"), HasSubstr("99999999999"));
  EXPECT_THAT(text_of("1 4000000000:2\n"), HasSubstr("cannot come from a file of"));
  EXPECT_THAT(text_of("1\n2\n"), HasSubstr("‹features N›"));
  EXPECT_THAT(text_of("# nothing\n"), HasSubstr("no rows"));
}

TEST(Svmlight, SurvivesFlippedBytes) { expect_flips_survived(fixture("zero_based.svm"), 2000); }

}  // namespace
}  // namespace quickselection
