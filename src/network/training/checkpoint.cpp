// src/network/training/checkpoint.cpp: a sealed file with the raw arrays of every layer.
#include "network/training/checkpoint.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <string>

#include "core/hash.h"
#include "core/sealed_file.h"
#include "data/io/pages.h"
#include "network/layers/layer_arrays.h"
#include "quickselection/error.h"

namespace quickselection {
namespace {

constexpr SealedKind kCheckpoint{"QuickSelection checkpoint 1\n", "checkpoint",
                                 "start again without --resume"};

template <class State, class Body>
void for_each_array(State& state, Body&& body) {
  for (auto& layer : state.network.layers) for_each_layer_array(layer, body);
  body(state.output_loss);
}

nlohmann::json describe(const TrainState& state, const Identity& identity) {
  nlohmann::json header;
  for (const auto& [name, value] : identity)
    header["identity"].push_back({{"name", name}, {"value", to_text(value)}});
  header["epoch"] = state.epoch;
  header["batch"] = state.batch;
  header["step"] = state.step;
  header["loss"] = state.loss;
  for (const SparseLayer& layer : state.network.layers)
    header["connections"].push_back(layer.connections());
  return header;
}

void check_identity(const std::filesystem::path& path, const nlohmann::json& saved,
                    const Identity& identity) {
  for (const auto& [name, value] : identity) {
    const std::string now = to_text(value);
    std::string then = "not recorded";
    for (const auto& entry : saved)
      if (entry.at("name") == name) then = entry.at("value").get<std::string>();
    if (then != now)
      throw Error(fmt::format("{} belongs to another training: {} was {}, now it is {}",
                              path.string(), name, then, now),
                  "resume with the same data and options, or start again without --resume");
  }
}

/// The layers with the right sizes, still without contents.
TrainState unfilled_state(const nlohmann::json& header, const TrainOptions& options,
                          std::size_t features) {
  std::vector<std::size_t> sizes{features};
  sizes.insert(sizes.end(), options.hidden.begin(), options.hidden.end());
  sizes.push_back(features);
  TrainState state;
  for (std::size_t l = 0; l + 1 < sizes.size(); ++l)
    state.network.layers.push_back(SparseLayer::unfilled(
        sizes[l], sizes[l + 1], connections_of(options.epsilon, sizes[l], sizes[l + 1]),
        options.optimizer, l > 0));
  state.output_loss.resize(features);
  state.epoch = header.at("epoch");
  state.batch = header.at("batch");
  state.step = header.at("step");
  state.loss = header.at("loss").get<std::vector<double>>();
  return state;
}

}  // namespace

void save_checkpoint(const std::filesystem::path& path, const TrainState& state,
                     const Identity& identity) {
  std::vector<Bytes> arrays;
  for_each_array(state, [&](const auto& array) { arrays.push_back(bytes_of(array)); });
  write_sealed(path, kCheckpoint.magic, describe(state, identity), arrays);
}

TrainState load_checkpoint(const std::filesystem::path& path, const Identity& identity,
                           const TrainOptions& options, std::size_t features) {
  SealedReader file(path, kCheckpoint);
  try {
    check_identity(path, file.header().at("identity"), identity);
    TrainState state = unfilled_state(file.header(), options, features);
    for_each_array(state, [&](auto& array) { file.read(array); });
    file.finish();
    for (SparseLayer& layer : state.network.layers) layer.rebuild_transposed();
    return state;
  } catch (const nlohmann::json::exception&) {
    file.damaged("its header is incomplete");
  }
}

std::uint64_t fingerprint(const Dataset& data) {
  Hash hash;
  if (data.is_sparse()) {
    const SparseView& sparse = data.sparse();
    const std::size_t size = size_of(sparse.type);
    for (std::size_t r = 0; r < sparse.rows; ++r) {
      const std::uint64_t begin = sparse.offsets[r], count = sparse.offsets[r + 1] - begin;
      hash.add(&count, sizeof count);
      hash.add(sparse.columns + begin, count * sizeof *sparse.columns);
      hash.add(sparse.values + begin * size, count * size);
    }
    return hash.value();
  }
  const MatrixView& values = data.values();
  constexpr std::size_t kBlock = 4096;  // rows after which pages are given back
  for (std::size_t r = 0; r < values.rows; ++r) {
    hash.add(values.row(r), values.features * size_of(values.type));
    if (r % kBlock == kBlock - 1) release_rows(data, r + 1 - kBlock, r + 1);
  }
  return hash.value();
}

}  // namespace quickselection
