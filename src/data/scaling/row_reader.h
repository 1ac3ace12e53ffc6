// src/data/scaling/row_reader.h: chosen rows and columns of a data set as floats, scaled or as
// stored. Everything but training reads values in this way, with the arithmetic of its tiles.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/team.h"
#include "data/scaling/scaler.h"
#include "quickselection/dataset.h"

namespace quickselection {

/// Chosen rows of a data set, in the order given, scaled when there is a scaler.
struct RowsView {
  const Dataset* data = nullptr;
  std::span<const std::uint32_t> rows;  ///< none = all
  const Scaler* scaler = nullptr;

  std::size_t size() const { return rows.empty() ? data->rows() : rows.size(); }
  std::size_t operator[](std::size_t i) const { return rows.empty() ? i : rows[i]; }
};

/// Reads a row at a time: the data is never converted as a whole, and sparse rows are filled up.
/// What is viewed and the columns must outlive it. Threads may share it.
class RowReader {
 public:
  explicit RowReader(const RowsView& from);
  /// Distinct columns in any order.
  RowReader(const RowsView& from, std::span<const std::uint32_t> columns);

  const RowsView& from() const { return from_; }
  std::size_t rows() const { return from_.size(); }
  std::size_t columns() const { return width_; }

  /// Columns [places.begin, places.end) of row i, both counted among the chosen ones.
  void read(std::size_t i, Range places, float* out) const noexcept;
  void read(std::size_t i, float* out) const noexcept { read(i, {0, width_}, out); }

  /// The same for rows that no scaler was fitted on. Throws Error naming row, feature and value
  /// when one is not finite or does not fit a 32-bit float.
  void read_checked(std::size_t i, Range places, float* out) const;
  void read_checked(std::size_t i, float* out) const { read_checked(i, {0, width_}, out); }

  /// All rows at once, checked: (rows, columns), or the columns of `places` as (columns, rows).
  std::vector<float> gather(Team& team) const;
  std::vector<float> gather_columns(Range places, Team& team) const;

 private:
  std::size_t feature(std::size_t place) const {
    return listed_.empty() ? first_ + place : listed_[place];
  }
  void find_zeros();
  template <class T>
  void read_as(std::size_t row, Range places, float* out) const;
  [[noreturn]] void refuse(std::size_t row, std::size_t feature) const;

  RowsView from_;
  std::size_t width_ = 0;
  std::size_t first_ = 0;                  // columns that follow each other need no list
  std::span<const std::uint32_t> listed_;  // the others
  std::vector<float> zeros_;               // of sparse data: what 0 becomes, for each column
  std::vector<std::uint32_t> places_;      // of sparse data: of each feature among those listed
};

}  // namespace quickselection
