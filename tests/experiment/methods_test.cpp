// tests/experiment/methods_test.cpp: methods and their options as text.
#include "experiment/tasks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "quickselection/error.h"

namespace quickselection {
namespace {

using testing::HasSubstr;
using testing::SizeIs;

std::string text_of(std::span<const GivenOption> options) {
  std::string text;
  for (const GivenOption& option : options) text += option.name + "=" + option.text + " ";
  return text;
}

std::string refusal(const std::string& text) {
  try {
    parse_experiment_methods(text);
  } catch (const InvalidArgument& error) {
    return error.what();
  }
  return "";
}

TEST(ExperimentMethods, HaveLabelsAndOptions) {
  const auto methods =
      parse_experiment_methods("QS10=quickselection:epochs=10:zeta=0.3,mcfs,fcae:hidden=20");
  ASSERT_THAT(methods, SizeIs(3));
  EXPECT_EQ(methods[0].label, "QS10");
  EXPECT_EQ(methods[0].method, "quickselection");
  EXPECT_EQ(text_of(methods[0].options), "epochs=10 zeta=0.3 ");
  EXPECT_EQ(methods[1].label, "mcfs");
  EXPECT_EQ(methods[2].label, "fcae:hidden=20");
}

TEST(ExperimentMethods, TakeListsOfNumbersAsValues) {
  const auto methods = parse_experiment_methods("quickselection:hidden=100,20,100:epochs=2,random");
  ASSERT_THAT(methods, SizeIs(2));
  EXPECT_EQ(text_of(methods[0].options), "hidden=100,20,100 epochs=2 ");
}

TEST(ExperimentMethods, KnowScaleAndClip) {
  const auto method = parse_experiment_method("variance:scale=none:clip=3");
  const SelectOptions options = select_options(method, {});
  EXPECT_EQ(options.scale, ScaleMode::none);
  EXPECT_EQ(options.clip, 3);
  EXPECT_TRUE(options.method_options.empty());
}

TEST(ExperimentMethods, RefuseWhatTheyCannotRead) {
  EXPECT_THAT(refusal("quickselektion"), HasSubstr("quickselektion"));
  EXPECT_THAT(refusal("quickselection:epoch=3"), HasSubstr("‹epoch›"));
  EXPECT_THAT(refusal("quickselection:epochs"), HasSubstr("'epochs'"));
  EXPECT_THAT(refusal("quickselection:epochs=0"), HasSubstr("epochs"));
  EXPECT_THAT(refusal("=quickselection"), HasSubstr("empty label"));
  EXPECT_THAT(refusal("random,,variance"), HasSubstr("''"));
  EXPECT_THAT(refusal("variance:scale=wide"), HasSubstr("wide"));
  EXPECT_THAT(refusal("variance:clip=much"), HasSubstr("much"));
}

TEST(ExperimentMethods, ShareOptionsWithThoseThatHaveThem) {
  auto methods = parse_experiment_methods("quickselection:epochs=3,fcae,variance");
  share_options(methods, std::vector<GivenOption>{{"epochs", "7"}, {"scale", "none"}});
  EXPECT_EQ(text_of(methods[0].options), "epochs=3 scale=none ");
  EXPECT_EQ(text_of(methods[1].options), "epochs=7 scale=none ");
  EXPECT_EQ(text_of(methods[2].options), "scale=none ");
  EXPECT_THROW(share_options(methods, std::vector<GivenOption>{{"alpha", "7"}}), InvalidArgument);
}

TEST(ExperimentMethods, ObeyTheDataSetUnlessToldThemselves) {
  ExperimentData data;
  data.options = {{"quickselection", {{"epochs", "9"}, {"noise", "0"}, {"scale", "minmax"}}}};
  const auto own =
      select_options(parse_experiment_method("quickselection:epochs=3:zeta=0.1"), data);
  EXPECT_EQ(text_of(own.method_options), "noise=0 epochs=3 zeta=0.1 ");
  EXPECT_EQ(own.scale, ScaleMode::minmax);
  EXPECT_EQ(select_options(parse_experiment_method("quickselection:scale=log"), data).scale,
            ScaleMode::log);
  EXPECT_FALSE(select_options(parse_experiment_method("fcae"), data).scale);
}

TEST(ExperimentMethods, KnowWhichNeedsK) {
  const auto needs = [](const char* text) {
    return needs_k(select_options(parse_experiment_method(text), {}));
  };
  EXPECT_TRUE(needs("mcfs"));
  EXPECT_TRUE(needs("concrete_autoencoder"));
  EXPECT_TRUE(needs("aefs"));
  EXPECT_FALSE(needs("aefs:hidden=20"));
  EXPECT_FALSE(needs("quickselection"));
  EXPECT_FALSE(needs("variance"));
}

}  // namespace
}  // namespace quickselection
