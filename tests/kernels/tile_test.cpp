// tests/kernels/tile_test.cpp
#include "kernels/tile.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>
#include <type_traits>
#include <vector>

#include "core/aligned.h"
#include "kernels/layer/layer.h"
#include "kernels/random/random.h"
#include "support/levels.h"
#include "support/packed.h"
#include "support/reference.h"

namespace quickselection::kernels {
namespace {

constexpr float kUntouched = 777;
constexpr ValueType kAllTypes[] = {ValueType::u8,  ValueType::i8,  ValueType::u16, ValueType::i16,
                                   ValueType::u32, ValueType::i32, ValueType::u64, ValueType::i64,
                                   ValueType::f32, ValueType::f64};

/// Stored rows with a gap between them, and a mean and scale for each feature.
struct Stored {
  ValueType type;
  std::size_t rows, features, row_bytes;
  std::vector<double> values, mean;  // (rows, features), (features)
  std::vector<float> narrow_mean, scale;
  std::vector<std::byte> bytes;

  double at(std::size_t row, std::size_t f) const { return values[row * features + f]; }
  TileJob job() const {
    TileJob job;
    job.from = {{bytes.data(), rows, features, row_bytes, type}};
    job.scaling = {mean.data(), narrow_mean.data(), scale.data(), 0, nullptr};
    return job;
  }
};

/// Values over much of the range of narrow types, with an offset in the others.
Stored make_stored(ValueType type, std::size_t rows, std::size_t features,
                   bool non_negative = false) {
  RandomStream random(11, Purpose::evaluation, static_cast<std::uint32_t>(features));
  Stored stored{type, rows, features, (features + 3) * size_of(type), {}, {}, {}, {}, {}};
  stored.bytes.resize(rows * stored.row_bytes);
  visit_type(type, [&]<class T>() {
    for (std::size_t r = 0; r < rows; ++r)
      for (std::size_t f = 0; f < features; ++f) {
        double x = std::floor(random.uniform() * 256);
        if (std::is_signed_v<T>) x = non_negative ? std::floor(x / 2) : x - 128;
        if constexpr (sizeof(T) == 2) x *= 100;
        if constexpr (std::is_floating_point_v<T>) x += std::floor(random.uniform() * 64) / 64;
        if constexpr (sizeof(T) == 8) x += 1e9;
        const T value = static_cast<T>(x);
        std::memcpy(stored.bytes.data() + r * stored.row_bytes + f * sizeof(T), &value, sizeof(T));
        stored.values.push_back(static_cast<double>(value));
      }
  });
  for (std::size_t f = 0; f < features; ++f) {
    const double middle = static_cast<double>(f) + (size_of(type) == 8 ? 1e9 : 0);
    stored.mean.push_back(middle);
    stored.narrow_mean.push_back(static_cast<float>(middle));
    stored.scale.push_back(0.01f / static_cast<float>(1 + f % 5));
  }
  if (features > 2) stored.scale[2] = 0;  // a constant feature
  return stored;
}

struct Tiles {
  std::vector<std::uint32_t> ids;
  AlignedArray<float> clean, noisy;

