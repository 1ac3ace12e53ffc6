// src/data/dataset/find_column.cpp: see find_column.h.
#include "data/dataset/find_column.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <memory>
#include <utility>

#include "core/iota.h"
#include "core/options.h"
#include "data/dataset/subset.h"
#include "quickselection/error.h"

namespace quickselection {

std::size_t resolve_column(const std::string& spec, const std::vector<std::string>& names,
                           std::size_t columns, std::string_view option) {
  const auto named = std::find(names.begin(), names.end(), spec);
  if (named != names.end()) return static_cast<std::size_t>(named - names.begin());
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(spec.data(), spec.data() + spec.size(), number);
  const bool whole = error == std::errc() && end == spec.data() + spec.size();
  const auto count = static_cast<std::int64_t>(columns);
  if (whole && number >= -count && number < count)
    return static_cast<std::size_t>(number < 0 ? number + count : number);
  if (whole)
    throw InvalidArgument(
        fmt::format("‹{}› is {}, but there are {} columns", option, spec, columns),
        fmt::format("columns are counted from 0 to {}; -1 is the last", count - 1));
  const std::string near = closest(spec, names);
  throw InvalidArgument(
      fmt::format("‹{}› is '{}', but no column and no file has that name", option, spec),
      near.empty() ? "give a column's name or its number, counted from 0"
                   : fmt::format("did you mean '{}'?", near));
}

void take_label_column(Dataset& data, std::size_t column) {
  const std::size_t rows = data.rows(), kept = data.features() - 1, size = size_of(data.type());
  if (kept == 0)
    throw Error(fmt::format("{} has no column left for features", data.source),
                "its only column is the labels");
  std::vector<std::string> texts;
  texts.reserve(rows);
  for (std::size_t r = 0; r < rows; ++r) texts.push_back(fmt::format("{}", data.at(r, column)));

  if (data.is_sparse()) {
    std::vector<std::uint32_t> others = iota(data.features());
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(column));
    data = copy_columns(data, others);
    data.labels = make_labels(texts);
    return;
  }
  MatrixView view = data.values();
  view.features = kept;
  auto whole = std::make_shared<const Dataset>(data);  // keeps the memory behind the view
  std::shared_ptr<const void> owner = whole;
  Backing backing = data.backing();
  if (column == 0) {
    view.data += size;
  } else if (column != kept) {
    auto copy = std::make_shared<std::vector<std::byte>>(rows * kept * size);
    for (std::size_t r = 0; r < rows; ++r) {
      std::byte* out = copy->data() + r * kept * size;
      std::memcpy(out, view.row(r), column * size);
      std::memcpy(out + column * size, view.row(r) + (column + 1) * size, (kept - column) * size);
    }
    view.data = copy->data();
    view.row_bytes = kept * size;
    owner = std::move(copy);
    backing = Backing::memory;
  }
  Dataset rest(view, std::move(owner), backing);
  rest.names = data.names;
  if (!rest.names.empty())
    rest.names.erase(rest.names.begin() + static_cast<std::ptrdiff_t>(column));
  rest.labels = make_labels(texts);
  rest.source = data.source;
  rest.notes = data.notes;
  data = std::move(rest);
}

}  // namespace quickselection
