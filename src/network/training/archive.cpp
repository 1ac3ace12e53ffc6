// src/network/training/archive.cpp: see archive.h.
#include "network/training/archive.h"

#include <fmt/format.h>

#include <limits>
#include <nlohmann/json.hpp>

#include "core/files/hash.h"
#include "core/files/sealed_file.h"
#include "core/processes/comm.h"
#include "core/processes/shard_sum.h"
#include "core/text/options.h"
#include "data/io/pages.h"
#include "quickselection/error.h"

namespace quickselection {
namespace {

constexpr SealedKind kCheckpoint{"QuickSelection checkpoint 4\n", "checkpoint",
                                 "start again without ‹resume›"};
constexpr SealedKind kTraining{"QuickSelection training 5\n", "training",
                               "fit again, or train from the start"};

std::vector<Bytes> bytes_of_all(const TrainingState& state, const PartsVisitor& parts) {
  std::vector<Bytes> arrays;
  for (const auto& array : parts.arrays()) arrays.push_back(array.bytes);
  arrays.push_back(bytes_of(state.output_loss));
  return arrays;
}

nlohmann::json describe(const TrainingState& state) {
  return {{"stage", state.stage},
          {"epoch", state.epoch},
          {"batch", state.batch},
          {"step", state.step},
          {"loss", state.loss},
          {"earlier loss", state.earlier_loss},
          {"outputs", state.output_loss.size()}};
}

/// The state, with output_loss of the right size but not filled.
TrainingState state_in(const SealedReader& file, std::size_t features) {
  TrainingState state;
  state.stage = static_cast<std::uint32_t>(file.count("stage", UINT32_MAX));
  state.epoch = static_cast<std::uint32_t>(file.count("epoch", UINT32_MAX));
  state.batch = static_cast<std::uint32_t>(file.count("batch", UINT32_MAX));
  state.step = file.count("step", UINT64_MAX);
  state.loss = file.header().at("loss").get<std::vector<double>>();
  state.earlier_loss = file.header().at("earlier loss").get<std::vector<double>>();
  if (state.loss.size() != state.epoch) file.damaged("its losses are not one for each epoch");
  const std::size_t outputs = file.count("outputs", features);
  // Of a batch within an epoch they are added up; before an epoch there may be none.
  if (outputs != features && (outputs != 0 || state.batch != 0))
    file.damaged("it has losses of other outputs");
  state.output_loss.resize(outputs);
  return state;
}

void read_arrays(SealedReader& file, TrainingState& state, const PartsVisitor& parts) {
  for (const auto& array : parts.arrays()) array.read(file);
  file.read(state.output_loss);
  file.finish();
  if (const std::string why = parts.complete(); !why.empty()) file.damaged(why);
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
                  "resume with the same data and options, or start again without ‹resume›");
  }
}

}  // namespace

void PartsVisitor::operator()(SparseLayer& layer) {
  (*this)(layer.offsets);
  (*this)(layer.columns);
  (*this)(layer.weights);
  (*this)(layer.state1);
  (*this)(layer.state2);
  (*this)(layer.bias);
  (*this)(layer.bias_state1);
  (*this)(layer.bias_state2);
  sparse_.push_back(&layer);
}

void PartsVisitor::operator()(DenseLayer& layer) {
  (*this)(layer.weights);
  (*this)(layer.state1);
  (*this)(layer.state2);
  (*this)(layer.bias);
  (*this)(layer.bias_state1);
  (*this)(layer.bias_state2);
}

std::string PartsVisitor::complete() const {
  for (SparseLayer* const layer : sparse_) {
    if (!layer->is_sound()) return "its connections make no sense";
    layer->rebuild_transposed();
  }
  return "";
}