  Tiles(const Stored& stored, std::size_t samples, TileJob& job)
      : clean((stored.features + 1) * stride_of(samples)),
        noisy((stored.features + 1) * stride_of(samples)) {
    RandomStream random(3, Purpose::evaluation);
    for (std::size_t s = 0; s < samples; ++s)
      ids.push_back(static_cast<std::uint32_t>(random.below(stored.rows)));
    std::fill(clean.begin(), clean.end(), kUntouched);
    std::fill(noisy.begin(), noisy.end(), kUntouched);
    job.row_ids = ids.data();
    job.samples = samples;
    job.stride = stride_of(samples);
    job.clean = clean.data();
    job.noisy = noisy.data();
  }
  static std::size_t stride_of(std::size_t samples) {
    return (samples + lanes() - 1) / lanes() * lanes();
  }
};

double scaled(const Stored& stored, const Scaling& scaling, std::size_t row, std::size_t f) {
  double x = stored.at(row, f);
  if (scaling.unit != nullptr) x = std::log1p(x / scaling.unit[f]);
  x = (x - stored.mean[f]) * stored.scale[f];
  return scaling.clip > 0 ? std::clamp<double>(x, -scaling.clip, scaling.clip) : x;
}

/// Compares both tiles with the double-precision loop, the padding included.
void expect_tiles(const Stored& stored, const TileJob& job) {
  for (std::size_t f = 0; f < stored.features; ++f)
    for (std::size_t s = 0; s < job.stride; ++s) {
      const std::size_t at = f * job.stride + s;
      if (s >= job.samples) {
        ASSERT_EQ(job.clean[at], 0) << "padding of feature " << f << " sample " << s;
        ASSERT_EQ(job.noisy[at], 0) << "padding of feature " << f << " sample " << s;
        continue;
      }
      const std::uint32_t row = job.row_ids[s];
      const double x = scaled(stored, job.scaling, row, f);
      const double noise = reference::noise(job.noise.seed, job.noise.epoch, row, f);
      ASSERT_NEAR(job.clean[at], x, 1e-6 * (1 + std::fabs(x))) << f << " " << s;
      ASSERT_NEAR(job.noisy[at], x + job.noise.level * noise,
                  1e-6 * (1 + std::fabs(x)) + 3e-5 * job.noise.level)
          << f << " " << s;
    }
  for (std::size_t s = 0; s < job.stride; ++s) {
    ASSERT_EQ(job.clean[stored.features * job.stride + s], kUntouched) << "beyond the end";
    ASSERT_EQ(job.noisy[stored.features * job.stride + s], kUntouched) << "beyond the end";
  }
}

class Tile : public AtEveryLevel {};
QS_AT_EVERY_LEVEL(Tile);

TEST_P(Tile, ScalesEveryTypeAndShape) {
  for (const ValueType type : kAllTypes)
    for (const std::size_t features : {1u, 7u, 8u, 9u, 20u})
      for (const std::size_t samples : {1u, 4u, 13u, 16u, 128u}) {
        SCOPED_TRACE(std::string(name_of(type)) + " features " + std::to_string(features) +
                     " samples " + std::to_string(samples));
        const Stored stored = make_stored(type, 40, features);
        TileJob job = stored.job();
        const Tiles tiles(stored, samples, job);
        fill_tile(job, 0, features);
        expect_tiles(stored, job);
      }
}

TEST_P(Tile, AddsTheNoiseOfSeedEpochRowAndFeature) {
  for (const std::size_t features : {3u, 8u, 21u})
    for (const std::uint32_t epoch : {0u, 7u})
      for (const std::size_t samples : {1u, 13u, 32u}) {
        SCOPED_TRACE(std::to_string(features) + " epoch " + std::to_string(epoch));
        const Stored stored = make_stored(ValueType::f32, 40, features);
        TileJob job = stored.job();
        const Tiles tiles(stored, samples, job);
        job.noise = {0.2f, 0x100000005u, epoch};
        fill_tile(job, 0, features);
        expect_tiles(stored, job);
      }
}

TEST_P(Tile, GivesAConstantFeatureNoValueButNoise) {
  const Stored stored = make_stored(ValueType::u8, 40, 8);
  TileJob job = stored.job();
  const Tiles tiles(stored, 16, job);
  job.noise = {0.5f, 1, 0};
  fill_tile(job, 0, 8);
  for (std::size_t s = 0; s < 16; ++s) {
    EXPECT_EQ(tiles.clean[2 * job.stride + s], 0);
    EXPECT_NE(tiles.noisy[2 * job.stride + s], 0);
  }
}

TEST_P(Tile, BoundsScaledValuesButNotTheirNoise) {
  for (const ValueType type : kAllTypes)
    for (const std::size_t features : {7u, 16u}) {
      SCOPED_TRACE(name_of(type));
      const Stored stored = make_stored(type, 40, features);
      TileJob job = stored.job();
      const Tiles tiles(stored, 32, job);
      job.scaling.clip = 0.25f;
      job.noise = {1.0f, 4, 0};
      fill_tile(job, 0, features);
      expect_tiles(stored, job);
      const auto most = [&](const AlignedArray<float>& tile) {
        return *std::max_element(tile.begin(), tile.begin() + features * job.stride);
      };
      EXPECT_EQ(most(tiles.clean), 0.25f) << "nothing was bounded";
      EXPECT_GT(most(tiles.noisy), 1.0f);
    }
}

TEST_P(Tile, TakesLogarithmsOfEveryType) {
  for (const ValueType type : kAllTypes)
    for (const std::size_t features : {5u, 8u}) {
      SCOPED_TRACE(name_of(type));
      Stored stored = make_stored(type, 40, features, true);
      for (double& mean : stored.mean) mean = 1.25;
      TileJob job = stored.job();
      const Tiles tiles(stored, 13, job);
      const std::vector<double> unit(features, 2.5);
      job.scaling.unit = unit.data();
      job.noise = {0.1f, 4, 2};
      fill_tile(job, 0, features);
      expect_tiles(stored, job);
    }
}

TEST_P(Tile, KeepsAccuracyOfValuesFarFromZero) {
  // 1e6 + x in double: as floats the values would keep only multiples of 1/16.
  Stored stored = make_stored(ValueType::f64, 40, 9);
  for (std::size_t i = 0; i < stored.values.size(); ++i) {
    stored.values[i] = 1e6 + std::sin(static_cast<double>(i));
    std::memcpy(stored.bytes.data() + i / 9 * stored.row_bytes + i % 9 * 8, &stored.values[i], 8);
  }
  for (std::size_t f = 0; f < 9; ++f) stored.mean[f] = 1e6 + 0.123, stored.scale[f] = 1.5f;
  TileJob job = stored.job();
  const Tiles tiles(stored, 24, job);
  fill_tile(job, 0, 9);
  expect_tiles(stored, job);
}

TEST_P(Tile, GivesTheSameBitsInWholeBlocksAndInTheTail) {
  for (const ValueType type : kAllTypes)
    for (const float clip : {0.0f, 0.3f}) {
      SCOPED_TRACE(name_of(type));
      const Stored stored = make_stored(type, 40, 8);
      TileJob whole = stored.job(), tail = stored.job();
      const Tiles block(stored, 16, whole), part(stored, 16, tail);
      whole.scaling.clip = tail.scaling.clip = clip;
      whole.noise = tail.noise = {0.2f, 1, 1};
      fill_tile(whole, 0, 8);
      fill_tile(tail, 0, 7);
      const std::size_t bytes = 7 * whole.stride * sizeof(float);
      EXPECT_EQ(std::memcmp(block.clean.data(), part.clean.data(), bytes), 0);
      EXPECT_EQ(std::memcmp(block.noisy.data(), part.noisy.data(), bytes), 0);
    }
}

TEST_P(Tile, GivesTheSameBitsHoweverTheFeaturesAreCut) {
  const Stored stored = make_stored(ValueType::i16, 40, 30);
  TileJob whole = stored.job(), cut = stored.job();
  const Tiles one(stored, 13, whole), three(stored, 13, cut);
  whole.noise = cut.noise = {0.2f, 1, 1};
  fill_tile(whole, 0, 30);
  fill_tile(cut, 16, 30);
  fill_tile(cut, 0, 8);
  fill_tile(cut, 8, 16);
  EXPECT_EQ(std::memcmp(one.clean.data(), three.clean.data(), one.clean.bytes()), 0);
  EXPECT_EQ(std::memcmp(one.noisy.data(), three.noisy.data(), one.noisy.bytes()), 0);
}

TEST_P(Tile, PacksTheNoisyRows) {
  for (const std::size_t samples : {1u, 4u, 13u, 16u, 40u, 128u}) {
    SCOPED_TRACE(samples);
    const Stored stored = make_stored(ValueType::u8, 40, 21);
    TileJob job = stored.job();
    const Tiles tiles(stored, samples, job);
    job.noise = {0.2f, 3, 5};
    const std::size_t words = packed_stride(job.stride, lanes());
    AlignedArray<Packed> pairs(22 * words);
    std::fill(pairs.begin(), pairs.end(), Packed{7});
    job.packed = pairs.data();
    fill_tile(job, 0, 21);
    AlignedArray<float> noisy(21 * job.stride);
    std::copy_n(tiles.noisy.begin(), noisy.size(), noisy.begin());
    const AlignedArray<Packed> expected = packed(noisy, job.stride);
    EXPECT_TRUE(std::equal(expected.begin(), expected.end(), pairs.begin()));
    for (std::size_t w = 21 * words; w < pairs.size(); ++w) EXPECT_EQ(pairs[w], 7u);
    job.noisy = nullptr;
    AlignedArray<Packed> alone(22 * words);
    job.packed = alone.data();
    fill_tile(job, 0, 21);
    EXPECT_TRUE(std::equal(expected.begin(), expected.end(), alone.begin()));
  }
}

TEST_P(Tile, FillsOnlyWhatIsAskedFor) {
  const Stored stored = make_stored(ValueType::u8, 40, 24);
  TileJob both = stored.job(), clean = stored.job(), noisy = stored.job();
  const Tiles a(stored, 13, both), b(stored, 13, clean), c(stored, 13, noisy);
  both.noise = clean.noise = noisy.noise = {0.2f, 1, 1};
  clean.noisy = nullptr;
  noisy.clean = nullptr;
  for (const TileJob* job : {&both, &clean, &noisy}) fill_tile(*job, 8, 16);
  EXPECT_EQ(std::memcmp(a.clean.data(), b.clean.data(), a.clean.bytes()), 0);
  EXPECT_EQ(std::memcmp(a.noisy.data(), c.noisy.data(), a.noisy.bytes()), 0);
  for (const AlignedArray<float>* tile : {&a.clean, &a.noisy})
    for (std::size_t f : {0u, 7u, 16u, 23u}) EXPECT_EQ((*tile)[f * both.stride], kUntouched) << f;
  for (const float x : b.noisy) EXPECT_EQ(x, kUntouched);
  for (const float x : c.clean) EXPECT_EQ(x, kUntouched);
}

}  // namespace
}  // namespace quickselection::kernels
