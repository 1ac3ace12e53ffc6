// include/quickselection/incremental.h: a selection that sees its rows chunk by chunk.
#pragma once

#include <memory>
#include <string>

#include "quickselection/dataset.h"
#include "quickselection/progress.h"
#include "quickselection/selection.h"

namespace quickselection {

/// For methods that train a network: each chunk is one epoch of one training, so the topology
/// evolves once a chunk. Chunks that are all the same data give the same bits as select_features
/// with as many epochs. Values are scaled by the statistics of the first chunk, which should
/// therefore look like the others.
class IncrementalSelection {
 public:
  /// Throws InvalidArgument for what select_features would refuse, and for methods that train no
  /// network. Continues from what pack() gave, if that is passed, with the same options; throws
  /// Error when it is damaged.
  explicit IncrementalSelection(SelectOptions options, const std::string& packed = {});
  ~IncrementalSelection();
  IncrementalSelection(IncrementalSelection&&) noexcept;
  IncrementalSelection& operator=(IncrementalSelection&&) noexcept;

  /// What is known after this chunk. Throws Error when it has other features than the first one.
  /// When it is interrupted, the batches before count, but not as an epoch.
  Selection learn(const Dataset& chunk, const RunContext& context = {});

  /// The whole state.
  std::string pack() const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace quickselection
