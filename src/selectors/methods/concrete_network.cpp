// src/selectors/methods/concrete_network.cpp: see concrete_network.h.
#include "selectors/methods/concrete_network.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "kernels/concrete.h"
#include "kernels/gemm.h"
#include "kernels/layer/neurons.h"

namespace quickselection {

ConcreteNetwork make_concrete(std::size_t features, std::size_t units, const TrainOptions& options,
                              std::uint64_t seed) {
  const std::vector<std::size_t> sizes = layer_sizes(units, options, features);
  ConcreteNetwork network;
  network.decoder = make_dense_network(sizes, options.optimizer, seed);
  network.logits = initial_weights(features, units, seed, static_cast<std::uint32_t>(sizes.size()));
  network.state1 = AlignedArray<float>(network.logits.size());
  network.state2 =
      AlignedArray<float>(options.optimizer == Optimizer::adam ? network.logits.size() : 0);
  return network;
}

double Temperature::at(std::uint64_t step, std::uint64_t steps) const {
  if (steps < 2) return end;
  const double part =
      static_cast<double>(std::min(step, steps - 1)) / static_cast<double>(steps - 1);
  return start * std::pow(end / start, part);
}

ConcreteStep::ConcreteStep(ConcreteNetwork& network, const TrainOptions& options,
                           const Temperature& temperature, Batches& batches)
    : network_(network),
      options_(options),
      units_(network.logits.size() / batches.features()),
      temperature_(temperature),
      batches_(batches),
      step_(network.decoder, options, batches),
      sample_(network.logits.size()),
      selected_(units_ * batches.stride()),
      selected_delta_(units_ * batches.stride()),
      gradient_(network.logits.size()),
      gradient_sum_(batches.several_tiles() ? network.logits.size() : 0),
      shards_(batches, {{gradient_sum_.begin(), gradient_sum_.end()}}, {}) {}

void ConcreteStep::update_logits(int member, const Tile& tile, double temperature) {
  const std::size_t features = batches_.features();
  kernels::UpdateJob job = update_job(options_, tile);
  job.weight_decay = 0;  // logits have no size that should be kept small
  if (shards_.used()) job.last_tile = false;
  const kernels::Parameters logits{network_.logits.data(), network_.state1.data(),
                                   network_.state2.data(), gradient_sum_.data()};
  kernels::for_each_block(units_, member, batches_.team().size(), [&](Range rows) {
    float* gradient = gradient_.data() + rows.begin * features;
    kernels::gemm(rows.size(), features, tile.stride, job.inverse_batch,
                  {selected_delta_.data() + rows.begin * tile.stride, tile.stride},
                  {batches_.noisy(), tile.stride, true}, gradient, features, false);
    for (std::size_t k = rows.begin; k < rows.end; ++k) {
      float* row = gradient_.data() + k * features;
      kernels::softmax_gradient(sample_.data() + k * features, features,
                                static_cast<float>(temperature), row);
      kernels::update(job, logits, k * features, features, row);
    }
  });
  shards_.end_tile(member, tile);
  if (!shards_.used() || !tile.last_of_batch) return;
  job.first_tile = job.last_tile = true;
  kernels::for_each_block(units_, member, batches_.team().size(), [&](Range rows) {
    kernels::update(job, logits, rows.begin * features, rows.size() * features,
                    gradient_sum_.data() + rows.begin * features);
  });
}

void ConcreteStep::train_tile(int member, const Tile& tile, EpochState& state) {
  const std::size_t features = batches_.features();
  Team& team = batches_.team();
  const std::uint64_t steps = std::uint64_t{batches_.per_epoch()} * most_epochs(options_);
  // Not tile.step: chunks of a data set may differ in their number of batches.
  const double temperature =
      temperature_.at(state.epoch * std::uint64_t{batches_.per_epoch()} + state.batch, steps);
  if (tile.first_of_batch) {  // one draw for a batch
    const kernels::ConcreteJob job{
        network_.logits.data(),          sample_.data(),  features,
        static_cast<float>(temperature), batches_.seed(), static_cast<std::uint32_t>(tile.step)};
    const Range mine = share(units_, member, team.size());
    kernels::sample_concrete(job, mine.begin, mine.end);
    team.barrier();
  }
  kernels::for_each_block(units_, member, team.size(), [&](Range rows) {
    kernels::gemm(rows.size(), tile.stride, features, 1,
                  {sample_.data() + rows.begin * features, features},
                  {batches_.noisy(), tile.stride}, selected_.data() + rows.begin * tile.stride,
                  tile.stride, false);
  });
  team.barrier();
  step_.train_tile(member, tile, {selected_.data(), batches_.target(), selected_delta_.data()},
                   state);
  // The deltas of the selected features were complete before the decoder's update began.
  update_logits(member, tile, temperature);
  team.barrier();
}

std::vector<double> probabilities(std::span<const float> logits, std::size_t features) {
  std::vector<double> result(logits.size());
  for (std::size_t first = 0; first < logits.size(); first += features) {
    const auto row = logits.subspan(first, features);
    const double most = *std::max_element(row.begin(), row.end());
    double sum = 0;
    for (std::size_t i = 0; i < features; ++i) sum += result[first + i] = std::exp(row[i] - most);
    for (std::size_t i = 0; i < features; ++i) result[first + i] /= sum;
  }
  return result;
}

std::vector<UnitChoice> choose_distinct(std::span<const double> probabilities, std::size_t features,
                                        const std::vector<bool>& barred) {
  const std::size_t units = probabilities.size() / features;
  const auto row = [&](std::size_t unit) {
    return probabilities.subspan(unit * features, features);
  };
  std::vector<std::size_t> order(units);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::vector<double> surest(units);
  for (std::size_t u = 0; u < units; ++u)
    surest[u] = *std::max_element(row(u).begin(), row(u).end());
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return surest[a] > surest[b]; });
  std::vector<bool> taken = barred;
  std::vector<UnitChoice> chosen;
  for (const std::size_t unit : order) {
    std::size_t best = features;
    for (std::size_t f = 0; f < features; ++f)
      if (!taken[f] && (best == features || row(unit)[f] > row(unit)[best])) best = f;
    if (best == features) break;  // none is left
    taken[best] = true;
    chosen.push_back({static_cast<std::uint32_t>(best), row(unit)[best]});
  }
  return chosen;
}

}  // namespace quickselection
