// src/selectors/graph/products.h: the scaled data as a matrix X (rows, features) that is multiplied
// block by block and never stored.
#pragma once

#include <span>
#include <vector>

#include "core/pace.h"
#include "core/team.h"
#include "data/scaling/row_reader.h"

namespace quickselection {

/// V X, in double precision. vectors: V, (count, rows); returns (count, features).
/// Throws Interrupted when the pace's caller wants to stop.
std::vector<double> products(const RowReader& data, std::span<const double> vectors, Team& team,
                             const Pace& pace);

}  // namespace quickselection
