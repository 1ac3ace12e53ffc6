// tests/core/text/fields_json_test.cpp: described structs as JSON, and back.
#include "core/text/fields_json.h"

#include <gmock/gmock.h>

#include <map>

namespace quickselection {
namespace {

enum class Air : std::uint8_t { calm, gay };
inline constexpr std::string_view kAirNames[] = {"calm", "gay"};
struct Range {
  std::size_t begin = 0, end = 0;
};
struct Dancer {
  std::string name;
  std::optional<double> weight;
  std::string wish;
};
struct Ball {
  int steps = 3;
  bool loud = false;
  std::optional<bool> late;
  std::optional<Range> rows;
  std::size_t memory = 0;
  double time = 0;
  std::vector<std::size_t> rooms = {1};
  std::string place;
  Air mood = Air::calm;
  std::vector<Dancer> dancers;
  std::map<std::string, std::vector<GivenOption>> told;
};

}  // namespace

template <>
inline constexpr std::span<const std::string_view> kChoices<Air> = kAirNames;

namespace {

void for_each_field(OptionsOf<Dancer> auto& o, auto&& field) {
  field("name", o.name);
  field("weight", o.weight);
  field("wish", o.wish, UnlessEmpty{});
}

void for_each_field(OptionsOf<Ball> auto& o, auto&& field) {
  field("steps", o.steps, at_least(1), "");
  field("loud", o.loud, yes_or_no(), "");
  field("late", o.late, auto_or_yes_or_no(), "");
  field("rows", o.rows, AnyRows{}, "");
  field("memory", o.memory, AnyBytes{}, "");
  field("time", o.time, AnySeconds{}, "");
  field("rooms", o.rooms, at_least(1), "");
  field("place", o.place, AnyText{"NAME"}, "");
  field("mood", o.mood, choices_of<Air>(), "");
  field("dancers", o.dancers);
  field("told", o.told);
}

Ball a_ball() {
  Ball ball;
  ball.loud = true;
  ball.late = false;
  ball.rows = Range{2, 9};
  ball.memory = 5;
  ball.time = 0.5;
  ball.rooms = {4, 5};
  ball.place = "Vienna";
  ball.mood = Air::gay;
  ball.dancers = {{"Ann", 61.23456, ""}, {"Bo", std::nullopt, "water"}};
  ball.told = {{"Ann", {{"turn", "left"}}}};
  return ball;
}

constexpr const char* kBall =
    R"({"steps":3,"loud":true,"late":false,"rows":[2,9],"memory":5,"time":0.5,"rooms":[4,5],)"
    R"("place":"Vienna","mood":"gay","dancers":[{"name":"Ann","weight":61.23456},)"
    R"({"name":"Bo","wish":"water"}],"told":{"Ann":{"turn":"left"}}})";

TEST(FieldsAsJson, HasWhatIsSetInTheOrderOfTheDescription) {
  EXPECT_EQ(json_of(a_ball()).dump(), kBall);
  EXPECT_EQ(json_of(Ball{}).dump(),
            R"({"steps":3,"loud":false,"memory":0,"time":0.0,"rooms":[1],"place":"","mood":"calm",)"
            R"("dancers":[],"told":{}})");
  EXPECT_EQ(json_of(a_ball(), 3)["dancers"][0]["weight"], 61.2);
  EXPECT_EQ(json_of(std::vector<std::string>{"give ‹clip 10›"}).dump(), R"(["give --clip 10"])");
}

TEST(FieldsAsJson, ComesBack) {
  Ball ball;
  read_json(Json::parse(kBall), ball, true);
  EXPECT_EQ(json_of(ball).dump(), kBall);
}

TEST(FieldsAsJson, TakesTheTextsOfTheCommandLine) {
  Ball ball = a_ball();
  read_json(Json::parse(R"({"memory":"2K","time":"3m","rows":"7:","late":"auto","rooms":"8,9",)"
                        R"("loud":"no"})"),
            ball, false);
  EXPECT_EQ(ball.memory, 2048u);
  EXPECT_EQ(ball.time, 180);
  EXPECT_EQ(ball.rows->begin, 7u);
  EXPECT_EQ(ball.rows->end, SIZE_MAX);
  EXPECT_FALSE(ball.late || ball.loud);
  EXPECT_THAT(ball.rooms, testing::ElementsAre(8, 9));
  EXPECT_EQ(ball.place, "Vienna") << "what is not said stays";
}

TEST(FieldsAsJson, RefusesWhatTheCommandLineRefuses) {
  for (const char* bad : {R"({"steps":0})", R"({"loud":"maybe"})", R"({"mood":"wild"})",
                          R"({"memory":"much"})", R"({"time":-1})", R"({"rows":[5,5]})"}) {
    Ball ball;
    EXPECT_THROW(read_json(Json::parse(bad), ball, false), InvalidArgument) << bad;
  }
  Ball ball;
  EXPECT_THROW(read_json(Json::parse(R"({"steps":4})"), ball, true), nlohmann::json::exception);
  EXPECT_THROW(refuse_unknown(Json::parse(R"({"stepz":4})"), field_names(ball), "the ball"),
               InvalidArgument);
}

TEST(WholeNumber, IsNeverWrappedOrCut) {
  EXPECT_EQ(whole_number<std::uint32_t>(Json(5)), 5u);
  EXPECT_EQ(whole_number<int>(Json(-5)), -5);
  EXPECT_EQ(whole_number<std::uint64_t>(Json(~0ull)), ~0ull);
  for (const char* text : {"-1", "4294967296", "1e3", "1.5", "\"5\"", "null", "true", "[]"})
    EXPECT_THROW(whole_number<std::uint32_t>(Json::parse(text)), InvalidArgument) << text;
  EXPECT_THROW(whole_number<int>(Json(~0ull)), InvalidArgument);
  std::vector<std::size_t> sizes;
  EXPECT_THROW(read_json(Json::parse("[1, -2]"), sizes, true), InvalidArgument);
}

TEST(ParseJson, RefusesDepthThatWouldOverflowTheStack) {
  const auto nested = [](std::size_t depth) {
    return std::string(depth, '[') + std::string(depth, ']');
  };
  EXPECT_NO_THROW(parse_json(nested(50)));
  EXPECT_THROW(parse_json(nested(1'000'000)), Error);
  EXPECT_THROW(parse_json("{"), nlohmann::json::exception);
}

}  // namespace
}  // namespace quickselection
