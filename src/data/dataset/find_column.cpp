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
#include "core/text/options.h"
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
  throw InvalidArgument(fmt::format("‹{}› is '{}', but no column{} has that name", option, spec,
                                    option == "label" ? " and no file" : ""),
                        near.empty() ? "give a column's name or its number, counted from 0"
                                     : fmt::format("did you mean '{}'?", near));
}

namespace {

/// A name in which * stands for any text and ? for one character.
bool fits(std::string_view name, std::string_view pattern) {
  std::size_t n = 0, p = 0, star = std::string_view::npos, taken = 0;
  while (n < name.size()) {
    const char wanted = p < pattern.size() ? pattern[p] : '\0';
    if (p < pattern.size() && wanted == '*') {
      star = p++;
      taken = n;
    } else if (p < pattern.size() && (wanted == '?' || wanted == name[n])) {
      ++n;
      ++p;
    } else if (star != std::string_view::npos) {  // the last * takes one character more
      p = star + 1;
      n = ++taken;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', p) == std::string_view::npos;
}

/// Marks the columns that a part of a list names.
void mark(const std::string& part, const std::vector<std::string>& names, std::string_view option,
          std::vector<bool>& marked) {
  const bool exact = std::find(names.begin(), names.end(), part) != names.end();
  if (!exact && part.find_first_of("*?") != std::string::npos) {
    bool any = false;
    for (std::size_t i = 0; i < names.size(); ++i)
      if (fits(names[i], part)) marked[i] = any = true;
    if (!any)
      throw InvalidArgument(
          fmt::format("‹{}› has '{}', but no column's name fits it", option, part),
          "* stands for any text, ? for one character");
    return;
  }
  // A name may hold a hyphen itself, so a range is what has a column on either side of one.
  for (std::size_t dash = part.find('-', 1); !exact && dash < part.size() - 1;
       dash = part.find('-', dash + 1)) {
    const auto known = [&](const std::string& text) {
      return std::find(names.begin(), names.end(), text) != names.end() ||
             text.find_first_not_of("0123456789") == std::string::npos;
    };
    const std::string from = part.substr(0, dash), to = part.substr(dash + 1);
    if (!known(from) || !known(to)) continue;
    const std::size_t first = resolve_column(from, names, marked.size(), option);
    const std::size_t last = resolve_column(to, names, marked.size(), option);
    if (first > last)
      throw InvalidArgument(
          fmt::format("‹{}› has the range '{}', which ends before it begins", option, part));
    std::fill(marked.begin() + static_cast<std::ptrdiff_t>(first),
              marked.begin() + static_cast<std::ptrdiff_t>(last) + 1, true);
    return;
  }
  marked[resolve_column(part, names, marked.size(), option)] = true;
}

std::vector<bool> columns_in(const std::string& list, const std::vector<std::string>& names,
                             std::size_t columns, std::string_view option) {
  std::vector<bool> marked(columns);
  bool any = false;
  for (std::size_t begin = 0; begin <= list.size();) {
    const std::size_t end = std::min(list.find(',', begin), list.size());
    std::string part = list.substr(begin, end - begin);
    part.erase(0, std::min(part.find_first_not_of(' '), part.size()));
    part.erase(part.find_last_not_of(' ') + 1);
    if (!part.empty()) mark(part, names, option, marked);
    any = any || !part.empty();
    begin = end + 1;
  }
  if (!any)
    throw InvalidArgument(fmt::format("‹{}› is '{}', which names no column", option, list),
                          "for example age,x*,5-9");
  return marked;
}

}  // namespace

std::vector<bool> kept_columns(const ReadOptions& options, const std::vector<std::string>& names,
                               std::size_t columns) {
  if (options.columns.empty() && options.drop.empty()) return {};
  std::vector<bool> kept(columns, true);
  if (!options.columns.empty()) kept = columns_in(options.columns, names, columns, "columns");
  if (!options.drop.empty()) {
    const std::vector<bool> dropped = columns_in(options.drop, names, columns, "drop");
    for (std::size_t i = 0; i < columns; ++i) kept[i] = kept[i] && !dropped[i];
  }
  return kept;
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
