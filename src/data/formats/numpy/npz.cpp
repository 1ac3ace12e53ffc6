// src/data/formats/numpy/npz.cpp: NumPy's .npz files: one of the arrays, or a sparse matrix as
// SciPy saves it.
#include <fmt/format.h>
#include <zip.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <vector>

#include "data/dataset/sparse.h"
#include "data/formats/arrays.h"
#include "data/formats/format.h"
#include "data/formats/numpy/npy_header.h"
#include "data/io/growing_buffer.h"
#include "data/io/mapped_file.h"
#include "data/io/unicode.h"
#include "quickselection/error.h"

namespace quickselection {
namespace {

constexpr std::array<std::string_view, 1> kNpzEndings{".npz"};
constexpr std::string_view kNames = "names";

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

/// The arrays in a .npz file: .npy files in a zip archive.
class NpzArchive {
 public:
  /// Throws Error when it is no readable zip archive.
  explicit NpzArchive(const std::string& path) : file_(path) {
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
      if (name == nullptr) check_memory(zip_get_error(archive_.get()));
      names_.emplace_back(name == nullptr ? "" : name);
      if (names_.back().ends_with(kEntryEnding))
        names_.back().resize(names_.back().size() - kEntryEnding.size());
    }
  }

  const std::vector<std::string>& names() const { return names_; }
  std::optional<std::size_t> find(std::string_view name) const {
    const auto found = std::find(names_.begin(), names_.end(), name);
    if (found == names_.end()) return std::nullopt;
    return static_cast<std::size_t>(found - names_.begin());
  }
  std::size_t file_bytes() const { return file_.size(); }
  /// "FILE, array 'NAME'", for messages.
  std::string describe(std::size_t entry) const {
    return fmt::format("{}, array '{}'", file_.path(), names_[entry]);
  }

