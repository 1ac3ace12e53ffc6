// bench/training.cpp: the whole training loop as a share of the core's peak, at MNIST's shape.
//
//   bench_training [--rows N] [--features N] [--hidden N] [--epochs N] [--threads N] [--simd LEVEL]
//
// Useful operations: 10 x connections of a layer x rows in an epoch (2 layers forward, 1 backward,
// 2 gradients, 2 operations each). Noise, dropout, gathering, activations, updates and SET are
// included in the time and not in the operations.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "core/processes/meters.h"
#include "core/team.h"
#include "data/scaling/scaler.h"
#include "kernels/dispatch.h"
#include "kernels/random/random.h"
#include "network/training/plain_model.h"
#include "support/peak.h"

using namespace quickselection;

namespace {

/// Bytes that look like images: three quarters are zero.
Dataset make_data(std::size_t rows, std::size_t features) {
  std::vector<std::uint8_t> values(rows * features);
  kernels::RandomStream random(1, kernels::Purpose::generator);
  for (auto& value : values) {
    const std::uint32_t bits = random.next_u32();
    value = bits % 4 == 0 ? static_cast<std::uint8_t>(bits >> 8) : 0;
  }
  return Dataset::from_vector(std::move(values), rows, features);
}

double seconds_per_epoch(const Dataset& data, const TrainOptions& options, int threads) {
  Team team(threads);
  const Scaler scaler = fit_scaler(data, ScaleMode::standard, 0, team);
  SparseModel model = make_sparse_model(data.features(), options, 0);
  TrainingState state;
  std::vector<double> seconds;
  // One thread by its CPU time, several by the clock.
  const Stopwatch watch;
  const auto now = [&] { return threads == 1 ? bench::thread_seconds() : watch.seconds(); };
  double last = now();
  const TrainingPlan plan{.pause = [&](bool) {
    seconds.push_back(now() - last);
    last = now();
    return false;
  }};
  train(model, state, {data, scaler, 0, team, {}}, plan);
  // The first epoch warms the caches up; other users of the machine only ever add time.
  return *std::min_element(seconds.begin() + (seconds.size() > 1), seconds.end());
}

}  // namespace

int main(int argc, char** argv) {
  std::size_t rows = 60000, features = 784;
  int most_threads = 2;
  TrainOptions options;
  options.epochs = 4;
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string name = argv[i];
    const auto value = static_cast<std::size_t>(std::atoll(argv[i + 1]));
    if (name == "--simd") kernels::force_level(argv[i + 1]);
    if (name == "--threads") most_threads = static_cast<int>(value);
    if (name == "--rows") rows = value;
    if (name == "--features") features = value;
    if (name == "--hidden") options.hidden = {static_cast<std::uint32_t>(value)};
    if (name == "--epochs") options.epochs = static_cast<int>(value);
  }
  const Dataset data = make_data(rows, features);
  const double connections =
      static_cast<double>(connections_of(options.epsilon, features, options.hidden[0]));
  const double useful = 10 * connections * static_cast<double>(rows) / 1e9;
  fmt::print("{} rows x {} features, {} hidden, {:.0f} connections a layer, SIMD {}\n", rows,
             features, options.hidden[0], connections, kernels::level());
  double one = 0;
  for (int threads = 1; threads <= most_threads; ++threads) {
    const double peak = bench::peak_gflops();
    const double seconds = seconds_per_epoch(data, options, threads);
    if (threads == 1) one = seconds;
    fmt::print(
        "{} thread(s): {:.4f} s an epoch, {:.1f} GFLOP/s useful, {:.3f} of the peak of {} "
        "core(s) ({:.1f} each), {:.2f} x one thread\n",
        threads, seconds, useful / seconds, useful / seconds / (peak * threads), threads, peak,
        one / seconds);
  }
}
