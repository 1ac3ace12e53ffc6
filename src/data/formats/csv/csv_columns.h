// src/data/formats/csv/csv_columns.h: what the columns of a mixed table hold, and what becomes of
// them.
#pragma once

#include <string_view>

#include "data/formats/csv/csv_layout.h"

namespace quickselection {

/// True when a second look at all values is due before numbers are parsed: a feature column of the
/// first row holds text, or is called an id.
bool looks_mixed(const CsvLayout& layout);

/// Reads all records and gives each feature column the role that suits what it holds: numbers and
/// booleans stay, dates and identifiers are left out, text becomes indicators where `text` says so
/// and is left out otherwise. Fills layout.table and says in layout.notes what was left out. A
/// column half of whose values are numbers stays one of numbers: what does not parse is an error
/// later.
void settle_columns(CsvLayout& layout, TextColumns text);

}  // namespace quickselection
