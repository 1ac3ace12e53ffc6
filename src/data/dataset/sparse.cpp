// src/data/dataset/sparse.cpp: see sparse.h.
#include "data/dataset/sparse.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <numeric>
#include <type_traits>
#include <utility>

#include "core/processes/limits.h"
#include "quickselection/error.h"

namespace quickselection {
namespace {

constexpr const char* kHint = "was it written or copied completely?";

/// Arrays that are still being made.
struct Arrays {
  std::vector<std::uint64_t> offsets;
  std::vector<std::uint32_t> columns;
  std::vector<std::byte> values;
};

[[noreturn]] void damaged(const std::string& name, const std::string& what) {
  throw Error(fmt::format("{} is damaged: {}", name, what), kHint);
}

template <class T>
T load(const std::byte* values, std::size_t i) {
  T value;
  std::memcpy(&value, values + i * sizeof value, sizeof value);
  return value;
}

template <class T>
bool add(T& sum, T value) {
  if constexpr (std::is_integral_v<T>) return !__builtin_add_overflow(sum, value, &sum);
  sum += value;
  return true;
}

bool ascend(std::span<const std::uint64_t> offsets, const std::uint32_t* columns) {
  for (std::size_t r = 0; r + 1 < offsets.size(); ++r)
    for (std::uint64_t i = offsets[r] + 1; i < offsets[r + 1]; ++i)
      if (columns[i] <= columns[i - 1]) return false;
  return true;
}

/// A value of a row: its column, and where it stands in the row.
using Place = std::pair<std::uint32_t, std::uint64_t>;

/// The row's places by column; those of one column stay in the file's order.
void sort_places(std::span<const std::uint32_t> columns, std::vector<Place>& places) {
  places.clear();
  for (std::size_t i = 0; i < columns.size(); ++i) places.emplace_back(columns[i], i);
  std::sort(places.begin(), places.end());
}

/// Sorts each row by column and adds up values of the same place, in place.
template <class T>
void put_in_order(Arrays& arrays, const std::string& name) {
  std::vector<Place> places;
  std::vector<T> row;
  std::uint64_t end = 0, next = arrays.offsets[0];
  for (std::size_t r = 0; r + 1 < arrays.offsets.size(); ++r) {
    const std::uint64_t begin = next;
    next = arrays.offsets[r + 1];
    row.clear();
    for (std::uint64_t i = begin; i < next; ++i) row.push_back(load<T>(arrays.values.data(), i));
    sort_places(std::span(arrays.columns).subspan(begin, next - begin), places);
    arrays.offsets[r] = end;
    for (std::size_t i = 0; i < places.size();) {
      const std::uint32_t column = places[i].first;
      T sum = row[places[i].second];
      for (++i; i < places.size() && places[i].first == column; ++i)
        if (!add(sum, row[places[i].second]))
          throw Error(fmt::format("{}: the values given for row {}, column {} add up to more than "
                                  "their type {} holds",
                                  name, r, column, name_of(value_type_of<T>())),
                      "give one value for each place");
      arrays.columns[end] = column;
      std::memcpy(arrays.values.data() + end * sizeof(T), &sum, sizeof(T));
      ++end;
    }
  }
  arrays.offsets.back() = end;
  arrays.columns.resize(end);
  arrays.values.resize(end * sizeof(T));
}

Dataset finish(Arrays made, ValueType type, std::size_t features, const std::string& name) {
  if (!ascend(made.offsets, made.columns.data()))
    visit_type(type, [&]<class T>() { put_in_order<T>(made, name); });
  auto owner = std::make_shared<const Arrays>(std::move(made));
  return Dataset(SparseView{owner->offsets.data(), owner->columns.data(), owner->values.data(),
                            owner->offsets.size() - 1, features, type},
                 owner);
}

/// Row offsets from the row of each value.
std::vector<std::uint64_t> count_rows(std::span<const std::uint32_t> value_rows, std::size_t rows,
                                      const std::string& name) {
  std::vector<std::uint64_t> offsets(rows + 1);
  for (const std::uint32_t row : value_rows) {
    if (row >= rows) damaged(name, fmt::format("it has a value in row {}, but {} rows", row, rows));
    ++offsets[row + 1];
  }
  std::partial_sum(offsets.begin(), offsets.end(), offsets.begin());
  return offsets;
}

// What is known not to be negative.
template <class T>
std::uint64_t natural(T value) {
  return static_cast<std::uint64_t>(value);
}

}  // namespace

Dataset sparse_by_rows(const SparseLines& lines, std::size_t features,
                       std::shared_ptr<const void> owner, const std::string& name) {
  const std::size_t rows = lines.offsets.size() - 1;
  for (std::size_t r = 0; r < rows; ++r)
    for (std::uint64_t i = lines.offsets[r]; i < lines.offsets[r + 1]; ++i)
      if (lines.places[i] >= features)
        damaged(name, fmt::format("row {} has a value in column {}, but there are {} columns", r,
                                  lines.places[i], features));
  if (ascend(lines.offsets, lines.places.data()))
    return Dataset(SparseView{lines.offsets.data(), lines.places.data(), lines.values, rows,
                              features, lines.type},
                   std::move(owner));
  const std::size_t stored = lines.places.size() * size_of(lines.type);
  Arrays copy{{lines.offsets.begin(), lines.offsets.end()},
              {lines.places.begin(), lines.places.end()},
              {lines.values, lines.values + stored}};
  return finish(std::move(copy), lines.type, features, name);
}

Dataset sparse_by_columns(const SparseLines& lines, std::size_t rows, const std::string& name) {
  const std::size_t features = lines.offsets.size() - 1, size = size_of(lines.type);
  const std::uint64_t first = lines.offsets.front(), last = lines.offsets.back();
  Arrays made;
  made.offsets = count_rows(lines.places.subspan(first, last - first), rows, name);
  made.columns.resize(last - first);
  made.values.resize((last - first) * size);
  std::vector<std::uint64_t> next(made.offsets.begin(), made.offsets.end() - 1);
  for (std::size_t f = 0; f < features; ++f)
    for (std::uint64_t i = lines.offsets[f]; i < lines.offsets[f + 1]; ++i) {
      const std::uint64_t to = next[lines.places[i]]++;
      made.columns[to] = static_cast<std::uint32_t>(f);
      std::memcpy(made.values.data() + to * size, lines.values + i * size, size);
    }
  return finish(std::move(made), lines.type, features, name);
}

Dataset sparse_by_places(std::span<const std::uint32_t> value_rows,
                         std::span<const std::uint32_t> value_columns, const std::byte* values,
                         ValueType type, std::size_t rows, std::size_t features,
                         const std::string& name) {
  const std::size_t size = size_of(type);
  Arrays made;
  made.offsets = count_rows(value_rows, rows, name);
  made.columns.resize(value_columns.size());
  made.values.resize(value_columns.size() * size);
  std::vector<std::uint64_t> next(made.offsets.begin(), made.offsets.end() - 1);
  for (std::size_t i = 0; i < value_columns.size(); ++i) {
    if (value_columns[i] >= features)
      damaged(name, fmt::format("row {} has a value in column {}, but there are {} columns",
                                value_rows[i], value_columns[i], features));
    const std::uint64_t to = next[value_rows[i]]++;
    made.columns[to] = value_columns[i];
    std::memcpy(made.values.data() + to * size, values + i * size, size);
  }
  return finish(std::move(made), type, features, name);
}

void make_places(const std::byte* from, ValueType type, std::size_t count, std::size_t limit,
                 std::uint32_t* to, const std::string& name) {
  if (is_floating(type)) damaged(name, "the places of its values are not integers");
  visit_type(type, [&]<class T>() {
    for (std::size_t i = 0; i < count; ++i) {
      const T place = load<T>(from, i);
      if (!(place >= T{0} && natural(place) < limit))
        damaged(name, fmt::format("place {} of value {} is not within its {}", place, i, limit));
      to[i] = static_cast<std::uint32_t>(natural(place));
    }
  });
}

void make_offsets(const std::byte* from, ValueType type, std::size_t count, std::size_t stored,
                  std::uint64_t* to, const std::string& name) {
  if (is_floating(type)) damaged(name, "its offsets are not integers");
  visit_type(type, [&]<class T>() {
    std::uint64_t least = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const T offset = load<T>(from, i);
      if (!(offset >= T{0}) || natural(offset) < least || natural(offset) > stored)
        damaged(name, fmt::format("offset {} is {}, but must lie from {} to {}", i, offset, least,
                                  stored));
      to[i] = least = natural(offset);
    }
  });
}

void check_sparse_shape(std::size_t rows, std::size_t features, std::size_t file_bytes,
                        const std::string& name) {
  if (rows == 0 || features == 0)
    throw Error(fmt::format("{} holds no values: it is {} x {}", name, rows, features));
  constexpr std::size_t kLimit = std::numeric_limits<std::uint32_t>::max();
  const std::size_t most = std::min(kLimit, justified_bytes(file_bytes) / sizeof(std::uint64_t));
  if (rows > most || features > most)
    damaged(name, fmt::format("{} x {} values cannot come from a file of {} bytes", rows, features,
                              file_bytes));
}

}  // namespace quickselection
