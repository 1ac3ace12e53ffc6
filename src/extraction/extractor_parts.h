// src/extraction/extractor_parts.h: what an extractor is made of.
#pragma once

#include <variant>
#include <vector>

#include "data/scaling/scaler.h"
#include "network/layers/apply.h"
#include "network/layers/dense_network.h"
#include "network/layers/sparse_layer.h"
#include "quickselection/extraction.h"

namespace quickselection {

struct Extractor::Parts {
  ExtractorInfo info;
  Scaler scaler;
  ApplyPlan plan;
  std::variant<std::vector<SparseLayer>, std::vector<DenseLayer>> layers;  ///< input to output
  std::size_t code = 0;  ///< how many of them lead to the code
};

}  // namespace quickselection