void save_checkpoint(const std::filesystem::path& path, const TrainingState& state,
                     const Identity& identity, const PartsVisitor& parts) {
  nlohmann::json header = describe(state);
  for (const auto& [name, value] : identity)
    header["identity"].push_back({{"name", name}, {"value", to_text(value)}});
  write_sealed(path, kCheckpoint.magic, std::move(header), bytes_of_all(state, parts));
}

TrainingState load_checkpoint(const std::filesystem::path& path, const Identity& identity,
                              std::size_t features, const StateCheck& impossible,
                              const PartsAtStage& parts) {
  SealedReader file(path, kCheckpoint);
  return file.reading([&] {
    check_identity(path, file.header().at("identity"), identity);
    TrainingState state = state_in(file, features);
    if (const std::string why = impossible(state); !why.empty()) file.damaged(why);
    read_arrays(file, state, parts(state.stage));
    return state;
  });
}

std::string pack_training(const TrainingState& state, const Scaler& scaler,
                          const PartsVisitor& parts) {
  nlohmann::json header = describe(state);
  header["scale"] = name_of(scaler.mode);
  header["clip"] = scaler.clip;
  header["baseline loss"] = scaler.baseline_loss;
  header["features"] = scaler.mean.size();
  std::vector<Bytes> arrays;
  for_each_array(scaler, [&](const auto& array) { arrays.push_back(bytes_of(array)); });
  for (const Bytes& array : bytes_of_all(state, parts)) arrays.push_back(array);
  return sealed_bytes(kTraining.magic, std::move(header), arrays);
}

TrainingState unpack_training(const std::string& packed, Scaler& scaler, const PartsOfSize& parts) {
  SealedReader file(packed, "the packed training", kTraining);
  return file.reading([&] {
    options_detail::parse("scale", scaler.mode, choices_of<ScaleMode>(),
                          file.header().at("scale").get<std::string>());
    scaler.clip = static_cast<float>(file.number("clip", 0, std::numeric_limits<float>::max()));
    scaler.baseline_loss = file.number("baseline loss", 0, std::numeric_limits<double>::max());
    const std::size_t features = file.count("features", file.array_bytes());
    if (features == 0) file.damaged("it has no features");
    for_each_array(scaler, [&](auto& array) {
      array.resize(features);
      file.read(array);
    });
    TrainingState state = state_in(file, features);
    read_arrays(file, state, parts(features, state.stage));
    return state;
  });
}

std::uint64_t fingerprint(const Dataset& data, std::size_t shards) {
  const auto hash_of = [&](Range rows) {
    Hash hash;
    if (data.is_sparse()) {
      const SparseView& sparse = data.sparse();
      const std::size_t size = size_of(sparse.type);
      for (std::size_t r = rows.begin; r < rows.end; ++r) {
        const std::uint64_t begin = sparse.offsets[r], count = sparse.offsets[r + 1] - begin;
        hash.add(&count, sizeof count);
        hash.add(sparse.columns + begin, count * sizeof *sparse.columns);
        hash.add(sparse.values + begin * size, count * size);
      }
      return hash.value();
    }
    const MatrixView& values = data.values();
    constexpr std::size_t kBlock = 4096;  // rows after which pages are given back
    for (std::size_t begin = rows.begin; begin < rows.end; begin += kBlock) {
      const std::size_t end = std::min(rows.end, begin + kBlock);
      for (std::size_t r = begin; r < end; ++r)
        hash.add(values.row(r), values.features * size_of(values.type));
      release_rows(data, begin, end);
    }
    return hash.value();
  };
  std::vector<std::uint64_t> hashes(shards);
  const Range own = own_shards(shards);
  for (std::size_t s = own.begin; s < own.end; ++s)
    hashes[s] = hash_of(rows_of_shard(data.rows(), s, shards));
  comm::add_up(hashes);  // each is known to one process, and 0 elsewhere
  if (shards == 1) return hashes[0];
  Hash all;
  all.add(hashes.data(), hashes.size() * sizeof hashes[0]);
  return all.value();
}

}  // namespace quickselection
