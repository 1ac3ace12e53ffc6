// src/data/dataset.cpp: the Dataset's invariants, slices and labels.
#include "quickselection/dataset.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <limits>
#include <map>
#include <utility>

#include "quickselection/error.h"

namespace quickselection {

Dataset::Dataset(MatrixView values, std::shared_ptr<const void> owner)
    : values_(values), owner_(std::move(owner)) {
  if (values_.row_bytes < values_.features * size_of(values_.type))
    throw InvalidArgument(fmt::format("rows of {} bytes cannot hold {} values of type {}",
                                      values_.row_bytes, values_.features,
                                      quickselection::name_of(values_.type)));
}

void Dataset::check_size(std::size_t have, std::size_t rows, std::size_t features) {
  if (features != 0 && rows > std::numeric_limits<std::size_t>::max() / features)
    throw InvalidArgument(
        fmt::format("{} x {} values are more than can be addressed", rows, features));
  if (have != rows * features)
    throw InvalidArgument(
        fmt::format("{} values do not make {} rows of {} features", have, rows, features));
}

double Dataset::at(std::size_t row, std::size_t feature) const {
  return visit_type(type(), [&](auto* tag) {
    std::remove_const_t<std::remove_pointer_t<decltype(tag)>> value;
    std::memcpy(&value, values_.row(row) + feature * sizeof value, sizeof value);
    return static_cast<double>(value);
  });
}

Dataset Dataset::slice_rows(std::size_t begin, std::size_t end) const {
  if (begin >= end || end > rows())
    throw InvalidArgument(fmt::format("rows {}:{} are not within the {} rows of {}", begin, end,
                                      rows(), source.empty() ? "the data" : source),
                          "rows are counted from 0, and the last one is not included");
  Dataset part = *this;
  part.values_.data = values_.row(begin);
  part.values_.rows = end - begin;
  if (labels) {
    const auto first = labels->codes.begin();
    part.labels->codes.assign(first + static_cast<std::ptrdiff_t>(begin),
                              first + static_cast<std::ptrdiff_t>(end));
  }
  return part;
}

std::string Dataset::name(std::size_t feature) const {
  return names.empty() ? std::to_string(feature) : names[feature];
}

Labels make_labels(std::span<const std::string> texts) {
  // Sort numbers as numbers, so that class 10 does not stand between 1 and 2.
  std::map<std::string, double> distinct;
  bool all_numbers = true;
  for (const std::string& text : texts) {
    double number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    all_numbers = all_numbers && error == std::errc() && end == text.data() + text.size();
    distinct.emplace(text, number);
  }
  std::vector<std::pair<double, std::string>> order;
  for (const auto& [text, number] : distinct) order.emplace_back(all_numbers ? number : 0.0, text);
  std::sort(order.begin(), order.end());

  Labels labels;
  std::map<std::string, std::int32_t> code_of;
  for (const auto& [number, text] : order) {
    code_of[text] = static_cast<std::int32_t>(labels.classes.size());
    labels.classes.push_back(text);
  }
  labels.codes.reserve(texts.size());
  for (const std::string& text : texts) labels.codes.push_back(code_of[text]);
  return labels;
}

}  // namespace quickselection
