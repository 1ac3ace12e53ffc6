// src/data/formats/numpy/npy_header.h: the head of a .npy file, and the values that follow it.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "quickselection/dataset.h"

namespace quickselection {

struct NpyHeader {
  char kind = 'f';       ///< NumPy's letter: b bool, i, u, f; S bytes, U letters of 4 bytes
  std::size_t size = 4;  ///< bytes of one value
  bool big_endian = false;
  bool fortran_order = false;
  std::vector<std::size_t> shape;
  std::size_t offset = 0;  ///< of the first value
};

inline constexpr std::string_view kNpyMagic = "\x93NUMPY";

enum class NpyContent : bool { numbers, numbers_or_texts };

/// Reads the header of versions 1 to 3. `bytes` is the file's beginning, `file_size` how long the
/// whole is. Throws Error (naming `path`) when it is damaged, or when the file is shorter than the
/// header says.
NpyHeader parse_npy_header(std::string_view bytes, const std::string& path, std::size_t file_size,
                           NpyContent content = NpyContent::numbers);

/// A version 1 header for a little-endian, C-order matrix.
std::string make_npy_header(ValueType type, std::size_t rows, std::size_t columns);
/// The same for any type and shape: "<f8", "(3,)".
std::string make_npy_header(std::string_view descr, std::string_view shape);
/// NumPy's name of a type: "<f8".
std::string npy_descr(ValueType type);

/// The values in the bytes of a .npy file, used in place where they can be: `owner` keeps them
/// alive. `name` is what messages call the file. Throws Error when it is damaged or no matrix.
Dataset read_npy_bytes(std::string_view bytes, std::shared_ptr<const void> owner,
                       const std::string& name, Backing backing = Backing::memory);

}  // namespace quickselection
