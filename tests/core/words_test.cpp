// tests/core/words_test.cpp: options in texts, and how a door shows them.
#include "quickselection/words.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

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

}  // namespace
}  // namespace quickselection
