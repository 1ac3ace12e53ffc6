// src/kernels/distances.cpp: see distances.h.
#include "kernels/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/distances.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/distances.h"

HWY_BEFORE_NAMESPACE();
namespace quickselection::kernels::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using Floats = hn::CappedTag<float, kTileRows>;
using Vector = hn::Vec<Floats>;
constexpr std::size_t kLanes = hn::MaxLanes(Floats());
constexpr std::size_t kVectors = kTileRows / kLanes;  // of one feature of a tile
// Centres at once: 12 accumulators hide the latency of the multiply-add and fit the registers.
constexpr std::size_t kGroup = kVectors >= 12 ? 1 : 12 / kVectors;

struct Product {
  static HWY_INLINE Vector add(Vector x, Vector c, Vector sum) { return hn::MulAdd(x, c, sum); }
};
struct SquaredDifference {
  static HWY_INLINE Vector add(Vector x, Vector c, Vector sum) {
    const Vector difference = hn::Sub(x, c);
    return hn::MulAdd(difference, difference, sum);
  }
};

/// sums[g][v] = sum over the features of Term for centre g and vector v of the tile.
template <class Term, std::size_t Group>
HWY_INLINE void sum_group(const float* HWY_RESTRICT tile, std::size_t features,
                          const float* HWY_RESTRICT centers, std::size_t stride,
                          Vector (&sums)[Group][kVectors]) {
  const Floats d;
  for (std::size_t g = 0; g < Group; ++g)
    for (std::size_t v = 0; v < kVectors; ++v) sums[g][v] = hn::Zero(d);
  for (std::size_t j = 0; j < features; ++j) {
    Vector x[kVectors];
    for (std::size_t v = 0; v < kVectors; ++v)
      x[v] = hn::Load(d, tile + j * kTileRows + v * kLanes);
    for (std::size_t g = 0; g < Group; ++g) {
      const Vector c = hn::Set(d, centers[g * stride + j]);
      for (std::size_t v = 0; v < kVectors; ++v) sums[g][v] = Term::add(x[v], c, sums[g][v]);
    }
  }
}

/// Calls body with groups of kGroup centres, then with the rest in one smaller group.
template <class Term, std::size_t Group = kGroup, class Body>
HWY_INLINE void for_each_group(const float* tile, std::size_t features, const float* centers,
                               std::size_t stride, std::size_t first, std::size_t count,
                               const Body& body) {
  for (; first + Group <= count; first += Group) {
    Vector sums[Group][kVectors];
    sum_group<Term, Group>(tile, features, centers + first * stride, stride, sums);
    for (std::size_t g = 0; g < Group; ++g) body(first + g, sums[g]);
  }
  if constexpr (Group > 1)
    if (first < count)
      for_each_group<Term, Group - 1>(tile, features, centers, stride, first, count, body);
}

void nearest_centers(const float* points, std::size_t tiles, std::size_t features,
                     const float* centers, const float* half_norms, std::size_t count,
                     std::uint32_t* labels) {
  const Floats d;
  const hn::RebindToSigned<Floats> di;
  for (std::size_t t = 0; t < tiles; ++t) {
    Vector least[kVectors], nearest[kVectors];
    for (std::size_t v = 0; v < kVectors; ++v) {
      least[v] = hn::Inf(d);
      nearest[v] = hn::Zero(d);
    }
    for_each_group<Product>(points + t * features * kTileRows, features, centers, features, 0,
                            count, [&](std::size_t c, const Vector(&products)[kVectors]) HWY_ATTR {
                              const Vector half_norm = hn::Set(d, half_norms[c]);
                              const Vector index = hn::Set(d, static_cast<float>(c));
                              for (std::size_t v = 0; v < kVectors; ++v) {
                                const Vector distance = hn::Sub(half_norm, products[v]);
                                nearest[v] =
                                    hn::IfThenElse(hn::Lt(distance, least[v]), index, nearest[v]);
                                least[v] = hn::Min(distance, least[v]);
                              }
                            });
    for (std::size_t v = 0; v < kVectors; ++v)
      hn::StoreU(hn::ConvertTo(di, nearest[v]), di,
                 reinterpret_cast<std::int32_t*>(labels + t * kTileRows + v * kLanes));
  }
}

void squared_distances(const float* points, std::size_t tiles, std::size_t features,
                       const float* centers, std::size_t count, float* out) {
  const Floats d;
  for (std::size_t t = 0; t < tiles; ++t)
    for_each_group<SquaredDifference>(points + t * features * kTileRows, features, centers,
                                      features, 0, count,
                                      [&](std::size_t c, const Vector(&sums)[kVectors]) HWY_ATTR {
                                        float* to = out + (c * tiles + t) * kTileRows;
                                        for (std::size_t v = 0; v < kVectors; ++v)
                                          hn::StoreU(sums[v], d, to + v * kLanes);
                                      });
}

void tile_products(const float* tile, std::size_t length, const float* vectors, std::size_t stride,
                   std::size_t count, float* out) {
  const Floats d;
  for_each_group<Product>(tile, length, vectors, stride, 0, count,
                          [&](std::size_t c, const Vector(&sums)[kVectors]) HWY_ATTR {
                            for (std::size_t v = 0; v < kVectors; ++v)
                              hn::StoreU(sums[v], d, out + c * kTileRows + v * kLanes);
                          });
}

}  // namespace quickselection::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace quickselection::kernels {

HWY_EXPORT(nearest_centers);
HWY_EXPORT(squared_distances);
HWY_EXPORT(tile_products);

void nearest_centers(const float* points, std::size_t tiles, std::size_t features,
                     const float* centers, const float* half_norms, std::size_t count,
                     std::uint32_t* labels) noexcept {
  HWY_DYNAMIC_DISPATCH(nearest_centers)
  (points, tiles, features, centers, half_norms, count, labels);
}

void squared_distances(const float* points, std::size_t tiles, std::size_t features,
                       const float* centers, std::size_t count, float* out) noexcept {
  HWY_DYNAMIC_DISPATCH(squared_distances)(points, tiles, features, centers, count, out);
}

void tile_products(const float* tile, std::size_t length, const float* vectors, std::size_t stride,
                   std::size_t count, float* out) noexcept {
  HWY_DYNAMIC_DISPATCH(tile_products)(tile, length, vectors, stride, count, out);
}

}  // namespace quickselection::kernels
#endif
