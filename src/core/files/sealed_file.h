// src/core/files/sealed_file.h: a file of arrays with a described and checked content, written
// atomically: a magic line, the length and the hash of a JSON header, the header (with the hash of
// the arrays), and the raw arrays. Numbers are little-endian, as on every machine this runs on.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <istream>
#include <memory>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

#include "core/files/hash.h"
#include "quickselection/error.h"

namespace quickselection {

struct Bytes {
  const void* data = nullptr;
  std::size_t size = 0;
};
Bytes bytes_of(const auto& array) { return {array.data(), array.size() * sizeof(*array.data())}; }

/// The same bytes as those of the file, in memory.
std::string sealed_bytes(std::string_view magic, nlohmann::json header,
                         std::span<const Bytes> arrays);

void write_sealed(const std::filesystem::path& path, std::string_view magic, nlohmann::json header,
                  std::span<const Bytes> arrays);

/// What the file is called in messages, and what to do when it cannot be used.
struct SealedKind {
  std::string_view magic, name, hint;
};

class SealedReader {
 public:
  /// Reads the header. Throws Error when the file is missing or damaged.
  SealedReader(const std::filesystem::path& path, const SealedKind& kind);
  /// From memory; `name` stands for the path in messages.
  SealedReader(const std::string& bytes, std::string name, const SealedKind& kind);

  const nlohmann::json& header() const { return header_; }

  /// A whole number of the header that may not be negative nor more than `most`.
  std::uint64_t count(const nlohmann::json& from, const char* name, std::uint64_t most) const;
  std::uint64_t count(const char* name, std::uint64_t most) const {
    return count(header_, name, most);
  }
  /// A number of the header within the bounds.
  double number(const char* name, double least, double most) const;

  /// How many bytes follow the header: before memory is taken for arrays, these must be no more.
  std::uint64_t array_bytes() const { return array_bytes_; }

  /// The next array, into memory of its size. Numbers with a fraction must be finite.
  void read(auto& array) {
    read(array.data(), array.size() * sizeof(*array.data()));
    if constexpr (std::is_floating_point_v<std::remove_cvref_t<decltype(*array.data())>>)
      for (const auto value : array)
        if (!std::isfinite(value)) infinite_ = true;
  }
  void read(void* to, std::size_t bytes);
  /// After the last array: throws Error when anything is missing, left over or changed.
  void finish();

  [[noreturn]] void damaged(std::string_view why) const;

  /// body(); what it finds wrong in the header is damage.
  auto reading(const auto& body) const {
    try {
      return body();
    } catch (const nlohmann::json::exception&) {
      damaged("its header is incomplete");
    } catch (const InvalidArgument&) {
      damaged("its header holds an unknown value");
    }
  }

 private:
  void read_header(std::uint64_t size);

  std::string name_;
  SealedKind kind_;
  std::unique_ptr<std::istream> file_;
  nlohmann::json header_;
  Hash hash_;
  std::uint64_t array_bytes_ = 0;
  bool infinite_ = false;
};

}  // namespace quickselection
