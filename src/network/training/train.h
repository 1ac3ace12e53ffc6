// src/network/training/train.h: a whole training: epochs, progress, checkpoints, divergence.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "core/team.h"
#include "data/scaling/scaler.h"
#include "network/training/checkpoint.h"
#include "network/training/train_options.h"
#include "network/training/trainer.h"
#include "quickselection/dataset.h"
#include "quickselection/progress.h"

namespace quickselection {

struct CheckpointPlan {
  std::string save;    ///< file to write, "" = none
  int every = 1;       ///< epochs between two writes
  std::string resume;  ///< file to continue from, "" = none
};

struct TrainResult {
  Autoencoder network;
  std::vector<double> loss;       ///< of each epoch
  std::vector<Warning> warnings;  ///< doubts about the result, in words
};

/// Trains to the end. Throws Error when training diverges and Interrupted when context.stop is set,
/// after saving the checkpoint if one was asked for. `after_epoch` may look at the network.
TrainResult train(const Dataset& data, const Scaler& scaler, const TrainOptions& options,
                  std::uint64_t seed, Team& team, const RunContext& context,
                  const CheckpointPlan& checkpoints = {},
                  const std::function<void(const TrainState&)>& after_epoch = {});

}  // namespace quickselection
