// src/evaluation/hold_out.h: reading data that will be split into training and test rows.
#pragma once

#include "quickselection/dataset.h"
#include "quickselection/evaluation.h"

namespace quickselection {

/// The training data. Means take the place of missing values after the split, since test rows have
/// no say in them. `whole`: all rows, because both kinds are counted in the whole file.
Dataset read_training(std::span<const std::string> paths, ReadOptions read, bool whole);

/// The file of test rows.
Dataset read_test(const std::string& path, const std::string& label, ReadOptions read);

/// Puts the means of the training rows in the place of missing values, if there are any and the
/// features are as many. Says whether it did.
bool fill_with_means(Dataset& data, const Dataset& train, std::span<const std::uint32_t> rows);

}  // namespace quickselection
