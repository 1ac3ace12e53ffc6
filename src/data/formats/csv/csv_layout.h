// src/data/formats/csv/csv_layout.h: which columns of a CSV file are features, labels or an index.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "data/formats/csv/csv_scan.h"
#include "quickselection/dataset.h"

namespace quickselection {

enum class CsvRole : std::uint8_t { value, label, skip };

struct CsvLayout {
  char delimiter = ',';
  std::vector<std::string> header;  ///< one per column, or empty
  std::vector<CsvRole> roles;       ///< one per column
  std::size_t features = 0;         ///< how many roles are `value`
  bool has_label = false;
  CsvCursor data;  ///< at the first record after the header
  std::vector<std::string> notes;
};

/// Looks at the first two records. Throws Error for files without data, InvalidArgument for
/// options that name no column.
CsvLayout find_csv_layout(CsvCursor cursor, const ReadOptions& options);

}  // namespace quickselection
