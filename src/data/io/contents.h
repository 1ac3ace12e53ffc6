// src/data/io/contents.h: the bytes of a file: mapped, or decompressed when it is gzip.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "data/io/growing_buffer.h"
#include "data/io/mapped_file.h"
#include "quickselection/dataset.h"

namespace quickselection {

class Contents {
 public:
  /// Throws Error when the file cannot be read, is empty, or is damaged gzip.
  explicit Contents(const std::string& path);

  const std::byte* data() const { return reinterpret_cast<const std::byte*>(text_.data()); }
  std::size_t size() const { return text_.size(); }
  std::string_view text() const { return text_; }
  Backing backing() const { return file_ ? Backing::file : Backing::memory; }

  /// Turns UTF-16 text, known by its byte order mark, into UTF-8.
  void decode_utf16();

  /// Says that the first `bytes` will not be read again: they stop counting as resident memory,
  /// many at a time. `bytes` never gets less.
  void release_before(std::size_t bytes) noexcept;

 private:
  std::optional<MappedFile> file_;  // empty when decompressed
  GrowingBuffer buffer_;
  std::string decoded_;
  std::string_view text_;
  std::size_t released_ = 0;
};

}  // namespace quickselection
