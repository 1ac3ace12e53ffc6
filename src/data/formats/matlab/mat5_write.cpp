// src/data/formats/matlab/mat5_write.cpp: writes MATLAB 5 files: X, the labels Y and the features'
// names.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "core/files/atomic_file.h"
#include "data/dataset/sparse.h"
#include "data/dataset/subset.h"
#include "data/formats/format.h"
#include "data/formats/matlab/mat5_file.h"
#include "data/io/unicode.h"
#include "quickselection/error.h"

namespace quickselection {
namespace {

using namespace mat5;

constexpr std::uint32_t kCell = 1, kChar = 4, kSparse = 5, kDoubleClass = 6;
constexpr std::size_t kMostBytes = std::size_t{1} << 31;  // what MATLAB reads of one variable

const NumberType& number_type(ValueType type) {
  return *std::find_if(kNumberTypes.begin(), kNumberTypes.end(),
                       [&](const NumberType& number) { return number.type == type; });
}

std::size_t padded(std::size_t bytes) { return (bytes + 7) / 8 * 8; }

void put_word(std::string& out, std::uint32_t word) {
  out.append(reinterpret_cast<const char*>(&word), sizeof word);
}

void put_tag(std::string& out, std::uint32_t type, std::size_t bytes) {
  put_word(out, type);
  put_word(out, static_cast<std::uint32_t>(bytes));
}

void put_element(std::string& out, std::uint32_t type, std::string_view bytes) {
  put_tag(out, type, bytes.size());
  out += bytes;
  out.resize(out.size() + padded(bytes.size()) - bytes.size());
}

/// Flags, dimensions and name.
std::string head_of(std::uint32_t matlab_class, std::size_t rows, std::size_t columns,
                    std::string_view name, std::size_t stored = 0) {
  std::string out;
  put_tag(out, kUint32, 8);
  put_word(out, matlab_class);
  put_word(out, static_cast<std::uint32_t>(stored));
  put_tag(out, kInt32, 8);
  put_word(out, static_cast<std::uint32_t>(rows));
  put_word(out, static_cast<std::uint32_t>(columns));
  put_element(out, kInt8, name);
  return out;
}

std::string text_variable(const std::string& text) {
  std::string body = head_of(kChar, text.empty() ? 0 : 1, utf8_letters(text).size(), "");
  put_element(body, kUtf8, text);
  std::string out;
  put_tag(out, kMatrix, body.size());
  return out + body;
}

class Writer {
 public:
  explicit Writer(const std::string& path) : path_(path), file_(path) {
    std::string head = "MATLAB 5.0 MAT-file, written by QuickSelection";
    head.resize(124, ' ');
    head += std::string_view("\x00\x01IM", 4);
    file_.write(head);
  }
  void begin(std::size_t bytes, const char* name) {
    if (bytes > kMostBytes)
      throw InvalidArgument(
          fmt::format("cannot write {}: '{}' has {} bytes, but MATLAB 5 files hold {} at most",
                      path_, name, bytes, kMostBytes),
          "choose another format");
    std::string tag;
    put_tag(tag, kMatrix, bytes);
    file_.write(tag);
  }
  void write(std::string_view bytes) { file_.write(bytes); }
  void write(const void* data, std::size_t bytes) { file_.write(data, bytes); }
  void pad(std::size_t bytes) { file_.write(std::string(padded(bytes) - bytes, '\0')); }
  void commit() { file_.commit(); }

  /// A column of texts, or a row of them.
  void cells(const char* name, const std::vector<std::string>& texts, bool row) {
    std::string body = head_of(kCell, row ? 1 : texts.size(), row ? texts.size() : 1, name);
    for (const std::string& text : texts) body += text_variable(text);
    begin(body.size(), name);
    write(body);
  }

 private:
  const std::string& path_;
  AtomicFile file_;
};

/// MATLAB stores columns: a few of them at a time are gathered from all rows.
void write_dense(Writer& writer, const Dataset& data, std::span<const std::uint32_t> columns) {
  const NumberType& kind = number_type(data.type());
  const std::size_t size = size_of(data.type()), rows = data.rows();
  const std::size_t bytes = rows * columns.size() * size;
  std::string head = head_of(kind.matrix, rows, columns.size(), "X");
  put_tag(head, kind.element, bytes);
  writer.begin(head.size() + padded(bytes), "X");
  writer.write(head);
  const std::size_t together = std::clamp<std::size_t>(kPiece / (rows * size), 1, columns.size());
  std::vector<std::byte> piece(together * rows * size);
  for (std::size_t first = 0; first < columns.size(); first += together) {
    const std::size_t count = std::min(together, columns.size() - first);
    for (std::size_t r = 0; r < rows; ++r) {
      const std::byte* const row = data.values().row(r);
      for (std::size_t c = 0; c < count; ++c)
        std::memcpy(piece.data() + (c * rows + r) * size, row + columns[first + c] * size, size);
    }
    writer.write(piece.data(), count * rows * size);
  }
  writer.pad(bytes);
}

void write_sparse(Writer& writer, const Dataset& data, std::span<const std::uint32_t> columns) {
  // MATLAB stores columns. Rows that are taken for columns, and turned, are them.
  const Dataset chosen = columns.size() == data.features() ? data : copy_columns(data, columns);
  const SparseView& rows = chosen.sparse();
  const std::size_t count = rows.stored(), size = size_of(data.type());
  if (count * 8 > kMostBytes) writer.begin(SIZE_MAX, "X");
  const Dataset turned = sparse_by_columns({{rows.offsets, rows.rows + 1},
                                            {rows.columns, rows.offsets[rows.rows]},
                                            rows.values,
                                            rows.type},
                                           columns.size(), data.source);
  const SparseView& stored = turned.sparse();
  const std::vector<std::int32_t> offsets(stored.offsets, stored.offsets + columns.size() + 1);
  const std::vector<std::int32_t> places(stored.columns, stored.columns + count);
  const std::span values(stored.values, count * size);
  const auto element = [](std::uint32_t type, const auto& array) {
    std::string out;
    put_element(out, type,
                {reinterpret_cast<const char*>(array.data()), array.size() * sizeof array[0]});
    return out;
  };
  const std::string head =
      head_of(kSparse, data.rows(), columns.size(), "X", std::max<std::size_t>(count, 1));
  const std::string row_part = element(kInt32, places), offset_part = element(kInt32, offsets),
                    value_part = element(number_type(data.type()).element, values);
  writer.begin(head.size() + row_part.size() + offset_part.size() + value_part.size(), "X");
  for (const std::string* part : {&head, &row_part, &offset_part, &value_part}) writer.write(*part);
}

void write_labels(Writer& writer, const Labels& labels) {
  const NumberLabels numbers = number_labels(labels);
  if (!numbers.as_they_are) {
    writer.cells("Y", texts_of(labels), false);
    return;
  }
  std::vector<double> values;
  for (const std::int32_t code : labels.codes)
    values.push_back(numbers.values[static_cast<std::size_t>(code)]);
  std::string body = head_of(kDoubleClass, values.size(), 1, "Y");
  put_element(body, kDouble,
              {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(double)});
  writer.begin(body.size(), "Y");
  writer.write(body);
}

}  // namespace

void write_mat5(const std::string& path, const Dataset& data,
                std::span<const std::uint32_t> columns) {
  Writer writer(path);
  if (data.is_sparse())
    write_sparse(writer, data, columns);
  else
    write_dense(writer, data, columns);
  if (data.labels) write_labels(writer, *data.labels);
  if (!data.names.empty()) writer.cells("names", names_of(data, columns), true);
  writer.commit();
}

}  // namespace quickselection
