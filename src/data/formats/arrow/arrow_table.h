// src/data/formats/arrow/arrow_table.h: a data set from a stream of Arrow record batches.
#pragma once

#include <functional>
#include <string>

#include "data/formats/arrow/arrow_abi.h"
#include "quickselection/dataset.h"

namespace quickselection {

/// Begins the stream from its first batch. It is called again for another pass: text is looked at
/// before numbers are kept, as in CSV.
using OpenArrowStream = std::function<ArrowOwner<ArrowArrayStream>()>;

/// Reads batch by batch. Numbers and booleans are features, nulls are missing; text, dates and
/// identifiers are treated as in text tables. `path` is for messages.
Dataset read_arrow_stream(const OpenArrowStream& open, const std::string& path,
                          const ReadOptions& options);

/// Opens a Parquet, Feather or Arrow IPC file by the Arrow library. Throws Error naming the package
/// where the program was built without it.
ArrowOwner<ArrowArrayStream> open_arrow_file(const std::string& path);

}  // namespace quickselection
