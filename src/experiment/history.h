// src/experiment/history.h: what a training thinks of the features, epoch by epoch.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "quickselection/dataset.h"
#include "quickselection/experiment.h"
#include "quickselection/progress.h"

namespace quickselection {

/// The ranking after an epoch that is looked at.
struct HistoryMark {
  std::size_t epoch = 0;
  std::vector<std::uint32_t> ranking;
};

struct History {
  std::vector<std::vector<double>> scores;  ///< of all features, after each epoch
  std::vector<HistoryMark> marks;
};

/// One training with the plan's first data set, method and seed. Throws InvalidArgument when the
/// method does not tell its scores after each epoch, or a mark lies beyond its end.
History follow_training(const ExperimentPlan& plan, const std::vector<std::size_t>& marks,
                        const Dataset& train, const RunContext& context);

/// The strength of the k best and the k weakest features of each mark, over all epochs:
/// epoch,feature,chosen_at,place,score.
std::string strength_csv(const History& history, std::size_t k);
/// The k best features of each mark: epoch,rank,feature,score.
std::string chosen_csv(const History& history, std::size_t k);

/// Images (PGM) for data whose features are pixels: the k best of a mark in white; and for each
/// class (down) its mean at the best of each mark and everywhere (across).
std::string chosen_image(const HistoryMark& mark, std::size_t k,
                         const std::vector<std::size_t>& shape);
std::string class_averages_image(const History& history, std::size_t k, const Dataset& data);

}  // namespace quickselection
