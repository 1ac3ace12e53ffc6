// tests/core/text/options_test.cpp
#include "core/text/options.h"

#include <gmock/gmock.h>

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace quickselection {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

enum class Mood : std::uint8_t { calm, gay, wild };
inline constexpr std::string_view kMoodNames[] = {"calm", "gay", "wild"};

}  // namespace

template <>
inline constexpr std::span<const std::string_view> kChoices<Mood> = kMoodNames;

namespace {

struct WaltzOptions {
  int steps = 3;
  std::uint32_t dancers = 2;
  double tempo = 1.5;
  double share = 0.25;
  std::vector<std::uint32_t> rooms = {10, 20};
  Mood mood = Mood::gay;
};

void for_each_field(OptionsOf<WaltzOptions> auto& o, auto&& field) {
  field("steps", o.steps, between(1, 12), "Steps in a bar.");
  field("dancers", o.dancers, at_least(2), "People on the floor.");
  field("tempo", o.tempo, above(0), "Bars in a second.");
  field("share", o.share, from_below(0, 1), "Share of the evening.");
  field("rooms", o.rooms, between(1, 100), "Seats in each room.");
  field("mood", o.mood, choices_of<Mood>(), "How it is danced.");
}

WaltzOptions parse(std::vector<GivenOption> given) {
  return parse_options<WaltzOptions>(given, "waltz");
}

/// The exception that parsing these options throws.
InvalidArgument refusal(std::vector<GivenOption> given) {
  try {
    parse(std::move(given));
  } catch (const InvalidArgument& error) {
    return error;
  }
  ADD_FAILURE() << "accepted";
  return InvalidArgument("");
}

std::string message(const std::string& name, const std::string& text) {
  return refusal({{name, text}}).what();
}

TEST(ParseOptions, GivesTheDefaultsWhenNothingIsAsked) {
  const WaltzOptions options = parse({});
  EXPECT_EQ(options.steps, 3);
  EXPECT_EQ(options.dancers, 2u);
  EXPECT_EQ(options.tempo, 1.5);
  EXPECT_THAT(options.rooms, ElementsAre(10, 20));
  EXPECT_EQ(options.mood, Mood::gay);
}

TEST(ParseOptions, ReadsEveryKindOfField) {
  const WaltzOptions options = parse({{"steps", "12"},
                                      {"dancers", "4000000000"},
                                      {"tempo", "2.5e-3"},
                                      {"share", "0"},
                                      {"rooms", "1,100,7"},
                                      {"mood", "wild"}});
  EXPECT_EQ(options.steps, 12);
  EXPECT_EQ(options.dancers, 4'000'000'000u);
  EXPECT_EQ(options.tempo, 2.5e-3);
  EXPECT_EQ(options.share, 0);
  EXPECT_THAT(options.rooms, ElementsAre(1, 100, 7));
  EXPECT_EQ(options.mood, Mood::wild);
}

TEST(ParseOptions, TakesTheLastOfTwo) {
  EXPECT_EQ(parse({{"steps", "4"}, {"steps", "5"}}).steps, 5);
}

TEST(ParseOptions, RefusesNumbersOutOfRangeAndSaysTheRange) {
  EXPECT_EQ(message("steps", "0"), "‹steps› is '0', but must be 1 to 12");
  EXPECT_EQ(message("steps", "13"), "‹steps› is '13', but must be 1 to 12");
  EXPECT_EQ(message("dancers", "1"), "‹dancers› is '1', but must be at least 2");
  EXPECT_EQ(message("tempo", "0"), "‹tempo› is '0', but must be more than 0");
  EXPECT_EQ(message("share", "1"), "‹share› is '1', but must be at least 0 and less than 1");
  EXPECT_EQ(message("share", "-0.1"), "‹share› is '-0.1', but must be at least 0 and less than 1");
}

TEST(ParseOptions, RefusesWhatIsNotAWholeNumberOfTheFieldsKind) {
  for (const char* text : {"", " ", "3 ", " 3", "3x", "x", "3.5", "1e1", "--", "99999999999999999"})
    EXPECT_THAT(message("steps", text), HasSubstr("‹steps› is '" + std::string(text) + "'"));
  for (const char* text : {"-2", "5000000000", "-1"})
    EXPECT_THAT(message("dancers", text), HasSubstr("at least 2"));
  for (const char* text : {"", "fast", "1.5.2", "1,5", "1e999", "0x10"})
    EXPECT_THAT(message("tempo", text), HasSubstr("more than 0"));
}

TEST(ParseOptions, RefusesNumbersThatAreNotFinite) {
  for (const char* text : {"nan", "-nan", "inf", "infinity", "-inf"}) {
    EXPECT_THAT(message("tempo", text), HasSubstr("‹tempo› is '" + std::string(text) + "'"));
    EXPECT_THAT(message("share", text), HasSubstr("‹share› is '" + std::string(text) + "'"));
  }
}

TEST(ParseOptions, RefusesListsWithABadMember) {
  for (const char* text : {"", ",", "1,", ",1", "1,,2", "1, 2", "1;2", "a"})
    EXPECT_THAT(message("rooms", text), HasSubstr("‹rooms› is '"));
  EXPECT_EQ(message("rooms", "5,0,7"), "‹rooms› is '0', but must be 1 to 100");
  EXPECT_EQ(message("rooms", "5,101"), "‹rooms› is '101', but must be 1 to 100");
}

TEST(ParseOptions, RefusesAnUnknownChoiceAndListsAll) {
  EXPECT_EQ(message("mood", "sad"), "‹mood› is 'sad', but must be one of calm, gay, wild");
  EXPECT_THAT(message("mood", ""), HasSubstr("one of calm, gay, wild"));
  EXPECT_THAT(message("mood", "Wild"), HasSubstr("one of calm, gay, wild"));
}

TEST(ParseOptions, RefusesAnUnknownNameAndHintsAtTheNearest) {
  const InvalidArgument near = refusal({{"temp", "1"}});
  EXPECT_STREQ(near.what(), "waltz has no option ‹temp›");
  EXPECT_EQ(near.hint(), "did you mean ‹tempo›?");
  const InvalidArgument far = refusal({{"trombone", "1"}});
  EXPECT_STREQ(far.what(), "waltz has no option ‹trombone›");
  EXPECT_THAT(far.hint(), HasSubstr("its options are ‹steps›"));
  EXPECT_THAT(refusal({{"", "1"}}).what(), HasSubstr("no option"));
}

TEST(Closest, FindsSmallSlipsOnly) {
  const std::vector<std::string> known{"epochs", "epsilon", "hidden", "zeta"};
  EXPECT_EQ(closest("epoch", known), "epochs");
  EXPECT_EQ(closest("epocsh", known), "epochs");
  EXPECT_EQ(closest("hiden", known), "hidden");
  EXPECT_EQ(closest("zeta", known), "zeta");
  EXPECT_EQ(closest("beta", known), "zeta");
  EXPECT_EQ(closest("learning-rate", known), "");
  EXPECT_EQ(closest("z", known), "");
  const std::string short_names[] = {"a", "ab"};
  EXPECT_EQ(closest("z", short_names), "");
  EXPECT_EQ(closest("a", short_names), "a");
  EXPECT_EQ(closest("zb", short_names), "ab");
  EXPECT_EQ(closest("zeta", {}), "");
}

TEST(Settings, CanBeGivenAgainAndMeanTheSame) {
  WaltzOptions options;
  options.steps = 7;
  options.dancers = 123456789;
  options.tempo = 0.1 + 0.2;  // needs all 17 digits
  options.share = 1e-300;
  options.rooms = {3};
  options.mood = Mood::calm;
  std::vector<GivenOption> given;
  for (const Setting& setting : settings_of(options))
    given.push_back({setting.name, to_text(setting.value)});
  const WaltzOptions again = parse(given);
  EXPECT_EQ(again.steps, options.steps);
  EXPECT_EQ(again.dancers, options.dancers);
  EXPECT_EQ(again.tempo, options.tempo);
  EXPECT_EQ(again.share, options.share);
  EXPECT_EQ(again.rooms, options.rooms);
  EXPECT_EQ(again.mood, options.mood);
}

TEST(Settings, KeepTheKindOfEachValue) {
  const auto settings = settings_of(WaltzOptions{});
  ASSERT_EQ(settings.size(), 6u);
  EXPECT_EQ(std::get<std::int64_t>(settings[0].value), 3);
  EXPECT_EQ(std::get<double>(settings[2].value), 1.5);
  EXPECT_EQ(std::get<std::string>(settings[4].value), "10,20");
  EXPECT_EQ(std::get<std::string>(settings[5].value), "gay");
}

TEST(DescribeOptions, NamesDefaultRangeAndPurposeOfEachField) {
  const auto infos = describe_options<WaltzOptions>();
  ASSERT_EQ(infos.size(), 6u);
  EXPECT_EQ(infos[0].name, "steps");
  EXPECT_EQ(to_text(infos[0].default_value), "3");
  EXPECT_EQ(infos[0].allowed, "1 to 12");
  EXPECT_EQ(infos[0].help, "Steps in a bar.");
  EXPECT_EQ(infos[2].allowed, "more than 0");
  EXPECT_EQ(infos[5].allowed, "calm|gay|wild");
  EXPECT_EQ(to_text(infos[5].default_value), "gay");
}

TEST(ValidateOptions, ChecksFieldsThatWereSetInCode) {
  validate_options(WaltzOptions{});
  const auto refused = [](auto change) {
    WaltzOptions options;
    change(options);
    EXPECT_THROW(validate_options(options), InvalidArgument);
  };
  refused([](WaltzOptions& o) { o.steps = 0; });
  refused([](WaltzOptions& o) { o.dancers = 1; });
  refused([](WaltzOptions& o) { o.tempo = -1; });
  refused([](WaltzOptions& o) { o.tempo = std::numeric_limits<double>::quiet_NaN(); });
  refused([](WaltzOptions& o) { o.tempo = std::numeric_limits<double>::infinity(); });
  refused([](WaltzOptions& o) { o.share = 1; });
  refused([](WaltzOptions& o) { o.rooms = {5, 500}; });
}

TEST(Describe, SaysEveryKindOfRange) {
  EXPECT_EQ(describe(Limits{}), "a number");
  EXPECT_EQ(describe(Limits{.most = 5}), "at most 5");
  EXPECT_EQ(describe(Limits{.most = 5, .open_most = true}), "less than 5");
  EXPECT_EQ(describe(at_least(0.5)), "at least 0.5");
  EXPECT_EQ(describe(between(-1, 1)), "-1 to 1");
}

}  // namespace
}  // namespace quickselection
