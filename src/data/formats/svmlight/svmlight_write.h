// src/data/formats/svmlight/svmlight_write.h: writes svmlight files.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "quickselection/dataset.h"

namespace quickselection {

/// Begins a first line that names the features, between tabs. Other programs skip it.
inline constexpr std::string_view kNamesComment = "# features:";

/// Columns are counted from 1, as most programs expect; zeros are left out. Labels must be numbers:
/// others are written as their class's number.
void write_svmlight(const std::string& path, const Dataset& data,
                    std::span<const std::uint32_t> columns);

}  // namespace quickselection
