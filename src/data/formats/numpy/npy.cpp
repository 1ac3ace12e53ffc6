// src/data/formats/numpy/npy.cpp: NumPy's .npy files, mapped where their bytes can be used as they
// are.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "core/files/atomic_file.h"
#include "data/dataset/subset.h"
#include "data/formats/arrays.h"
#include "data/formats/format.h"
#include "data/formats/numpy/npy_header.h"
#include "data/io/growing_buffer.h"
#include "data/io/mapped_file.h"
#include "quickselection/error.h"

namespace quickselection {
namespace {

static_assert(std::endian::native == std::endian::little, "mapped files are little-endian");

constexpr std::array<std::string_view, 1> kNpyEndings{".npy"};

ValueType stored_type(const NpyHeader& header) {
  if (header.kind == 'b') return ValueType::u8;
  if (header.kind == 'f' && header.size == 2) return ValueType::f32;
  return *number_type(header.kind, header.size);
}

float from_half(std::uint16_t half) {
  const std::uint32_t sign = std::uint32_t{half & 0x8000u} << 16;
  const std::uint32_t exponent = (half >> 10) & 0x1fu, mantissa = half & 0x3ffu;
  if (exponent == 0) {  // zero or subnormal: mantissa * 2^-24 is exact
    const float value = static_cast<float>(mantissa) * 0x1p-24f;
    return sign != 0 ? -value : value;
  }
  const std::uint32_t wide = exponent == 31 ? 255u : exponent + (127 - 15);
  return std::bit_cast<float>(sign | (wide << 23) | (mantissa << 13));
}

/// One value in the file's bytes: swapped if need be, f2 made f32, bool made 0 or 1.
template <std::size_t size>
void convert_one(const std::byte* from, std::byte* to, const NpyHeader& header) {
  std::array<std::byte, size> bytes;
  std::memcpy(bytes.data(), from, size);
  if (header.big_endian) std::reverse(bytes.begin(), bytes.end());
  if constexpr (size == 2) {
    if (header.kind == 'f') {
      const float value = from_half(std::bit_cast<std::uint16_t>(bytes));
      std::memcpy(to, &value, sizeof value);
      return;
    }
  }
  if constexpr (size == 1) {
    if (header.kind == 'b') bytes[0] = std::byte{bytes[0] != std::byte{0}};
  }
  std::memcpy(to, bytes.data(), size);
}

/// Where feature f of row 0 stands, and how far apart two rows are, both in values.
struct Strides {
  std::vector<std::size_t> feature;
  std::size_t row;
};

Strides find_strides(const NpyHeader& header, std::size_t rows, std::size_t features) {
  Strides strides{std::vector<std::size_t>(features), header.fortran_order ? 1 : features};
  for (std::size_t f = 0; f < features; ++f) {
    strides.feature[f] = f;
    if (!header.fortran_order) continue;
    // f counts the dimensions after the first in C order; in the file they stand in Fortran order.
    std::size_t rest = f, offset = 0;
    for (std::size_t d = header.shape.size(); d-- > 1;) {
      std::size_t step = rows;
      for (std::size_t e = 1; e < d; ++e) step *= header.shape[e];
      offset += rest % header.shape[d] * step;
      rest /= header.shape[d];
    }
    strides.feature[f] = offset;
  }
  return strides;
}

template <std::size_t size>
void convert_all(const std::byte* from, std::byte* to, std::size_t to_size, std::size_t rows,
                 std::size_t features, const NpyHeader& header) {
  const Strides strides = find_strides(header, rows, features);
  constexpr std::size_t kBlock = 64;  // a block's cache lines of both sides stay in the cache
  for (std::size_t r0 = 0; r0 < rows; r0 += kBlock)
    for (std::size_t f0 = 0; f0 < features; f0 += kBlock)
      for (std::size_t r = r0; r < std::min(rows, r0 + kBlock); ++r)
        for (std::size_t f = f0; f < std::min(features, f0 + kBlock); ++f)
          convert_one<size>(from + (r * strides.row + strides.feature[f]) * size,
                            to + (r * features + f) * to_size, header);
}

Dataset read_npy(const std::string& path, const ReadOptions& options) {
  auto file = std::make_shared<const MappedFile>(path);
  Dataset data = read_npy_bytes(file->text(), file, path, Backing::file);
  take_label_option(data, options);
  return data;
}

void write_npy(const std::string& path, const Dataset& data,
               std::span<const std::uint32_t> columns) {
  AtomicFile file(path);
  file.write(make_npy_header(data.type(), data.rows(), columns.size()));
  const SelectedRows rows(data, columns);
  std::vector<std::byte> row(rows.row_bytes());
  for (std::size_t r = 0; r < data.rows(); ++r) {
    rows.copy_row(r, row.data());
    file.write(row.data(), row.size());
  }
  file.commit();
}

bool detect_npy(std::string_view head) { return head.starts_with(kNpyMagic); }

}  // namespace

const Format npy_format{.name = "npy",
                        .summary = "NumPy array of any real type, mapped into memory",
                        .endings = kNpyEndings,
                        .detect = detect_npy,
                        .read = read_npy,
                        .write = write_npy,
                        .writes_names = false,
                        .writes_labels = false,
                        .writes_sparse = false};

Dataset read_npy_bytes(std::string_view bytes, std::shared_ptr<const void> owner,
                       const std::string& name, Backing backing) {
  const NpyHeader header = parse_npy_header(bytes, name, bytes.size());
  if (header.shape.empty())
    throw Error(fmt::format("{} holds a single value, not a matrix", name),
                "rows x features are needed");
  const std::size_t rows = header.shape[0], features = count_features(header.shape);
  const ValueType type = stored_type(header);
  const std::size_t size = size_of(type);
  MatrixView view{reinterpret_cast<const std::byte*>(bytes.data()) + header.offset, rows, features,
                  features * size, type};
  const bool one_line = rows == 1 || features == 1;  // both orders are the same
  const bool as_it_is = (!header.big_endian || size == 1) && (!header.fortran_order || one_line) &&
                        header.kind != 'b' && size == header.size && header.offset % size == 0;
  if (!as_it_is) {
    auto buffer = std::make_shared<GrowingBuffer>();
    buffer->reserve(rows * features * size);
    const auto convert = header.size == 1   ? convert_all<1>
                         : header.size == 2 ? convert_all<2>
                         : header.size == 4 ? convert_all<4>
                                            : convert_all<8>;
    convert(view.data, buffer->data(), size, rows, features, header);
    view.data = buffer->data();
    owner = buffer;
  }
  Dataset data(view, std::move(owner), as_it_is ? backing : Backing::memory);
  data.source = name;
  note_shape(data, header.shape);
  return data;
}

}  // namespace quickselection
