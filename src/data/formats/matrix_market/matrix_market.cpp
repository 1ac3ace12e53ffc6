// src/data/formats/matrix_market/matrix_market.cpp: Matrix Market files: coordinates of a sparse
// matrix, or all values.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <memory>
#include <vector>

#include "data/dataset/sparse.h"
#include "data/formats/arrays.h"
#include "data/formats/csv/csv.h"
#include "data/formats/format.h"
#include "data/formats/value_store.h"
#include "data/io/contents.h"
#include "data/io/decimal.h"
#include "data/io/growing_buffer.h"
#include "quickselection/error.h"

namespace quickselection {
namespace {

constexpr std::array<std::string_view, 2> kEndings{".mtx", ".mm"};
constexpr std::string_view kBanner = "%%MatrixMarket";
constexpr const char* kHint = "was it written or copied completely?";

enum class Symmetry : std::uint8_t { general, symmetric, skew };

struct Head {
  bool coordinates = true, pattern = false;
  Symmetry symmetry = Symmetry::general;
  std::size_t rows = 0, columns = 0, entries = 0;
};

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

/// Words and numbers, line by line.
class Scanner {
 public:
  Scanner(Contents& file, const std::string& path)
      : file_(file),
        path_(path),
        begin_(file.text().data()),
        at_(begin_),
        end_(begin_ + file.size()) {}

  std::string_view word() {
    skip_blanks();
    const char* const begin = at_;
    while (at_ != end_ && !is_blank(*at_) && *at_ != '\n') ++at_;
    return {begin, static_cast<std::size_t>(at_ - begin)};
  }
  std::size_t size() {
    skip_blanks();
    std::size_t value = 0;
    const auto [stop, error] = std::from_chars(at_, end_, value);
    if (error != std::errc() || !ends(stop)) fail("a whole number is missing");
    at_ = stop;
    return value;
  }
  double number() {
    skip_blanks();
    double value = 0;
    const char* stop = parse_simple(at_, end_, value);
    if (stop == at_ || !ends(stop)) {
      const std::string_view text = word();
      if (!parse_number(text, value)) fail(fmt::format("'{}' is not a number", text.substr(0, 40)));
      return value;
    }
    at_ = stop;
    return value;
  }
  void end_line() {
    skip_blanks();
    if (at_ != end_ && *at_ != '\n') fail("there is more on the line than expected");
    next_line();
  }
  /// Blank lines and comments.
  void skip_comments() {
    for (;;) {
      skip_blanks();
      if (at_ == end_ || (*at_ != '%' && *at_ != '\n')) return;
      at_ = std::find(at_, end_, '\n');
      next_line();
    }
  }
  bool at_end() const { return at_ == end_; }
  [[noreturn]] void fail(const std::string& what) const {
    throw Error(fmt::format("{}, line {}: {}", path_, line_, what), kHint);
  }

 private:
  void skip_blanks() {
    while (at_ != end_ && is_blank(*at_)) ++at_;
  }
  bool ends(const char* at) const { return at == end_ || is_blank(*at) || *at == '\n'; }
  void next_line() {
    if (at_ == end_) return;
    ++at_;
    ++line_;
    file_.release_before(static_cast<std::size_t>(at_ - begin_));
  }

