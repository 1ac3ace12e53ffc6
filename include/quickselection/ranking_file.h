// include/quickselection/ranking_file.h: rankings as CSV files.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "quickselection/dataset.h"
#include "quickselection/selection.h"

namespace quickselection {

/// rank,feature,name,score for all features, and how often each was chosen if that is known.
std::string ranking_csv(const Dataset& data, const Selection& selection,
                        std::span<const double> frequency = {});

/// The features of a ranking, best first. Throws Error naming the line when the file is no ranking
/// or one of other data.
std::vector<std::uint32_t> read_ranking(const std::string& path, const Dataset& data);

/// rank,run_1,run_2,…: the feature at each rank in each run.
std::string run_rankings_csv(std::span<const std::vector<std::uint32_t>> rankings);

/// One ranking for each run of a file of run_rankings_csv, or the one of any other ranking.
std::vector<std::vector<std::uint32_t>> read_rankings(const std::string& path, const Dataset& data);

}  // namespace quickselection
