// src/data/formats/stored_table.cpp: see stored_table.h.
#include "data/formats/stored_table.h"

#include <fmt/format.h>

#include <array>
#include <cstring>
#include <type_traits>

#include "core/limits.h"
#include "data/dataset/sparse.h"
#include "data/formats/array.h"
#include "data/io/mapped_file.h"
#include "quickselection/error.h"

namespace quickselection {
namespace {

template <class T>
void put(std::string& out, const T& value) {
  static_assert(std::is_trivially_copyable_v<T>);
  out.append(reinterpret_cast<const char*>(&value), sizeof value);
}

void put_texts(std::string& out, const std::vector<std::string>& texts) {
  put(out, std::uint64_t{texts.size()});
  for (const std::string& text : texts) {
    put(out, std::uint64_t{text.size()});
    out += text;
  }
}

struct Fixed {
  std::uint8_t layout, type, has_labels;
  std::uint64_t rows, features;
  SharedMemory::Block values, places, offsets;
};

std::string pack(const StoredTable& table) {
  std::string out;
  const Fixed fixed{static_cast<std::uint8_t>(table.layout),
                    static_cast<std::uint8_t>(table.type),
                    table.labels.has_value(),
                    table.rows,
                    table.features,
                    table.values,
                    table.places,
                    table.offsets};
  put(out, fixed);
  put_texts(out, table.names);
  put_texts(out, table.notes);
  if (table.labels) put_texts(out, *table.labels);
  return out;
}

/// A child whose memory a damaged file spoilt may have sent anything.
class Unpacker {
 public:
  Unpacker(std::string_view text, const std::string& failure) : text_(text), failure_(failure) {}

  template <class T>
  T get() {
    T value;
    need(sizeof value);
    std::memcpy(&value, text_.data(), sizeof value);
    text_.remove_prefix(sizeof value);
    return value;
  }
  std::vector<std::string> texts() {
    const auto count = get<std::uint64_t>();
    need(count);
    std::vector<std::string> all;
    for (std::uint64_t i = 0; i < count; ++i) {
      const auto length = get<std::uint64_t>();
      need(length);
      all.emplace_back(text_.substr(0, length));
      text_.remove_prefix(length);
    }
    return all;
  }
  [[noreturn]] void fail() const { throw Error(failure_, "was it written or copied completely?"); }

 private:
  void need(std::uint64_t bytes) const {
    if (bytes > text_.size()) fail();
  }
  std::string_view text_;
  const std::string& failure_;
};

Dataset make_values(const Fixed& fixed, const SharedMemory::Mapping& memory,
                    const Unpacker& unpacker, const std::string& path, std::size_t file_bytes) {
  using Layout = StoredTable::Layout;
  const auto layout = static_cast<Layout>(fixed.layout);
  const auto type = static_cast<ValueType>(fixed.type);
  const std::byte* const values = memory.at(fixed.values);
  if (values == nullptr || type > ValueType::f64 || layout > Layout::by_columns) unpacker.fail();
  const std::size_t size = size_of(type);
  if (layout == Layout::dense) {
    if (count_bytes(std::array{fixed.rows, fixed.features}, size) != fixed.values.bytes)
      unpacker.fail();
    return Dataset(MatrixView{values, fixed.rows, fixed.features, fixed.features * size, type},
                   memory.data);
  }
  check_sparse_shape(fixed.rows, fixed.features, file_bytes, path);
  const bool by_rows = layout == Layout::by_rows;
  const std::size_t stored = fixed.values.bytes / size;
  const auto* const places = reinterpret_cast<const std::uint32_t*>(memory.at(fixed.places));
  const auto* const offsets = reinterpret_cast<const std::uint64_t*>(memory.at(fixed.offsets));
  const std::uint64_t lines = by_rows ? fixed.rows : fixed.features;
  if (places == nullptr || offsets == nullptr || fixed.places.bytes != stored * sizeof *places ||
      fixed.offsets.bytes != (lines + 1) * sizeof *offsets)
    unpacker.fail();
  for (std::uint64_t i = 0; i < lines; ++i)
    if (offsets[i] > offsets[i + 1]) unpacker.fail();
  if (offsets[lines] > stored) unpacker.fail();
  const SparseLines arrays{{offsets, lines + 1}, {places, stored}, values, type};
  return by_rows ? sparse_by_rows(arrays, fixed.features, memory.data, path)
                 : sparse_by_columns(arrays, fixed.rows, path);
}

}  // namespace

Dataset read_stored_table(const std::string& path,
                          const std::function<StoredTable(SharedMemory&)>& find) {
  const std::size_t file_bytes = MappedFile(path).size();  // says it well when there is no file
  SharedMemory memory(justified_bytes(file_bytes));
  const Isolation isolation{
      path, fmt::format("{} is damaged: the HDF5 library could not read it", path), file_bytes};
  const std::string answer = run_isolated(isolation, [&] { return pack(find(memory)); });

  Unpacker unpacker(answer, isolation.failure);
  const Fixed fixed = unpacker.get<Fixed>();
  Dataset data = make_values(fixed, memory.map(), unpacker, path, file_bytes);
  data.names = unpacker.texts();
  data.notes = unpacker.texts();
  if (fixed.has_labels) {
    const std::vector<std::string> labels = unpacker.texts();
    if (labels.size() != data.rows())
      throw Error(fmt::format("{} has {} labels, but {} rows", path, labels.size(), data.rows()),
                  "give one label per row");
    data.labels = make_labels(labels);
  }
  if (!data.names.empty() && data.names.size() != data.features())
    throw Error(
        fmt::format("{} has {} names, but {} features", path, data.names.size(), data.features()));
  data.source = path;
  return data;
}

}  // namespace quickselection
