// src/kernels/distances.h: many points against a few centres.
//
// Points stand in tiles of 16 rows, feature-major within the tile: (tiles, features, 16), so that
// lanes are rows: no sums across lanes, and the nearest centre is found for 16 rows at once.
#pragma once

#include <cstddef>
#include <cstdint>

namespace quickselection::kernels {

inline constexpr std::size_t kTileRows = 16;

/// labels[row] = the centre with the least squared distance, the first of equals.
/// centers: (count, features); half_norms: (count), half the squared length of each centre;
/// labels: (tiles, 16).
void nearest_centers(const float* points, std::size_t tiles, std::size_t features,
                     const float* centers, const float* half_norms, std::size_t count,
                     std::uint32_t* labels) noexcept;

/// out[v][lane] = sum over j of vectors[v][j] * tile[j][lane]: one tile times a matrix.
/// tile: (length, 16); vectors: (count, length), `stride` apart; out: (count, 16).
void tile_products(const float* tile, std::size_t length, const float* vectors, std::size_t stride,
                   std::size_t count, float* out) noexcept;

/// out[c][row] = squared distance of the row to centre c, summed from differences, so that it is
/// never negative and exactly 0 for equal points. out: (count, tiles, 16).
void squared_distances(const float* points, std::size_t tiles, std::size_t features,
                       const float* centers, std::size_t count, float* out) noexcept;

}  // namespace quickselection::kernels
