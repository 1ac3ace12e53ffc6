// src/selectors/method.h: what a selection method is to the rest of the program.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/team.h"
#include "data/scaling/scaler.h"
#include "network/training/train.h"
#include "network/training/train_loop.h"
#include "quickselection/dataset.h"
#include "quickselection/progress.h"
#include "quickselection/selection.h"
#include "selectors/training_state.h"

namespace quickselection {

struct MethodInput {
  const Dataset& data;
  const Scaler& scaler;
  std::span<const GivenOption> given;
  std::size_t k;  ///< features wanted, 1 to all
  std::uint64_t seed;
  Team& team;
  const RunContext& context;
  const CheckpointPlan& checkpoints;
  bool keep_network = false;
};

struct MethodOutput {
  std::vector<double> scores;  // (I), higher is better
  std::vector<Setting> options;
  std::vector<double> loss;
  std::size_t parameters = 0;
  std::vector<LayerWeights> network;  // only with keep_network
  std::vector<Setting> measures;      ///< what the method says about its own result
  std::vector<Warning> warnings;
};

/// A method's output as a result: constant features last, with what the user should know.
Selection selection_of(MethodOutput output, const Dataset& data, const SelectOptions& options,
                       const Scaler& scaler, std::size_t k, int threads);

struct Method {
  std::string_view name, summary;
  ScaleMode scale;
  bool resumable;
  std::vector<OptionInfo> (*describe)();
  void (*check)(std::span<const GivenOption>);  // throws for options that run() would refuse
  MethodOutput (*run)(const MethodInput&);
  bool seeded = true;  // whether another seed may give another ranking
  /// One more epoch, on a chunk of the data; the state is empty before the first one, and the
  /// scaler always that of the first chunk. The output is what is known now. After an exception
  /// the state is as the last finished batch left it. Null for methods that cannot.
  MethodOutput (*learn)(const MethodInput&, TrainingState&) = nullptr;
  // Whether it calls context.after_epoch, and a training of fewer epochs is the beginning of a
  // longer one, bit for bit.
  bool scores_each_epoch = false;
  // Whether the ranking depends on the number of features that are wanted; null = never.
  bool (*needs_k)(std::span<const GivenOption>) = nullptr;
};

inline bool always_needs_k(std::span<const GivenOption>) { return true; }

/// run_epochs, with news for context.after_epoch. `before`: epochs it has been told of already.
template <class AnyTrainer, class ScoresOf>
void run_and_tell(AnyTrainer& trainer, const EpochPlan& plan, const RunContext& context,
                  const ScoresOf& scores_of, std::size_t before = 0) {
  run_epochs(trainer, plan, context, [&](bool finished) {
    if (!finished || !context.after_epoch) return;
    const auto& state = trainer.state();
    const std::vector<double> scores = scores_of(state);
    context.after_epoch({before + state.epoch, state.loss.back(), scores});
  });
}

/// Gives a training's state back, whatever ends it; half an epoch counts as none.
template <class AnyTrainer, class State>
class StateKeeper {
 public:
  StateKeeper(AnyTrainer& trainer, State& state) : trainer_(trainer), state_(state) {}
  StateKeeper(const StateKeeper&) = delete;
  StateKeeper& operator=(const StateKeeper&) = delete;
  ~StateKeeper() {
    static_cast<decltype(trainer_.take_state())&>(state_) = trainer_.take_state();
    state_.batch = 0;
  }

 private:
  AnyTrainer& trainer_;
  State& state_;
};

/// The state of the right kind; a new one from `make` before the first chunk.
template <class State, class Make>
State& state_in(TrainingState& any, const Make& make) {
  if (std::holds_alternative<std::monostate>(any)) any = make();
  return std::get<State>(any);
}

/// For methods without options: refuses any that were given.
struct NoOptions {};
template <class Self, class Visitor>
requires OptionsOf<Self, NoOptions>
void for_each_field(Self&, Visitor&&) {}

// One file for each, and one line for each in registry.cpp.
extern const Method kQuickSelection;
extern const Method kLaplacianScore;
extern const Method kMcfs;
extern const Method kUdfs;
extern const Method kFcae;
extern const Method kLotteryTicket;
extern const Method kAefs;
extern const Method kConcreteAutoencoder;
extern const Method kWast;
extern const Method kVariance;
extern const Method kRandom;

/// All methods, the main one first.
std::span<const Method* const> all_methods();
const Method& find_method(const std::string& name);

}  // namespace quickselection
