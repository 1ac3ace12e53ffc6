// src/data/formats/hdf5/hdf5_file.h: reading arrays and texts out of an HDF5 file.
//
// Only used in a child process (see isolated.h): the library may crash on damaged files.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "data/formats/hdf5/hdf5_table.h"
#include "quickselection/dataset.h"

namespace quickselection {

/// True when the bytes begin as an HDF5 file does.
bool is_hdf5(std::string_view head);

class Hdf5File {
 public:
  /// Throws Error when it is no readable HDF5 file.
  Hdf5File(const std::string& path, SharedMemory& memory);
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

  struct Values {
    std::vector<std::size_t> shape;  ///< the first dimension counts the rows
    ValueType type = ValueType::f32;
    SharedMemory::Block block;
  };
  /// The values. With `by_columns` the file holds the transpose, as MATLAB writes it: the last
  /// dimension is the rows, and these come first in the answer.
  Values values(const std::string& name, bool by_columns = false) const;

  /// The same as the dense values of a table.
  void take_dense(const std::string& name, bool by_columns, StoredTable& table) const;

  /// A one-dimensional array of integers, as u32 below `limit`.
  SharedMemory::Block places(const std::string& name, std::size_t limit) const;
  /// A one-dimensional array of integers that do not descend, as u64 up to `stored`.
  SharedMemory::Block offsets(const std::string& name, std::size_t stored) const;

  /// A one-dimensional array of texts or numbers, each as text.
  std::vector<std::string> texts(const std::string& name) const;

  /// The text in an object's attribute, or nothing.
  std::optional<std::string> attribute(const std::string& name, const std::string& key) const;

  /// The integers in an object's attribute, or nothing.
  std::optional<std::vector<std::size_t>> sizes(const std::string& name,
                                                const std::string& key) const;

  const std::string& path() const { return path_; }
  /// How long the file is.
  std::size_t bytes() const;

 private:
  /// An open data set whose values are in this file.
  std::int64_t open(const std::string& name) const;
  [[noreturn]] void elsewhere(const std::string& name) const;
  [[noreturn]] void fail(const std::string& name, const std::string& what) const;
  void check_size(std::int64_t dataset, const Array& array) const;

  void read_turned(std::int64_t dataset, std::int64_t memory_type, const Array& array,
                   std::byte* to) const;
  template <class To, class Take>
  SharedMemory::Block read_integers(const std::string& name, const Take& take) const;
  std::int64_t check_attribute(const std::string& name, const std::string& key,
                               std::int64_t found) const;
  template <class Result>
  Result read_attribute(const std::string& name, const std::string& key, const auto& read) const;

  std::string path_;
  SharedMemory& memory_;
  std::int64_t file_ = -1;
};

}  // namespace quickselection
