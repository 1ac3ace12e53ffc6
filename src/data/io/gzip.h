// src/data/io/gzip.h: decompresses gzip files.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "data/io/growing_buffer.h"
#include "data/io/mapped_file.h"

namespace quickselection {

/// True when the bytes begin as a gzip file does.
bool is_gzip(std::string_view bytes);

/// Decompresses the whole file, all its members, into `out`; returns how many bytes that are.
/// Throws Error when the file is cut short or damaged.
std::size_t gunzip(const MappedFile& file, GrowingBuffer& out);

/// The first decompressed bytes, at most `most`; fewer when the file is damaged. For guessing.
std::string gunzip_head(std::string_view bytes, std::size_t most);

}  // namespace quickselection
