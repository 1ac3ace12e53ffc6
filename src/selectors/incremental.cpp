// src/selectors/incremental.cpp: see incremental.h.
#include "quickselection/incremental.h"

#include <fmt/format.h>

#include <optional>
#include <utility>

#include "core/processes/meters.h"
#include "quickselection/error.h"
#include "selectors/method.h"
#include "selectors/ranking.h"

namespace quickselection {

struct IncrementalSelection::Parts {
  SelectOptions options;
  Scaler scaler;                          // of the first chunk
  std::optional<ChunkTraining> training;  // from the first chunk on

  ChunkStart start(std::size_t k, const std::string* packed) {
    return {options.method_options, k, options.seed, scaler, packed};
  }
};

IncrementalSelection::IncrementalSelection(SelectOptions options, const std::string& packed)
    : parts_(std::make_unique<Parts>(Parts{std::move(options), {}, {}})) {
  const SelectOptions& given = parts_->options;
  check_options(given);
  const Method& method = find_method(given.method);
  if (!method.trains())
    throw InvalidArgument(fmt::format("{} cannot learn from chunks of the data", given.method),
                          "give it all rows at once");
  if (!given.checkpoint.empty() || !given.resume.empty())
    throw InvalidArgument("a training by chunks keeps no checkpoint file",
                          "save what pack() gives");
  if (!packed.empty()) parts_->training = method.begin_chunks(parts_->start(given.k, &packed));
}
IncrementalSelection::~IncrementalSelection() = default;
IncrementalSelection::IncrementalSelection(IncrementalSelection&&) noexcept = default;
IncrementalSelection& IncrementalSelection::operator=(IncrementalSelection&&) noexcept = default;

Selection IncrementalSelection::learn(const Dataset& chunk, const RunContext& context) {
  const Stopwatch watch;
  const SelectOptions& options = parts_->options;
  const std::size_t k = resolve_k(options.k, chunk.ranked_count());
  Team team(context.threads);
  Scaler& scaler = parts_->scaler;
  if (!parts_->training) {
    scaler = fit_scaler(chunk, scale_used(options, chunk), static_cast<float>(options.clip), team);
    parts_->training = find_method(options.method).begin_chunks(parts_->start(k, nullptr));
  } else {
    if (chunk.features() != scaler.mean.size())
      throw Error(fmt::format("the chunk has {} features, but the first one had {}",
                              chunk.features(), scaler.mean.size()),
                  "all chunks must have the same columns");
    check_values(chunk, scaler, team);
  }
  const CheckpointPlan none;
  MethodOutput output =
      parts_->training->learn({chunk, scaler, options.method_options, k, options.seed, team,
                               context, none, options.keep_network});
  Selection selection = selection_of(std::move(output), chunk, options, scaler, k, team.size());
  selection.seconds = watch.seconds();
  return selection;
}

std::string IncrementalSelection::pack() const {
  return parts_->training ? parts_->training->pack() : "";
}

}  // namespace quickselection
