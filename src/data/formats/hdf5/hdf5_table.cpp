// src/data/formats/hdf5/hdf5_table.cpp: see hdf5_table.h.
#include "data/formats/hdf5/hdf5_table.h"

#include <fmt/format.h>

#include <array>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/processes/limits.h"
#include "data/dataset/sparse.h"
#include "data/formats/arrays.h"
#include "data/io/mapped_file.h"
#include "quickselection/error.h"

namespace quickselection {

// How the child tells it to its parent.
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(SharedMemory::Block, offset, bytes)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(StoredTable, layout, type, rows, features, values, places,
                                   offsets, names, notes, labels)

namespace {

/// Calls fail() when what the table says cannot be.
Dataset make_values(const StoredTable& table, const SharedMemory::Mapping& memory,
                    const std::string& path, std::size_t file_bytes, const auto& fail) {
  using Layout = StoredTable::Layout;
  const std::byte* const values = memory.at(table.values);
  if (values == nullptr || table.type > ValueType::f64 || table.layout > Layout::by_columns) fail();
  const std::size_t size = size_of(table.type);
  if (table.layout == Layout::dense) {
    if (count_bytes(std::array{table.rows, table.features}, size) != table.values.bytes) fail();
    return Dataset(
        MatrixView{values, table.rows, table.features, table.features * size, table.type},
        memory.data);
  }
  check_sparse_shape(table.rows, table.features, file_bytes, path);
  const bool by_rows = table.layout == Layout::by_rows;
  const std::size_t stored = table.values.bytes / size;
  const auto* const places = reinterpret_cast<const std::uint32_t*>(memory.at(table.places));
  const auto* const offsets = reinterpret_cast<const std::uint64_t*>(memory.at(table.offsets));
  const std::uint64_t lines = by_rows ? table.rows : table.features;
  if (places == nullptr || offsets == nullptr || table.places.bytes != stored * sizeof *places ||
      table.offsets.bytes != (lines + 1) * sizeof *offsets)
    fail();
  for (std::uint64_t i = 0; i < lines; ++i)
    if (offsets[i] > offsets[i + 1]) fail();
  if (offsets[lines] > stored) fail();
  const SparseLines arrays{{offsets, lines + 1}, {places, stored}, values, table.type};
  return by_rows ? sparse_by_rows(arrays, table.features, memory.data, path)
                 : sparse_by_columns(arrays, table.rows, path);
}

}  // namespace

Dataset read_stored_table(const std::string& path,
                          const std::function<StoredTable(SharedMemory&)>& find) {
  const std::size_t file_bytes = MappedFile(path).size();  // says it well when there is no file
  SharedMemory memory(justified_bytes(file_bytes));
  const Isolation isolation{
      path, fmt::format("{} is damaged: the HDF5 library could not read it", path), file_bytes};
  const std::string answer = run_isolated(isolation, [&] {
    // Not text: names need not be UTF-8.
    const std::vector<std::uint8_t> bytes = nlohmann::json::to_cbor(find(memory));
    return std::string(bytes.begin(), bytes.end());
  });

  const auto fail = [&] { throw Error(isolation.failure, "was it written or copied completely?"); };
  StoredTable table;
  try {
    // A child whose memory a damaged file spoilt may have sent anything.
    table = nlohmann::json::from_cbor(answer).get<StoredTable>();
  } catch (const nlohmann::json::exception&) {
    fail();
  }
  Dataset data = make_values(table, memory.map(), path, file_bytes, fail);
  data.names = std::move(table.names);
  data.notes = std::move(table.notes);
  if (!table.labels.empty()) {
    if (table.labels.size() != data.rows())
      throw Error(
          fmt::format("{} has {} labels, but {} rows", path, table.labels.size(), data.rows()),
          "give one label per row");
    data.labels = make_labels(table.labels);
  }
  if (!data.names.empty() && data.names.size() != data.features())
    throw Error(
        fmt::format("{} has {} names, but {} features", path, data.names.size(), data.features()));
  data.source = path;
  return data;
}

}  // namespace quickselection
