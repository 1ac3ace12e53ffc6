// src/selectors/methods/group_lasso.h: the L2,1 norm of a first layer: the sum of the lengths of
// its columns, one for each feature.
#pragma once

#include <vector>

#include "core/team.h"
#include "network/layers/dense_network.h"

namespace quickselection {

/// Length of the weights that leave each input.
std::vector<double> column_lengths(const DenseLayer& layer);

/// The proximal step of threshold x L2,1 on these columns: each becomes shorter by the threshold,
/// or zero when it is not longer than that.
void shrink_columns(DenseLayer& layer, double threshold, Range columns);

}  // namespace quickselection
