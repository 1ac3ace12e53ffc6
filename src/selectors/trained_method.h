// src/selectors/trained_method.h: a selection method that trains a network, made from its model.
//
// A model (network/training/training.h) becomes a method by four more things:
//   Options options                                    its struct of options, with for_each_field
//   Model(const Options&, const NetworkStart&)         the network before its first epoch
//   std::vector<double> scores(const Scaler&) const    one for each feature
//   static constexpr bool kEpochsMayGrow               see Method
// Its `network` tells parameters and weights, or parameters() and weights() do. Where there is more
// to say: measures(), doubt(input, output), kNotTraining for options that only read the result, and
// scores_never_rest() where connections come and go (settling.h).
// Checkpoints, chunks, callbacks, warnings and recorded options come from here.
#pragma once

#include <memory>
#include <new>
#include <optional>
#include <utility>

#include "core/files/atomic_file.h"
#include "core/processes/comm.h"
#include "core/processes/memory_bound.h"
#include "network/layers/autoencoder.h"
#include "network/layers/dense_network.h"
#include "network/training/archive.h"
#include "network/training/row_order.h"
#include "network/training/settling.h"
#include "network/training/training.h"
#include "selectors/method.h"

namespace quickselection {

/// What the first network of a training depends on beside its options.
struct NetworkStart {
  std::size_t features = 0;
  std::size_t k = 0;
  std::uint64_t seed = 0;
};

/// Everything that must not change between a checkpoint and its resumption: the data, the method
/// and its options, but those that are `left_out`.
Identity identity_of(const MethodInput& in, const Method& method, std::span<const Setting> options,
                     std::span<const std::string_view> left_out, std::size_t shards);

/// Throws InvalidArgument when a resumed training has more epochs than are asked for.
void check_not_beyond(const TrainingState& state, std::uint32_t most, const std::string& path);

template <class Model, const Method& method>
struct TrainedMethod {
  using Options = decltype(Model::options);

  /// A network and how far its training has come.
  struct Trainee {
    Model model;
    Settling settling;
    TrainingState state = {};
    bool enough = false;               ///< for the caller
    std::optional<MethodOutput> best;  ///< what the epoch with the least loss gave, where asked for

    Trainee(std::span<const GivenOption> given, const NetworkStart& start)
        : model(parse_options<Options>(given, method.name), start),
          settling(start.features, never_rests(model)) {}
    static bool never_rests(const Model& model) {
      if constexpr (requires { model.scores_never_rest(); }) return model.scores_never_rest();
      return false;
    }
    /// Losses of different stages are not compared.
    bool is_best_so_far() const {
      return !best || best->loss.size() <= state.earlier_loss.size() ||
             state.loss.back() < best->loss.back();
    }
    /// All that a file holds of a training at that stage.
    PartsVisitor parts_at(std::uint32_t stage) {
      if constexpr (requires { model.allocate(stage); }) model.allocate(stage);
      return parts();
    }
    PartsVisitor parts() {
      PartsVisitor parts = parts_of(model);
      if (Model::kEpochsMayGrow) settling.for_each_part(parts);
      return parts;
    }
    std::string impossible(const TrainingState& said, const MethodInput& in, bool by_chunks) const {
      const TrainOptions train = model.train_options(in.data.rows());
      return quickselection::impossible(said, stages_of(model, train, in.data.rows()),
                                        train.batch_size, in.data.rows(), by_chunks);
    }
  };

  static MethodOutput output_of(const MethodInput& in, const Trainee& trainee) {
    const Model& model = trainee.model;
    MethodOutput out;
    out.scores = model.scores(in.scaler);
    out.options = settings_of(model.options);
    out.loss = trainee.state.all_losses();
    if constexpr (requires { model.parameters(); })
      out.parameters = model.parameters();
    else
      out.parameters = model.network.parameters();
    if constexpr (requires { model.measures(); }) out.measures = model.measures();
    if (!in.keep_network) return out;
    if constexpr (requires { model.weights(); })
      out.network = model.weights();
    else
      out.network = weights_of(model.network);
    return out;
  }

  /// Whether it ends when its ranking has settled.
  static bool may_settle(const Trainee& trainee) {
    return Model::kEpochsMayGrow && !trainee.model.train_options(0).epochs;
  }
  static bool has_settled(const Trainee& trainee) {
    return may_settle(trainee) && trainee.settling.settled();
  }

  /// `save` is called where a checkpoint may be due.
  static void go_on(Trainee& trainee, const MethodInput& in, TrainingPlan plan,
                    const std::function<void()>& save = {}) {
    const TrainingState& state = trainee.state;
    const bool settles = may_settle(trainee) && !plan.one_epoch;
    const bool keeps_best = in.context.take_best != nullptr && !plan.one_epoch;
    if (has_settled(trainee)) return;  // it was resumed after its end
    plan.pause = [&, settles, keeps_best](bool finished) {
      const bool looks = finished && settles && Settling::looks_after(state.epoch);
      if (looks || (finished && in.context.after_epoch)) {
        const std::vector<double> scores = trainee.model.scores(in.scaler);
        if (looks) trainee.settling.look(scores, state.loss, state.step);
        if (in.context.after_epoch)
          in.context.after_epoch(
              {state.earlier_loss.size() + state.epoch, state.loss.back(), scores});
      }
      if (finished && keeps_best && trainee.is_best_so_far()) trainee.best = output_of(in, trainee);
      trainee.enough = finished && stopping(in.context.enough);
      if (save) save();
      return has_settled(trainee) || trainee.enough;
    };
    train(trainee.model, trainee.state, {in.data, in.scaler, in.seed, in.team, in.context}, plan);
  }

