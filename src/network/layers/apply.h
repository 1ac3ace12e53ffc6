// src/network/layers/apply.h: what a trained network makes of rows, without noise and dropout.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

#include "core/team.h"
#include "data/scaling/scaler.h"
#include "network/layers/dense_network.h"
#include "network/layers/sparse_layer.h"
#include "network/training/train_options.h"
#include "quickselection/dataset.h"
#include "quickselection/progress.h"

namespace quickselection {

/// Some rows of a data set on their way through a network.
struct AppliedTile {
  std::size_t first = 0, samples = 0, stride = 0;  ///< `first` counts in the rows asked for
  const float* input = nullptr;                    // (I, B), scaled
  const float* output = nullptr;                   // (O of the last layer, B)
};

/// How layers are applied: hidden ones with `activation`, and scaled by (1 - dropout) as they saw
/// it in training; the last one too unless it is the output.
struct ApplyPlan {
  Activation activation = Activation::sigmoid;
  Activation output_activation = Activation::linear;
  double dropout = 0;
  bool to_output = true;
};
ApplyPlan plan_of(const TrainOptions& options, bool to_output);

/// Calls body for the tiles of the given rows (none = all), on all members of the team at once.
/// Throws Interrupted when context.stop is set.
template <class Layer>
void apply(std::span<const Layer> layers, const ApplyPlan& plan, const Dataset& data,
           const Scaler& scaler, std::span<const std::uint32_t> rows, Team& team,
           const RunContext& context, const std::function<void(const AppliedTile&)>& body);

/// Mean squared error of a reconstruction, over these rows and all features.
double reconstruction_loss(const DenseNetwork& network, const ApplyPlan& plan, const Dataset& data,
                           const Scaler& scaler, std::span<const std::uint32_t> rows, Team& team,
                           const RunContext& context);

}  // namespace quickselection
