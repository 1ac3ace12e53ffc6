// src/network/checkpoint.cpp: the file is a magic line, the length and the hash of a JSON header,
// the header (with the hash of the arrays), and the raw arrays of every layer. Numbers are
// little-endian, as on every machine this runs on.
#include "network/checkpoint.h"

#include <fmt/format.h>

#include <bit>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "core/atomic_file.h"
#include "core/hash.h"
#include "data/pages.h"
#include "quickselection/error.h"

namespace quickselection {
namespace {

static_assert(std::endian::native == std::endian::little);
constexpr std::string_view kMagic = "QuickSelection checkpoint 1\n";

/// Calls body with every array of the state that is stored as it is; the transposed copies are not.
template <class State, class Body>
void for_each_array(State& state, Body&& body) {
  for (auto& layer : state.network.layers) {
    body(layer.offsets);
    body(layer.columns);
    body(layer.weights);
    body(layer.state1);
    body(layer.state2);
    body(layer.bias);
    body(layer.bias_state1);
    body(layer.bias_state2);
  }
  body(state.output_loss);
}

template <class Array>
std::size_t bytes_of(const Array& array) {
  return array.size() * sizeof(*array.data());
}

std::uint64_t hash_of(const std::string& text) {
  Hash hash;
  hash.add(text.data(), text.size());
  return hash.value();
}

[[noreturn]] void damaged(const std::filesystem::path& path, std::string_view why) {
  throw Error(fmt::format("{} is not a usable checkpoint: {}", path.string(), why),
              "start again without --resume");
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
  Hash hash;
  for_each_array(state, [&](const auto& array) { hash.add(array.data(), bytes_of(array)); });
  header["hash"] = hash.value();
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
  const std::string header = describe(state, identity).dump();
  const std::uint64_t length = header.size(), header_hash = hash_of(header);
  AtomicFile file(path);
  file.write(kMagic);
  file.write(&length, sizeof length);
  file.write(&header_hash, sizeof header_hash);
  file.write(header);
  for_each_array(state, [&](const auto& array) { file.write(array.data(), bytes_of(array)); });
  file.commit();
}

TrainState load_checkpoint(const std::filesystem::path& path, const Identity& identity,
                           const TrainOptions& options, std::size_t features) {
  std::ifstream file(path, std::ios::binary);
  if (!file || !std::filesystem::is_regular_file(path))
    throw Error(fmt::format("cannot read the checkpoint {}", path.string()),
                "check the path, or start without --resume");
  const std::uint64_t size = std::filesystem::file_size(path);
  std::string magic(kMagic.size(), '\0');
  std::uint64_t length = 0, header_hash = 0;
  file.read(magic.data(), static_cast<std::streamsize>(magic.size()));
  file.read(reinterpret_cast<char*>(&length), sizeof length);
  file.read(reinterpret_cast<char*>(&header_hash), sizeof header_hash);
  if (!file || magic != kMagic) damaged(path, "it does not begin like one");
  if (length > size) damaged(path, "it is cut short");
  std::string text(length, '\0');
  file.read(text.data(), static_cast<std::streamsize>(length));
  const auto header = nlohmann::json::parse(text, nullptr, false);
  if (!file || hash_of(text) != header_hash || header.is_discarded())
    damaged(path, "its header cannot be read");
  try {
    check_identity(path, header.at("identity"), identity);
    TrainState state = unfilled_state(header, options, features);
    Hash hash;
    for_each_array(state, [&](auto& array) {
      file.read(reinterpret_cast<char*>(array.data()),
                static_cast<std::streamsize>(bytes_of(array)));
      hash.add(array.data(), bytes_of(array));
    });
    if (!file) damaged(path, "it is cut short");
    if (file.peek() != std::ifstream::traits_type::eof()) damaged(path, "it is too long");
    if (hash.value() != header.at("hash").get<std::uint64_t>())
      damaged(path, "its contents have changed since it was written");
    for (SparseLayer& layer : state.network.layers) layer.rebuild_transposed();
    return state;
  } catch (const nlohmann::json::exception&) {
    damaged(path, "its header is incomplete");
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