  static Identity identity_of_training(const MethodInput& in, const Model& model) {
    std::vector<std::string_view> left_out;
    if (Model::kEpochsMayGrow) left_out.push_back("epochs");
    if constexpr (requires { Model::kNotTraining; }) left_out.push_back(Model::kNotTraining);
    return identity_of(in, method, settings_of(model.options), left_out,
                       model.train_options(in.data.rows()).shards);
  }

  /// A network that would not fit into ‹memory› is refused while it is made, not after it; data
  /// that would not, before it.
  static Trainee begin_training(const MethodInput& in) {
    const std::size_t memory = in.context.memory;
    plan_windows(in.data, memory);
    std::optional<MemoryBound> bound;
    if (memory > 0) bound.emplace(memory);
    try {
      return Trainee(in.given, {in.data.features(), in.k, in.seed});
    } catch (const std::bad_alloc&) {
      if (memory > 0) refuse_network(in.data, memory);
      throw;
    }
  }

  static MethodOutput run(const MethodInput& in) {
    Trainee trainee = begin_training(in);
    const TrainOptions options = trainee.model.train_options(in.data.rows());
    const auto& [saves_to, every, resumes_from] = in.checkpoints;
    const bool writes = comm::rank() == 0;  // the others have the same
    if (!saves_to.empty())
      comm::together([&] {
        if (writes) check_writable(saves_to);
      });
    Identity identity;
    if (!saves_to.empty() || !resumes_from.empty())
      identity = identity_of_training(in, trainee.model);
    if (!resumes_from.empty())
      comm::together([&, &path = resumes_from] {
        trainee.state = load_checkpoint(
            path, identity, in.data.features(),
            [&](const TrainingState& state) { return trainee.impossible(state, in, false); },
            [&](std::uint32_t stage) { return trainee.parts_at(stage); });
      });
    check_not_beyond(trainee.state, most_epochs(options), resumes_from);
    if (saves_to.empty()) {
      go_on(trainee, in, {});
    } else {
      const TrainingPlan plan{.stopped = "stopped; continue with ‹resume " + saves_to + "›"};
      go_on(trainee, in, plan, [&, every = every, &path = saves_to] {
        const auto [epoch, batch] = std::pair(trainee.state.epoch, trainee.state.batch);
        const bool due =
            batch == 0 && (epoch % static_cast<unsigned>(every) == 0 ||
                           epoch == most_epochs(options) || has_settled(trainee) || trainee.enough);
        if (writes && (due || stopping(in.context)))
          save_checkpoint(path, trainee.state, identity, trainee.parts());
      });
    }
    const bool best = trainee.best && stopping(in.context.take_best);
    MethodOutput out = best ? std::move(*trainee.best) : output_of(in, trainee);
    if (may_settle(trainee)) out.settled = has_settled(trainee);
    const std::size_t of_stage = out.loss.size() - trainee.state.earlier_loss.size();
    out.warnings = warn_if_worse_than_mean(std::span(out.loss).last(of_stage), in.scaler,
                                           options.learning_rate);
    if constexpr (requires { trainee.model.doubt(in, out); }) trainee.model.doubt(in, out);
    return out;
  }

  static ChunkTraining begin_chunks(const ChunkStart& start) {
    std::shared_ptr<Trainee> trainee;
    const auto begin = [&](std::size_t features) {
      trainee = std::make_shared<Trainee>(
          start.given, NetworkStart{features, resolve_k(start.k, features), start.seed});
    };
    if (start.packed == nullptr) {
      begin(start.scaler.mean.size());
    } else {
      TrainingState state = unpack_training(*start.packed, start.scaler,
                                            [&](std::size_t features, std::uint32_t stage) {
                                              begin(features);
                                              return trainee->parts_at(stage);
                                            });
      trainee->state = std::move(state);
    }
    return {[trainee](const MethodInput& in) {
              if (const auto why = trainee->impossible(trainee->state, in, true); !why.empty())
                throw Error("the packed training is not usable: " + why, "fit again");
              try {
                go_on(*trainee, in, {.one_epoch = true});
              } catch (...) {
                trainee->state.batch = 0;  // half an epoch counts as none
                throw;
              }
              return output_of(in, *trainee);
            },
            [trainee, &scaler = start.scaler] {
              return pack_training(trainee->state, scaler, trainee->parts());
            }};
  }
};

/// The method of a model. `said` holds what only the method can say: names, summary, scaling.
template <class Model, const Method& method>
constexpr Method trained_method(Method said) {
  using Made = TrainedMethod<Model, method>;
  said.options = options_of<typename Made::Options>();
  said.run = Made::run;
  said.begin_chunks = Made::begin_chunks;
  said.epochs_may_grow = Model::kEpochsMayGrow;
  return said;
}

}  // namespace quickselection
