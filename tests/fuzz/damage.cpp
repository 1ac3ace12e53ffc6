// tests/fuzz/damage.cpp: see damage.h.
#include "damage.h"

#include <zip.h>
#include <zlib.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <vector>

#include "core/files/sealed_file.h"

namespace quickselection {
namespace {

using Json = nlohmann::json;

std::size_t below(std::size_t most, std::mt19937& random) {
  return most == 0 ? 0 : random() % most;
}

/// zlib's `window` bits say which wrapping: 15 its own, 31 gzip. Nothing when it is no such thing.
std::string inflated(std::string_view bytes, int window) {
  z_stream stream{};
  inflateInit2(&stream, window);
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  std::string out;
  int code = Z_OK;
  do {
    char piece[1 << 14];
    stream.next_out = reinterpret_cast<Bytef*>(piece);
    stream.avail_out = sizeof piece;
    code = inflate(&stream, Z_NO_FLUSH);
    out.append(piece, sizeof piece - stream.avail_out);
  } while (code == Z_OK);
  inflateEnd(&stream);
  return out;
}

std::string deflated(const std::string& bytes, int window) {
  z_stream stream{};
  deflateInit2(&stream, 1, Z_DEFLATED, window, 8, Z_DEFAULT_STRATEGY);
  std::string out(deflateBound(&stream, bytes.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

constexpr int kZlib = 15, kGzip = 15 + 16;

/// One member of the archive is damaged; libzip computes its checksum and lengths.
std::string damage_member(const std::string& whole, std::mt19937& random) {
  const auto open = [](const void* data, std::size_t size, zip_source_t*& source, int flags) {
    source = zip_source_buffer_create(data, size, 0, nullptr);
    return source == nullptr ? nullptr : zip_open_from_source(source, flags, nullptr);
  };
  zip_source_t* from = nullptr;
  zip_t* const old = open(whole.data(), whole.size(), from, ZIP_RDONLY);
  if (old == nullptr) return damage(whole, random);
  zip_source_t* to = nullptr;
  zip_t* const made = open(nullptr, 0, to, ZIP_TRUNCATE);
  zip_source_keep(to);
  const auto count = static_cast<std::size_t>(zip_get_num_entries(old, 0));
  const std::size_t chosen = below(count, random);
  std::vector<std::string> contents(count);  // must live until the archive is closed
  for (std::size_t m = 0; m < count; ++m) {
    zip_stat_t stat;
    zip_stat_index(old, m, 0, &stat);
    contents[m].resize(stat.size);
    if (zip_file_t* const file = zip_fopen_index(old, m, 0)) {
      zip_fread(file, contents[m].data(), contents[m].size());
      zip_fclose(file);
    }
    if (m == chosen) contents[m] = damage(contents[m], random);
    const auto index = zip_file_add(
        made, stat.name, zip_source_buffer(made, contents[m].data(), contents[m].size(), 0), 0);
    zip_set_file_compression(made, static_cast<zip_uint64_t>(index),
                             static_cast<zip_int32_t>(stat.comp_method), 1);
  }
  zip_discard(old);
  std::string out;
  if (zip_close(made) == 0 && zip_source_open(to) == 0) {
    zip_source_seek(to, 0, SEEK_END);
    out.resize(static_cast<std::size_t>(zip_source_tell(to)));
    zip_source_seek(to, 0, SEEK_SET);
    zip_source_read(to, out.data(), out.size());
    zip_source_close(to);
  }
  zip_source_free(to);
  return out;
}

/// One of the compressed variables of a MATLAB 5 file.
std::string damage_variable(const std::string& whole, std::mt19937& random) {
  constexpr std::size_t kHeader = 128, kTag = 8, kCompressed = 15;
  std::vector<std::size_t> places;
  const auto word = [&](std::size_t at) {
    std::uint32_t value = 0;
    std::memcpy(&value, whole.data() + at, sizeof value);
    return value;
  };
  for (std::size_t at = kHeader; at + kTag <= whole.size(); at += kTag + word(at + 4))
    if (word(at) == kCompressed) places.push_back(at);
  if (places.empty()) return damage(whole, random);
  const std::size_t at = places[below(places.size(), random)], length = word(at + 4);
  const std::string inside = inflated(std::string_view(whole).substr(at + kTag, length), kZlib);
  const std::string packed = deflated(damage(inside, random), kZlib);
  std::string out = whole;
  out.replace(at + kTag, length, packed);
  const auto size = static_cast<std::uint32_t>(packed.size());
  std::memcpy(out.data() + at + 4, &size, sizeof size);
  return out;
}

/// Some value in it, wherever that is, becomes another one or goes.
void damage_value(Json& json, std::mt19937& random) {
  Json* at = &json;
  while (at->is_structured() && !at->empty() && below(8, random) != 0) {
    auto next = at->begin();
    std::advance(next, below(at->size(), random));
    if (below(24, random) == 0) {
      at->erase(next);
      return;
    }
    at = &*next;
  }
  const Json values[] = {-1,
                         0,
                         1,
                         2,
                         0x7fffffff,
                         0xffffffffu,
                         std::uint64_t{1} << 32,
                         std::uint64_t{1} << 53,
                         ~std::uint64_t{0},
                         INT64_MIN,
                         0.5,
                         -0.5,
                         99,
                         1e300,
                         -1e300,
                         5e-324,
                         "",
                         "nan",
                         "\x1b[31m",
                         "../../etc/passwd",
                         std::string(1000, 'x'),
                         nullptr,
                         true,
                         Json::array(),
                         Json::object(),
                         {1, 2, 3}};
  const std::size_t which = below(std::size(values) + 4, random);
  if (at->is_number_integer() && which >= std::size(values))
    *at = at->get<std::int64_t>() + (which % 2 == 0 ? 1 : -1);
  else if (at->is_array() && which >= std::size(values))
    *at = at->empty() ? Json::array({0}) : Json(std::vector<Json>(at->size() + 1, at->front()));
  else
    *at = values[which % std::size(values)];
}

constexpr std::string_view kSealed = "QuickSelection ";

/// A value of the header or some bytes of the arrays, under a new seal.
std::string damage_sealed(const std::string& whole, std::mt19937& random) {
  const std::size_t begin = whole.find('\n') + 1, fixed = 2 * sizeof(std::uint64_t);
  std::uint64_t length = 0;
  std::memcpy(&length, whole.data() + begin, sizeof length);
  Json header = Json::parse(whole.substr(begin + fixed, length));
  std::string arrays = whole.substr(begin + fixed + length);
  const std::size_t what = below(4, random);
  if (what != 0) damage_value(header, random);
  if (what <= 1) {
    const std::string damaged = damage(arrays, random);
    // Mostly of the old length, so that it gets past the first look.
    arrays = below(4, random) == 0 ? damaged : (damaged + arrays).substr(0, arrays.size());
  }
  if (!header.is_object()) header = Json::object();
  return sealed_bytes(whole.substr(0, begin), header, std::vector{bytes_of(arrays)});
}

/// A value of one of its lines, or of the whole when that is not made of lines.
std::string damage_json(const std::string& whole, std::mt19937& random) {
  Json all = Json::parse(whole, nullptr, false, true);
  if (!all.is_discarded()) {
    damage_value(all, random);
    return all.dump();
  }
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < whole.size();) {
    const std::size_t end = std::min(whole.find('\n', at), whole.size());
    lines.push_back(whole.substr(at, end - at));
    at = end + 1;
  }
  std::string& line = lines[below(lines.size(), random)];
  Json value = Json::parse(line, nullptr, false);
  damage_value(value, random);
  line = value.dump();
  std::string out;
  for (const std::string& one : lines) out += one + '\n';
  return out;
}

}  // namespace

std::string damage(const std::string& whole, std::mt19937& random) {
  std::string bytes = whole;
  const std::size_t times = 1 + below(4, random);
  for (std::size_t t = 0; t < times && !bytes.empty(); ++t) {
    const std::size_t at = below(bytes.size(), random);
    const std::size_t length = 1 + below(std::min<std::size_t>(bytes.size() - at, 32), random);
    switch (below(8, random)) {
      case 0:
        bytes[at] = static_cast<char>(bytes[at] ^ (1 << below(8, random)));
        break;
      case 1:
        bytes[at] = static_cast<char>(random());
        break;
      case 2:
        bytes.resize(at);
        break;
      case 3:
        bytes.replace(below(bytes.size(), random), length, bytes.substr(at, length));
        break;
      case 4:
        bytes.insert(at, bytes.substr(at, length));
        break;
      case 5:
        bytes.erase(at, length);
        break;
      case 6: {
        constexpr std::uint32_t kNumbers[] = {0,      1,          0x7f,       0xff,
                                              0xffff, 0x7fffffff, 0xffffffff, 0x7f800000};
        const std::uint32_t number = kNumbers[below(std::size(kNumbers), random)];
        std::memcpy(bytes.data() + at, &number, std::min<std::size_t>(4, bytes.size() - at));
        break;
      }
      default: {
        constexpr const char* kTexts[] = {"-1", "nan", "1e999", "99999999999999999999", "\"", "\n"};
        bytes.replace(at, length, kTexts[below(std::size(kTexts), random)]);
      }
    }
  }
  return bytes;
}

std::string damage_inside(const std::string& whole, std::mt19937& random) {
  if (whole.starts_with("\x1f\x8b")) return deflated(damage(inflated(whole, kGzip), random), kGzip);
  if (whole.starts_with("PK")) return damage_member(whole, random);
  if (whole.starts_with("MATLAB 5.0")) return damage_variable(whole, random);
  if (whole.starts_with(kSealed)) return damage_sealed(whole, random);
  if (whole.starts_with('{')) return damage_json(whole, random);
  return damage(whole, random);
}

}  // namespace quickselection
