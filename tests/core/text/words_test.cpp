// tests/core/text/words_test.cpp: options in texts, and how a door shows them.
#include "quickselection/words.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/text/visible.h"
#include "quickselection/error.h"

namespace quickselection {
namespace {

TEST(Words, OptionsAreShownAsTheDoorHasThem) {
  const auto python = [](std::string_view name, std::string_view value) {
    return fmt::format("{}{}{}", name, value.empty() ? "" : "=", value);
  };
  EXPECT_EQ(show_options("lower ‹rate› or try ‹clip 10›", python), "lower rate or try clip=10");
  EXPECT_EQ(show_options("‹out a b›", python), "out=a b");
  EXPECT_EQ(show_options("the file a‹b: ‹rate›", python), "the file a‹b: rate");
  for (const char* text : {"", "nothing", "a › b", "an ‹open one"})
    EXPECT_EQ(show_options(text, python), text);
}

TEST(Words, TheCommandLineWritesDashes) {
  EXPECT_EQ(on_command_line("‹learning-rate› is 0; ‹clip 10› and ‹k 5› help"),
            "--learning-rate is 0; --clip 10 and -k 5 help");
  EXPECT_THAT(on_command_line(std::vector<Warning>{{WarningKind::other, "more ‹epochs›"}}),
              testing::ElementsAre("more --epochs"));
}

TEST(Words, ErrorsAndWarningsKnowTheOptionTheyAreAbout) {
  EXPECT_EQ(InvalidArgument("‹runs› is 1, below ‹least›", "raise ‹runs›").option(), "runs");
  EXPECT_EQ(Error("the file is damaged", "see ‹format›").option(), "");
  const Warning warning{WarningKind::not_converged, "raise ‹iterations›"};
  EXPECT_EQ(warning.option, "iterations");
  EXPECT_EQ(to_text(warning.kind), "not_converged");
  EXPECT_EQ(to_text(WarningKind::rows_left_out), "rows_left_out");
}

TEST(Visible, ShowsWhatWouldMoveTheCursor) {
  EXPECT_EQ(visible("\x1b[31mred\x07"), "\\x1b[31mred\\x07");
  EXPECT_EQ(visible("a\rb\nc\td\x7f"), "a\\x0db\\x0ac\\x09d\\x7f");
  EXPECT_EQ(visible("a\rb\nc\td", true), "a\\x0db\nc\td");
  EXPECT_EQ(visible("\u009b2J"), "\\x9b2J");    // the same as ESC [ in one letter
  EXPECT_EQ(visible("a\u202eb"), "a\\u202eb");  // from right to left
  EXPECT_EQ(visible("größe ± █ 文 😀"), "größe ± █ 文 😀");
  EXPECT_EQ(visible(std::string_view("a\0b", 3)), "a\\x00b");
}

TEST(Visible, ShowsBytesThatAreNoUtf8) {
  EXPECT_EQ(visible("gr\xf6\xdf"
                    "e"),
            "gr\\xf6\\xdfe");
  EXPECT_EQ(visible("\xc0\xaf"), "\\xc0\\xaf");           // overlong
  EXPECT_EQ(visible("\xed\xa0\x80"), "\\xed\\xa0\\x80");  // half of a pair
  EXPECT_EQ(visible("\xf4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80");
  EXPECT_EQ(visible("a\xe2\x82"), "a\\xe2\\x82");  // cut short
  EXPECT_TRUE(is_utf8("größe"));
  EXPECT_FALSE(
      is_utf8("gr\xf6\xdf"
              "e"));
}

TEST(Visible, IsWhatTheProgramSays) {
  EXPECT_EQ(on_command_line("‹clip 10›\x1b"), "--clip 10\\x1b");
}

}  // namespace
}  // namespace quickselection
