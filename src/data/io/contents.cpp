// src/data/io/contents.cpp: see contents.h.
#include "data/io/contents.h"

#include <fmt/format.h>

#include <cstdint>

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

void Contents::decode_utf16() {
  const bool little = text_.starts_with("\xff\xfe");
  if (!little && !text_.starts_with("\xfe\xff")) return;
  const auto unit = [&](std::size_t at) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text_[i]); };
    return static_cast<std::uint32_t>(little ? byte(at) | byte(at + 1) << 8
                                             : byte(at) << 8 | byte(at + 1));
  };
  for (std::size_t at = 2; at + 1 < text_.size(); at += 2) {
    std::uint32_t code = unit(at);
    if (code >= 0xd800 && code < 0xdc00 && at + 3 < text_.size()) {  // the first of a pair
      at += 2;
      code = 0x10000 + ((code - 0xd800) << 10) + ((unit(at) - 0xdc00) & 0x3ff);
    }
    const int more = code < 0x80 ? 0 : code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
    constexpr unsigned kFirst[] = {0, 0xc0, 0xe0, 0xf0};
    decoded_ += static_cast<char>(kFirst[more] | code >> (6 * more));
    for (int i = more - 1; i >= 0; --i)
      decoded_ += static_cast<char>(0x80 | ((code >> (6 * i)) & 0x3f));
  }
  text_ = decoded_;
}

void Contents::release_before(std::size_t bytes) noexcept {
  if (bytes - released_ < kReleaseBytes) return;
  released_ = bytes;
  if (!decoded_.empty()) return;
  if (file_)
    file_->release_before(bytes);
  else
    buffer_.discard_before(bytes);
}

}  // namespace quickselection
