// tests/data/formats/csv/csv_test.cpp
#include "data/formats/csv/csv.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "data/data_testing.h"

namespace quickselection {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class Csv : public testing::Test {
 protected:
  Dataset parse(std::string_view text, const ReadOptions& options = {}) {
    return read(folder_.write("data.csv", text), options);
  }
  std::string failure(std::string_view text, const ReadOptions& options = {}) {
    return error_text([&] { parse(text, options); });
  }
  static std::vector<double> values(const Dataset& data) {
    std::vector<double> all;
    for (std::size_t r = 0; r < data.rows(); ++r)
      for (std::size_t f = 0; f < data.features(); ++f) all.push_back(data.at(r, f));
    return all;
  }
  static ReadOptions with_header(const std::string& header) {
    ReadOptions options;
    options.header = header;
    return options;
  }
  static ReadOptions with_index(const std::string& column) {
    ReadOptions options;
    options.index_column = column;
    return options;
  }

  static ReadOptions with_text(TextColumns text) {
    ReadOptions options;
    options.text = text;
    return options;
  }

  TemporaryFolder folder_;
};

TEST_F(Csv, ReadsNumbersUnderAHeader) {
  const Dataset data = parse("a,b\n1,2.5\n-3,4e2\n");
  EXPECT_THAT(data.names, ElementsAre("a", "b"));
  EXPECT_THAT(values(data), ElementsAre(1, 2.5, -3, 400));
  EXPECT_EQ(data.type(), ValueType::f32);
  EXPECT_FALSE(data.labels);
  EXPECT_EQ(data.source, folder_.file("data.csv"));
}

TEST_F(Csv, ReadsNumbersWithoutAHeader) {
  const Dataset data = parse("1,2\n3,4");
  EXPECT_THAT(data.names, IsEmpty());
  EXPECT_THAT(values(data), ElementsAre(1, 2, 3, 4));
}

TEST_F(Csv, ReadsOneColumnAndOneValue) {
  EXPECT_THAT(values(parse("1\n2\n3\n")), ElementsAre(1, 2, 3));
  EXPECT_THAT(values(parse("7")), ElementsAre(7));
}

TEST_F(Csv, UnderstandsEveryWayToWriteANumber) {
  const Dataset data = parse(
      "+1,-0,.5,5.,1e3,1E-3,1e+2, 7 ,\"8\",0.1,123456789.125,00012,-1e-5\n"
      "1,1,1,1,1,1,1,1,1,1,1,1,1\n");
  const std::vector<double> want{1,  0,     0.5, 5, 1000, 1e-3f, 100, 7, 8, 0.1f, 123456789.125f,
                                 12, -1e-5f};
  for (std::size_t f = 0; f < want.size(); ++f) EXPECT_EQ(data.at(0, f), want[f]) << f;
}

TEST_F(Csv, ReadsIntegersOfEveryLength) {
  std::string text;
  std::vector<double> want;
  for (std::int64_t digits = 1; digits <= 9; ++digits)
    for (std::int64_t start : {std::int64_t{0}, std::int64_t{1}, std::int64_t{9}}) {
      std::int64_t number = start;
      for (std::int64_t i = 1; i < digits; ++i) number = number * 10 + (i * 7 + start) % 10;
      want.push_back(static_cast<double>(number));
      text += fmt::format("{:0{}},", number, digits);
    }
  for (const char* end : {"", "\n", "\r\n"}) {
    text.back() = '\n';
    const Dataset data = parse(text + text.substr(0, text.size() - 1) + end);
    for (std::size_t f = 0; f < want.size(); ++f) {
      EXPECT_EQ(data.at(0, f), want[f]);
      EXPECT_EQ(data.at(1, f), want[f]);
    }
  }
}

TEST_F(Csv, RefusesWhatOnlyLooksLikeANumber) {
  for (const char* text :
       {"1.2.3", "1e", "1e+", "--1", "+-1", "0x10", "1 2", "1_000", "e5", "--", "."})
    EXPECT_THAT(failure("1,2\n3," + std::string(text) + "\n"),
                AllOf(HasSubstr("line 2, column 1"), HasSubstr("is not a number")))
        << text;
}

TEST_F(Csv, KeepsIntegersInTheSmallestType) {
  const auto type = [&](const std::string& text) { return parse(text).type(); };
  EXPECT_EQ(type("0,255\n1.0,2\n"), ValueType::u8);
  EXPECT_EQ(type("0,-1\n"), ValueType::i16);
  EXPECT_EQ(type("0,256\n"), ValueType::i16);
  EXPECT_EQ(type("0,32768\n"), ValueType::u16);
  EXPECT_EQ(type("-1,32768\n"), ValueType::i32);
  EXPECT_EQ(type("0,65536\n"), ValueType::i32);
  EXPECT_EQ(type("-2147483648,2147483647\n"), ValueType::i32);
  EXPECT_EQ(type("0,2147483648\n"), ValueType::f32);
  EXPECT_EQ(type("0,0.5\n"), ValueType::f32);
  EXPECT_EQ(type("0,NA\n"), ValueType::f32);
}

TEST_F(Csv, WidensWhatWasAlreadyRead) {
  const Dataset data = parse("1,2\n200,300\n40000,0\n-5,70000\n0.5,-0.25\n");
  EXPECT_EQ(data.type(), ValueType::f32);
  EXPECT_THAT(values(data), ElementsAre(1, 2, 200, 300, 40000, 0, -5, 70000, 0.5, -0.25));
  const Dataset whole = parse("1,2\n200,300\n40000,0\n-5,70000\n");
  EXPECT_EQ(whole.type(), ValueType::i32);
  EXPECT_THAT(values(whole), ElementsAre(1, 2, 200, 300, 40000, 0, -5, 70000));
}

TEST_F(Csv, RemembersNegativeValuesWhenItWidens) {
  const Dataset data = parse("300\n-5\n40000\n");
  EXPECT_EQ(data.type(), ValueType::i32);
  EXPECT_THAT(values(data), ElementsAre(300, -5, 40000));
  EXPECT_EQ(parse("40000\n-5\n").type(), ValueType::i32);
  EXPECT_EQ(parse("-5\n300\n").type(), ValueType::i16);
}

TEST_F(Csv, TakesDoublesOnlyWhenFloatsWouldLoseTheValue) {
  EXPECT_EQ(parse("0.1,1e30\n").type(), ValueType::f32);
  const Dataset large = parse("0.1,16777217\n0.25,1e300\n");
  EXPECT_EQ(large.type(), ValueType::f64);
  EXPECT_THAT(values(large), ElementsAre(0.1, 16777217, 0.25, 1e300));
  EXPECT_EQ(parse("1e-300\n1\n").type(), ValueType::f64);
}

TEST_F(Csv, KeepsInfinityAndMissingValues) {
  const Dataset data = parse("1,inf,-Infinity,NA\n,NaN,null,?\n");
  EXPECT_EQ(data.type(), ValueType::f32);
  EXPECT_EQ(data.at(0, 1), std::numeric_limits<double>::infinity());
  EXPECT_EQ(data.at(0, 2), -std::numeric_limits<double>::infinity());
  EXPECT_TRUE(std::isnan(data.at(0, 3)));
  for (std::size_t f = 0; f < 4; ++f) EXPECT_TRUE(std::isnan(data.at(1, f))) << f;
}

TEST_F(Csv, TakesNumbersBeyondDoubleAsInfinityOrZero) {
  const Dataset data = parse("1e999,1e-999,-1e999\n");
  EXPECT_EQ(data.at(0, 0), std::numeric_limits<double>::infinity());
  EXPECT_EQ(data.at(0, 1), 0);
  EXPECT_EQ(data.at(0, 2), -std::numeric_limits<double>::infinity());
}

TEST_F(Csv, FindsTheDelimiter) {
  EXPECT_THAT(values(parse("a\tb\n1\t2\n")), ElementsAre(1, 2));
  EXPECT_THAT(values(parse("a;b\n1;2\n")), ElementsAre(1, 2));
  EXPECT_THAT(parse("\"a;b\",c\n1,2\n").names, ElementsAre("a;b", "c"));
  EXPECT_THAT(parse("a, b; c,d\n1,2,3\n").names, ElementsAre("a", "b; c", "d"));
}

TEST_F(Csv, KeepsEmptyFieldsBetweenTabs) {
  const Dataset data = parse("a\tb\tc\n1\t\t3\n\t\t\n");
  EXPECT_TRUE(std::isnan(data.at(0, 1)));
  EXPECT_EQ(data.at(0, 2), 3);
  EXPECT_EQ(data.rows(), 2u);
  EXPECT_TRUE(std::isnan(data.at(1, 2)));
}

TEST_F(Csv, ReadsDecimalCommasWhereCommasDoNotSeparate) {
  for (const char* text : {"a;b\n1,5;-2,25\n", "a\tb\n1,5\t-2,25\n", "a|b\n1,5|-2,25\n"})
    EXPECT_THAT(values(parse(text)), ElementsAre(1.5, -2.25)) << text;
  EXPECT_THAT(failure("a;b\n1.000,5;2\n3;4\n"),
              AllOf(HasSubstr("'1.000,5'"), HasSubstr("decimal point")));
  EXPECT_THAT(failure("a;b\n1,000,5;2\n3;4\n"), HasSubstr("'1,000,5'"));
}

TEST_F(Csv, ReadsBarsAndBlanksAsDelimiters) {
  EXPECT_THAT(values(parse("a|b\n1|2\n")), ElementsAre(1, 2));
  EXPECT_THAT(values(parse("a b c\n1 2 3\n4 5 6\n")), ElementsAre(1, 2, 3, 4, 5, 6));
  EXPECT_THAT(values(parse("  1.5   2\n  3  -4  \n")), ElementsAre(1.5, 2, 3, -4));
  EXPECT_THAT(parse("my column\n1\n2\n").names, ElementsAre("my column"));
}

TEST_F(Csv, SkipsASpreadsheetsSepLineAndComments) {
  EXPECT_THAT(values(parse("sep=;\na;b\n1;2\n")), ElementsAre(1, 2));
  EXPECT_THAT(values(parse("sep=,\r\na,b\r\n1,2\r\n")), ElementsAre(1, 2));
  const Dataset data = parse("# made by a program\n# on a day, in a place\na,b,c\n1,2,3\n");
  EXPECT_THAT(data.names, ElementsAre("a", "b", "c"));
  EXPECT_THAT(values(data), ElementsAre(1, 2, 3));
}

TEST_F(Csv, TakesACommentWithAFieldForEachColumnAsTheHeader) {
  EXPECT_THAT(parse("# a,b\n1,2\n3,4\n").names, ElementsAre("a", "b"));
  const Dataset bed = parse("## version 2\n#length\tdepth\n1\t2\n");
  EXPECT_THAT(bed.names, ElementsAre("length", "depth"));
  EXPECT_THAT(values(bed), ElementsAre(1, 2));
  EXPECT_THAT(failure("# nothing but a comment\n"), HasSubstr("blank"));
}

TEST_F(Csv, ReadsTrueAndFalseAsNumbers) {
  EXPECT_THAT(values(parse("a,b\nTrue,false\nFALSE,true\n")), ElementsAre(1, 0, 0, 1));
  EXPECT_EQ(parse("a,b\nTrue,false\nFALSE,true\n").type(), ValueType::u8);
}

TEST_F(Csv, KnowsEveryUsualSignOfAMissingValue) {
  for (const char* token : {"", "NA", "n/a", "NaN", "null", "None", "?", "-", "#N/A", "<NA>"}) {
    const Dataset data = parse(std::string("a,b\n1,") + token + "\n2,3\n");
    EXPECT_TRUE(std::isnan(data.at(0, 1))) << token;
    EXPECT_EQ(data.at(1, 1), 3) << token;
  }
}

TEST_F(Csv, ReadsQuotesWithDelimitersNewlinesAndQuotes) {
  const Dataset data = parse("\"a,b\",\"c\nd\",\"e\"\"f\"\n\"1\", \"2\" ,3\n");
  EXPECT_THAT(data.names, ElementsAre("a,b", "c\nd", "e\"f"));
  EXPECT_THAT(values(data), ElementsAre(1, 2, 3));
}

TEST_F(Csv, CountsLinesInsideQuotes) {
  EXPECT_THAT(failure("\"a\nb\",c\n1,x\n", with_text(TextColumns::error)),
              HasSubstr("line 3, column 1 ('c'): 'x'"));
}

TEST_F(Csv, ReportsQuotesThatAreWrong) {
  EXPECT_THAT(failure("a,b\n1,\"2\n3,4\n"), AllOf(HasSubstr("line 2"), HasSubstr("never closed")));
  EXPECT_THAT(failure("a,b\n1,\"2\"3\n"), AllOf(HasSubstr("line 2"), HasSubstr("after a closing")));
}

TEST_F(Csv, AcceptsByteOrderMarksCarriageReturnsAndAMissingLastNewline) {
  for (const char* text : {"\xef\xbb\xbf"
                           "a,b\r\n1,2\r\n3,4",
                           "a,b\r1,2\r3,4\r", "a,b\n1,2\n3,4\n\n  \n\r\n"}) {
    const Dataset data = parse(text);
    EXPECT_THAT(data.names, ElementsAre("a", "b")) << text;
    EXPECT_THAT(values(data), ElementsAre(1, 2, 3, 4)) << text;
  }
}

TEST_F(Csv, ReadsUtf16OfEitherOrder) {
  const std::u16string text = u"größe,数,\U0001F600\n1,2,3\n";
  for (const bool little : {true, false}) {
    std::string bytes = little ? "\xff\xfe" : "\xfe\xff";
    for (const char16_t unit : text) {
      const char low = static_cast<char>(unit & 0xff), high = static_cast<char>(unit >> 8);
      bytes += little ? low : high;
      bytes += little ? high : low;
    }
    const Dataset data = parse(bytes);
    EXPECT_THAT(data.names, ElementsAre("größe", "数", "\U0001F600"));
    EXPECT_THAT(values(data), ElementsAre(1, 2, 3));
    for (std::size_t length = 2; length < bytes.size(); ++length)
      failure(std::string_view(bytes).substr(0, length));  // any error will do, a crash will not
  }
}

TEST_F(Csv, RefusesBlankLinesBetweenRows) {
  EXPECT_THAT(failure("1,2\n\n\n3,4\n"), HasSubstr("line 2 is blank"));
  EXPECT_THAT(failure("\n1,2\n"), HasSubstr("line 1 is blank"));
}

TEST_F(Csv, ReportsRaggedRowsWithLineAndCounts) {
  EXPECT_THAT(failure("a,b,c\n1,2,3\n4,5\n"),
              AllOf(HasSubstr("data.csv, line 3"), HasSubstr("expected 3 fields, found 2")));
  EXPECT_THAT(failure("a,b,c\n1,2,3\n4,5,6,7,8"),
              AllOf(HasSubstr("line 3"), HasSubstr("expected 3 fields, found 5")));
}

TEST_F(Csv, ReportsTextInANumberColumn) {
  EXPECT_THAT(failure("a,height\n1,2\n3,tall\n"),
              AllOf(HasSubstr("data.csv, line 3, column 1 ('height'): 'tall' is not a number"),
                    HasSubstr("‹label 1›")));
}

TEST_F(Csv, ReportsFilesWithoutRows) {
  EXPECT_THAT(failure(""), HasSubstr("empty"));
  EXPECT_THAT(failure("\n\n"), HasSubstr("blank"));
  EXPECT_THAT(failure("a,b\n"), HasSubstr("a header but no rows"));
  EXPECT_THAT(failure("a,b\n\n\n"), HasSubstr("a header but no rows"));
  EXPECT_THAT(failure("\xef\xbb\xbf"), HasSubstr("blank"));
}

TEST_F(Csv, FollowsTheHeaderOption) {
  EXPECT_THAT(parse("1,2\n3,4\n", with_header("yes")).names, ElementsAre("1", "2"));
  EXPECT_EQ(parse("0,1,2\n3,4,5\n", with_header("no")).rows(), 2u);
  ReadOptions strict = with_text(TextColumns::error);
  strict.header = "no";
  EXPECT_THAT(failure("a,b\n1,2\n", strict), HasSubstr("line 1, column 0: 'a'"));
  EXPECT_THAT(failure("1\n", with_header("maybe")), HasSubstr("one of auto, yes, no"));
}

TEST_F(Csv, TakesACountAsTheHeaderAndSaysSo) {
  const Dataset data = parse("0,1,2\n3,4,5\n");
  EXPECT_EQ(data.rows(), 1u);
  EXPECT_THAT(data.notes, ElementsAre(HasSubstr("taken as the header")));
}

TEST_F(Csv, TakesEvenlyAscendingNumbersAsTheHeaderAndSaysSo) {
  const Dataset years = parse("1990,1991,1992\n3.5,4,5\n2,1,0\n");
  EXPECT_THAT(years.names, ElementsAre("1990", "1991", "1992"));
  EXPECT_THAT(years.notes, ElementsAre(AllOf(HasSubstr("1990"), HasSubstr("‹header no›"))));
  EXPECT_EQ(parse("1,2,3\n4,5,6\n").rows(), 2u);  // the second line ascends as well
  EXPECT_THAT(parse("1,2,3\n4,5,6\n").notes, IsEmpty());
  const Dataset uneven = parse("1,2,7\n9,3,5\n");
  EXPECT_EQ(uneven.rows(), 2u);
  EXPECT_THAT(uneven.notes, ElementsAre(HasSubstr("‹header yes›")));
}

TEST_F(Csv, TakesNoHeaderWhereTextIsAColumn) {
  const Dataset data = parse("5.1,3.5,setosa\n4.9,3.0,virginica\n", with_label("-1"));
  EXPECT_EQ(data.rows(), 2u);
  EXPECT_THAT(data.labels->classes, ElementsAre("setosa", "virginica"));
}

TEST_F(Csv, FindsTheLabelColumnByItselfAndSaysSo) {
  for (const char* name : {"label", "Class", "TARGET", "y"}) {
    const Dataset data = parse(std::string("a,") + name + ",b\n1,red,2\n3,blue,4\n5,red,6\n");
    EXPECT_THAT(data.names, ElementsAre("a", "b"));
    EXPECT_THAT(values(data), ElementsAre(1, 2, 3, 4, 5, 6));
    EXPECT_THAT(data.labels->classes, ElementsAre("blue", "red"));
    EXPECT_THAT(data.labels->codes, ElementsAre(1, 0, 1));
    EXPECT_THAT(data.notes, ElementsAre(AllOf(HasSubstr(name), HasSubstr("‹label none›"))));
  }
}

TEST_F(Csv, TakesTheNamedLabelColumnOrNone) {
  const std::string text = "a,label,kind\n1,2,x\n3,4,y\n";
  const Dataset named = parse(text, with_label("kind"));
  EXPECT_THAT(named.names, ElementsAre("a", "label"));
  EXPECT_THAT(named.labels->classes, ElementsAre("x", "y"));
  EXPECT_THAT(named.notes, IsEmpty());
  EXPECT_THAT(parse(text, with_label("2")).names, ElementsAre("a", "label"));
  EXPECT_THAT(parse(text, with_label("none")).names, ElementsAre("a", "label"));
  EXPECT_FALSE(parse("label,b\n1,2\n", with_label("none")).labels);
}

TEST_F(Csv, RefusesColumnsThatDoNotExist) {
  EXPECT_THAT(failure("height,b\n1,2\n", with_label("hieght")),
              HasSubstr("did you mean 'height'?"));
  EXPECT_THAT(failure("a,b\n1,2\n", with_label("2")), HasSubstr("there are 2 columns"));
  EXPECT_THAT(failure("a,b\n1,2\n", with_index("zzzzzz")), HasSubstr("‹index-column› is 'zzzzzz'"));
}

TEST_F(Csv, RefusesToUseAllColumnsUp) {
  EXPECT_THAT(failure("a\n1\n", with_label("a")), HasSubstr("no column left"));
  ReadOptions both = with_label("a");
  both.index_column = "a";
  EXPECT_THAT(failure("a,b\n1,2\n", both), HasSubstr("both index and label"));
}

TEST_F(Csv, LeavesTheIndexColumnOut) {
  EXPECT_THAT(parse("a,id,b\n1,one,2\n3,two,4\n", with_index("id")).names, ElementsAre("a", "b"));
  EXPECT_THAT(values(parse("one,1,2\ntwo,3,4\n", with_index("0"))), ElementsAre(1, 2, 3, 4));
  const Dataset unnamed = parse(",a\n0,5\n1,6\n");
  EXPECT_THAT(values(unnamed), ElementsAre(5, 6));
  EXPECT_THAT(unnamed.notes, ElementsAre(HasSubstr("taken as the index")));
  EXPECT_EQ(parse(",a\n0,5\n1,6\n", with_index("none")).features(), 2u);
}

TEST_F(Csv, ReadsWhatPandasWrites) {
  for (const char* name : {"pandas_index.csv", "pandas.csv", "pandas.tsv", "pandas_crlf.csv",
                           "pandas_bom.csv", "pandas_semicolon.csv"}) {
    const Dataset data = read(fixture(name));
    ASSERT_EQ(data.rows(), 20u) << name;
    ASSERT_EQ(data.features(), 4u) << name;
    EXPECT_THAT(data.names, ElementsAre("a", "b,c", "d\"e", "f\ng")) << name;
    EXPECT_THAT(data.labels->classes, ElementsAre("x", "y")) << name;
    for (std::size_t r = 0; r < 20; ++r)
      for (std::size_t f = 0; f < 4; ++f)
        ASSERT_EQ(data.at(r, f), matrix_value(r, f) / 8) << name << " " << r << " " << f;
  }
}

TEST_F(Csv, ReadsTheHeaderOfUnnamedPandasColumns) {
  const Dataset data = read(fixture("pandas_unnamed.csv"));
  EXPECT_EQ(data.rows(), 9u);
  EXPECT_EQ(data.type(), ValueType::u8);
  EXPECT_EQ(data.at(8, 4), matrix_value(8, 4));
}

TEST_F(Csv, ReadsWhatSavetxtWrites) {
  const Dataset data = read(fixture("savetxt.csv"));
  EXPECT_EQ(data.rows(), 12u);
  EXPECT_EQ(data.at(11, 2), matrix_value(11, 2) / 16);
}

TEST_F(Csv, ReadsDoublesToTheNearestFloat) {
  const Dataset text = read(fixture("doubles.csv")), exact = read(fixture("doubles.npy"));
  ASSERT_EQ(text.type(), ValueType::f32);
  ASSERT_EQ(text.rows(), exact.rows());
  for (std::size_t r = 0; r < exact.rows(); ++r)
    for (std::size_t f = 0; f < exact.features(); ++f)
      ASSERT_EQ(text.at(r, f), static_cast<double>(static_cast<float>(exact.at(r, f))));
}

TEST_F(Csv, SurvivesTruncationAtEveryByte) {
  const std::string text = read_bytes(fixture("pandas_index.csv"));
  for (std::size_t length = 0; length < text.size(); ++length) {
    const std::string message = failure(std::string_view(text).substr(0, length));
    if (!message.empty()) {
      EXPECT_THAT(message, HasSubstr("data.csv")) << length;
    }
  }
}

}  // namespace
}  // namespace quickselection
