// src/report/selection_report.h: a selection as one self-contained HTML page.
#pragma once

#include <cstddef>
#include <string>

#include "quickselection/dataset.h"
#include "quickselection/selection.h"
#include "quickselection/stability.h"

namespace quickselection {

/// A page without scripts and without references to anything outside itself.
std::string selection_report(const Dataset& data, const Selection& selection, std::size_t k);

/// The same with the stability of repeated selections, where it was measured.
std::string selection_report(const Dataset& data, const RepeatedSelection& repeated, std::size_t k);

}  // namespace quickselection
