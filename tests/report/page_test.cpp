// tests/report/page_test.cpp: the page around the data, and compact numbers.
#include "report/page.h"

#include <gtest/gtest.h>

#include <limits>

#include "quickselection/error.h"

namespace quickselection {
namespace {

std::string between(const std::string& text, const std::string& begin, const std::string& end) {
  const std::size_t from = text.find(begin) + begin.size();
  return text.substr(from, text.find(end, from) - from);
}

std::string data_in(const std::string& page) {
  return between(page, "id=\"report-data\">", "</script>");
}

TEST(ReportWords, NameFilesWithoutTheirFolders) {
  EXPECT_EQ(file_name("/home/anna/study/cells.h5ad"), "cells.h5ad");
  EXPECT_EQ(file_name("data.csv"), "data.csv");
  EXPECT_EQ(file_name("data/UCI HAR Dataset/"), "UCI HAR Dataset");
  EXPECT_EQ(file_name("generated: madelon, seed 0"), "generated: madelon, seed 0");
  EXPECT_EQ(file_name(""), "");
  EXPECT_EQ(file_name("/"), "");
}

TEST(ReportWords, SharesHaveThreeDigitsAtMost) {
  EXPECT_EQ(percent(0.5), "50.0\u00a0%");
  EXPECT_EQ(percent(0.9994), "99.9\u00a0%");
  EXPECT_EQ(percent(0.9996), "100\u00a0%");
  EXPECT_EQ(percent(1), "100\u00a0%");
  EXPECT_EQ(percent(0), "0.0\u00a0%");
  EXPECT_EQ(percent(-12.34), "-1234\u00a0%");
}

class ReportPage : public testing::Test {
 protected:
  void SetUp() override {
    if (!reports_available()) GTEST_SKIP() << "built without esbuild";
  }
};

TEST_F(ReportPage, GivesItsDataBackWhateverTheTextHolds) {
  const Json data = {
      {"kind", "x"},
      {"names", {"</script><script>", "<!--", "\"'&", "é🦊", "a\nb\t", "\\u003c"}}};
  const std::string page = report_page("t", data);
  EXPECT_EQ(data_in(page).find('<'), std::string::npos);
  EXPECT_EQ(Json::parse(data_in(page)), data);
}

TEST_F(ReportPage, ReplacesBytesThatAreNotUtf8) {
  const std::string page = report_page("t", {{"name", "caf\xe9"}});
  EXPECT_EQ(Json::parse(data_in(page))["name"], "caf\xEF\xBF\xBD");
}

TEST_F(ReportPage, EscapesTheTitle) {
  const std::string page = report_page("</title><script>&", Json::object());
  EXPECT_EQ(between(page, "<title>", "</title>"), "&lt;/title&gt;&lt;script&gt;&amp;");
}

TEST_F(ReportPage, AllowsNothingButItsOwnScriptAndStyle) {
  const std::string policy =
      between(report_page("t", Json::object()), "Content-Security-Policy\" content=\"", "\"");
  EXPECT_TRUE(policy.starts_with("default-src 'none'; script-src 'sha256-")) << policy;
  EXPECT_EQ(policy.find("unsafe"), std::string::npos);
  EXPECT_EQ(policy.find("http"), std::string::npos);
}

TEST(Rounded, KeepsAsManyDigitsAsAskedFor) {
  EXPECT_EQ(rounded(1.23456789).dump(), "1.235");
  EXPECT_EQ(rounded(-0.000123456, 2).dump(), "-0.00012");
  EXPECT_EQ(rounded(1234567.0).dump(), "1235000");
  EXPECT_EQ(rounded(20.0).dump(), "20");
  EXPECT_EQ(rounded(0.0).dump(), "0");
  const double values[] = {0.5, 2};
  EXPECT_EQ(json_of(values, 4).dump(), "[0.5,2]");
}

TEST(Rounded, WritesWhatIsNotFiniteAsNull) {
  EXPECT_EQ(rounded(std::numeric_limits<double>::quiet_NaN()).dump(), "null");
  EXPECT_EQ(rounded(-std::numeric_limits<double>::infinity()).dump(), "null");
}

TEST(Base64, GivesTheTestVectorsOfTheStandard) {
  const auto encode = [](const std::string& text) {
    return base64({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
  };
  EXPECT_EQ(encode(""), "");
  EXPECT_EQ(encode("f"), "Zg==");
  EXPECT_EQ(encode("fo"), "Zm8=");
  EXPECT_EQ(encode("foo"), "Zm9v");
  EXPECT_EQ(encode("foobar"), "Zm9vYmFy");
  EXPECT_EQ(encode("\xff\xfe\xfd"), "//79");
}

}  // namespace
}  // namespace quickselection
