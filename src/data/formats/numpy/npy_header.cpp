// src/data/formats/numpy/npy_header.cpp: see npy_header.h.
#include "data/formats/numpy/npy_header.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>

#include "data/formats/array.h"
#include "quickselection/error.h"

namespace quickselection {
namespace {

constexpr std::size_t kMostDimensions = 32;

/// A reader of the few Python literals that a header holds: dict, str, bool, tuple of int.
class Literal {
 public:
  Literal(std::string_view text, const std::string& path) : text_(text), path_(path) {}

  bool accept(char c) {
    skip_blanks();
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  void expect(char c) {
    if (!accept(c)) fail(fmt::format("'{}' is missing", c));
  }
  bool accept_word(std::string_view word) {
    skip_blanks();
    if (!text_.substr(at_).starts_with(word)) return false;
    at_ += word.size();
    return true;
  }
  std::string_view quoted() {
    skip_blanks();
    const char quote = at_ < text_.size() ? text_[at_] : '\0';
    if (quote != '\'' && quote != '"') fail("a name in quotes is missing");
    const std::size_t end = text_.find(quote, at_ + 1);
    if (end == std::string_view::npos) fail("a quote is never closed");
    const std::string_view content = text_.substr(at_ + 1, end - at_ - 1);
    at_ = end + 1;
    return content;
  }
  std::size_t number() {
    skip_blanks();
    std::size_t value = 0;
    const char* const end = text_.data() + text_.size();
    const auto [stop, error] = std::from_chars(text_.data() + at_, end, value);
    if (error != std::errc()) fail("a size in the shape is not a number");
    at_ = static_cast<std::size_t>(stop - text_.data());
    accept('L');  // Python 2 wrote long integers so
    return value;
  }
  [[noreturn]] void fail(const std::string& what) const {
    throw Error(fmt::format("{}: its .npy header is damaged near byte {}: {}", path_, at_, what),
                "was it written completely, and by NumPy?");
  }

 private:
  void skip_blanks() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n')) ++at_;
  }

