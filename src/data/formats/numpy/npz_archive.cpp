// src/data/formats/numpy/npz_archive.cpp: see npz_archive.h.
#include "data/formats/numpy/npz_archive.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "data/formats/array.h"
#include "data/formats/numpy/npy_header.h"
#include "data/io/unicode.h"
#include "quickselection/error.h"

namespace quickselection {
namespace {

constexpr std::string_view kEntryEnding = ".npy";
constexpr std::size_t kHeadBytes = 4096;
constexpr std::size_t kPiece = std::size_t{4} << 20;
constexpr std::size_t kMostRatio = 1100;  // deflate makes nothing more than 1032 times smaller
constexpr const char* kHint = "was it written or copied completely, and by NumPy?";

struct CloseEntry {
  void operator()(zip_file_t* entry) const { zip_fclose(entry); }
};

std::string text_at(const std::byte* from, const NpyHeader& header) {
  const auto* const letters = reinterpret_cast<const char*>(from);
  std::string text;
  if (header.kind == 'S') {
    text.assign(letters, header.size);
    text.resize(text.find_last_not_of('\0') + 1);
    return text;
  }
  for (std::size_t i = 0; i < header.size; i += 4) {
    std::uint32_t letter;
    std::memcpy(&letter, from + i, sizeof letter);
    if (header.big_endian) letter = __builtin_bswap32(letter);
    if (letter == 0) break;
    append_utf8(text, letter);
  }
  return text;
}

}  // namespace

NpzArchive::NpzArchive(const std::string& path) : file_(path) {
  zip_error_t error;
  zip_error_init(&error);
  zip_source_t* source = zip_source_buffer_create(file_.data(), file_.size(), 0, &error);
  if (source != nullptr) archive_.reset(zip_open_from_source(source, ZIP_RDONLY, &error));
  if (archive_ == nullptr) {
    const std::string what = zip_error_strerror(&error);
    if (source != nullptr) zip_source_free(source);
    zip_error_fini(&error);
    throw Error(fmt::format("{} is not a readable .npz file: {}", path, what), kHint);
  }
  zip_error_fini(&error);
  const zip_int64_t entries = zip_get_num_entries(archive_.get(), 0);
  for (zip_int64_t i = 0; i < entries; ++i) {
    const char* const name = zip_get_name(archive_.get(), static_cast<zip_uint64_t>(i), 0);
    names_.emplace_back(name == nullptr ? "" : name);
    if (names_.back().ends_with(kEntryEnding))
      names_.back().resize(names_.back().size() - kEntryEnding.size());
  }
}

std::optional<std::size_t> NpzArchive::find(std::string_view name) const {
  const auto found = std::find(names_.begin(), names_.end(), name);
  if (found == names_.end()) return std::nullopt;
  return static_cast<std::size_t>(found - names_.begin());
}

std::string NpzArchive::describe(std::size_t entry) const {
  return fmt::format("{}, array '{}'", file_.path(), names_[entry]);
}

void NpzArchive::fail(std::size_t entry, const std::string& what) const {
  throw Error(fmt::format("{} cannot be read: {}", describe(entry), what), kHint);
}

std::size_t NpzArchive::read(std::size_t entry, GrowingBuffer& out, std::size_t most) const {
  zip_stat_t status;
  if (zip_stat_index(archive_.get(), entry, 0, &status) != 0 ||
      (status.valid & ZIP_STAT_SIZE) == 0 || (status.valid & ZIP_STAT_COMP_SIZE) == 0)
    fail(entry, "it has no size");
  if (status.comp_size > file_.size() || status.size / kMostRatio > status.comp_size)
    fail(entry, fmt::format("{} bytes cannot come from {}", status.size, status.comp_size));
  const std::unique_ptr<zip_file_t, CloseEntry> file(zip_fopen_index(archive_.get(), entry, 0));
  if (file == nullptr) fail(entry, zip_strerror(archive_.get()));
  std::size_t done = 0;
  while (done < most) {
    const std::size_t wanted = std::min(kPiece, most - done);
    out.reserve(done + wanted);
    const zip_int64_t got = zip_fread(file.get(), out.data() + done, wanted);
    if (got < 0) fail(entry, zip_file_strerror(file.get()));
    if (got == 0) break;
    done += static_cast<std::size_t>(got);
  }
  return done;
}

Variable NpzArchive::variable(std::size_t entry) const {
  try {
    GrowingBuffer head;
    const std::size_t size = read(entry, head, kHeadBytes);
    const std::string_view bytes(reinterpret_cast<const char*>(head.data()), size);
    const NpyHeader header =
        parse_npy_header(bytes, describe(entry), SIZE_MAX, NpyContent::numbers_or_texts);
    return {names_[entry], header.shape, header.kind == 'S' || header.kind == 'U'};
  } catch (const Error&) {
    return {names_[entry], {}, false};  // choosing it will say what is wrong with it
  }
}

Dataset NpzArchive::dataset(std::size_t entry) const {
  auto buffer = std::make_shared<GrowingBuffer>();
  const std::size_t size = read(entry, *buffer, SIZE_MAX);
  const std::string_view bytes(reinterpret_cast<const char*>(buffer->data()), size);
  return read_npy_bytes(bytes, buffer, describe(entry));
}

std::vector<std::string> NpzArchive::texts(std::size_t entry) const {
  GrowingBuffer buffer;
  const std::size_t size = read(entry, buffer, SIZE_MAX);
  const std::string_view bytes(reinterpret_cast<const char*>(buffer.data()), size);
  const NpyHeader header =
      parse_npy_header(bytes, describe(entry), size, NpyContent::numbers_or_texts);
  if (header.kind != 'S' && header.kind != 'U') return number_texts(dataset(entry));
  const std::size_t count = count_bytes(header.shape, 1);
  // Texts of no letters take no bytes, and any number of them could be claimed.
  if (header.size == 0 && count > size) fail(entry, fmt::format("{} texts of no letters", count));
  std::vector<std::string> all;
  all.reserve(count);
  for (std::size_t i = 0; i < count; ++i)
    all.push_back(text_at(buffer.data() + header.offset + i * header.size, header));
  return all;
}

}  // namespace quickselection
