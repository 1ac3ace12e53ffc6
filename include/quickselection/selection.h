// include/quickselection/selection.h: choose a method, rank all features.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "quickselection/dataset.h"
#include "quickselection/network.h"
#include "quickselection/progress.h"
#include "quickselection/scale_mode.h"
#include "quickselection/setting.h"
#include "quickselection/words.h"

namespace quickselection {

struct SelectOptions {
  std::string method = "quickselection";
  std::vector<GivenOption> method_options;  ///< e.g. {"epochs", "10"}; the rest keep their defaults
  std::optional<ScaleMode> scale;           ///< unset = what the method wants
  double clip = 0;                          ///< bound of scaled values, 0 = none
  std::size_t k = 0;  ///< features wanted: some methods work for this number; 0 = 50, or all
  std::uint64_t seed = 0;
  std::string checkpoint;     ///< file to save the state to, "" = none
  int checkpoint_every = 1;   ///< epochs
  std::string resume;         ///< checkpoint to continue from, "" = none
  bool keep_network = false;  ///< give back the trained weights as well
};

struct Selection {
  std::string method;
  std::vector<Setting> options;  ///< all options of the method, as they were used
  ScaleMode scale = ScaleMode::standard;
  double clip = 0;
  std::size_t k = 0;  ///< features it was made for; the ranking holds all of them
  std::uint64_t seed = 0;
  int threads = 1;
  std::vector<std::uint32_t> ranking;  ///< all features, best first; constant ones last
  std::vector<double> scores;          ///< one per feature, higher is better
  std::vector<double> loss;            ///< of each epoch, for methods that train
  std::optional<bool> settled;         ///< with ‹epochs auto›: whether the ranking did
  std::size_t parameters = 0;          ///< of the trained network, 0 for other methods
  std::vector<LayerWeights> network;   ///< when asked for, and the method trains one
  std::vector<Setting> measures;       ///< what the method says about its own result
  std::size_t constant_features = 0;
  double seconds = 0;
  std::vector<Warning> warnings;   ///< reasons to doubt the result
  std::vector<std::string> notes;  ///< what was decided and the user should know
};

/// Ranks all features without looking at labels. The same arguments give the same bits, whatever
/// the number of threads.
Selection select_features(const Dataset& data, const SelectOptions& options = {},
                          const RunContext& context = {});

/// What the losses say: "the network converged", or not; "" when nothing was trained.
std::string training_in_words(const Selection& selection);

/// `asked` itself, or the default number of features to select when it is 0.
/// Throws InvalidArgument when there are fewer features.
std::size_t resolve_k(std::size_t asked, std::size_t features);

/// Throws InvalidArgument for anything that select_features would refuse, before data is read.
void check_options(const SelectOptions& options);

struct MethodInfo {
  std::string name;
  std::string class_name;  ///< in Python; "" = it has none
  std::string summary;
  ScaleMode scale;  ///< used unless another one is asked for
  std::vector<OptionInfo> options;
  bool trains;  ///< a network: it keeps checkpoints and learns from chunks
};

/// All methods, the main one first.
std::vector<MethodInfo> methods();

/// One method by name. Throws InvalidArgument with the nearest name as a hint.
MethodInfo method_info(const std::string& name);

/// The scaling of that name. Throws InvalidArgument listing the names.
ScaleMode scale_mode(const std::string& name);
std::string to_text(ScaleMode mode);

}  // namespace quickselection
