// src/network/training/archive.h: the state of a training as bytes: a checkpoint in a file, or
// packed in memory until the next chunk of the data comes.
//
// A model names its parts once, in for_each_part(self, visit): networks, layers and arrays. Their
// sizes follow from the model's options, so nothing that a file says is taken for a size.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "core/aligned.h"
#include "core/files/sealed_file.h"
#include "data/scaling/scaler.h"
#include "network/layers/autoencoder.h"
#include "network/layers/dense_network.h"
#include "network/training/training.h"
#include "quickselection/setting.h"

namespace quickselection {

/// The arrays of a model's parts, in the order of its files, and what must hold of them once they
/// have been read.
class PartsVisitor {
 public:
  struct Array {
    Bytes bytes;
    std::function<void(SealedReader&)> read;
  };

  template <class Number>
  void operator()(AlignedArray<Number>& array) {
    arrays_.push_back({bytes_of(array), [&](SealedReader& file) { file.read(array); }});
  }
  template <class Number>
  void operator()(std::vector<Number>& array) {
    arrays_.push_back({bytes_of(array), [&](SealedReader& file) { file.read(array); }});
  }
  void operator()(SparseLayer& layer);
  void operator()(DenseLayer& layer);
  void operator()(Autoencoder& network) {
    for (SparseLayer& layer : network.layers) (*this)(layer);
  }
  void operator()(DenseNetwork& network) {
    for (DenseLayer& layer : network.layers) (*this)(layer);
  }

  const std::vector<Array>& arrays() const { return arrays_; }
  /// Completes the layers from what was read: "", or what makes no sense.
  std::string complete() const;

 private:
  std::vector<Array> arrays_;
  std::vector<SparseLayer*> sparse_;
};

template <class Model>
PartsVisitor parts_of(Model& model) {
  PartsVisitor parts;
  Model::for_each_part(model, parts);
  return parts;
}

/// What a checkpoint belongs to: data, options and seed. All of it must be the same on resume.
using Identity = std::vector<Setting>;

/// A hash of all values in their stored type, and of their places when they are sparse. Every
/// process reads its own shards.
std::uint64_t fingerprint(const Dataset& data, std::size_t shards = 1);

void save_checkpoint(const std::filesystem::path& path, const TrainingState& state,
                     const Identity& identity, const PartsVisitor& parts);

/// Why no training can stand there, or "".
using StateCheck = std::function<std::string(const TrainingState&)>;
/// The model's parts once the stage of the training is known.
using PartsAtStage = std::function<PartsVisitor(std::uint32_t stage)>;

/// Throws Error when the file is damaged, or names the first difference when it belongs to another
/// training.
TrainingState load_checkpoint(const std::filesystem::path& path, const Identity& identity,
                              std::size_t features, const StateCheck& impossible,
                              const PartsAtStage& parts);

/// A training that waits for its next chunk, with the scaler of the first one.
std::string pack_training(const TrainingState& state, const Scaler& scaler,
                          const PartsVisitor& parts);
/// The other way: `parts` is asked for a model of so many features at that stage. Throws Error when
/// the bytes are damaged.
using PartsOfSize = std::function<PartsVisitor(std::size_t features, std::uint32_t stage)>;
TrainingState unpack_training(const std::string& bytes, Scaler& scaler, const PartsOfSize& parts);

}  // namespace quickselection
