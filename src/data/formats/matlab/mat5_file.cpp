// src/data/formats/matlab/mat5_file.cpp: see mat5_file.h.
#include "data/formats/matlab/mat5_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <new>

#include "data/formats/arrays.h"
#include "data/io/unicode.h"
#include "quickselection/error.h"

namespace quickselection {
namespace {

using namespace mat5;

constexpr std::size_t kTagBytes = 8;
constexpr std::uint8_t kFirstNumber = 6, kLastNumber = 15, kOpaque = 17;
constexpr std::size_t kMostDimensions = 32, kMostName = 4096, kMostText = 1 << 20,
                      kMostRatio = 1032;

std::uint32_t word_at(const std::byte* at, bool big_endian) {
  std::uint32_t value;
  std::memcpy(&value, at, sizeof value);
  return big_endian ? __builtin_bswap32(value) : value;
}

std::optional<ValueType> number_type(std::uint32_t element) {
  for (const NumberType& number : kNumberTypes)
    if (number.element == element) return number.type;
  return std::nullopt;
}

}  // namespace

MatStream::MatStream(const MappedFile& file, const MatVariable& variable, bool big_endian)
    : file_(file),
      at_(variable.begin),
      end_(variable.begin + variable.bytes),
      stored_(variable.bytes),
      compressed_(variable.is_compressed),
      big_endian_(big_endian) {
  if (!compressed_) {
    left_ = variable.bytes;
    return;
  }
  if (inflateInit(&zip_) != Z_OK) throw std::bad_alloc();
  std::byte tag[kTagBytes];
  try {
    read_stored(tag, sizeof tag);
    if (word(tag) != kMatrix) fail(fmt::format("it has the unknown type {}", word(tag)));
  } catch (...) {
    inflateEnd(&zip_);
    throw;
  }
  left_ = word(tag + 4);
}

MatStream::~MatStream() {
  if (compressed_) inflateEnd(&zip_);
}

void MatStream::fail(const std::string& what) const {
  throw Error(fmt::format("{} is damaged near byte {}: {}", file_.path(), at_, what), kHint);
}

std::uint32_t MatStream::word(const std::byte* at) const { return word_at(at, big_endian_); }

std::size_t MatStream::most_bytes() const {
  return compressed_ ? count_bytes(std::array{stored_}, kMostRatio) : stored_;
}

void MatStream::read_stored(std::byte* to, std::size_t bytes) {
  if (bytes == 0) return;  // `to` may be null then
  if (!compressed_) {
    if (bytes > end_ - at_) fail("a variable ends too early");
    std::memcpy(to, file_.data() + at_, bytes);
    at_ += bytes;
    return;
  }
  constexpr std::size_t kMost = std::size_t{1} << 30;  // zlib counts with 32 bits
  while (bytes > 0) {
    const std::size_t given = std::min(kMost, end_ - at_), wanted = std::min(kMost, bytes);
    zip_.next_in = const_cast<Bytef*>(reinterpret_cast<const Bytef*>(file_.data() + at_));
    zip_.avail_in = static_cast<uInt>(given);
    zip_.next_out = reinterpret_cast<Bytef*>(to);
    zip_.avail_out = static_cast<uInt>(wanted);
    const int code = inflate(&zip_, Z_NO_FLUSH);
    const std::size_t made = wanted - zip_.avail_out, used = given - zip_.avail_in;
    at_ += used;
    to += made;
    bytes -= made;
    if (code == Z_MEM_ERROR) throw std::bad_alloc();
    if (code != Z_OK && code != Z_BUF_ERROR && code != Z_STREAM_END)
      fail(zip_.msg == nullptr ? "its compressed data makes no sense" : zip_.msg);
    if (bytes > 0 && (code == Z_STREAM_END || (made == 0 && used == 0)))
      fail("its compressed data ends too early");
  }
}

MatStream::Element MatStream::next() {
  if (left_ < kTagBytes) fail("a variable ends too early");
  std::byte tag[kTagBytes];
  read_stored(tag, sizeof tag / 2);
  const std::uint32_t first = word(tag);
  Element element{first & 0xffff, first >> 16, std::nullopt};
  if (element.bytes > 0) {  // up to four bytes stand within the tag
    left_ -= 4;
    padding_ = element.bytes < 4 ? 4 - element.bytes : 0;
  } else {
    read_stored(tag + 4, sizeof tag / 2);
    left_ -= kTagBytes;
    element.bytes = word(tag + 4);
    padding_ = (8 - element.bytes % 8) % 8;
  }
  if ((first >> 16) > 4 || element.bytes > left_)
    fail(fmt::format("an element of {} bytes is longer than its variable", element.bytes));
  left_ -= element.bytes;
  padding_ = std::min(padding_, left_);
  left_ -= padding_;
  element_ = element.bytes;
  element.number = number_type(element.type);
  return element;
}

void MatStream::read(std::byte* to, std::size_t bytes) {
  if (bytes > element_) fail("an element is too short");
  element_ -= bytes;
  read_stored(to, bytes);
}

void MatStream::read_numbers(std::byte* to, std::size_t count, std::size_t size) {
  read(to, count * size);
  if (big_endian_ && size > 1) copy_swapped(to, to, count, size);
}

void MatStream::end_element() {
  std::array<std::byte, 4096> ignored;
  for (std::size_t left = element_ + padding_; left > 0;) {
    const std::size_t piece = std::min(left, ignored.size());
    read_stored(ignored.data(), piece);
    left -= piece;
  }
  element_ = padding_ = 0;
}

void MatStream::finish() {
  end_element();
  element_ = left_;
  left_ = 0;
  end_element();
  if (!compressed_) return;
  Bytef nothing;
  zip_.next_in = const_cast<Bytef*>(reinterpret_cast<const Bytef*>(file_.data() + at_));
  zip_.avail_in = static_cast<uInt>(std::min<std::size_t>(end_ - at_, 1024));
  zip_.next_out = &nothing;
  zip_.avail_out = 1;
  if (inflate(&zip_, Z_FINISH) != Z_STREAM_END || zip_.avail_out != 1)
    fail(zip_.msg == nullptr ? "its compressed data does not end where it should" : zip_.msg);
}

void MatStream::enter() {
  if (next().type != kMatrix) fail("a cell holds no variable");
  left_ += element_ + padding_;
  element_ = padding_ = 0;
}

std::string MatStream::read_text() {
  const Element element = next();
  if (element.bytes > kMostText) fail(fmt::format("a text has {} bytes", element.bytes));
  std::string text;
  if (element.type == kUint16 || element.type == kUtf16) {
    std::vector<std::uint16_t> units(element.bytes / 2);
    read_numbers(reinterpret_cast<std::byte*>(units.data()), units.size(), 2);
    text = utf16_to_utf8(units);
  } else if (element.type == kUtf8 || element.type == kInt8 || element.type == kUint8) {
    text.resize(element.bytes);
    read(reinterpret_cast<std::byte*>(text.data()), element.bytes);
  } else {
    fail(fmt::format("a text has the unknown type {}", element.type));
  }
  end_element();
  return text;
}

void MatStream::read_head(MatVariable& variable) {
  std::array<std::byte, 4 * kMostDimensions> bytes;
  const Element flags = next();
  if (flags.type != kUint32 || flags.bytes != 8) fail("a variable has no flags");
  read(bytes.data(), 8);
  end_element();
  const std::uint32_t bits = word(bytes.data());
  const auto kind = static_cast<std::uint8_t>(bits & 0xff);
  variable.kind = static_cast<MatClass>(kind);
  variable.is_complex = (bits & 0x800) != 0;
  variable.is_logical = (bits & 0x200) != 0;
  variable.is_number = kind >= kFirstNumber && kind <= kLastNumber && !variable.is_complex;
  if (kind == kOpaque) return;  // such objects have no dimensions and no name of this kind

  const Element shape = next();
  if (shape.type != kInt32 || shape.bytes % 4 != 0 || shape.bytes > bytes.size() || shape.bytes < 8)
    fail("a variable has no dimensions");
  read(bytes.data(), shape.bytes);
  end_element();
  variable.shape.clear();
  for (std::size_t i = 0; i < shape.bytes; i += 4) {
    const std::uint32_t length = word(bytes.data() + i);
    if (length > INT32_MAX) fail("a dimension is negative");
    variable.shape.push_back(length);
  }
  const Element name = next();
  if (name.type != kInt8 || name.bytes > kMostName) fail("a variable has no name");
  variable.name.resize(name.bytes);
  read(reinterpret_cast<std::byte*>(variable.name.data()), name.bytes);
  end_element();
}

Mat5File::Mat5File(const std::string& path) : file_(path) {
  const std::string_view bytes = file_.text();
  if (bytes.size() < kHeaderBytes)
    throw Error(fmt::format("{} is not a MATLAB file: it has only {} bytes", path, bytes.size()),
                kHint);
  big_endian_ = bytes[126] == 'M';
  for (std::size_t at = kHeaderBytes; at < bytes.size();) {
    const std::size_t left = bytes.size() - at;
    const auto word = [&](std::size_t offset) {
      return word_at(file_.data() + at + offset, big_endian_);
    };
    const std::size_t needed = left < kTagBytes ? kTagBytes : kTagBytes + word(4);
    if (needed > left)
      throw Error(fmt::format("{} is cut short: what begins at byte {} needs {} bytes, it has {}",
                              path, at, needed, left),
                  kHint);
    if (word(0) != kCompressed && word(0) != kMatrix)
      throw Error(fmt::format("{} is damaged: what begins at byte {} has the unknown type {}", path,
                              at, word(0)),
                  kHint);
    MatVariable variable;
    variable.begin = at + kTagBytes;
    variable.bytes = needed - kTagBytes;
    variable.is_compressed = word(0) == kCompressed;
    MatStream(file_, variable, big_endian_).read_head(variable);
    if (!variable.name.empty()) variables_.push_back(std::move(variable));
    at += needed;
  }
}

std::unique_ptr<MatStream> Mat5File::open(const MatVariable& variable) const {
  auto stream = std::make_unique<MatStream>(file_, variable, big_endian_);
  MatVariable again;
  stream->read_head(again);
  return stream;
}

}  // namespace quickselection
