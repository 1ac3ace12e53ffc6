// src/selectors/method.h: what a selection method is to the rest of the program.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/team.h"
#include "data/scaler.h"
#include "network/train.h"
#include "quickselection/dataset.h"
#include "quickselection/progress.h"
#include "quickselection/selection.h"

namespace quickselection {

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
  std::size_t parameters = 0;
  std::vector<LayerWeights> network;  // only with keep_network
  std::vector<Setting> measures;      ///< what the method says about its own result
  std::vector<std::string> warnings;
};

struct Method {
  std::string_view name, summary;
  ScaleMode scale;
  bool resumable;
  std::vector<OptionInfo> (*describe)();
  void (*check)(std::span<const GivenOption>);  // throws for options that run() would refuse
  MethodOutput (*run)(const MethodInput&);
  bool seeded = true;  // whether another seed may give another ranking
  // Whether it calls context.after_epoch, and a training of fewer epochs is the beginning of a
  // longer one, bit for bit.
  bool scores_each_epoch = false;
  // Whether the ranking depends on the number of features that are wanted; null = never.
  bool (*needs_k)(std::span<const GivenOption>) = nullptr;
};

inline bool always_needs_k(std::span<const GivenOption>) { return true; }

/// For methods without options: refuses any that were given.
struct NoOptions {};
template <class Self, class Visitor>
requires OptionsOf<Self, NoOptions>
void for_each_field(Self&, Visitor&&) {}

// One file for each, and one line for each in registry.cpp.
extern const Method kQuickSelection;
extern const Method kLaplacianScore;
extern const Method kMcfs;
extern const Method kUdfs;
extern const Method kFcae;
extern const Method kLotteryTicket;
extern const Method kAefs;
extern const Method kConcreteAutoencoder;
extern const Method kWast;
extern const Method kVariance;
extern const Method kRandom;

/// All methods, the main one first.
std::span<const Method* const> all_methods();
const Method& find_method(const std::string& name);

}  // namespace quickselection
