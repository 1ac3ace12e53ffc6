// include/quickselection/evaluation.h: how good a selection of features is.
#pragma once

#include <cstddef>
#include <cstdint>

namespace quickselection {

enum class Classifier : std::uint8_t { extra_trees, random_forest };

}  // namespace quickselection
