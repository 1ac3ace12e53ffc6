// tests/data/formats/csv/csv_columns_test.cpp
#include "data/formats/csv/csv_columns.h"

#include <fmt/format.h>

#include <cmath>

#include "data/data_testing.h"

namespace quickselection {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// Every kind of column: 12 rows, some values missing.
std::string people() {
  std::string text = "customer_id,joined,sex,city,member,age,income\n";
  const char* const cities[] = {"Rome", "Oslo", "Paris"};
  for (int i = 0; i < 12; ++i)
    text += fmt::format(
        "{},2024-0{}-1{},{},{},{},{},{}\n", 1000 + i, 1 + i % 9, i % 10,
        i % 2 == 0 ? "male" : "female", cities[i % 3], i % 3 == 0 ? "True" : "False",
        i == 5 ? std::string("N/A") : std::to_string(20 + i * 7 % 40), 1000.5 * ((i * 5) % 7));
  return text;
}

class CsvColumns : public testing::Test {
 protected:
  Dataset parse(const std::string& text, TextColumns what = TextColumns::drop) {
    ReadOptions options;
    options.text = what;
    return read(folder_.write("data.csv", text), options);
  }
  TemporaryFolder folder_;
};

std::vector<std::string> kinds(const Dataset& data) {
  constexpr const char* kNames[] = {"number", "boolean", "date", "identifier", "text", "empty"};
  std::vector<std::string> texts;
  for (const TableColumn& column : data.table)
    texts.push_back(
        fmt::format("{} {} {}", column.name, kNames[static_cast<int>(column.kind)], column.use));
  return texts;
}

TEST_F(CsvColumns, KeepsNumbersAndBooleansAndSaysWhatItLeavesOut) {
  const Dataset data = parse(people());
  EXPECT_THAT(data.names, ElementsAre("member", "age", "income"));
  EXPECT_EQ(data.rows(), 12u);
  EXPECT_EQ(data.at(0, 0), 1);
  EXPECT_EQ(data.at(1, 0), 0);
  EXPECT_TRUE(std::isnan(data.at(5, 1)));
  EXPECT_THAT(data.notes, ElementsAre(AllOf(HasSubstr("dates"), HasSubstr("joined")),
                                      AllOf(HasSubstr("different value"), HasSubstr("customer_id")),
                                      AllOf(HasSubstr("‹text encode›"), HasSubstr("sex, city"))));
  EXPECT_THAT(kinds(data),
              ElementsAre("customer_id identifier left out", "joined date left out",
                          "sex text left out", "city text left out", "member boolean feature",
                          "age number feature", "income number feature"));
  EXPECT_EQ(data.table[5].missing, 1u);
}

TEST_F(CsvColumns, MakesIndicatorsOfText) {
  const Dataset data = parse(people(), TextColumns::encode);
  EXPECT_THAT(data.names, ElementsAre("sex=male", "city=Oslo", "city=Paris", "city=Rome", "member",
                                      "age", "income"));
  for (std::size_t r = 0; r < data.rows(); ++r) {
    EXPECT_EQ(data.at(r, 0), r % 2 == 0);
    EXPECT_EQ(data.at(r, 1) + data.at(r, 2) + data.at(r, 3), 1);
    EXPECT_EQ(data.at(r, 3), r % 3 == 0);
  }
}

TEST_F(CsvColumns, KeepsBothIndicatorsWhereATextIsMissing) {
  const Dataset data = parse("a,b\n1,x\n2,y\n3,\n4,x\n", TextColumns::encode);
  EXPECT_THAT(data.names, ElementsAre("a", "b=x", "b=y"));
  EXPECT_EQ(data.at(2, 1), 0);
  EXPECT_EQ(data.at(2, 2), 0);
}

TEST_F(CsvColumns, LeavesOutTextWithTooManyValuesToEncode) {
  std::string text = "a,b\n";
  for (int i = 0; i < 200; ++i) text += fmt::format("{},v{}\n", i % 7, i % 60);
  const Dataset data = parse(text, TextColumns::encode);
  EXPECT_THAT(data.names, ElementsAre("a"));
  EXPECT_THAT(data.notes, ElementsAre(HasSubstr("more than 50 different values")));
}

TEST_F(CsvColumns, FindsTextThatComesLateInTheFile) {
  std::string text = "a,b\n";
  for (int i = 0; i < 10; ++i) text += fmt::format("{},\n", i);
  for (int i = 0; i < 30; ++i) text += fmt::format("{},{}\n", i, i % 2 == 0 ? "low" : "high");
  EXPECT_THAT(parse(text).names, ElementsAre("a"));
  EXPECT_EQ(parse(text, TextColumns::encode).features(), 3u);
}

TEST_F(CsvColumns, TakesAColumnThatIsMostlyNumbersAsNumbersAndReportsTheOddOne) {
  EXPECT_THAT(error_text([&] { parse("a,b\n1,2\n3,4\n5,six\n7,8\n"); }),
              HasSubstr("data.csv, line 4, column 1 ('b'): 'six' is not a number"));
}

TEST_F(CsvColumns, RefusesTextWhenToldTo) {
  EXPECT_THAT(error_text([&] { parse("a,b\n1,x\n2,y\n", TextColumns::error); }),
              HasSubstr("line 2, column 1 ('b'): 'x' is not a number"));
}

TEST_F(CsvColumns, KeepsTheNumbersOfColumnsWithoutAHeader) {
  const Dataset data = parse("1,x,5\n2,y,6\n3,x,7\n");
  EXPECT_THAT(data.names, ElementsAre("0", "2"));
}

TEST_F(CsvColumns, SaysWhenNothingIsLeft) {
  EXPECT_THAT(error_text([&] { parse("a,b\nx,y\nx,z\n"); }),
              AllOf(HasSubstr("no column left"), HasSubstr("‹text encode›")));
}

TEST_F(CsvColumns, TellsDatesFromNumbersAndVersions) {
  const Dataset data = parse(
      "a,b,c,d\n31.12.2024,2024-12-31 10:30:00,1.2.3,5\n1.1.2025,2025-01-01T00:00:00Z,1.2.4,6\n"
      "2.1.2025,2025-01-02,1.2.4,7\n");
  EXPECT_THAT(kinds(data), ElementsAre("a date left out", "b date left out", "c text left out",
                                       "d number feature"));
}

TEST_F(CsvColumns, DoesNotCallARepeatedNumberAnIdentifier) {
  EXPECT_THAT(parse("user_id,b\n1,2\n1,3\n2,4\n").names, ElementsAre("user_id", "b"));
  EXPECT_THAT(parse("paid,b\n1,2\n3,3\n2,4\n").names, ElementsAre("paid", "b"));
  EXPECT_THAT(parse("userId,b\n1,2\n3,3\n2,4\n").names, ElementsAre("b"));
}

TEST_F(CsvColumns, LeavesATableOfNumbersAlone) {
  const Dataset data = parse("a,b\n1,2\n3,4\n");
  EXPECT_THAT(data.table, IsEmpty());
  EXPECT_THAT(data.notes, IsEmpty());
}

TEST_F(CsvColumns, AdvisesToTransposeATableThatLiesOnItsSide) {
  std::string text = "gene,s1,s2,s3\n";
  for (int i = 0; i < 40; ++i) text += fmt::format("g{},{},{},{}\n", i, i, 2 * i, i % 5);
  EXPECT_THAT(parse(text).notes, ElementsAre(HasSubstr("‹transpose›")));
  ReadOptions options;
  options.transpose = true;
  const Dataset turned = read(folder_.write("data.csv", text), options);
  EXPECT_EQ(turned.rows(), 3u);
  EXPECT_EQ(turned.features(), 40u);
  EXPECT_EQ(turned.names[7], "g7");
  EXPECT_EQ(turned.at(1, 7), 14);
}

}  // namespace
}  // namespace quickselection
