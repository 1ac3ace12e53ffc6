// src/data/io/gzip.cpp: see gzip.h.
#include "data/io/gzip.h"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <new>

#include "quickselection/error.h"

namespace quickselection {
namespace {

constexpr int kGzipOnly = 15 + 16;                      // zlib: largest window, gzip header
constexpr std::size_t kPiece = std::size_t{4} << 20;    // decompressed at once
constexpr std::size_t kInput = std::size_t{256} << 20;  // zlib counts with 32 bits

class Inflater {
 public:
  Inflater() {
    if (inflateInit2(&stream, kGzipOnly) != Z_OK) throw std::bad_alloc();
  }
  ~Inflater() { inflateEnd(&stream); }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;

  z_stream stream{};
};

Bytef* bytes_of(const char* text) {
  return const_cast<Bytef*>(reinterpret_cast<const Bytef*>(text));  // zlib only reads it
}

}  // namespace

bool is_gzip(std::string_view bytes) { return bytes.starts_with("\x1f\x8b"); }

std::size_t gunzip(const MappedFile& file, GrowingBuffer& out) {
  const std::string_view bytes = file.text();
  Inflater inflater;
  z_stream& stream = inflater.stream;
  std::size_t read = 0, written = 0;
  bool inside = true;  // a member has begun and not ended
  while (inside || read < bytes.size()) {
    if (!inside) {
      if (!is_gzip(bytes.substr(read))) break;  // padding or garbage: decided below
      inflateReset(&stream);
      inside = true;
    }
    out.reserve(written + kPiece);
    const std::size_t given = std::min(kInput, bytes.size() - read);
    stream.next_in = bytes_of(bytes.data() + read);
    stream.avail_in = static_cast<uInt>(given);
    stream.next_out = reinterpret_cast<Bytef*>(out.data() + written);
    stream.avail_out = static_cast<uInt>(kPiece);
    const int code = inflate(&stream, Z_NO_FLUSH);
    const std::size_t used = given - stream.avail_in, made = kPiece - stream.avail_out;
    read += used;
    written += made;
    file.release_before(read);
    if (code == Z_MEM_ERROR) throw std::bad_alloc();
    if (code == Z_STREAM_END) {
      inside = false;
    } else if (code != Z_OK && code != Z_BUF_ERROR) {
      throw Error(fmt::format("{}: its gzip data is damaged near byte {}: {}", file.path(), read,
                              stream.msg == nullptr ? "it makes no sense" : stream.msg),
                  "was it written or copied completely?");
    } else if (used == 0 && made == 0) {
      throw Error(fmt::format("{} is cut short: its gzip data ends after {} bytes, in the middle",
                              file.path(), bytes.size()),
                  "was it written or copied completely?");
    }
  }
  // Tapes and block devices leave zeros behind the last member.
  const std::size_t garbage = bytes.find_first_not_of('\0', read);
  if (garbage != std::string_view::npos)
    throw Error(
        fmt::format("{}: what follows its gzip data at byte {} is not gzip", file.path(), garbage),
        "was it written or copied completely?");
  return written;
}

std::string gunzip_head(std::string_view bytes, std::size_t most) {
  Inflater inflater;
  std::string head(most, '\0');
  inflater.stream.next_in = bytes_of(bytes.data());
  inflater.stream.avail_in = static_cast<uInt>(std::min(kInput, bytes.size()));
  inflater.stream.next_out = reinterpret_cast<Bytef*>(head.data());
  inflater.stream.avail_out = static_cast<uInt>(most);
  (void)inflate(&inflater.stream, Z_NO_FLUSH);
  head.resize(most - inflater.stream.avail_out);
  return head;
}

}  // namespace quickselection
