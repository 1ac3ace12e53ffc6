// src/data/formats/numpy/npy_header.cpp: see npy_header.h.
#include "data/formats/numpy/npy_header.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <nlohmann/json.hpp>

#include "data/formats/arrays.h"
#include "quickselection/error.h"

namespace quickselection {
namespace {

constexpr std::size_t kMostDimensions = 32, kMostHeader = 1 << 20;

/// A header is a Python dict of a str, a bool and a tuple of int: {'descr': '<f8', 'fortran_order':
/// False, 'shape': (3, 4), }. As JSON, nothing where it is not such a text.
nlohmann::json parse_literal(std::string_view text) {
  std::string json;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if ((c == '}' || c == ')' || c == ']') && json.ends_with(',')) json.pop_back();
    if (c == 'L') continue;  // Python 2 wrote long integers so
    if (c != ' ' && c != '\n')
      json += c == '\''              ? '"'
              : c == '('             ? '['
              : c == ')'             ? ']'
              : c == 'T' || c == 'F' ? static_cast<char>(c + 32)
                                     : c;
  }
  return nlohmann::json::parse(json, nullptr, false);
}

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
  if (length > kMostHeader) damaged(fmt::format("its header of {} bytes is too long", length));
  if (length > bytes.size() - header.offset)
    damaged(fmt::format("its header of {} bytes is longer than the file", length));

  const nlohmann::json entries = parse_literal(bytes.substr(header.offset, length));
  header.offset += length;
  if (!entries.is_object() || entries.size() != 3 || !entries.contains("descr") ||
      !entries.contains("fortran_order") || !entries.contains("shape"))
    damaged("its header does not hold descr, fortran_order and shape alone");
  const nlohmann::json &descr = entries["descr"], &order = entries["fortran_order"],
                       &shape = entries["shape"];
  if (descr.is_array())
    throw Error(fmt::format("{} holds records (a structured array)", path),
                "save a plain matrix of numbers");
  if (!descr.is_string() || !order.is_boolean() || !shape.is_array() ||
      shape.size() > kMostDimensions || !std::all_of(shape.begin(), shape.end(), [](const auto& n) {
        return n.is_number_unsigned();
      }))
    damaged("descr is no text, fortran_order neither True nor False, or shape no list of sizes");
  const auto type = descr.get<std::string>();
  if (content == NpyContent::numbers || !parse_text_type(type, header))
    parse_type(type, header, path);
  header.fortran_order = order;
  header.shape = shape.get<std::vector<std::size_t>>();
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
