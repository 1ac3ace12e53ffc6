// src/data/npz.cpp: NumPy's .npz files: .npy files in a zip archive, stored or deflated.
#include <fmt/format.h>
#include <zip.h>

#include <algorithm>
#include <array>
#include <memory>
#include <optional>

#include "data/array.h"
#include "data/format.h"
#include "data/growing_buffer.h"
#include "data/mapped_file.h"
#include "data/npy.h"
#include "data/npy_header.h"
#include "data/variables.h"
#include "quickselection/error.h"

namespace quickselection {
namespace {

constexpr std::array<std::string_view, 1> kEndings{".npz"};
constexpr std::string_view kEntryEnding = ".npy";
constexpr std::size_t kHeadBytes = 4096;
constexpr std::size_t kPiece = std::size_t{4} << 20;
constexpr std::size_t kMostRatio = 1100;  // deflate makes nothing more than 1032 times smaller

constexpr const char* kHint = "was it written or copied completely, and by NumPy?";

struct CloseArchive {
  void operator()(zip_t* archive) const { zip_discard(archive); }
};
struct CloseEntry {
  void operator()(zip_file_t* entry) const { zip_fclose(entry); }
};

class Archive {
 public:
  explicit Archive(const std::string& path) : file_(path) {
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

  const std::vector<std::string>& names() const { return names_; }
  std::string describe(std::size_t entry) const {
    return fmt::format("{}, array '{}'", file_.path(), names_[entry]);
  }

  /// Decompresses at most `most` bytes of an entry into `out`; returns how many there were.
  std::size_t read(std::size_t entry, GrowingBuffer& out, std::size_t most = SIZE_MAX) const {
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

  /// The shape of an entry, or nothing when it is no array of real numbers.
  std::vector<std::size_t> shape(std::size_t entry) const {
    try {
      GrowingBuffer head;
      const std::size_t size = read(entry, head, kHeadBytes);
      const std::string_view bytes(reinterpret_cast<const char*>(head.data()), size);
      return parse_npy_header(bytes, describe(entry), SIZE_MAX).shape;
    } catch (const Error&) {
      return {};  // choosing it will say what is wrong with it
    }
  }

  Dataset dataset(std::size_t entry) const {
    auto buffer = std::make_shared<GrowingBuffer>();
    const std::size_t size = read(entry, *buffer);
    const std::string_view bytes(reinterpret_cast<const char*>(buffer->data()), size);
    return read_npy_bytes(bytes, buffer, describe(entry));
  }

 private:
  [[noreturn]] void fail(std::size_t entry, const std::string& what) const {
    throw Error(fmt::format("{} cannot be read: {}", describe(entry), what), kHint);
  }

  MappedFile file_;
  std::unique_ptr<zip_t, CloseArchive> archive_;
  std::vector<std::string> names_;
};

bool is_sparse(const std::vector<std::string>& names) {
  return std::find(names.begin(), names.end(), "format") != names.end() &&
         std::find(names.begin(), names.end(), "shape") != names.end();
}

Dataset read_npz(const std::string& path, const ReadOptions& options) {
  const Archive archive(path);
  if (options.array.empty() && is_sparse(archive.names()))
    throw Error(fmt::format("{} holds a SciPy sparse matrix, which cannot be read yet", path),
                "save it dense: numpy.save(FILE, matrix.toarray())");
  std::vector<Variable> variables;
  for (std::size_t i = 0; i < archive.names().size(); ++i)
    variables.push_back({archive.names()[i], archive.shape(i), false});
  const std::size_t matrix = choose_matrix(variables, options, path);
  Dataset data = archive.dataset(matrix);
  if (const auto labels = choose_labels(variables, matrix, options, path))
    set_labels(data, number_texts(archive.dataset(*labels)), variables[*labels].name, options);
  else
    take_label_option(data, options);
  return data;
}

bool detect_npz(std::string_view head) { return head.starts_with("PK\x03\x04"); }

}  // namespace

const Format npz_format{.name = "npz",
                        .summary = "NumPy archive; --array names the array when it holds several",
                        .endings = kEndings,
                        .detect = detect_npz,
                        .read = read_npz};

}  // namespace quickselection
