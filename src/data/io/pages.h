// src/data/io/pages.h: which rows of a mapped file are in memory. Data in memory is left alone.
#pragma once

#include <cstddef>

#include "quickselection/dataset.h"

namespace quickselection {

/// Rows [begin, end) are needed soon: the system may begin to read them.
void want_rows(const Dataset& data, std::size_t begin, std::size_t end) noexcept;

/// Rows [begin, end) are not needed soon: they stop counting as resident memory.
void release_rows(const Dataset& data, std::size_t begin, std::size_t end) noexcept;

}  // namespace quickselection