  /// The name and the shape of an entry, if it is an array of numbers or texts.
  Variable variable(std::size_t entry) const {
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

  /// An array of numbers.
  Dataset dataset(std::size_t entry) const {
    auto buffer = std::make_shared<GrowingBuffer>();
    const std::size_t size = read(entry, *buffer, SIZE_MAX);
    const std::string_view bytes(reinterpret_cast<const char*>(buffer->data()), size);
    return read_npy_bytes(bytes, buffer, describe(entry));
  }

  /// Texts or numbers, one text for each.
  std::vector<std::string> texts(std::size_t entry) const {
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

 private:
  [[noreturn]] void fail(std::size_t entry, const std::string& what) const {
    throw Error(fmt::format("{} cannot be read: {}", describe(entry), what), kHint);
  }
  [[noreturn]] void fail(std::size_t entry, zip_error_t* error) const {
    check_memory(error);
    fail(entry, std::string(zip_error_strerror(error)));
  }
  /// Lack of memory says nothing about an array: it must not look as if there were none.
  static void check_memory(const zip_error_t* error) {
    if (zip_error_code_zip(error) == ZIP_ER_MEMORY) throw std::bad_alloc();
  }

  /// Decompresses at most `most` bytes of an entry into `out`; returns how many there were.
  std::size_t read(std::size_t entry, GrowingBuffer& out, std::size_t most) const {
    zip_stat_t status;
    if (zip_stat_index(archive_.get(), entry, 0, &status) != 0 ||
        (status.valid & ZIP_STAT_SIZE) == 0 || (status.valid & ZIP_STAT_COMP_SIZE) == 0)
      fail(entry, "it has no size");
    if (status.comp_size > file_.size() || status.size / kMostRatio > status.comp_size)
      fail(entry, fmt::format("{} bytes cannot come from {}", status.size, status.comp_size));
    const std::unique_ptr<zip_file_t, CloseEntry> file(zip_fopen_index(archive_.get(), entry, 0));
    if (file == nullptr) fail(entry, zip_get_error(archive_.get()));
    std::size_t done = 0;
    while (done < most) {
      const std::size_t wanted = std::min(kPiece, most - done);
      out.reserve(done + wanted);
      const zip_int64_t got = zip_fread(file.get(), out.data() + done, wanted);
      if (got < 0) fail(entry, zip_file_get_error(file.get()));
      if (got == 0) break;
      done += static_cast<std::size_t>(got);
    }
    return done;
  }

  struct CloseArchive {
    void operator()(zip_t* archive) const { zip_discard(archive); }
  };

  MappedFile file_;
  std::unique_ptr<zip_t, CloseArchive> archive_;
  std::vector<std::string> names_;
};

bool is_sparse(const NpzArchive& archive) {
  return archive.find("format") && archive.find("shape") && archive.find("data");
}

/// The only array of one dimension that has this name.
Dataset vector_of(const NpzArchive& archive, const char* name, const std::string& path) {
  const auto entry = archive.find(name);
  if (!entry)
    throw Error(fmt::format("{} is no whole sparse matrix: it has no array '{}'", path, name),
                "scipy.sparse.save_npz writes such files");
  // A matrix without a single value has arrays of no length.
  const Variable variable = archive.variable(*entry);
  if (variable.shape.size() == 1 && variable.shape[0] == 0 && !variable.is_text)
    return Dataset(MatrixView{nullptr, 0, 1, 8, ValueType::u8}, nullptr);
  Dataset data = archive.dataset(*entry);
  if (data.features() != 1)
    throw Error(
        fmt::format("{} is damaged: it has {} columns", archive.describe(*entry), data.features()));
  return data;
}

std::vector<std::uint32_t> places_of(const Dataset& data, std::size_t limit,
                                     const std::string& path) {
  std::vector<std::uint32_t> places(data.rows());
  make_places(data.values().data, data.type(), data.rows(), limit, places.data(), path);
  return places;
}

Dataset read_sparse(const NpzArchive& archive, const std::string& path) {
  const std::vector<std::string> format = archive.texts(*archive.find("format"));
  const Dataset shape = vector_of(archive, "shape", path);
  if (format.size() != 1 || shape.rows() != 2 || is_floating(shape.type()))
    throw Error(fmt::format("{} holds a sparse matrix without a shape of two numbers", path));
  const std::string& kind = format.front();
  const auto rows = static_cast<std::size_t>(shape.at(0, 0)),
             features = static_cast<std::size_t>(shape.at(1, 0));
  if (shape.at(0, 0) < 0 || shape.at(1, 0) < 0 || shape.at(0, 0) > 1e15 || shape.at(1, 0) > 1e15)
    throw Error(
        fmt::format("{} is damaged: its shape is {} x {}", path, shape.at(0, 0), shape.at(1, 0)));
  check_sparse_shape(rows, features, archive.file_bytes(), path);
  if (kind != "csr" && kind != "csc" && kind != "coo")
    throw Error(fmt::format("{} holds a sparse matrix of the kind '{}'", path, kind),
                "csr, csc or coo is needed: scipy.sparse.save_npz(FILE, matrix.tocsr())");
  const Dataset values = vector_of(archive, "data", path);
  const std::byte* const bytes = values.values().data;
  const auto check = [&](std::size_t count, const char* name) {
    if (count != values.rows())
      throw Error(fmt::format("{} is damaged: it has {} values, but {} {}", path, values.rows(),
                              count, name));
  };
  if (kind == "coo") {
    const auto value_rows = places_of(vector_of(archive, "row", path), rows, path),
               columns = places_of(vector_of(archive, "col", path), features, path);
    check(value_rows.size(), "rows");
    check(columns.size(), "columns");
    return sparse_by_places(value_rows, columns, bytes, values.type(), rows, features, path);
  }
  struct Arrays {
    std::vector<std::uint64_t> offsets;
    std::vector<std::uint32_t> places;
    Dataset values;
  };
  auto arrays = std::make_shared<Arrays>();
  const bool by_rows = kind == "csr";
  arrays->places = places_of(vector_of(archive, "indices", path), by_rows ? features : rows, path);
  check(arrays->places.size(), "places");
  const Dataset offsets = vector_of(archive, "indptr", path);
  if (offsets.rows() != (by_rows ? rows : features) + 1)
    throw Error(fmt::format("{} is damaged: it has {} offsets for {} x {} values", path,
                            offsets.rows(), rows, features));
  arrays->offsets.resize(offsets.rows());
  make_offsets(offsets.values().data, offsets.type(), offsets.rows(), values.rows(),
               arrays->offsets.data(), path);
  arrays->values = values;
  const SparseLines lines{arrays->offsets, arrays->places, bytes, values.type()};
  return by_rows ? sparse_by_rows(lines, features, arrays, path)
                 : sparse_by_columns(lines, rows, path);
}

Dataset read_npz(const std::string& path, const ReadOptions& options) {
  const NpzArchive archive(path);
  std::vector<Variable> variables;
  for (std::size_t i = 0; i < archive.names().size(); ++i) variables.push_back(archive.variable(i));
  Dataset data;
  std::size_t matrix = 0;
  if (options.array.empty() && is_sparse(archive)) {
    data = read_sparse(archive, path);
    matrix = *archive.find("data");
    variables[matrix].shape = {data.rows(), data.features()};
  } else {
    matrix = choose_matrix(variables, options, path);
    data = archive.dataset(matrix);
  }
  if (const auto names = archive.find(kNames); names && variables[*names].is_text) {
    data.names = archive.texts(*names);
    if (data.names.size() != data.features()) data.names.clear();
  }
  if (const auto labels = choose_labels(variables, matrix, options, path))
    set_labels(data, archive.texts(*labels), variables[*labels].name, options);
  else
    take_label_option(data, options);
  return data;
}

bool detect_npz(std::string_view head) { return head.starts_with("PK\x03\x04"); }

}  // namespace

const Format npz_format{.name = "npz",
                        .summary = "NumPy archive or SciPy's sparse matrix; ‹array› names an array",
                        .endings = kNpzEndings,
                        .detect = detect_npz,
                        .read = read_npz,
                        .write = write_npz,
                        .writes_in_order = false};

}  // namespace quickselection
