// src/data/formats/parts.h: a data set in several files of the same columns, row after row.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "quickselection/dataset.h"

namespace quickselection {

struct PartFiles {
  std::vector<std::string> files;
  std::vector<std::string> notes;  ///< what was left out of a folder
};

/// The files behind these paths, in order. A folder that no format reads as one is all files in it
/// that have the ending of a format (any ending when `format` is given), by name; hidden ones are
/// left out. Throws Error when there are none, when they have different formats, or when a file
/// comes twice.
PartFiles find_parts(std::span<const std::string> paths, const std::string& format);

/// The rows of all parts one after the other; nothing is copied where they are dense and of one
/// type. Throws Error naming two files and what differs when they do not have the same columns, or
/// when only one has labels.
Dataset join(std::vector<Dataset> parts);

}  // namespace quickselection
