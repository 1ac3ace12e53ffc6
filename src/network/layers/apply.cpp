// src/network/layers/apply.cpp: see apply.h.
#include "network/layers/apply.h"

#include <algorithm>
#include <type_traits>
#include <vector>

#include "core/aligned.h"
#include "core/iota.h"
#include "data/scaling/stored_rows.h"
#include "kernels/dispatch.h"
#include "kernels/gemm.h"
#include "kernels/layer/neurons.h"
#include "kernels/tile.h"
#include "network/training/batches.h"
#include "network/training/training.h"

namespace quickselection {
namespace {

struct LayerInput {
  const float* data = nullptr;  // (I, B)
  std::size_t stride = 0, samples = 0;
};

std::size_t outputs_of(const SparseLayer& layer) { return layer.outputs(); }
std::size_t outputs_of(const DenseLayer& layer) { return layer.outputs; }

void apply_layer(const SparseLayer& layer, const LayerInput& in, Activation activation, float scale,
                 float* out) {
  kernels::ForwardJob job;
  job.layer = layer.by_output();
  job.bias = layer.bias.data();
  job.plain = in.data;
  job.sums = out;
  job.stride = in.stride;
  job.samples = in.samples;
  job.activation = activation;
  job.scale = scale;
  kernels::forward(job, 0, layer.outputs());
}

void apply_layer(const DenseLayer& layer, const LayerInput& in, Activation activation, float scale,
                 float* out) {
  kernels::for_each_block(layer.outputs, 0, 1, [&](Range rows) {
    weighted_sums(layer, rows, in.data, in.stride, out + rows.begin * in.stride);
  });
  kernels::ActivateJob job;
  job.output = out;
  job.stride = in.stride;
  job.samples = in.samples;
  job.activation = activation;
  job.scale = scale;
  kernels::activate_neurons(job, 0, layer.outputs);
}

}  // namespace

ApplyPlan plan_of(const TrainOptions& options, bool to_output) {
  return {options.activation, options.output_activation, options.dropout, to_output};
}

template <class Layer>
void apply(std::span<const Layer> layers, const ApplyPlan& plan, const Dataset& data,
           const Scaler& scaler, std::span<const std::uint32_t> rows, Team& team,
           const RunContext& context, const std::function<void(const AppliedTile&)>& body) {
  const kernels::SerialBlas serial;
  std::vector<std::uint32_t> all;
  if (rows.empty()) rows = all = iota(data.rows());
  std::size_t widest = data.features();
  for (const Layer& layer : layers) widest = std::max(widest, outputs_of(layer));
  constexpr bool kSparse = std::is_same_v<Layer, SparseLayer>;
  const std::size_t most = kSparse ? kernels::good_panel(kernels::lanes()) : kernels::kMaxStride;
  const std::size_t width = samples_in_tile(std::min(rows.size(), most), widest);
  const std::size_t tiles = (rows.size() + width - 1) / width;
  team.run([&](int member) {
    const std::size_t stride = stride_of(width);
    AlignedArray<float> input(data.features() * stride);
    std::vector<AlignedArray<float>> outputs;
    for (const Layer& layer : layers) outputs.emplace_back(outputs_of(layer) * stride);
    const Range mine = share(tiles, member, team.size());
    for (std::size_t t = mine.begin; t < mine.end && !stopping(context); ++t) {
      AppliedTile tile;
      tile.first = t * width;
      tile.samples = std::min(width, rows.size() - tile.first);
      tile.stride = stride_of(tile.samples);
      const kernels::TileJob fill{stored_rows(data),
                                  rows.data() + tile.first,
                                  tile.samples,
                                  tile.stride,
                                  scaler.view(),
                                  {},
                                  input.data(),
                                  nullptr,
                                  nullptr};
      kernels::fill_tile(fill, 0, data.features());
      tile.input = tile.output = input.data();
      for (std::size_t l = 0; l < layers.size(); ++l) {
        const bool hidden = l + 1 < layers.size() || !plan.to_output;
        apply_layer(layers[l], {tile.output, tile.stride, tile.samples},
                    hidden ? plan.activation : plan.output_activation,
                    hidden ? static_cast<float>(1 - plan.dropout) : 1, outputs[l].data());
        tile.output = outputs[l].data();
      }
      body(tile);
    }
  });
  if (stopping(context)) throw Interrupted("stopped");
}

template void apply(std::span<const SparseLayer>, const ApplyPlan&, const Dataset&, const Scaler&,
                    std::span<const std::uint32_t>, Team&, const RunContext&,
                    const std::function<void(const AppliedTile&)>&);
template void apply(std::span<const DenseLayer>, const ApplyPlan&, const Dataset&, const Scaler&,
                    std::span<const std::uint32_t>, Team&, const RunContext&,
                    const std::function<void(const AppliedTile&)>&);

double reconstruction_loss(const DenseNetwork& network, const ApplyPlan& plan, const Dataset& data,
                           const Scaler& scaler, std::span<const std::uint32_t> rows, Team& team,
                           const RunContext& context) {
  const std::size_t count = rows.empty() ? data.rows() : rows.size();
  std::vector<double> errors(count);  // of each row, so that their sum has one order
  apply(std::span<const DenseLayer>(network.layers), plan, data, scaler, rows, team, context,
        [&](const AppliedTile& tile) {
          for (std::size_t f = 0; f < data.features(); ++f)
            for (std::size_t s = 0; s < tile.samples; ++s) {
              const std::size_t place = f * tile.stride + s;
              const double error = tile.output[place] - tile.input[place];
              errors[tile.first + s] += error * error;
            }
        });
  return std::accumulate(errors.begin(), errors.end(), 0.0) / static_cast<double>(count) /
         static_cast<double>(data.features());
}

}  // namespace quickselection
