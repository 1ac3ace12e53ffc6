// src/data/io/contents.cpp: see contents.h.
#include "data/io/contents.h"

#include <fmt/format.h>

#include "data/io/gzip.h"
#include "quickselection/error.h"

namespace quickselection {
namespace {

constexpr std::size_t kReleaseBytes = std::size_t{16} << 20;

}  // namespace

Contents::Contents(const std::string& path) {
  file_.emplace(path);
  text_ = file_->text();
  if (!is_gzip(text_)) return;
  const std::size_t size = gunzip(*file_, buffer_);
  file_.reset();
  if (size == 0)
    throw Error(fmt::format("cannot read {}: there is nothing in its gzip data", path),
                "was it written completely?");
  text_ = {reinterpret_cast<const char*>(buffer_.data()), size};
}

void Contents::release_before(std::size_t bytes) noexcept {
  if (bytes - released_ < kReleaseBytes) return;
  released_ = bytes;
  if (file_)
    file_->release_before(bytes);
  else
    buffer_.discard_before(bytes);
}

}  // namespace quickselection
