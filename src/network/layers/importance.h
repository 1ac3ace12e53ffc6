// src/network/layers/importance.h: what a trained network says about each input feature.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "core/text/options.h"
#include "network/layers/sparse_layer.h"

namespace quickselection {

enum class Importance : std::uint8_t {
  strength,
  output_strength,
  input_degree,
  output_degree,
  strength_top_hidden,
};

inline constexpr std::string_view kImportanceNames[] = {
    "strength", "output_strength", "input_degree", "output_degree", "strength_top_hidden"};
template <>
inline constexpr std::span<const std::string_view> kChoices<Importance> = kImportanceNames;

/// Share of the hidden neurons that strength_top_hidden looks at, the strongest ones.
inline constexpr double kTopHiddenShare = 0.5;

/// One score for each feature, from the connections that survive one more removal of the weakest
/// share zeta. `layers` go from the input to the output.
std::vector<double> importance(std::span<const SparseLayer> layers, Importance measure,
                               double zeta);

}  // namespace quickselection
