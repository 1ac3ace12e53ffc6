// src/extraction/extractor_file.cpp: an extractor as a sealed file: the scaler's arrays, then those
// of every layer.
#include <limits>
#include <string>
#include <vector>

#include "core/files/sealed_file.h"
#include "core/text/options.h"
#include "extraction/extractor_parts.h"
#include "quickselection/error.h"

namespace quickselection {
namespace {

constexpr SealedKind kExtractor{"QuickSelection extractor 4\n", "extractor",
                                "fit a new one with ‹save-model›"};

void for_each_array(auto& scaler, auto& layers, auto&& body) {
  quickselection::for_each_array(scaler, body);
  for (auto& layer : layers) {
    if constexpr (requires { layer.offsets; }) {
      body(layer.offsets);
      body(layer.columns);
    }
    body(layer.weights);
    body(layer.bias);
  }
}

std::size_t inputs_of(const SparseLayer& layer) { return layer.inputs(); }
std::size_t inputs_of(const DenseLayer& layer) { return layer.inputs; }
std::size_t outputs_of(const SparseLayer& layer) { return layer.outputs(); }
std::size_t outputs_of(const DenseLayer& layer) { return layer.outputs; }

nlohmann::json describe(const Extractor::Parts& parts) {
  const ExtractorInfo& info = parts.info;
  nlohmann::json header;
  header["network"] = info.network;
  header["features"] = info.features;
  header["parameters"] = info.parameters;
  header["scale"] = name_of(parts.scaler.mode);
  header["clip"] = parts.scaler.clip;
  header["seed"] = info.seed;
  header["loss"] = info.loss;
  header["warnings"] = on_command_line(info.warnings);
  header["activation"] = name_of(parts.plan.activation);
  header["output activation"] = name_of(parts.plan.output_activation);
  header["dropout"] = parts.plan.dropout;
  header["code layers"] = parts.code;
  header["options"] = nlohmann::json::array();
  for (const auto& [name, value] : info.options) {
    nlohmann::json entry{{"name", name}};
    std::visit([&](const auto& v) { entry["value"] = v; }, value);
    header["options"].push_back(std::move(entry));
  }
  std::visit(
      [&](const auto& layers) {
        for (const auto& layer : layers)
          header["layers"].push_back(
              {{"inputs", inputs_of(layer)},
               {"outputs", outputs_of(layer)},
               {"connections", static_cast<std::uint64_t>(layer.weights.size())}});
      },
      parts.layers);
  return header;
}

template <class Enum>
Enum value_named(const nlohmann::json& header, const char* key) {
  Enum value{};
  options_detail::parse(key, value, choices_of<Enum>(), header.at(key).get<std::string>());
  return value;
}

SettingValue value_in(const nlohmann::json& json) {
  if (json.is_number_integer()) return json.get<std::int64_t>();
  if (json.is_number()) return json.get<double>();
  return json.get<std::string>();
}

/// Everything but the arrays; those have their sizes.
void prepare(const nlohmann::json& header, const SealedReader& file, Extractor::Parts& parts) {
  ExtractorInfo& info = parts.info;
  info.network = header.at("network");
  if (info.network != "sparse" && info.network != "dense" && info.network != "pca")
    file.damaged("its network is unknown");
  // Nothing is taken for a size before the file is known to hold as many bytes.
  info.features = file.count("features", file.array_bytes());
  info.parameters = file.count("parameters", UINT64_MAX);
  info.seed = file.count("seed", UINT64_MAX);
  info.loss = header.at("loss").get<std::vector<double>>();
  for (const auto& text : header.at("warnings"))
    info.warnings.push_back({WarningKind::other, text.get<std::string>()});
  for (const auto& entry : header.at("options"))
    info.options.push_back({entry.at("name"), value_in(entry.at("value"))});
  Scaler& scaler = parts.scaler;
  info.scale = scaler.mode = value_named<ScaleMode>(header, "scale");
  info.clip = scaler.clip =
      static_cast<float>(file.number("clip", 0, std::numeric_limits<float>::max()));
  quickselection::for_each_array(scaler, [&](auto& array) { array.resize(info.features); });
  parts.plan = {value_named<Activation>(header, "activation"),
                value_named<Activation>(header, "output activation"), file.number("dropout", 0, 1),
                false};
  parts.code = file.count("code layers", UINT32_MAX);
  std::vector<SparseLayer> sparse;
  std::vector<DenseLayer> dense;
  std::size_t width = info.features, left = file.array_bytes();
  for (const auto& entry : header.at("layers")) {
    const std::size_t inputs = file.count(entry, "inputs", width);
    const std::size_t outputs = file.count(entry, "outputs", left);
    const std::size_t connections = file.count(entry, "connections", left);
    if (inputs != width || inputs == 0 || outputs == 0 ||
        (info.network != "sparse" &&
         (connections / inputs != outputs || connections % inputs != 0)))
      file.damaged("its layers do not fit together");
    const std::size_t bytes = outputs + connections;  // at least
    if (bytes > left) file.damaged("it is too short for its layers");
    left -= bytes;
    width = outputs;
    if (info.network == "sparse")
      sparse.push_back(
          SparseLayer::unfilled(inputs, outputs, connections, kernels::Optimizer::sgd, false));
    else
      dense.emplace_back(inputs, outputs, kernels::Optimizer::sgd);
  }
  const std::size_t count = sparse.size() + dense.size();
  if (width != info.features || parts.code < 1 || parts.code >= count)
    file.damaged("its layers do not fit together");
  info.dimensions = header.at("layers").at(parts.code - 1).at("outputs").get<std::size_t>();
  if (info.network == "sparse")
    parts.layers = std::move(sparse);
  else
    parts.layers = std::move(dense);
}

bool is_sound(const SparseLayer& layer) { return layer.is_sound(); }
bool is_sound(const DenseLayer&) { return true; }

std::vector<Bytes> arrays_of(const Extractor::Parts& parts) {
  std::vector<Bytes> arrays;
  std::visit(
      [&](const auto& layers) {
        for_each_array(parts.scaler, layers,
                       [&](const auto& array) { arrays.push_back(bytes_of(array)); });
      },
      parts.layers);
  return arrays;
}

Extractor read_extractor(SealedReader file) {
  auto parts = std::make_unique<Extractor::Parts>();
  file.reading([&] {
    prepare(file.header(), file, *parts);
    std::visit(
        [&](auto& layers) {
          for_each_array(parts->scaler, layers, [&](auto& array) { file.read(array); });
          file.finish();
          for (const auto& layer : layers)
            if (!is_sound(layer)) file.damaged("its connections make no sense");
        },
        parts->layers);
  });
  return Extractor(std::move(parts));
}

}  // namespace

void save_extractor(const std::string& path, const Extractor& extractor) {
  const Extractor::Parts& parts = extractor.parts();
  write_sealed(path, kExtractor.magic, describe(parts), arrays_of(parts));
}

Extractor load_extractor(const std::string& path) {
  return read_extractor(SealedReader(path, kExtractor));
}

std::string pack_extractor(const Extractor& extractor) {
  const Extractor::Parts& parts = extractor.parts();
  return sealed_bytes(kExtractor.magic, describe(parts), arrays_of(parts));
}

Extractor unpack_extractor(const std::string& bytes) {
  return read_extractor(SealedReader(bytes, "the packed model", kExtractor));
}

}  // namespace quickselection
