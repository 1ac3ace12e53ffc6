// src/data/formats/write.h: writes a dataset in the format of the file's ending.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "quickselection/dataset.h"

namespace quickselection {

/// Writes the chosen columns in their original order, whatever the order they are given in. Values
/// keep their stored type; names and labels are kept where the format has a place for them.
/// The file is either whole or not there. Throws InvalidArgument for an ending without a writer or
/// a column that does not exist or is given twice.
void write_dataset(const std::string& path, const Dataset& data,
                   std::span<const std::uint32_t> columns);

/// All columns.
void write_dataset(const std::string& path, const Dataset& data);

/// Writes the label of each row, one in a line, as text.
void write_labels(const std::string& path, const Labels& labels);

/// What the format of `path` cannot keep of the data: names, labels, the zeros that are not stored.
std::vector<std::string> write_notes(const std::string& path, const Dataset& data);

/// Throws now when write_dataset could not write `path` later: an ending without a writer, a folder
/// that is missing or not writable. Called before long work.
void check_dataset_writable(const std::string& path);

}  // namespace quickselection
