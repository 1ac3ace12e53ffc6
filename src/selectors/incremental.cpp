// src/selectors/incremental.cpp: see incremental.h.
#include "quickselection/incremental.h"

#include <fmt/format.h>

#include <new>
#include <optional>
#include <utility>

#include "core/meters.h"
#include "quickselection/error.h"
#include "selectors/method.h"
#include "selectors/ranking.h"
#include "selectors/training_state.h"

namespace quickselection {

bool learns_from_chunks(const std::string& method) { return find_method(method).learn != nullptr; }

struct IncrementalSelection::Parts {
  SelectOptions options;
  std::optional<ChunkedTraining> training;  // from the first chunk on
};

IncrementalSelection::IncrementalSelection(SelectOptions options)
    : parts_(std::make_unique<Parts>(Parts{std::move(options), {}})) {
  const SelectOptions& given = parts_->options;
  check_options(given);
  if (!learns_from_chunks(given.method))
    throw InvalidArgument(fmt::format("{} cannot learn from chunks of the data", given.method),
                          "give it all rows at once");
  if (!given.checkpoint.empty() || !given.resume.empty())
    throw InvalidArgument("a training by chunks keeps no checkpoint file",
                          "save what pack() gives");
}
IncrementalSelection::IncrementalSelection(SelectOptions options, const std::string& packed)
    : IncrementalSelection(std::move(options)) {
  if (!packed.empty()) parts_->training = unpack_training(packed);
}
IncrementalSelection::~IncrementalSelection() = default;
IncrementalSelection::IncrementalSelection(IncrementalSelection&&) noexcept = default;
IncrementalSelection& IncrementalSelection::operator=(IncrementalSelection&&) noexcept = default;

Selection IncrementalSelection::learn(const Dataset& chunk, const RunContext& context) {
  const Stopwatch watch;
  const SelectOptions& options = parts_->options;
  const std::size_t k = resolve_k(options.k, chunk.features());
  Team team(context.threads);
  const auto clip = static_cast<float>(options.clip);
  if (!parts_->training) {
    parts_->training = {fit_scaler(chunk, scale_used(options, chunk), clip, team), {}};
  } else {
    const Scaler& first = parts_->training->scaler;
    if (chunk.features() != first.mean.size())
      throw Error(fmt::format("the chunk has {} features, but the first one had {}",
                              chunk.features(), first.mean.size()),
                  "all chunks must have the same columns");
    // A scaler of its own would refuse what cannot be used: NaN, infinity.
    fit_scaler(chunk, first.mode == ScaleMode::log ? ScaleMode::log : ScaleMode::none, 0, team);
  }
  const Scaler& scaler = parts_->training->scaler;
  const CheckpointPlan none;
  const MethodInput input{chunk,   scaler, options.method_options, k, options.seed, team,
                          context, none,   options.keep_network};
  MethodOutput output;
  try {
    output = find_method(options.method).learn(input, parts_->training->state);
  } catch (const std::bad_alloc&) {
    parts_->training.reset();  // the state may have been lost on its way into the trainer
    throw;
  }
  Selection selection = selection_of(std::move(output), chunk, options, scaler, k, team.size());
  selection.seconds = watch.seconds();
  return selection;
}

std::string IncrementalSelection::pack() const {
  return parts_->training ? pack_training(*parts_->training) : "";
}

}  // namespace quickselection
