// src/data/formats/numpy/npz_write.cpp: writes NumPy's .npz files.
#include <fmt/format.h>
#include <zip.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "core/files/atomic_file.h"
#include "data/dataset/subset.h"
#include "data/formats/format.h"
#include "data/formats/numpy/npy_header.h"
#include "data/io/unicode.h"
#include "quickselection/error.h"

namespace quickselection {
namespace {

/// Gives the next bytes of an array, or none at its end.
using Pieces = std::function<std::string_view()>;

template <class T>
std::string_view bytes_of(const std::vector<T>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

/// An array that libzip asks for piece by piece.
struct Entry {
  Pieces pieces;
  std::string_view left;

  static zip_int64_t answer(void* self, void* to, zip_uint64_t bytes, zip_source_cmd_t command) {
    Entry& entry = *static_cast<Entry*>(self);
    switch (command) {
      case ZIP_SOURCE_SUPPORTS:
        return zip_source_make_command_bitmap(ZIP_SOURCE_OPEN, ZIP_SOURCE_READ, ZIP_SOURCE_CLOSE,
                                              ZIP_SOURCE_STAT, ZIP_SOURCE_ERROR, ZIP_SOURCE_FREE,
                                              -1);
      case ZIP_SOURCE_STAT:
        zip_stat_init(static_cast<zip_stat_t*>(to));
        return sizeof(zip_stat_t);
      case ZIP_SOURCE_READ: {
        std::size_t done = 0;
        while (done < bytes) {
          if (entry.left.empty()) entry.left = entry.pieces();
          if (entry.left.empty()) break;
          const std::size_t count = std::min<std::size_t>(bytes - done, entry.left.size());
          std::memcpy(static_cast<char*>(to) + done, entry.left.data(), count);
          entry.left.remove_prefix(count);
          done += count;
        }
        return static_cast<zip_int64_t>(done);
      }
      case ZIP_SOURCE_ERROR:
        return 2 * static_cast<zip_int64_t>(sizeof(int));
      default:
        return 0;
    }
  }
};

/// The archive as libzip writes it: into a file that AtomicFile puts in place.
struct Archive {
  AtomicFile& file;
  zip_uint64_t place = 0, end = 0;
  std::optional<Error> failed = {};

  static zip_int64_t answer(void* self, void* data, zip_uint64_t bytes, zip_source_cmd_t command) {
    Archive& archive = *static_cast<Archive*>(self);
    switch (command) {
      case ZIP_SOURCE_SUPPORTS:
        return ZIP_SOURCE_SUPPORTS_WRITABLE;
      case ZIP_SOURCE_STAT: {
        auto* const stat = static_cast<zip_stat_t*>(data);
        zip_stat_init(stat);
        stat->valid = ZIP_STAT_SIZE;
        stat->size = 0;
        return sizeof(zip_stat_t);
      }
      case ZIP_SOURCE_WRITE:
        try {
          archive.file.write_at(archive.place, {static_cast<const char*>(data), bytes});
        } catch (const Error& error) {
          archive.failed = error;
          return -1;
        }
        archive.place += bytes;
        archive.end = std::max(archive.end, archive.place);
        return static_cast<zip_int64_t>(bytes);
      case ZIP_SOURCE_TELL_WRITE:
        return static_cast<zip_int64_t>(archive.place);
      case ZIP_SOURCE_SEEK_WRITE: {
        const zip_int64_t place =
            zip_source_seek_compute_offset(archive.place, archive.end, data, bytes, nullptr);
        if (place >= 0) archive.place = static_cast<zip_uint64_t>(place);
        return place < 0 ? -1 : 0;
      }
      case ZIP_SOURCE_ERROR: {
        const int codes[] = {ZIP_ER_WRITE, 0};
        std::memcpy(data, codes, sizeof codes);
        return sizeof codes;
      }
      default:
        return 0;
    }
  }
};

class Writer {
 public:
  Writer(const std::string& path, bool deflate) : path_(path), deflate_(deflate), file_(path) {
    zip_source_t* const archive = zip_source_function_create(Archive::answer, &archive_, nullptr);
    if (archive != nullptr) zip_ = zip_open_from_source(archive, ZIP_TRUNCATE, nullptr);
    if (zip_ == nullptr) {
      zip_source_free(archive);
      fail("it cannot be opened");
    }
  }
  ~Writer() {
    if (zip_ != nullptr) zip_discard(zip_);
  }
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;

  void add(const std::string& name, std::string header, Pieces pieces) {
    entries_.push_back(std::make_unique<Entry>());
    entries_.back()->pieces = [header = std::move(header), pieces = std::move(pieces),
                               first = true]() mutable -> std::string_view {
      if (!std::exchange(first, false)) return pieces();
      return header;
    };
    zip_source_t* const source = zip_source_function(zip_, Entry::answer, entries_.back().get());
    const zip_int64_t index =
        source == nullptr ? -1
                          : zip_file_add(zip_, (name + ".npy").c_str(), source, ZIP_FL_ENC_UTF_8);
    if (index < 0) fail(zip_strerror(zip_));
    const auto entry = static_cast<zip_uint64_t>(index);
    zip_set_file_compression(zip_, entry, deflate_ ? ZIP_CM_DEFLATE : ZIP_CM_STORE, 1);
    constexpr zip_uint16_t kFirstDay = 0x21;  // 1980-01-01: the same data gives the same file
    zip_file_set_dostime(zip_, entry, 0, kFirstDay, 0);
  }
  template <class T>
  void add_numbers(const std::string& name, std::vector<T> values) {
    std::string header =
        make_npy_header(npy_descr(value_type_of<T>()), fmt::format("({},)", values.size()));
    add_array(name, std::move(header), std::move(values));
  }
  template <class T>
  void add_array(const std::string& name, std::string header, std::vector<T> values) {
    add(name, std::move(header),
        [values = std::move(values), first = true]() mutable -> std::string_view {
          return std::exchange(first, false) ? bytes_of(values) : std::string_view();
        });
  }
  void add_texts(const std::string& name, const std::vector<std::string>& texts, bool single) {
    std::vector<std::vector<std::uint32_t>> all;
    std::size_t longest = 1;
    for (const std::string& text : texts) {
      all.push_back(utf8_letters(text));
      longest = std::max(longest, all.back().size());
    }
    std::vector<std::uint32_t> letters(all.size() * longest);
    for (std::size_t i = 0; i < all.size(); ++i)
      std::copy(all[i].begin(), all[i].end(),
                letters.begin() + static_cast<std::ptrdiff_t>(i * longest));
    add_array(name,
              make_npy_header(fmt::format("<U{}", longest),
                              single ? "()" : fmt::format("({},)", texts.size())),
              std::move(letters));
  }
  void finish() {
    if (zip_close(zip_) != 0) {
      if (archive_.failed) throw *archive_.failed;
      fail(zip_strerror(zip_));
    }
    zip_ = nullptr;
    file_.commit();
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw Error(fmt::format("cannot write {}: {}", path_, what), "is there room on the disk?");
  }

  const std::string& path_;
  bool deflate_;
  AtomicFile file_;
  Archive archive_{file_};
  std::vector<std::unique_ptr<Entry>> entries_;
  zip_t* zip_ = nullptr;
};

void add_labels(Writer& writer, const Labels& labels) {
  std::vector<std::int64_t> numbers;
  for (const std::string& name : labels.classes) {
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
    if (error != std::errc() || end != name.data() + name.size()) break;
    numbers.push_back(number);
  }
  if (numbers.size() == labels.classes.size()) {
    std::vector<std::int64_t> codes;
    for (const std::int32_t code : labels.codes)
      codes.push_back(numbers[static_cast<std::size_t>(code)]);
    writer.add_numbers("y", std::move(codes));
    return;
  }
  writer.add_texts("y", texts_of(labels), false);
}

void add_dense(Writer& writer, const SelectedRows& rows) {
  const Dataset& data = rows.data();
  writer.add("X", make_npy_header(data.type(), data.rows(), rows.columns().size()),
             [&rows, r = std::size_t{0},
              row = std::vector<std::byte>(rows.row_bytes())]() mutable -> std::string_view {
               if (r == rows.data().rows()) return {};
               rows.copy_row(r++, row.data());
               return bytes_of(row);
             });
}

/// The three arrays are gone through one after the other: none is held in memory but the offsets.
void add_sparse(Writer& writer, SelectedRows& rows) {
  const Dataset& data = rows.data();
  const std::size_t count = rows.count_stored(), size = size_of(data.type());
  std::vector<std::int64_t> offsets{0};
  for (std::size_t r = 0; r < data.rows(); ++r)
    offsets.push_back(offsets.back() +
                      static_cast<std::int64_t>(rows.stored_row(r).columns.size()));
  const auto row_pieces = [&rows](auto part) {
    return [&rows, part, r = std::size_t{0}]() mutable -> std::string_view {
      while (r < rows.data().rows()) {
        const std::string_view bytes = part(rows.stored_row(r++));
        if (!bytes.empty()) return bytes;
      }
      return {};
    };
  };
  const std::string shape = fmt::format("({},)", count);
  // SciPy wants signed places: columns below 2^31 are the same bytes.
  const bool narrow = rows.columns().size() <= INT32_MAX && count <= INT32_MAX;
  if (!narrow)
    throw InvalidArgument(fmt::format("{} x {} with {} values is too large for a sparse .npz file",
                                      data.rows(), rows.columns().size(), count),
                          "choose another format");
  writer.add("indices", make_npy_header("<i4", shape),
             row_pieces([](const SelectedRows::Stored& row) {
               return std::string_view(reinterpret_cast<const char*>(row.columns.data()),
                                       row.columns.size_bytes());
             }));
  writer.add_numbers("indptr", std::vector<std::int32_t>(offsets.begin(), offsets.end()));
  writer.add_texts("format", {"csr"}, true);
  writer.add_numbers("shape",
                     std::vector<std::int64_t>{static_cast<std::int64_t>(data.rows()),
                                               static_cast<std::int64_t>(rows.columns().size())});
  writer.add("data", make_npy_header(npy_descr(data.type()), shape),
             row_pieces([size](const SelectedRows::Stored& row) {
               return std::string_view(reinterpret_cast<const char*>(row.values),
                                       row.columns.size() * size);
             }));
}

}  // namespace

void write_npz(const std::string& path, const Dataset& data,
               std::span<const std::uint32_t> columns) {
  SelectedRows rows(data, columns);
  Writer writer(path, data.is_sparse());
  if (data.is_sparse())
    add_sparse(writer, rows);
  else
    add_dense(writer, rows);
  if (data.labels) add_labels(writer, *data.labels);
  if (!data.names.empty()) writer.add_texts("names", names_of(data, columns), false);
  writer.finish();
}

}  // namespace quickselection
