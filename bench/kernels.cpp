// bench/kernels.cpp: the sparse kernels at MNIST's shape (784-1000-784, epsilon 13, batch 100), one
// core, each as a share of the core's peak measured in the same run (counter of_peak).
#include <benchmark/benchmark.h>

#include <algorithm>
#include <vector>

#include "core/aligned.h"
#include "kernels/dispatch.h"
#include "kernels/layer/layer.h"
#include "kernels/random/random.h"
#include "kernels/tile.h"
#include "network/layers/autoencoder.h"
#include "network/training/sparse_step.h"
#include "support/peak.h"

namespace quickselection {
namespace {

constexpr std::size_t kFeatures = 784, kBatch = 100;

/// Short runs, of which the best counts: other users of the machine only ever add time.
void repeated(benchmark::internal::Benchmark* benchmark) {
  benchmark->MinTime(0.05)->Repetitions(20)->ReportAggregatesOnly()->ComputeStatistics(
      "best",
      [](const std::vector<double>& runs) { return *std::max_element(runs.begin(), runs.end()); });
}

double peak() {
  static const double gflops = bench::peak_gflops();
  return gflops;
}

AlignedArray<kernels::Packed> random_packed(std::size_t rows, std::size_t words) {
  AlignedArray<kernels::Packed> tile(rows * words);
  kernels::RandomStream random(1, kernels::Purpose::generator);
  for (kernels::Packed& pair : tile)  // all near 1
    pair = (random.next_u32() & 0x007F007Fu) | 0x3F803F80u;
  return tile;
}

AlignedArray<float> random_tile(std::size_t rows, std::size_t stride) {
  AlignedArray<float> tile(rows * stride);
  kernels::fill_normal(tile.data(), tile.size(), 1.0f, 1, kernels::Purpose::generator, 0, 0);
  return tile;
}

/// One network and the tiles of one batch.
struct Bench {
  TrainOptions options;
  Autoencoder network = make_autoencoder(kFeatures, options, 0);
  std::size_t hidden = options.hidden[0];
  std::size_t stride = stride_of(kBatch);
  Tile tile{.samples = kBatch, .stride = stride, .panels = panels_of(kBatch)};
  AlignedArray<float> target = random_tile(kFeatures, stride);
  AlignedArray<kernels::Packed> input = random_packed(kFeatures, packed_words_of(kBatch));
  AlignedArray<kernels::Packed> delta = random_packed(kFeatures, packed_words_of(kBatch));
  AlignedArray<kernels::Packed> activation = random_packed(hidden, packed_words_of(kBatch));
  std::vector<double> loss = std::vector<double>(kFeatures);
  std::vector<GradientSum> gradients;