  std::string_view text_;
  const std::string& path_;
  std::size_t at_ = 0;
};

/// True for "<U12" and "|S3".
bool parse_text_type(std::string_view descr, NpyHeader& header) {
  if (descr.size() < 3 || (descr[1] != 'U' && descr[1] != 'S')) return false;
  std::uint32_t letters = 0;
  const char* const end = descr.data() + descr.size();
  const auto [stop, error] = std::from_chars(descr.data() + 2, end, letters);
  header.big_endian = descr[0] == '>';
  header.kind = descr[1];
  header.size = std::size_t{letters} * (header.kind == 'U' ? 4 : 1);
  return error == std::errc() && stop == end;
}

void parse_type(std::string_view descr, NpyHeader& header, const std::string& path) {
  const auto refuse = [&] {
    throw Error(fmt::format("{} holds values of NumPy type '{}'", path, descr),
                "real numbers are needed: bool, integers of 1 to 8 bytes, or f2, f4, f8");
  };
  if (descr.size() != 3 || std::string_view("<>|=").find(descr[0]) == std::string_view::npos)
    refuse();
  header.big_endian = descr[0] == '>';
  header.kind = descr[1];
  header.size = static_cast<std::size_t>(descr[2] - '0');
  if (!(header.kind == 'b' && header.size == 1) && !(header.kind == 'f' && header.size == 2) &&
      !number_type(header.kind, header.size))
    refuse();
}

void check_size(const NpyHeader& header, std::size_t have, const std::string& path) {
  const std::size_t bytes = count_bytes(header.shape, header.size);
  if (std::find(header.shape.begin(), header.shape.end(), 0u) != header.shape.end())
    throw Error(
        fmt::format("{} holds no values: its shape is ({})", path, fmt::join(header.shape, ", ")));
  if (bytes > have)
    throw Error(fmt::format("{} is cut short: its shape ({}) needs {} bytes of values, it has {}",
                            path, fmt::join(header.shape, ", "), bytes, have),
                "was it written or copied completely?");
}

}  // namespace

NpyHeader parse_npy_header(std::string_view bytes, const std::string& path, std::size_t file_size,
                           NpyContent content) {
  const auto damaged = [&](std::string_view what) {
    throw Error(fmt::format("{} is not a readable .npy file: {}", path, what),
                "was it written completely, and by NumPy?");
  };
  if (!bytes.starts_with(kNpyMagic)) damaged("it does not begin as one");
  if (bytes.size() < 10) damaged(fmt::format("it ends after {} bytes", bytes.size()));
  const auto byte_at = [&](std::size_t i) {
    return static_cast<std::size_t>(static_cast<unsigned char>(bytes[i]));
  };
  const std::size_t version = byte_at(6);
  if (version < 1 || version > 3) damaged(fmt::format("version {} is unknown", version));
  const std::size_t length_bytes = version == 1 ? 2 : 4;
  NpyHeader header;
  header.offset = 8 + length_bytes;
  if (bytes.size() < header.offset) damaged(fmt::format("it ends after {} bytes", bytes.size()));
  std::size_t length = 0;
  for (std::size_t i = 0; i < length_bytes; ++i) length |= byte_at(8 + i) << (8 * i);
  if (length > bytes.size() - header.offset)
    damaged(fmt::format("its header of {} bytes is longer than the file", length));

  Literal text(bytes.substr(header.offset, length), path);
  header.offset += length;
  bool has_type = false, has_order = false, has_shape = false;
  text.expect('{');
  while (!text.accept('}')) {
    const std::string_view key = text.quoted();
    text.expect(':');
    if (key == "descr") {
      if (text.accept('['))
        throw Error(fmt::format("{} holds records (a structured array)", path),
                    "save a plain matrix of numbers");
      const std::string_view descr = text.quoted();
      if (content == NpyContent::numbers || !parse_text_type(descr, header))
        parse_type(descr, header, path);
      has_type = true;
    } else if (key == "fortran_order") {
      header.fortran_order = text.accept_word("True");
      if (!header.fortran_order && !text.accept_word("False"))
        text.fail("fortran_order is neither True nor False");
      has_order = true;
    } else if (key == "shape") {
      header.shape.clear();
      text.expect('(');
      while (!text.accept(')')) {
        header.shape.push_back(text.number());
        if (header.shape.size() > kMostDimensions) text.fail("the shape has too many dimensions");
        if (!text.accept(',')) {
          text.expect(')');
          break;
        }
      }
      has_shape = true;
    } else {
      text.fail(fmt::format("'{}' is not a known entry", key));
    }
    if (!text.accept(',')) {
      text.expect('}');
      break;
    }
  }
  if (!has_type || !has_order || !has_shape) text.fail("descr, fortran_order or shape is missing");
  if (file_size != SIZE_MAX)
    check_size(header, file_size - header.offset, path);  // otherwise only the head is known
  return header;
}

std::string npy_descr(ValueType type) {
  const std::size_t size = size_of(type);
  const char kind = is_floating(type) ? 'f' : quickselection::name_of(type)[0];
  return fmt::format("{}{}{}", size == 1 ? '|' : '<', kind, size);
}

std::string make_npy_header(ValueType type, std::size_t rows, std::size_t columns) {
  return make_npy_header(npy_descr(type), fmt::format("({}, {})", rows, columns));
}

std::string make_npy_header(std::string_view descr, std::string_view shape) {
  std::string text =
      fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': {}, }}", descr, shape);
  // The values begin at a multiple of 64, so that they can be mapped and read with wide loads.
  constexpr std::size_t kPrefix = 10, kAlign = 64;
  const std::size_t length = (kPrefix + text.size() + 1 + kAlign - 1) / kAlign * kAlign - kPrefix;
  text.append(length - text.size() - 1, ' ');
  text += '\n';
  std::string header(kNpyMagic);
  header += {'\x01', '\x00', static_cast<char>(length & 0xff), static_cast<char>(length >> 8)};
  return header + text;
}

}  // namespace quickselection
