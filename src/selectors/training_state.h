// src/selectors/training_state.h: the state of any training, so that it can wait for more
// data.
#pragma once

#include <string>
#include <variant>

#include "data/scaling/scaler.h"
#include "network/training/dense_trainer.h"
#include "network/training/trainer.h"
#include "selectors/methods/concrete_network.h"
#include "selectors/methods/group_lasso.h"
#include "selectors/methods/wast_network.h"

namespace quickselection {

using TrainingState =
    std::variant<std::monostate, TrainState, DenseTrainState, LassoState, WastState, ConcreteState>;

/// What a training that is fed chunk by chunk keeps between them.
struct ChunkedTraining {
  Scaler scaler;  ///< of the first chunk
  TrainingState state;
};

/// As bytes, with a check against damage.
std::string pack_training(const ChunkedTraining& training);
/// Throws Error when the bytes are damaged.
ChunkedTraining unpack_training(const std::string& bytes);

}  // namespace quickselection
