// src/selectors/training_state.cpp: a sealed block of bytes with the raw arrays of every
// layer.
#include "selectors/training_state.h"

#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "core/options.h"
#include "core/sealed_file.h"
#include "network/layers/layer_arrays.h"
#include "quickselection/error.h"

namespace quickselection {
namespace {

constexpr SealedKind kTraining{"QuickSelection training 1\n", "training",
                               "fit again, or train from the start"};

template <class Layer>
bool uses_adam(const Layer& layer) {
  return layer.state2.size() > 0;
}
kernels::Optimizer optimizer_in(const nlohmann::json& entry) {
  return entry.at("adam").get<bool>() ? kernels::Optimizer::adam : kernels::Optimizer::sgd;
}

nlohmann::json describe(const SparseLayer& layer) {
  return {{"inputs", layer.inputs()},
          {"outputs", layer.outputs()},
          {"connections", layer.connections()},
          {"transposed", layer.has_transposed()},
          {"adam", uses_adam(layer)}};
}
nlohmann::json describe(const DenseLayer& layer) {
  return {{"inputs", layer.inputs}, {"outputs", layer.outputs}, {"adam", uses_adam(layer)}};
}
void prepare(const nlohmann::json& entry, SparseLayer& layer) {
  layer = SparseLayer::unfilled(entry.at("inputs"), entry.at("outputs"), entry.at("connections"),
                                optimizer_in(entry), entry.at("transposed"));
}
void prepare(const nlohmann::json& entry, DenseLayer& layer) {
  layer = DenseLayer(entry.at("inputs"), entry.at("outputs"), optimizer_in(entry));
}
void complete(SparseLayer& layer) {
  if (layer.has_transposed()) layer.rebuild_transposed();
}
void complete(DenseLayer&) {}

template <class State>
auto& layers_of(State& state) {
  if constexpr (requires { state.decoder; })
    return state.decoder.layers;
  else
    return state.network.layers;
}

/// Calls body with every array that has a size of its own, beside those of the layers.
template <class State, class Body>
void for_each_loose_array(State& state, Body&& body) {
  body(state.output_loss);
  if constexpr (requires { state.input_importance; }) {
    body(state.input_importance);
    body(state.output_importance);
  }
  if constexpr (requires { state.logits; }) {
    body(state.logits);
    body(state.state1);
    body(state.state2);
  }
}

template <class State, class Body>
void for_each_array(State& state, Body&& body) {
  for (auto& layer : layers_of(state)) for_each_layer_array(layer, body);
  for_each_loose_array(state, body);
}

template <class AnyScaler, class Body>
void for_each_scaler_array(AnyScaler& scaler, Body&& body) {
  body(scaler.mean);
  body(scaler.narrow_mean);
  body(scaler.scale);
  body(scaler.variance);
}

template <class State>
void describe(const State& state, nlohmann::json& header) {
  header["epoch"] = state.epoch;
  header["step"] = state.step;
  header["loss"] = state.loss;
  header["layers"] = nlohmann::json::array();
  for (const auto& layer : layers_of(state)) header["layers"].push_back(describe(layer));
  header["sizes"] = nlohmann::json::array();
  for_each_loose_array(state, [&](const auto& array) { header["sizes"].push_back(array.size()); });
  if constexpr (requires { state.alpha; }) header["alpha"] = state.alpha;
}

template <class State>
State read_state(SealedReader& bytes) {
  const nlohmann::json& header = bytes.header();
  State state;
  state.epoch = header.at("epoch");
  state.step = header.at("step");
  state.loss = header.at("loss").get<std::vector<double>>();
  auto& layers = layers_of(state);
  for (const auto& entry : header.at("layers")) prepare(entry, layers.emplace_back());
  std::size_t next = 0;
  for_each_loose_array(state, [&](auto& array) {
    array =
        std::remove_reference_t<decltype(array)>(header.at("sizes").at(next++).get<std::size_t>());
  });
  if constexpr (requires { state.alpha; }) state.alpha = header.at("alpha");
  for_each_array(state, [&](auto& array) { bytes.read(array); });
  bytes.finish();
  for (auto& layer : layers) complete(layer);
  return state;
}

TrainingState read_state_of_kind(std::size_t kind, SealedReader& bytes) {
  switch (kind) {
    case 1:
      return read_state<TrainState>(bytes);
    case 2:
      return read_state<DenseTrainState>(bytes);
    case 3:
      return read_state<LassoState>(bytes);
    case 4:
      return read_state<WastState>(bytes);
    case 5:
      return read_state<ConcreteState>(bytes);
    default:
      bytes.finish();
      return {};
  }
}

}  // namespace

std::string pack_training(const ChunkedTraining& training) {
  const Scaler& scaler = training.scaler;
  nlohmann::json header{{"kind", training.state.index()},
                        {"scale", name_of(scaler.mode)},
                        {"clip", scaler.clip},
                        {"baseline loss", scaler.baseline_loss},
                        {"features", scaler.mean.size()}};
  std::vector<Bytes> arrays;
  const auto add = [&](const auto& array) { arrays.push_back(bytes_of(array)); };
  for_each_scaler_array(scaler, add);
  std::visit(
      [&](const auto& state) {
        if constexpr (!std::is_same_v<std::decay_t<decltype(state)>, std::monostate>) {
          describe(state, header);
          for_each_array(state, add);
        }
      },
      training.state);
  return sealed_bytes(kTraining.magic, std::move(header), arrays);
}

ChunkedTraining unpack_training(const std::string& packed) {
  SealedReader bytes(packed, "the packed training", kTraining);
  const nlohmann::json& header = bytes.header();
  try {
    ChunkedTraining training;
    Scaler& scaler = training.scaler;
    options_detail::parse("scale", scaler.mode, choices_of<ScaleMode>(),
                          header.at("scale").get<std::string>());
    scaler.clip = header.at("clip");
    scaler.baseline_loss = header.at("baseline loss");
    const std::size_t features = header.at("features");
    scaler.mean.resize(features);
    scaler.narrow_mean.resize(features);
    scaler.scale.resize(features);
    scaler.variance.resize(features);
    for_each_scaler_array(scaler, [&](auto& array) { bytes.read(array); });
    training.state = read_state_of_kind(header.at("kind"), bytes);
    return training;
  } catch (const nlohmann::json::exception&) {
    bytes.damaged("its header is incomplete");
  } catch (const InvalidArgument&) {
    bytes.damaged("its header holds an unknown value");
  }
}

}  // namespace quickselection
