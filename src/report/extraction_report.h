// src/report/extraction_report.h: an extraction as one self-contained HTML page.
#pragma once

#include <string>

#include "core/meters.h"
#include "quickselection/dataset.h"
#include "quickselection/extraction.h"

namespace quickselection {

struct ExtractionReport {
  const Dataset& data;   ///< what was extracted from
  const Dataset& codes;  ///< what came out
  const ExtractorInfo& info;
  Measured measured;
};

std::string extraction_report(const ExtractionReport& report);

}  // namespace quickselection
