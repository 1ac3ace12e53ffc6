// src/core/files/sealed_file.cpp: see sealed_file.h.
#include "core/files/sealed_file.h"

#include <fmt/format.h>

#include <bit>
#include <fstream>
#include <sstream>
#include <utility>

#include "core/files/atomic_file.h"
#include "core/text/fields_json.h"

namespace quickselection {
namespace {

static_assert(std::endian::native == std::endian::little);

std::uint64_t hash_of(const std::string& text) {
  Hash hash;
  hash.add(text.data(), text.size());
  return hash.value();
}

/// write(data, size) gets everything, part by part.
void seal(std::string_view magic, nlohmann::json header, std::span<const Bytes> arrays,
          const auto& write) {
  Hash hash;
  for (const Bytes& array : arrays) hash.add(array.data, array.size);
  header["hash"] = hash.value();
  const std::string text = header.dump();
  const std::uint64_t length = text.size(), header_hash = hash_of(text);
  write(magic.data(), magic.size());
  write(&length, sizeof length);
  write(&header_hash, sizeof header_hash);
  write(text.data(), text.size());
  for (const Bytes& array : arrays) write(array.data, array.size);
}

}  // namespace

std::string sealed_bytes(std::string_view magic, nlohmann::json header,
                         std::span<const Bytes> arrays) {
  std::string bytes;
  seal(magic, std::move(header), arrays, [&](const void* data, std::size_t size) {
    bytes.append(static_cast<const char*>(data), size);
  });
  return bytes;
}

void write_sealed(const std::filesystem::path& path, std::string_view magic, nlohmann::json header,
                  std::span<const Bytes> arrays) {
  AtomicFile file(path);
  seal(magic, std::move(header), arrays,
       [&](const void* data, std::size_t size) { file.write(data, size); });
  file.commit();
}

SealedReader::SealedReader(const std::filesystem::path& path, const SealedKind& kind)
    : name_(path.string()), kind_(kind) {
  std::error_code ignored;  // a pipe would wait for its writer
  if (std::filesystem::is_regular_file(path, ignored))
    file_ = std::make_unique<std::ifstream>(path, std::ios::binary);
  if (file_ == nullptr || !*file_)
    throw Error(fmt::format("cannot read the {} {}", kind_.name, name_),
                fmt::format("check the path, or {}", kind_.hint));
  read_header(std::filesystem::file_size(path));
}

SealedReader::SealedReader(const std::string& bytes, std::string name, const SealedKind& kind)
    : name_(std::move(name)), kind_(kind), file_(std::make_unique<std::istringstream>(bytes)) {
  read_header(bytes.size());
}

void SealedReader::read_header(std::uint64_t size) {
  std::string magic(kind_.magic.size(), '\0');
  std::uint64_t length = 0, header_hash = 0;
  file_->read(magic.data(), static_cast<std::streamsize>(magic.size()));
  file_->read(reinterpret_cast<char*>(&length), sizeof length);
  file_->read(reinterpret_cast<char*>(&header_hash), sizeof header_hash);
  if (!*file_ || magic != kind_.magic) damaged("it does not begin like one");
  if (length > size) damaged("it is cut short");
  std::string text(length, '\0');
  file_->read(text.data(), static_cast<std::streamsize>(length));
  if (!*file_ || hash_of(text) != header_hash) damaged("its header cannot be read");
  try {
    header_ = parse_json<nlohmann::json>(text);
  } catch (const std::exception& error) {
    damaged(fmt::format("its header cannot be read: {}", reason_of(error)));
  }
  array_bytes_ = size - static_cast<std::uint64_t>(file_->tellg());
}

std::uint64_t SealedReader::count(const nlohmann::json& from, const char* name,
                                  std::uint64_t most) const {
  const nlohmann::json& value = from.at(name);
  // JSON's own conversion would wrap.
  if (!value.is_number_unsigned() || value.get<std::uint64_t>() > most)
    damaged(fmt::format("its {} is no count, or too large", name));
  return value.get<std::uint64_t>();
}

double SealedReader::number(const char* name, double least, double most) const {
  const nlohmann::json& value = header_.at(name);
  if (!value.is_number() || !(value.get<double>() >= least && value.get<double>() <= most))
    damaged(fmt::format("its {} is not a number from {} to {}", name, least, most));
  return value.get<double>();
}

void SealedReader::read(void* to, std::size_t bytes) {
  file_->read(static_cast<char*>(to), static_cast<std::streamsize>(bytes));
  hash_.add(to, bytes);
}

void SealedReader::finish() {
  if (!*file_) damaged("it is cut short");
  if (file_->peek() != std::ifstream::traits_type::eof()) damaged("it is too long");
  if (hash_.value() != header_.at("hash").get<std::uint64_t>())
    damaged("its contents have changed since it was written");
  if (infinite_) damaged("some of its numbers are not finite");
}

void SealedReader::damaged(std::string_view why) const {
  throw Error(fmt::format("{} is not a usable {}: {}", name_, kind_.name, why),
              std::string(kind_.hint));
}

}  // namespace quickselection
