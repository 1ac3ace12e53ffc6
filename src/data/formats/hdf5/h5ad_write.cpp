// src/data/formats/hdf5/h5ad_write.cpp: writes AnnData files.
//
// HDF5 runs in a process of its own here too: it then never lives in the process of the caller,
// who may use another copy of it (Python's h5py).
#include <fmt/format.h>
#include <hdf5.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "core/files/atomic_file.h"
#include "core/processes/isolated.h"
#include "data/dataset/subset.h"
#include "data/formats/format.h"
#include "data/formats/hdf5/hdf5_types.h"
#include "quickselection/error.h"

namespace quickselection {
namespace {

constexpr std::size_t kPieceBytes = std::size_t{4} << 20;

class Hdf5Writer {
 public:
  Hdf5Writer(const std::string& file, const std::string& path) : path_(path) {
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
    const Hdf5Handle access(check(H5Pcreate(H5P_FILE_ACCESS)), H5Pclose);
    check(H5Pset_file_locking(access, false, true));  // AtomicFile has locked it
    file_ = check(H5Fcreate(file.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access));
    text_ = check(H5Tcopy(H5T_C_S1));
    check(H5Tset_size(text_, H5T_VARIABLE));
    check(H5Tset_cset(text_, H5T_CSET_UTF8));
  }

  hid_t check(hid_t id) const {
    if (id < 0)
      throw Error(fmt::format("cannot write {}: the HDF5 library failed", path_),
                  "is there room on the disk?");
    return id;
  }
  void group(const std::string& name, const char* encoding, const char* version) const {
    const Hdf5Handle made(
        check(H5Gcreate2(file_, name.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT)), H5Gclose);
    describe(name, encoding, version);
  }
  void describe(const std::string& name, const char* encoding, const char* version) const {
    text_attribute(name, "encoding-type", encoding);
    text_attribute(name, "encoding-version", version);
  }
  void text_attribute(const std::string& name, const char* key, const char* value) const {
    const Hdf5Handle space(check(H5Screate(H5S_SCALAR)), H5Sclose);
    attribute(name, key, text_, text_, space, &value);
  }
  void texts_attribute(const std::string& name, const char* key,
                       const std::vector<const char*>& values) const {
    const hsize_t count = values.size();
    const Hdf5Handle space(check(H5Screate_simple(1, &count, nullptr)), H5Sclose);
    const char* const nothing = "";
    attribute(name, key, text_, text_, space, values.empty() ? &nothing : values.data());
  }
  void attribute(const std::string& name, const char* key, hid_t type, hid_t memory, hid_t space,
                 const void* value) const {
    const Hdf5Handle made(check(H5Acreate_by_name(file_, name.c_str(), key, type, space,
                                                  H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT)),
                          H5Aclose);
    check(H5Awrite(made, memory, value));
  }
  /// An array that is filled piece by piece with write_part.
  hid_t create(const std::string& name, hid_t type, std::vector<hsize_t> shape) const {
    const Hdf5Handle space(
        check(H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr)), H5Sclose);
    const Hdf5Handle properties(check(H5Pcreate(H5P_DATASET_CREATE)), H5Pclose);
    // The time of writing would make two files of the same data differ.
    check(H5Pset_obj_track_times(properties, false));
    return check(
        H5Dcreate2(file_, name.c_str(), type, space, H5P_DEFAULT, properties, H5P_DEFAULT));
  }
  /// Slices [first, first + count[0]) of the first dimension.
  void write_part(hid_t dataset, hid_t type, std::size_t first, std::vector<hsize_t> count,
                  const void* values) const {
    if (count[0] == 0) return;
    std::vector<hsize_t> start(count.size(), 0);
    start[0] = first;
    const Hdf5Handle space(check(H5Dget_space(dataset)), H5Sclose),
        part(check(H5Screate_simple(static_cast<int>(count.size()), count.data(), nullptr)),
             H5Sclose);
    check(H5Sselect_hyperslab(space, H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr));
    check(H5Dwrite(dataset, type, part, space, H5P_DEFAULT, values));
    check(H5Dflush(dataset));  // what closing finds cannot be told any more
  }
  template <class T>
  void numbers(const std::string& name, const std::vector<T>& values) const {
    const hid_t type = hdf5_native(value_type_of<T>());
    const Hdf5Handle made(create(name, type, {values.size()}), H5Dclose);
    write_part(made, type, 0, {values.size()}, values.data());
  }
  void texts(const std::string& name, const std::vector<std::string>& values) const {
    std::vector<const char*> pointers;
    pointers.reserve(values.size());
    for (const std::string& value : values) pointers.push_back(value.c_str());
    const Hdf5Handle made(create(name, text_, {values.size()}), H5Dclose);
    write_part(made, text_, 0, {values.size()}, pointers.data());
    describe(name, "string-array", "0.2.0");
  }
  void finish() const { check(H5Fclose(file_)); }

