// src/data/formats/variables.h: which of a file's named arrays are the values and the labels.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "quickselection/dataset.h"

namespace quickselection {

/// Names under which labels are found by themselves.
inline constexpr std::array<std::string_view, 6> kLabelNames{"Y",      "gnd",   "y",
                                                             "labels", "label", "target"};

struct Variable {
  std::string name;
  std::vector<std::size_t> shape;  ///< empty when it can be neither
  bool is_text = false;            ///< can be the labels, but not the values
};

/// The one that options.array names; else X or fea; else the only one that is no vector or single
/// value; else the only one. Throws Error (InvalidArgument for a wrong name) that lists them all.
std::size_t choose_matrix(std::span<const Variable> variables, const ReadOptions& options,
                          const std::string& path);

/// The one that options.label names; without that Y, gnd, y, labels, label or target when it has
/// one value for each row. Nothing when options.label is "none" or no variable's name.
std::optional<std::size_t> choose_labels(std::span<const Variable> variables, std::size_t matrix,
                                         const ReadOptions& options, const std::string& path);

/// Says so when the labels were found by themselves.
void note_labels(std::vector<std::string>& notes, const std::string& name,
                 const ReadOptions& options);

/// Adds the labels, and that note.
void set_labels(Dataset& data, std::span<const std::string> texts, const std::string& name,
                const ReadOptions& options);

}  // namespace quickselection
