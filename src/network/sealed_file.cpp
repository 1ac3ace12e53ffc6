// src/network/sealed_file.cpp: see sealed_file.h.
#include "network/sealed_file.h"

#include <fmt/format.h>

#include <bit>
#include <utility>

#include "core/atomic_file.h"
#include "quickselection/error.h"

namespace quickselection {
namespace {

static_assert(std::endian::native == std::endian::little);

std::uint64_t hash_of(const std::string& text) {
  Hash hash;
  hash.add(text.data(), text.size());
  return hash.value();
}

}  // namespace

void write_sealed(const std::filesystem::path& path, std::string_view magic, nlohmann::json header,
                  std::span<const Bytes> arrays) {
  Hash hash;
  for (const Bytes& array : arrays) hash.add(array.data, array.size);
  header["hash"] = hash.value();
  const std::string text = header.dump();
  const std::uint64_t length = text.size(), header_hash = hash_of(text);
  AtomicFile file(path);
  file.write(magic);
  file.write(&length, sizeof length);
  file.write(&header_hash, sizeof header_hash);
  file.write(text);
  for (const Bytes& array : arrays) file.write(array.data, array.size);
  file.commit();
}

SealedReader::SealedReader(std::filesystem::path path, const SealedKind& kind)
    : path_(std::move(path)), kind_(kind), file_(path_, std::ios::binary) {
  if (!file_ || !std::filesystem::is_regular_file(path_))
    throw Error(fmt::format("cannot read the {} {}", kind_.name, path_.string()),
                fmt::format("check the path, or {}", kind_.hint));
  std::string magic(kind_.magic.size(), '\0');
  std::uint64_t length = 0, header_hash = 0;
  file_.read(magic.data(), static_cast<std::streamsize>(magic.size()));
  file_.read(reinterpret_cast<char*>(&length), sizeof length);
  file_.read(reinterpret_cast<char*>(&header_hash), sizeof header_hash);
  if (!file_ || magic != kind_.magic) damaged("it does not begin like one");
  if (length > std::filesystem::file_size(path_)) damaged("it is cut short");
  std::string text(length, '\0');
  file_.read(text.data(), static_cast<std::streamsize>(length));
  header_ = nlohmann::json::parse(text, nullptr, false);
  if (!file_ || hash_of(text) != header_hash || header_.is_discarded())
    damaged("its header cannot be read");
}

void SealedReader::read(void* to, std::size_t bytes) {
  file_.read(static_cast<char*>(to), static_cast<std::streamsize>(bytes));
  hash_.add(to, bytes);
}

void SealedReader::finish() {
  if (!file_) damaged("it is cut short");
  if (file_.peek() != std::ifstream::traits_type::eof()) damaged("it is too long");
  if (hash_.value() != header_.at("hash").get<std::uint64_t>())
    damaged("its contents have changed since it was written");
}

void SealedReader::damaged(std::string_view why) const {
  throw Error(fmt::format("{} is not a usable {}: {}", path_.string(), kind_.name, why),
              std::string(kind_.hint));
}

}  // namespace quickselection
