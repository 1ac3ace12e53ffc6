// src/selectors/method.h: what a selection method is to the rest of the program.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/team.h"
#include "core/text/options.h"
#include "data/scaling/scaler.h"
#include "quickselection/dataset.h"
#include "quickselection/progress.h"
#include "quickselection/selection.h"

namespace quickselection {

/// Where a training is kept; only for methods that train a network.
struct CheckpointPlan {
  std::string save;    ///< file to write, "" = none
  int every = 1;       ///< epochs between two writes
  std::string resume;  ///< file to continue from, "" = none
};

struct MethodInput {
  const Dataset& data;
  const Scaler& scaler;
  std::span<const GivenOption> given;
  std::size_t k;  ///< features wanted, 1 to all
  std::uint64_t seed;
  Team& team;
  const RunContext& context;
  const CheckpointPlan& checkpoints;
  bool keep_network = false;
};

struct MethodOutput {
  std::vector<double> scores;  // (I), higher is better
  std::vector<Setting> options;
  std::vector<double> loss;
  std::optional<bool> settled;  ///< unset where epochs were counted
  std::size_t parameters = 0;
  std::vector<LayerWeights> network;  // only with keep_network
  std::vector<Setting> measures;      ///< what the method says about its own result
  std::vector<Warning> warnings;
};

/// A method's output as a result: constant features last, with what the user should know.
Selection selection_of(MethodOutput output, const Dataset& data, const SelectOptions& options,
                       const Scaler& scaler, std::size_t k, int threads);

/// A method's struct of options, as functions.
struct MethodOptions {
  std::vector<OptionInfo> (*describe)() = nullptr;
  /// Throws for options that the method would refuse. `owner` is the method's name.
  void (*check)(std::span<const GivenOption>, std::string_view owner) = nullptr;
};
template <class Options>
constexpr MethodOptions options_of() {
  return {describe_options<Options>,
          [](std::span<const GivenOption> given, std::string_view owner) {
            parse_options<Options>(given, owner);
          }};
}
/// For methods without options: refuses any that were given.
struct NoOptions {};
void for_each_field(OptionsOf<NoOptions> auto&, auto&&) {}

/// A training that gets its data chunk by chunk, an epoch with each.
struct ChunkTraining {
  /// After an exception the training is as the last finished batch left it.
  std::function<MethodOutput(const MethodInput&)> learn;
  std::function<std::string()> pack;
};
struct ChunkStart {
  std::span<const GivenOption> given;
  std::size_t k;  ///< 0 = the default for so many features
  std::uint64_t seed;
  Scaler& scaler;             ///< of the first chunk
  const std::string* packed;  ///< what to go on from, with its scaler; null = a new training
};

struct Method {
  std::string_view name = {};
  std::string_view class_name = {};  ///< in Python; none = no class
  std::string_view summary = {};
  ScaleMode scale = ScaleMode::standard;  ///< unless another one is asked for
  MethodOptions options = {};
  MethodOutput (*run)(const MethodInput&) = nullptr;
  bool seeded = true;  ///< whether another seed may give another ranking
  /// Whether the ranking depends on the number of features that are wanted; null = never.
  bool (*needs_k)(std::span<const GivenOption>) = nullptr;

  // For methods that train a network: trained_method.h fills these in.
  ChunkTraining (*begin_chunks)(const ChunkStart&) = nullptr;
  /// Whether a training of fewer epochs is the beginning of a longer one, bit for bit.
  bool epochs_may_grow = false;

  /// It keeps checkpoints, learns from chunks and calls context.after_epoch.
  bool trains() const { return begin_chunks != nullptr; }
};

inline bool always_needs_k(std::span<const GivenOption>) { return true; }

// One file in selectors/methods for each, and one line in the list.
#define QS_METHOD(name) extern const Method name;
#include "selectors/methods/list.h"
#undef QS_METHOD

/// All methods, the main one first.
std::span<const Method* const> all_methods();
const Method& find_method(const std::string& name);

}  // namespace quickselection
