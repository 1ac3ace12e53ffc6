// include/quickselection/extraction.h: feature extraction: rows become fewer numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "quickselection/dataset.h"
#include "quickselection/progress.h"
#include "quickselection/scale_mode.h"
#include "quickselection/setting.h"
#include "quickselection/words.h"

namespace quickselection {

struct ExtractOptions {
  std::string network = "sparse";  ///< sparse, dense or pca
  /// Hidden layers; the narrowest is the extracted representation. pca uses its size alone.
  std::vector<std::uint32_t> layers = {1000, 50, 1000};
  std::vector<GivenOption> network_options;  ///< e.g. {"epochs", "10"}
  std::optional<ScaleMode> scale;            ///< unset = standard; deviation for sparse data
  double clip = 0;                           ///< bound of scaled values, 0 = none
  std::uint64_t seed = 0;
};

/// Throws InvalidArgument for anything that fit_extractor would refuse whatever the data.
void check_options(const ExtractOptions& options);

/// Options of a network, as in ExtractOptions::network_options.
std::vector<OptionInfo> extraction_options(const std::string& network);

/// What is known about an extractor beside its weights.
struct ExtractorInfo {
  std::string network;
  std::size_t features = 0;    ///< columns it takes
  std::size_t dimensions = 0;  ///< columns it gives
  std::size_t parameters = 0;  ///< of the whole network it was trained with
  ScaleMode scale = ScaleMode::standard;
  double clip = 0;
  std::uint64_t seed = 0;
  std::vector<Setting> options;  ///< as they were used
  std::vector<double> loss;      ///< of each epoch; of pca: nothing
  std::vector<Warning> warnings;
};

/// A scaler, the layers up to the representation and those back from it. Made by fit_extractor or
/// load_extractor.
class Extractor {
 public:
  struct Parts;
  explicit Extractor(std::unique_ptr<Parts> parts);
  ~Extractor();
  Extractor(Extractor&&) noexcept;
  Extractor& operator=(Extractor&&) noexcept;

  const ExtractorInfo& info() const;
  const Parts& parts() const { return *parts_; }

 private:
  std::unique_ptr<Parts> parts_;
};

/// Fits it to the rows of `data`; labels are not used. The same arguments give the same bits,
/// whatever the number of threads.
Extractor fit_extractor(const Dataset& data, const ExtractOptions& options = {},
                        const RunContext& context = {});

/// The representation of each row: 32-bit floats, labels kept. Throws Error when the data has
/// another number of features.
Dataset extract(const Extractor& extractor, const Dataset& data, const RunContext& context = {});

/// The way back: rows of the representation, as extract gives them, become rows of the features in
/// their own units, as far as the network can tell them apart. 32-bit floats, labels kept. Throws
/// Error when the codes have another number of columns.
Dataset decode(const Extractor& extractor, const Dataset& codes, const RunContext& context = {});

/// One file, either whole or not there.
void save_extractor(const std::string& path, const Extractor& extractor);
/// Throws Error when the file is missing, damaged, or not an extractor.
Extractor load_extractor(const std::string& path);

/// The bytes of such a file, in memory.
std::string pack_extractor(const Extractor& extractor);
Extractor unpack_extractor(const std::string& bytes);

}  // namespace quickselection
