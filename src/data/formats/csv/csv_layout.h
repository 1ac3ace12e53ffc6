// src/data/formats/csv/csv_layout.h: which columns of a CSV file are features, labels or an index.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "data/formats/csv/csv_scan.h"
#include "quickselection/dataset.h"

namespace quickselection {

enum class CsvRole : std::uint8_t {
  value,
  text,
  label,
  name,
  skip
};  // text: indicators of its values

struct CsvLayout {
  char delimiter = ',';
  std::vector<std::string> header;                   ///< one per column, or empty
  std::vector<CsvRole> roles;                        ///< one per column
  std::vector<std::vector<std::string>> categories;  ///< by column: the values with an indicator
  std::vector<TableColumn> table;                    ///< see Dataset::table
  std::size_t features = 0;                          ///< values and indicators
  bool has_label = false;
  CsvCursor data;                             ///< at the first record after the header
  std::vector<std::string> notes, decisions;  ///< see Dataset

  /// The column's name, or its number as text.
  std::string name(std::size_t column) const {
    return header.empty() ? std::to_string(column) : header[column];
  }
  bool narrowed = false;  ///< ‹columns› or ‹drop› leave columns out

  /// After the roles have changed. Throws Error when no column is left for features.
  void count_features();
};

/// Finds index and labels among the named columns, and leaves out what ‹columns› and ‹drop› say.
void assign_roles(CsvLayout& layout, const ReadOptions& options);

/// Names the features by their columns, and groups the indicators of each column of text.
void name_features(const CsvLayout& layout, Dataset& data);

/// Looks at the first two records. Throws Error for files without data, InvalidArgument for
/// options that name no column.
CsvLayout find_csv_layout(CsvCursor cursor, const ReadOptions& options);

}  // namespace quickselection
