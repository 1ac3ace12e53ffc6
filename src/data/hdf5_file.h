// src/data/hdf5_file.h: reading arrays and texts out of an HDF5 file. The only header of HDF5's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "quickselection/dataset.h"

namespace quickselection {

/// True when the bytes begin as an HDF5 file does.
bool is_hdf5(std::string_view head);

class Hdf5File {
 public:
  /// Throws Error when it is no readable HDF5 file.
  explicit Hdf5File(const std::string& path);
  ~Hdf5File();
  Hdf5File(const Hdf5File&) = delete;
  Hdf5File& operator=(const Hdf5File&) = delete;

  struct Array {
    std::string name;                ///< path within the file, without the first slash
    std::vector<std::size_t> shape;  ///< in C order; empty for a single value
    std::optional<ValueType> type;   ///< nothing when it is no array of real numbers
    bool is_text = false;
  };

  bool has(const std::string& name) const;
  bool is_group(const std::string& name) const;

  /// All arrays of the file, in the order of their names.
  std::vector<Array> arrays() const;
  Array array(const std::string& name) const;

  /// The values, the first dimension being the rows. With `by_columns` the file holds the
  /// transpose, as MATLAB writes it: the last dimension is the rows.
  Dataset values(const std::string& name, bool by_columns = false) const;

  /// A one-dimensional array of texts or numbers, each as text.
  std::vector<std::string> texts(const std::string& name) const;

  /// The text in an object's attribute, or nothing.
  std::optional<std::string> attribute(const std::string& name, const std::string& key) const;

  const std::string& path() const { return path_; }

 private:
  [[noreturn]] void fail(const std::string& name, const std::string& what) const;
  void check_size(std::int64_t dataset, const Array& array) const;

  struct Silence;
  std::string path_;
  std::unique_ptr<Silence> silence_;
  std::int64_t file_ = -1;
};

}  // namespace quickselection