 private:
  const std::string& path_;
  hid_t file_ = -1, text_ = -1;
};

void write_dense(const Hdf5Writer& file, const SelectedRows& rows) {
  const Dataset& data = rows.data();
  const std::size_t columns = rows.columns().size(), bytes = rows.row_bytes();
  const hid_t type = hdf5_native(data.type());
  const Hdf5Handle array(file.create("X", type, {data.rows(), columns}), H5Dclose);
  const std::size_t together = std::clamp<std::size_t>(kPieceBytes / bytes, 1, data.rows());
  std::vector<std::byte> piece(together * bytes);
  for (std::size_t first = 0; first < data.rows(); first += together) {
    const std::size_t count = std::min(together, data.rows() - first);
    for (std::size_t r = 0; r < count; ++r) rows.copy_row(first + r, piece.data() + r * bytes);
    file.write_part(array, type, first, {count, columns}, piece.data());
  }
  file.describe("X", "array", "0.2.0");
}

void write_sparse(const Hdf5Writer& file, SelectedRows& rows) {
  const Dataset& data = rows.data();
  const std::size_t stored = rows.count_stored(), size = size_of(data.type());
  file.group("X", "csr_matrix", "0.1.0");
  const std::int64_t shape[] = {static_cast<std::int64_t>(data.rows()),
                                static_cast<std::int64_t>(rows.columns().size())};
  const hsize_t two = 2;
  const Hdf5Handle space(H5Screate_simple(1, &two, nullptr), H5Sclose);
  file.attribute("X", "shape", H5T_NATIVE_INT64, H5T_NATIVE_INT64, space, shape);
  const hid_t type = hdf5_native(data.type());
  const Hdf5Handle values(file.create("X/data", type, {stored}), H5Dclose);
  const Hdf5Handle places(file.create("X/indices", H5T_NATIVE_INT32, {stored}), H5Dclose);
  std::vector<std::int64_t> offsets{0};
  std::vector<std::uint32_t> piece_places;
  std::vector<std::byte> piece_values;
  std::size_t written = 0;
  const auto flush = [&] {
    file.write_part(values, type, written, {piece_places.size()}, piece_values.data());
    file.write_part(places, H5T_NATIVE_UINT32, written, {piece_places.size()}, piece_places.data());
    written += piece_places.size();
    piece_places.clear();
    piece_values.clear();
  };
  for (std::size_t r = 0; r < data.rows(); ++r) {
    const SelectedRows::Stored row = rows.stored_row(r);
    piece_places.insert(piece_places.end(), row.columns.begin(), row.columns.end());
    piece_values.insert(piece_values.end(), row.values, row.values + row.columns.size() * size);
    offsets.push_back(offsets.back() + static_cast<std::int64_t>(row.columns.size()));
    if (piece_values.size() > kPieceBytes) flush();
  }
  flush();
  file.numbers("X/indptr", offsets);
}

void write_labels(const Hdf5Writer& file, const Labels& labels) {
  file.group("obs/label", "categorical", "0.2.0");
  const Hdf5Handle space(H5Screate(H5S_SCALAR), H5Sclose),
      boolean(H5Tenum_create(H5T_NATIVE_INT8), H5Tclose);
  const std::int8_t no = 0, yes = 1;  // as h5py stores bool
  file.check(H5Tenum_insert(boolean, "FALSE", &no));
  file.check(H5Tenum_insert(boolean, "TRUE", &yes));
  file.attribute("obs/label", "ordered", boolean, boolean, space, &no);
  file.numbers("obs/label/codes", labels.codes);
  file.describe("obs/label/codes", "array", "0.2.0");
  file.texts("obs/label/categories", labels.classes);
}

void write_table(const Hdf5Writer& file, const char* name, const std::vector<std::string>& index,
                 const std::vector<const char*>& columns) {
  file.group(name, "dataframe", "0.2.0");
  file.text_attribute(name, "_index", "_index");
  file.texts_attribute(name, "column-order", columns);
  file.texts(std::string(name) + "/_index", index);
}

void write_all(const std::string& temporary, const std::string& path, const Dataset& data,
               std::span<const std::uint32_t> columns) {
  const Hdf5Writer file(temporary, path);
  file.describe("/", "anndata", "0.1.0");
  SelectedRows rows(data, columns);
  if (data.is_sparse())
    write_sparse(file, rows);
  else
    write_dense(file, rows);
  std::vector<std::string> cells, names;
  for (std::size_t r = 0; r < data.rows(); ++r) cells.push_back(std::to_string(r));
  for (const std::uint32_t column : columns) names.push_back(data.name(column));
  write_table(file, "obs", cells,
              data.labels ? std::vector<const char*>{"label"} : std::vector<const char*>{});
  write_table(file, "var", names, {});
  if (data.labels) write_labels(file, *data.labels);
  for (const char* const empty : {"layers", "obsm", "obsp", "uns", "varm", "varp"})
    file.group(empty, "dict", "0.1.0");
  file.finish();
}

}  // namespace

void write_h5ad(const std::string& path, const Dataset& data,
                std::span<const std::uint32_t> columns) {
  AtomicFile file(path);
  const Isolation isolation{path, fmt::format("cannot write {}: the HDF5 library failed", path)};
  const std::string temporary = file.temporary();
  run_isolated(isolation, [&] {
    write_all(temporary, path, data, columns);
    return std::string();
  });
  file.commit();
}

}  // namespace quickselection
