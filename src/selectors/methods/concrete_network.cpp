// src/selectors/methods/concrete_network.cpp: see concrete.h.
#include "selectors/methods/concrete_network.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "kernels/concrete.h"
#include "kernels/gemm.h"
#include "kernels/layer/neurons.h"

namespace quickselection {

ConcreteState initial_concrete_state(std::size_t features, std::size_t units,
                                     const TrainOptions& options, std::uint64_t seed) {
  std::vector<std::size_t> sizes{units};
  sizes.insert(sizes.end(), options.hidden.begin(), options.hidden.end());
  sizes.push_back(features);
  ConcreteState state;
  state.decoder = make_dense_network(sizes, options.optimizer, seed);
  state.logits = initial_weights(features, units, seed, static_cast<std::uint32_t>(sizes.size()));
  state.state1 = AlignedArray<float>(state.logits.size());
  state.state2 =
      AlignedArray<float>(options.optimizer == Optimizer::adam ? state.logits.size() : 0);
  return state;
}

double Temperature::at(std::uint64_t step, std::uint64_t steps) const {
  if (steps < 2) return end;
  const double part =
      static_cast<double>(std::min(step, steps - 1)) / static_cast<double>(steps - 1);
  return start * std::pow(end / start, part);
}

ConcreteTrainer::ConcreteTrainer(const Dataset& data, const Scaler& scaler,
                                 const TrainOptions& options, const Temperature& temperature,
                                 std::uint64_t seed, Team& team, ConcreteState state,
                                 const Windows& windows)
    : options_(options),
      units_(state.logits.size() / data.features()),
      temperature_(temperature),
      state_(std::move(state)),
      batches_(data, scaler, options, seed, team, {{}, windows}),
      step_(state_.decoder, options, batches_),
      sample_(state_.logits.size()),
      selected_(units_ * batches_.stride()),
      selected_delta_(units_ * batches_.stride()),
      gradient_(state_.logits.size()),
      gradient_sum_(batches_.several_tiles() ? state_.logits.size() : 0) {}

void ConcreteTrainer::update_logits(int member, const Tile& tile, double temperature) {
  const std::size_t features = batches_.features();
  kernels::UpdateJob job = update_job(options_, tile);
  job.weight_decay = 0;  // logits have no size that should be kept small
  job.weights = state_.logits.data();
  job.state1 = state_.state1.data();
  job.state2 = state_.state2.data();
  job.gradient = gradient_sum_.data();
  kernels::for_each_block(units_, member, batches_.team().size(), [&](Range rows) {
    float* gradient = gradient_.data() + rows.begin * features;
    kernels::gemm(rows.size(), features, tile.stride, job.inverse_batch,
                  {selected_delta_.data() + rows.begin * tile.stride, tile.stride},
                  {batches_.noisy(), tile.stride, true}, gradient, features, false);
    for (std::size_t k = rows.begin; k < rows.end; ++k) {
      float* row = gradient_.data() + k * features;
      kernels::softmax_gradient(sample_.data() + k * features, features,
                                static_cast<float>(temperature), row);
      kernels::update_weights(job, k * features, features, row);
    }
  });
}

void ConcreteTrainer::train_tile(int member, const Tile& tile) {
  const std::size_t features = batches_.features();
  Team& team = batches_.team();
  const std::uint64_t steps =
      std::uint64_t{batches_.per_epoch()} * static_cast<std::uint64_t>(options_.epochs);
  // Not tile.step: chunks of a data set may differ in their number of batches.
  const double temperature =
      temperature_.at(state_.epoch * std::uint64_t{batches_.per_epoch()} + state_.batch, steps);
  if (tile.first_of_batch) {  // one draw for a batch
    const kernels::ConcreteJob job{state_.logits.data(),
                                   sample_.data(),
                                   features,
                                   static_cast<float>(temperature),
                                   batches_.seed(),
                                   static_cast<std::uint32_t>(tile.step)};
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
                   state_.output_loss);
  // The deltas of the selected features were complete before the decoder's update began.
  update_logits(member, tile, temperature);
}

bool ConcreteTrainer::run_epoch(const std::function<bool()>& go_on) {
  const BatchWork work{[this](int member, const Tile& tile) { train_tile(member, tile); }, {}};
  return batches_.run_epoch(state_, work, go_on);
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
