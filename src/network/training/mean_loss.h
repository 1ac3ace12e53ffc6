// src/network/training/mean_loss.h: learning rates that belong to a mean over the features.
#pragma once

#include <cstddef>

#include "network/training/train_options.h"

namespace quickselection {

/// For methods whose published rate belongs to the mean of the squared errors over all features:
/// our gradient is that of half their sum. AdaGrad and Adam do not see the size of a gradient.
inline TrainOptions for_mean_loss(TrainOptions options, std::size_t features) {
  if (options.optimizer == Optimizer::sgd)
    options.learning_rate *= 2.0 / static_cast<double>(features);
  return options;
}

}  // namespace quickselection
