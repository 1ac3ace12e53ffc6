// src/data/formats/variables.cpp: see variables.h.
#include "data/formats/variables.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/options.h"
#include "data/formats/array.h"
#include "quickselection/error.h"

namespace quickselection {
namespace {

constexpr std::array<std::string_view, 2> kMatrixNames{"X", "fea"};

std::string list_all(std::span<const Variable> variables) {
  constexpr std::size_t kShown = 20;
  std::string list;
  for (std::size_t i = 0; i < std::min(kShown, variables.size()); ++i) {
    const Variable& variable = variables[i];
    const std::string shape =
        variable.shape.empty() ? "no matrix" : fmt::format("{}", fmt::join(variable.shape, " x "));
    list += fmt::format("{}{} ({}{})", i == 0 ? "" : ", ", variable.name, shape,
                        variable.is_text ? " texts" : "");
  }
  if (variables.size() > kShown) list += fmt::format(" and {} more", variables.size() - kShown);
  return list;
}

std::optional<std::size_t> find(std::span<const Variable> variables, std::string_view name) {
  for (std::size_t i = 0; i < variables.size(); ++i)
    if (variables[i].name == name) return i;
  return std::nullopt;
}

bool is_matrix(const Variable& variable) {
  return !variable.is_text && variable.shape.size() >= 2 && variable.shape[0] > 1 &&
         count_features(variable.shape) > 1;
}

}  // namespace

std::size_t choose_matrix(std::span<const Variable> variables, const ReadOptions& options,
                          const std::string& path) {
  if (variables.empty())
    throw Error(fmt::format("{} holds no arrays", path), "was it written completely?");
  if (!options.array.empty()) {
    if (const auto named = find(variables, options.array)) return *named;
    std::vector<std::string> names;
    for (const Variable& variable : variables) names.push_back(variable.name);
    const std::string near = closest(options.array, names);
    throw InvalidArgument(
        fmt::format("‹array› is '{}', but {} has no array of that name", options.array, path),
        (near.empty() ? "" : fmt::format("did you mean '{}'? ", near)) +
            "it holds: " + list_all(variables));
  }
  for (const std::string_view name : kMatrixNames)
    if (const auto found = find(variables, name);
        found && !variables[*found].shape.empty() && !variables[*found].is_text)
      return *found;
  if (variables.size() == 1) return 0;
  const auto first = std::find_if(variables.begin(), variables.end(), is_matrix);
  if (first != variables.end() && std::none_of(first + 1, variables.end(), is_matrix))
    return static_cast<std::size_t>(first - variables.begin());
  throw Error(fmt::format("{} holds {} arrays, and it is not clear which one is the data", path,
                          variables.size()),
              "name it with ‹array›; it holds: " + list_all(variables));
}

std::optional<std::size_t> choose_labels(std::span<const Variable> variables, std::size_t matrix,
                                         const ReadOptions& options, const std::string& path) {
  if (options.label == "none") return std::nullopt;
  const std::size_t rows = variables[matrix].shape.empty() ? 0 : variables[matrix].shape[0];
  const auto fits = [&](std::size_t i) {
    return i != matrix && !variables[i].shape.empty() && count_bytes(variables[i].shape, 1) == rows;
  };
  if (!options.label.empty()) {
    const auto named = find(variables, options.label);
    if (named && !fits(*named))
      throw Error(fmt::format("{}: ‹label› is '{}', which does not hold one value for each of the "
                              "{} rows of '{}'",
                              path, options.label, rows, variables[matrix].name),
                  "it holds: " + list_all(variables));
    return named;
  }
  for (const std::string_view name : kLabelNames)
    if (const auto found = find(variables, name); found && fits(*found)) return found;
  return std::nullopt;
}

void note_labels(std::vector<std::string>& notes, const std::string& name,
                 const ReadOptions& options) {
  if (options.label.empty())
    notes.push_back(fmt::format("'{}' is taken as the labels (‹label none› to do without)", name));
}

void set_labels(Dataset& data, std::span<const std::string> texts, const std::string& name,
                const ReadOptions& options) {
  data.labels = make_labels(texts);
  note_labels(data.notes, name, options);
}

}  // namespace quickselection