  Bench() {
    for (const SparseLayer& layer : network.layers)
      gradients.push_back(
          {AlignedArray<float>(layer.connections()), AlignedArray<float>(layer.outputs())});
  }
  void for_each_panel(auto&& body) {
    for (std::size_t p = 0; p < tile.panels; ++p) body(tile.panel(p));
  }
  kernels::GradientJob gradient(std::size_t l, const Panel& panel) {
    return {gradients[l].weights.data(), gradients[l].bias.data(), 1.0f / kBatch,
            panel.first > 0 ? 1.0f : 0.0f};
  }
  void forward(const Panel& panel) {
    kernels::ForwardJob job;
    job.layer = network.layers[0].by_output();
    job.bias = network.layers[0].bias.data();
    job.input = input.data() + kFeatures * panel.first_word;
    job.output = activation.data() + hidden * panel.first_word;
    job.stride = panel.stride;
    job.samples = panel.samples;
    job.activation = Activation::linear;
    kernels::forward(job, 0, hidden);
  }
  void output(const Panel& panel) {
    kernels::OutputJob job;
    job.layer = network.layers[1].by_output();
    job.bias = network.layers[1].bias.data();
    job.input = activation.data() + hidden * panel.first_word;
    job.target = target.data() + kFeatures * panel.first;
    job.delta = delta.data() + kFeatures * panel.first_word;
    job.neuron_loss = loss.data();
    job.stride = panel.stride;
    job.samples = panel.samples;
    job.gradient = gradient(1, panel);
    kernels::output(job, 0, kFeatures);
  }
  void backward(const Panel& panel) {
    kernels::BackwardJob job;
    job.upper = network.layers[1].by_input();
    job.upper_delta = delta.data() + kFeatures * panel.first_word;
    job.layer = network.layers[0].by_output();
    job.input = input.data() + kFeatures * panel.first_word;
    job.output = activation.data() + hidden * panel.first_word;
    job.stride = panel.stride;
    job.activation = Activation::linear;
    job.gradient = gradient(0, panel);
    kernels::backward(job, 0, hidden);
  }
  /// Learning rate 0: every step costs the same and the weights stay as they are.
  void step(std::size_t l) {
    TrainOptions still = options;
    still.learning_rate = still.momentum = still.weight_decay = 0;
    SparseLayer& layer = network.layers[l];
    step_by_sum(update_job(still, tile, layer, &gradients[l]), {0, layer.outputs()},
                {0, layer.connections()});
    if (layer.has_transposed()) layer.refresh_transposed({0, layer.connections()});
  }
  /// `products` sparse products of 2 operations for each connection and sample.
  void report(benchmark::State& state, int products) {
    const double flops =
        2.0 * products * kBatch * static_cast<double>(network.layers[0].connections());
    const double gflop = flops * static_cast<double>(state.iterations()) / 1e9;
    state.counters["gflop"] = benchmark::Counter(gflop, benchmark::Counter::kIsRate);
    state.counters["of_peak"] = benchmark::Counter(gflop / peak(), benchmark::Counter::kIsRate);
  }
};

void Forward(benchmark::State& state) {
  Bench bench;
  for (auto _ : state) bench.for_each_panel([&](const Panel& panel) { bench.forward(panel); });
  bench.report(state, 1);
}
BENCHMARK(Forward)->Apply(repeated);

void ForwardAndUpdateOfTheOutputLayer(benchmark::State& state) {
  Bench bench;
  for (auto _ : state) {
    bench.for_each_panel([&](const Panel& panel) { bench.output(panel); });
    bench.step(1);
  }
  bench.report(state, 1);
}
BENCHMARK(ForwardAndUpdateOfTheOutputLayer)->Apply(repeated);

void BackwardBothGradientsAndUpdateOfTheHiddenLayer(benchmark::State& state) {
  Bench bench;
  for (auto _ : state) {
    bench.for_each_panel([&](const Panel& panel) { bench.backward(panel); });
    bench.step(0);
  }
  bench.report(state, 3);
}
BENCHMARK(BackwardBothGradientsAndUpdateOfTheHiddenLayer)->Apply(repeated);

void AllSparseProductsOfATrainingStep(benchmark::State& state) {
  Bench bench;
  for (auto _ : state) {
    bench.for_each_panel([&](const Panel& panel) {
      bench.forward(panel);
      bench.output(panel);
      bench.backward(panel);
    });
    bench.step(0);
    bench.step(1);
  }
  bench.report(state, 5);
}
BENCHMARK(AllSparseProductsOfATrainingStep)->Apply(repeated);

void FillTile(benchmark::State& state) {
  Bench bench;
  std::vector<std::uint8_t> values(kFeatures * kBatch);
  std::vector<std::uint32_t> ids(kBatch);
  for (std::size_t i = 0; i < kBatch; ++i) ids[i] = static_cast<std::uint32_t>(i);
  const std::vector<double> mean(kFeatures, 3.0);
  const std::vector<float> narrow_mean(kFeatures, 3.0f), scale(kFeatures, 0.1f);
  for (auto _ : state)
    bench.for_each_panel([&](const Panel& panel) {
      const kernels::TileJob job{{{reinterpret_cast<const std::byte*>(values.data()), kBatch,
                                   kFeatures, kFeatures, ValueType::u8}},
                                 ids.data() + panel.first,
                                 panel.samples,
                                 panel.stride,
                                 {mean.data(), narrow_mean.data(), scale.data(), 0, nullptr},
                                 {0.2f, 1, 0},
                                 bench.target.data() + kFeatures * panel.first,
                                 nullptr,
                                 bench.input.data() + kFeatures * panel.first_word};
      kernels::fill_tile(job, 0, kFeatures);
    });
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(kFeatures * kBatch));
}
BENCHMARK(FillTile)->Apply(repeated);

}  // namespace
}  // namespace quickselection

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  benchmark::AddCustomContext("simd", quickselection::kernels::level());
  benchmark::AddCustomContext("peak_gflops", std::to_string(quickselection::peak()));
  benchmark::RunSpecifiedBenchmarks();
}
