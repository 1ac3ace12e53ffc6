// src/data/dataset/labels.cpp: labels from texts: classes, or a measured number.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

#include "core/text/visible.h"
#include "data/formats/csv/csv.h"
#include "quickselection/dataset.h"
#include "quickselection/error.h"

namespace quickselection {
namespace {

constexpr std::size_t kManyValues = 20;  // more than that are hardly classes by themselves
constexpr std::size_t kOftenEnough = 5;  // rows of each value, on average, to be a class
constexpr char kNoComma = ';';           // so that 1,5 is one and a half

std::optional<double> number_in(const std::string& text) {
  double number = std::numeric_limits<double>::quiet_NaN();
  if (is_missing_token(text) || (parse_cell(text, kNoComma, number) && std::isfinite(number)))
    return number;
  return std::nullopt;
}

/// See LabelTask.
bool looks_measured(const Labels& labels) {
  std::vector<std::optional<double>> numbers;
  for (const std::string& text : labels.classes) {
    numbers.push_back(number_in(text));
    if (!numbers.back()) return false;
  }
  std::size_t rows = 0;
  for (const std::int32_t code : labels.codes)
    rows += !std::isnan(*numbers[static_cast<std::size_t>(code)]);
  std::vector<double> values;
  bool whole = true;
  for (const std::optional<double>& number : numbers) {
    if (std::isnan(*number)) continue;
    whole = whole && *number == std::nearbyint(*number);
    values.push_back(*number);
  }
  std::sort(values.begin(), values.end());
  const auto different =
      static_cast<std::size_t>(std::unique(values.begin(), values.end()) - values.begin());
  if (whole) return different > kManyValues && different * kOftenEnough > rows;
  return different > kManyValues || (different > 2 && 2 * different > rows);
}

}  // namespace

Labels make_labels(std::span<const std::string> texts, LabelTask task) {
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
  take_labels_as(labels, task);
  return labels;
}

void take_labels_as(Labels& labels, LabelTask task) {
  labels.measured =
      task == LabelTask::automatic ? looks_measured(labels) : task == LabelTask::regression;
  if (task == LabelTask::regression) numbers_of(labels);
}

std::vector<double> numbers_of(const Labels& labels) {
  std::vector<double> numbers;
  for (const std::string& text : labels.classes) {
    const std::optional<double> number = number_in(text);
    if (!number)
      throw Error(fmt::format("the label '{}' is not a number, so labels cannot be measured ones",
                              visible(text)),
                  "‹task classification› takes labels as classes; ‹label› names another column");
    numbers.push_back(*number);
  }
  return numbers;
}

}  // namespace quickselection
