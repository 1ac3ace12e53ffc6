// tests/data/generators/generators_test.cpp
#include "data/generators/generators.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <set>

#include "data/data_testing.h"

namespace quickselection {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

struct Moments {
  double mean = 0, spread = 0, kurtosis = 0;
};

Moments moments(const Dataset& data, std::size_t feature) {
  const auto rows = static_cast<double>(data.rows());
  Moments m;
  for (std::size_t r = 0; r < data.rows(); ++r) m.mean += data.at(r, feature) / rows;
  double second = 0, fourth = 0;
  for (std::size_t r = 0; r < data.rows(); ++r) {
    const double square = std::pow(data.at(r, feature) - m.mean, 2);
    second += square / rows;
    fourth += square * square / rows;
  }
  m.spread = std::sqrt(second);
  m.kurtosis = fourth / (second * second);
  return m;
}

double correlation(const Dataset& data, std::size_t a, std::size_t b) {
  const Moments ma = moments(data, a), mb = moments(data, b);
  double sum = 0;
  for (std::size_t r = 0; r < data.rows(); ++r)
    sum += (data.at(r, a) - ma.mean) * (data.at(r, b) - mb.mean);
  return sum / static_cast<double>(data.rows()) / (ma.spread * mb.spread);
}

bool same_values(const Dataset& a, const Dataset& b) {
  return a.rows() == b.rows() && a.features() == b.features() &&
         std::memcmp(a.values().data, b.values().data, a.value_bytes()) == 0;
}

TEST(Madelon, HasTheShapeOfTheOriginal) {
  const Generated made = generate_madelon({}, 0);
  EXPECT_EQ(made.data.rows(), 2000u);
  EXPECT_EQ(made.data.features(), 500u);
  EXPECT_EQ(made.relevant.size(), 20u);
  EXPECT_TRUE(std::is_sorted(made.relevant.begin(), made.relevant.end()));
  EXPECT_THAT(made.data.labels->classes, ElementsAre("-1", "1"));
  const auto positive =
      std::count(made.data.labels->codes.begin(), made.data.labels->codes.end(), 1);
  EXPECT_NEAR(static_cast<double>(positive), 1000, 30);
}

TEST(Madelon, HidesTheRelevantFeaturesAmongNormalProbes) {
  const Generated made = generate_madelon({}, 3);
  const std::set<std::size_t> relevant(made.relevant.begin(), made.relevant.end());
  double widest = 0;
  for (std::size_t f = 0; f < 500; ++f) {
    const Moments m = moments(made.data, f);
    EXPECT_GT(m.mean, 460);
    EXPECT_LT(m.mean, 540);
    if (relevant.contains(f)) continue;
    EXPECT_NEAR(m.kurtosis, 3, 0.6) << f;
    widest = std::max(widest, m.spread);
  }
  EXPECT_NEAR(widest, 44, 3);
}

TEST(Madelon, OnlyRelevantFeaturesGoTogether) {
  const Generated made = generate_madelon({.rows = 1000, .features = 60}, 1);
  const std::set<std::size_t> relevant(made.relevant.begin(), made.relevant.end());
  int almost_equal = 0;
  for (std::size_t a = 0; a < 60; ++a) {
    double strongest = 0;
    for (std::size_t b = 0; b < 60; ++b) {
      if (a == b) continue;
      const double c = std::fabs(correlation(made.data, a, b));
      strongest = std::max(strongest, c);
      almost_equal += c > 0.97;
    }
    EXPECT_EQ(strongest > 0.2, relevant.contains(a)) << a << " " << strongest;
  }
  EXPECT_GE(almost_equal, 20);  // ten copies, each seen from both sides
}

TEST(Madelon, DependsOnTheSeedOnly) {
  const MadelonOptions options{.rows = 200, .features = 50};
  EXPECT_TRUE(same_values(generate_madelon(options, 1).data, generate_madelon(options, 1).data));
  EXPECT_FALSE(same_values(generate_madelon(options, 1).data, generate_madelon(options, 2).data));
}

TEST(Madelon, RefusesNumbersThatDoNotFit) {
  EXPECT_THAT(error_text([] { generate_madelon({.features = 19}, 0); }),
              HasSubstr("more than all 19"));
  EXPECT_THAT(error_text([] { generate_madelon({.redundant = 3}, 0); }),
              HasSubstr("‹repeated› is 10"));
  EXPECT_THAT(error_text([] { generate_madelon({.rows = 0}, 0); }), HasSubstr("‹rows› is '0'"));
}

TEST(Classification, PutsClustersOnTheCornersOfACube) {
  ClassificationOptions options;
  options.rows = 20000;
  options.features = 6;
  options.informative = 3;
  options.redundant = 1;
  options.repeated = 1;
  options.classes = 2;
  options.clusters_per_class = 4;  // all corners: each informative feature is +-class_sep
  options.class_sep = 5;
  options.flip_y = 0;
  options.shuffle = false;
  const Generated made = generate_classification(options, 4);
  EXPECT_THAT(made.relevant, ElementsAre(0, 1, 2, 3, 4));
  for (std::size_t f = 0; f < 3; ++f) {
    const Moments m = moments(made.data, f);
    EXPECT_NEAR(m.mean, 0, 0.1);
    EXPECT_NEAR(m.spread, std::sqrt(25 + 1.0), 0.25);  // expected within-cluster variance: 3 / 3
  }
  // The redundant feature is one linear combination of the informative ones: solve it from three
  // rows (Cramer's rule) and find it again in all others.
  const auto at = [&](std::size_t r, std::size_t f) { return made.data.at(r, f); };
  const auto determinant = [&](std::size_t a, std::size_t b, std::size_t c) {
    return at(0, a) * (at(7000, b) * at(19000, c) - at(7000, c) * at(19000, b)) -
           at(0, b) * (at(7000, a) * at(19000, c) - at(7000, c) * at(19000, a)) +
           at(0, c) * (at(7000, a) * at(19000, b) - at(7000, b) * at(19000, a));
  };
  const double whole = determinant(0, 1, 2);
  ASSERT_GT(std::fabs(whole), 1);
  const double w0 = determinant(3, 1, 2) / whole, w1 = determinant(0, 3, 2) / whole,
               w2 = determinant(0, 1, 3) / whole;
  for (std::size_t r = 0; r < 20000; r += 37)
    EXPECT_NEAR(at(r, 3), w0 * at(r, 0) + w1 * at(r, 1) + w2 * at(r, 2), 1e-3);

  bool copied = false;
  for (std::size_t f = 0; f < 4; ++f) {
    bool same = true;
    for (std::size_t r = 0; r < 100; ++r) same &= made.data.at(r, 4) == made.data.at(r, f);
    copied |= same;
  }
  EXPECT_TRUE(copied);
  EXPECT_NEAR(moments(made.data, 5).spread, 1, 0.03);
}

TEST(Classification, FollowsTheWeights) {
  ClassificationOptions options;
  options.rows = 1000;
  options.classes = 3;
  options.clusters_per_class = 1;
  options.weights = {0.5, 0.3};
  options.flip_y = 0;
  const Generated made = generate_classification(options, 0);
  std::vector<int> sizes(3);
  for (std::int32_t code : made.data.labels->codes) ++sizes[static_cast<std::size_t>(code)];
  EXPECT_NEAR(sizes[0], 500, 1);
  EXPECT_NEAR(sizes[1], 300, 1);
  EXPECT_NEAR(sizes[2], 200, 1);
}

TEST(Classification, FlipsAsManyLabelsAsAskedFor) {
  ClassificationOptions options;
  options.rows = 20000;
  options.shuffle = false;
  options.clusters_per_class = 1;
  options.flip_y = 0.4;
  const Generated made = generate_classification(options, 0);
  int wrong = 0;  // unshuffled: first half class 0, second half class 1
  for (std::size_t r = 0; r < 20000; ++r) wrong += made.data.labels->codes[r] != (r >= 10000);
  EXPECT_NEAR(wrong, 4000, 200);  // half of the random labels are right by chance
}

TEST(Classification, ShiftsThenScales) {
  ClassificationOptions options;
  options.shuffle = false;
  const Generated plain = generate_classification(options, 9);
  options.shift = 2;
  options.scale = 10;
  const Generated moved = generate_classification(options, 9);
  for (std::size_t f = 0; f < 20; ++f)
    EXPECT_NEAR(moved.data.at(0, f), (plain.data.at(0, f) + 2) * 10, 1e-4);
  options.random_shift = options.random_scale = true;
  const Generated random = generate_classification(options, 9);
  std::set<double> scales;
  for (std::size_t f = 0; f < 20; ++f) {
    const double scale = moments(random.data, f).spread / moments(plain.data, f).spread;
    EXPECT_GE(scale, 0.999);
    EXPECT_LE(scale, 101.001);
    scales.insert(scale);
  }
  EXPECT_EQ(scales.size(), 20u);
}

TEST(Classification, ShufflingMovesRowsAndColumnsOnly) {
  ClassificationOptions options;
  const Generated mixed = generate_classification(options, 5);
  options.shuffle = false;
  const Generated plain = generate_classification(options, 5);
  const auto sorted = [](const Dataset& data) {
    std::vector<double> values;
    for (std::size_t r = 0; r < data.rows(); ++r)
      for (std::size_t f = 0; f < data.features(); ++f) values.push_back(data.at(r, f));
    std::sort(values.begin(), values.end());
    return values;
  };
  EXPECT_EQ(sorted(mixed.data), sorted(plain.data));
  EXPECT_FALSE(same_values(mixed.data, plain.data));
}

TEST(Classification, RefusesNumbersThatDoNotFit) {
  ClassificationOptions many;
  many.classes = 5;
  EXPECT_THAT(error_text([&] { generate_classification(many, 0); }), HasSubstr("10 clusters"));
  ClassificationOptions heavy;
  heavy.weights = {0.9, 0.9};
  EXPECT_THAT(error_text([&] { generate_classification(heavy, 0); }), HasSubstr("add up to 1.8"));
  ClassificationOptions odd;
  odd.weights = {0.1, 0.1, 0.1};
  EXPECT_THAT(error_text([&] { generate_classification(odd, 0); }), HasSubstr("3 weights for 2"));
}

TEST(Classification, TakesMoreDimensionsThanCornersCanBeListed) {
  ClassificationOptions options;
  options.features = 100;
  options.informative = 80;
  options.classes = 4;
  EXPECT_EQ(generate_classification(options, 0).relevant.size(), 82u);
}

TEST(Gaussian, IsStandardNormalAndRowsDoNotDependOnTheirNumber) {
  const Generated made = generate_gaussian({.rows = 5000, .features = 20}, 2);
  EXPECT_THAT(made.relevant, IsEmpty());
  EXPECT_FALSE(made.data.labels);
  for (std::size_t f = 0; f < 20; ++f) {
    const Moments m = moments(made.data, f);
    EXPECT_NEAR(m.mean, 0, 0.07);
    EXPECT_NEAR(m.spread, 1, 0.05);
    EXPECT_NEAR(m.kurtosis, 3, 0.4);
  }
  const Generated fewer = generate_gaussian({.rows = 10, .features = 20}, 2);
  EXPECT_TRUE(same_values(fewer.data, made.data.slice_rows(0, 10)));
}

TEST(Generators, AreMadeFromNamesAndTexts) {
  const GivenOption given[] = {{"rows", "30"}, {"features", "25"}, {"shuffle", "no"}};
  const Generated made = find_generator("madelon").make(given, 1);
  EXPECT_EQ(made.data.rows(), 30u);
  EXPECT_EQ(made.relevant.back(), 19u);
  const GivenOption weights[] = {{"weights", "0.25,0.75"}};
  EXPECT_EQ(find_generator("classification").make(weights, 1).data.rows(), 100u);
  for (const Generator& generator : generators()) {
    EXPECT_FALSE(generator.summary.empty());
    for (const OptionInfo& option : generator.options) EXPECT_FALSE(option.help.empty());
  }
}

TEST(Generators, RefuseUnknownNames) {
  EXPECT_THAT(error_text([] { find_generator("madelin"); }),
              HasSubstr("known generators: madelon"));
  const GivenOption unknown[] = {{"row", "3"}};
  EXPECT_THAT(error_text([&] { find_generator("gaussian").make(unknown, 0); }),
              HasSubstr("did you mean ‹rows›?"));
  const GivenOption bad[] = {{"shuffle", "maybe"}};
  EXPECT_THAT(error_text([&] { find_generator("madelon").make(bad, 0); }), HasSubstr("yes or no"));
}

}  // namespace
}  // namespace quickselection
