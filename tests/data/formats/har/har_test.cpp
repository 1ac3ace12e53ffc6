// tests/data/formats/har/har_test.cpp: the folder of UCI's HAR data.
#include "data/data_testing.h"

namespace quickselection {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

class Har : public testing::Test {
 protected:
  std::string failure(std::string_view x, std::string_view y, std::string_view names = "") {
    folder_.write("X_train.txt", x);
    folder_.write("y_train.txt", y);
    if (!names.empty()) folder_.write("features.txt", names);
    return error_text([&] { read(folder_.file("")); });
  }
  TemporaryFolder folder_;
};

TEST_F(Har, ReadsValuesNamesAndLabels) {
  const Dataset data = read(fixture("har"));
  expect_nine_by_seven(data, 25, 1.0 / 64);
  EXPECT_EQ(data.names[6], "tBody(6)-X,6");
  EXPECT_THAT(label_texts(data), ElementsAre("1", "2", "3", "1", "2", "3", "1", "2", "3"));
  EXPECT_FALSE(read(fixture("har"), with_label("none")).labels);
}

TEST_F(Har, ReadsTheFolderOfTheTestRows) {
  folder_.write("X_test.txt", "1 2\n3 4\n");
  folder_.write("y_test.txt", "5\n6\n");
  const Dataset data = read(folder_.file(""));
  EXPECT_EQ(data.rows(), 2u);
  EXPECT_EQ(data.at(1, 0), 3);
  EXPECT_THAT(label_texts(data), ElementsAre("5", "6"));
}

TEST_F(Har, ReportsLineAndColumn) {
  EXPECT_EQ(failure(" 1  2\n 3 4 \n\n", "1\n1\n"), "");
  EXPECT_THAT(failure("1 2\n3 x\n", "1\n1\n"),
              AllOf(HasSubstr("X_train.txt, line 2, column 1"), HasSubstr("'x'")));
  EXPECT_THAT(failure("1 2\n3\n", "1\n1\n"), HasSubstr("line 2: expected 2 numbers, found 1"));
  EXPECT_THAT(failure("1 2\n\n3 4\n", "1\n1\n"), HasSubstr("line 2 is blank"));
  EXPECT_THAT(failure("1 2\n3 4\n", "1\n"), HasSubstr("1 labels"));
  EXPECT_THAT(failure("1 2\n3 4\n", "1\n1\n", "1 a\n"), HasSubstr("1 names"));
  EXPECT_THAT(failure(" \n", "1\n"), HasSubstr("no rows"));
}

}  // namespace
}  // namespace quickselection