  Contents& file_;
  const std::string& path_;
  const char* begin_;
  const char* at_;
  const char* end_;
  std::size_t line_ = 1;
};

Head read_head(Scanner& scanner, const std::string& path, std::size_t bytes) {
  Head head;
  if (scanner.word() != kBanner || lower_case(scanner.word()) != "matrix")
    throw Error(fmt::format("{} is not a Matrix Market file", path),
                "it begins with: %%MatrixMarket matrix coordinate real general");
  const std::string layout = lower_case(scanner.word()), field = lower_case(scanner.word()),
                    symmetry = lower_case(scanner.word());
  head.coordinates = layout == "coordinate";
  head.pattern = field == "pattern";
  if (!head.coordinates && layout != "array") scanner.fail("it is neither coordinate nor array");
  if (field != "real" && field != "double" && field != "integer" &&
      !(head.pattern && head.coordinates))
    throw Error(fmt::format("{} holds values of the kind '{}'", path, field),
                "real, integer or pattern is needed");
  if (symmetry == "symmetric")
    head.symmetry = Symmetry::symmetric;
  else if (symmetry == "skew-symmetric")
    head.symmetry = Symmetry::skew;
  else if (symmetry != "general")
    scanner.fail(fmt::format("the symmetry '{}' is unknown", symmetry));
  scanner.end_line();
  scanner.skip_comments();
  head.rows = scanner.size();
  head.columns = scanner.size();
  if (head.coordinates) head.entries = scanner.size();
  scanner.end_line();
  if (head.symmetry != Symmetry::general && head.rows != head.columns)
    scanner.fail(fmt::format("a symmetric matrix cannot be {} x {}", head.rows, head.columns));
  check_sparse_shape(head.rows, head.columns, bytes, path);
  return head;
}

/// Throws before memory is asked for: every entry takes a few bytes of text.
void check_entries(std::size_t entries, std::size_t least_bytes, std::size_t bytes,
                   const std::string& path) {
  if (entries > bytes / least_bytes)
    throw Error(
        fmt::format("{} is cut short: {} values cannot stand in {} bytes", path, entries, bytes),
        kHint);
}

Dataset read_coordinates(Scanner& scanner, const Head& head, bool turned, std::size_t bytes,
                         const std::string& path) {
  check_entries(head.entries, 4, bytes + 1, path);
  std::vector<std::uint32_t> rows, columns;
  std::vector<double> values;
  const std::size_t room = head.entries * (head.symmetry == Symmetry::general ? 1 : 2);
  rows.reserve(room);
  columns.reserve(room);
  values.reserve(room);
  for (std::size_t i = 0; i < head.entries; ++i) {
    scanner.skip_comments();
    if (scanner.at_end())
      throw Error(fmt::format("{} is cut short: it has {} of {} values", path, i, head.entries),
                  kHint);
    const std::size_t row = scanner.size(), column = scanner.size();
    const double value = head.pattern ? 1.0 : scanner.number();
    if (row < 1 || row > head.rows || column < 1 || column > head.columns)
      scanner.fail(
          fmt::format("({}, {}) is not within {} x {}", row, column, head.rows, head.columns));
    scanner.end_line();
    rows.push_back(static_cast<std::uint32_t>(row - 1));
    columns.push_back(static_cast<std::uint32_t>(column - 1));
    values.push_back(value);
    if (head.symmetry == Symmetry::general || row == column) continue;
    rows.push_back(static_cast<std::uint32_t>(column - 1));
    columns.push_back(static_cast<std::uint32_t>(row - 1));
    values.push_back(head.symmetry == Symmetry::skew ? -value : value);
  }
  const ValueType type = smallest_type(values);
  const std::byte* const narrowed = narrow(values, type);
  return turned ? sparse_by_places(columns, rows, narrowed, type, head.columns, head.rows, path)
                : sparse_by_places(rows, columns, narrowed, type, head.rows, head.columns, path);
}

/// Column by column; of symmetric matrices only what is on and below the diagonal.
Dataset read_array(Scanner& scanner, const Head& head, bool turned, std::size_t bytes,
                   const std::string& path) {
  const std::size_t count = count_bytes(std::array{head.rows, head.columns}, 1);
  check_entries(head.symmetry == Symmetry::general ? count : count / 4, 2, bytes + 1, path);
  const std::size_t rows = turned ? head.columns : head.rows,
                    features = turned ? head.rows : head.columns;
  auto buffer = std::make_shared<GrowingBuffer>();
  buffer->reserve(count * sizeof(double));
  const std::span<double> values(reinterpret_cast<double*>(buffer->data()), count);
  const auto place = [&](std::size_t r, std::size_t c) -> double& {
    return values[turned ? c * features + r : r * features + c];
  };
  const bool skew = head.symmetry == Symmetry::skew;
  for (std::size_t c = 0; c < head.columns; ++c)
    for (std::size_t r = head.symmetry == Symmetry::general ? 0 : c + skew; r < head.rows; ++r) {
      scanner.skip_comments();
      if (scanner.at_end())
        throw Error(fmt::format("{} is cut short: it ends before the value at ({}, {})", path,
                                r + 1, c + 1),
                    kHint);
      const double value = scanner.number();
      place(r, c) = value;
      if (head.symmetry != Symmetry::general) place(c, r) = skew ? -value : value;
      scanner.end_line();
    }
  const ValueType type = smallest_type(values);
  const std::byte* const narrowed = narrow(values, type);
  return Dataset(MatrixView{narrowed, rows, features, features * size_of(type), type},
                 std::move(buffer));
}

Dataset read_mtx(const std::string& path, const ReadOptions& options) {
  Dataset data = read_matrix_market(path, false);
  take_label_option(data, options);
  return data;
}

bool detect_mtx(std::string_view head) { return head.starts_with(kBanner); }

}  // namespace

Dataset read_matrix_market(const std::string& path, bool turned) {
  Contents file(path);
  Scanner scanner(file, path);
  const std::size_t bytes = file.size();
  const Head head = read_head(scanner, path, bytes);
  Dataset data = head.coordinates ? read_coordinates(scanner, head, turned, bytes, path)
                                  : read_array(scanner, head, turned, bytes, path);
  scanner.skip_comments();
  if (!scanner.at_end()) scanner.fail("there are more values than the head of the file says");
  data.source = path;
  return data;
}

const Format mtx_format{.name = "mtx",
                        .summary = "Matrix Market: coordinates or all values",
                        .endings = kEndings,
                        .detect = detect_mtx,
                        .read = read_mtx,
                        .reads_gzip = true};

}  // namespace quickselection
