// src/data/formats/csv/csv_columns.h: what the columns of a mixed table hold, and what becomes of
// them.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "data/formats/csv/csv_layout.h"

namespace quickselection {

inline constexpr std::size_t kMostIndicators = 50;  // of one column

/// What was seen of a column so far.
struct SeenColumn {
  std::size_t values = 0, numbers = 0, booleans = 0, dates = 0;
  bool whole = true, repeated = false;
  bool id_name = false;       ///< numbers of such a column may be identifiers
  std::size_t text_line = 0;  ///< of the first value that is no number
  std::string text;
  std::unordered_set<std::string> remembered;
  std::set<std::string> categories;  ///< up to one more than can become indicators
};

/// "id", "customer_id", "customerId", "ID".
bool is_id_name(std::string_view name);

/// Counts a value that is not missing; `line` is its place for messages.
void see(SeenColumn& seen, const CsvField& field, char delimiter, std::size_t line);

/// Gives each feature column the role that suits what was seen of it, and fills layout.table.
void give_roles(CsvLayout& layout, const std::vector<SeenColumn>& seen, std::size_t rows,
                TextColumns text);

/// True when a second look at all values is due before numbers are parsed: a feature column of the
/// first row holds text, or is called an id.
bool looks_mixed(const CsvLayout& layout);

/// Reads all records and gives each feature column the role that suits what it holds: numbers and
/// booleans stay, dates and identifiers are left out, text becomes indicators where `text` says so
/// and is left out otherwise. Fills layout.table and says in layout.notes what was left out. A
/// column half of whose values are numbers stays one of numbers: what does not parse is an error
/// later.
void settle_columns(CsvLayout& layout, TextColumns text);

/// All columns of a text table, its number of rows and what read() would say of the layout, without
/// reading a value: nothing in the rows is refused.
struct TableLook {
  std::size_t rows = 0;
  std::vector<TableColumn> columns;
  std::vector<std::string> notes;
};
TableLook look_at_csv(const std::string& path, const ReadOptions& options);

}  // namespace quickselection
