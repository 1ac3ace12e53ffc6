// tests/support/trainer.h: a model's training, epoch by epoch, stopped wherever a test likes.
#pragma once

#include <functional>
#include <utility>

#include "network/training/training.h"

namespace quickselection {

template <class Model>
class Trainer {
 public:
  Trainer(const Dataset& data, const Scaler& scaler, std::uint64_t seed, Team& team, Model start,
          TrainingState begun = {}, RowChoice choice = {})
      : model(std::move(start)),
        state(std::move(begun)),
        batches(data, scaler, model.train_options(data.rows()), seed, team, std::move(choice)),
        step(model.make_step(batches, model.train_options(data.rows()))) {}
  Trainer(const Trainer&) = delete;

  /// To the end of the epoch under way, or until `go_on` says false after a batch.
  bool run_epoch(const std::function<bool()>& go_on = [] { return true; }) {
    if constexpr (requires { step.begin_epoch(state); }) step.begin_epoch(state);
    BatchWork work;
    work.train_tile = [&](int member, const Tile& tile) { step.train_tile(member, tile, state); };
    if constexpr (requires { step.end_batch(0, state); })
      work.after_batch = [&](int member) { step.end_batch(member, state); };
    return batches.run_epoch(state, work, go_on);
  }

  Model model;
  TrainingState state;
  Batches batches;
  decltype(std::declval<Model&>().make_step(std::declval<Batches&>(), TrainOptions())) step;
};

}  // namespace quickselection
