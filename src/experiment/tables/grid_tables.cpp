// src/experiment/tables/grid_tables.cpp: a grid of options as methods, and its tables (the paper's
// appendix B).
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "experiment/tables/table.h"
#include "experiment/tasks.h"
#include "quickselection/error.h"
#include "quickselection/experiment.h"

namespace quickselection {
namespace {

constexpr const char* kEpochs = "epochs";

/// One value of each axis.
using Point = std::vector<std::string>;

std::vector<Point> points_of(const std::vector<GridAxis>& axes) {
  std::vector<Point> points(1);
  for (const GridAxis& axis : axes) {
    std::vector<Point> longer;
    for (const Point& point : points)
      for (const std::string& value : axis.values) {
        longer.push_back(point);
        longer.back().push_back(value);
      }
    points = std::move(longer);
  }
  return points;
}

std::string label_of(const std::vector<GridAxis>& axes, const Point& point) {
  std::string label;
  for (std::size_t a = 0; a < axes.size(); ++a)
    label += fmt::format("{}{}={}", a == 0 ? "" : " ", axes[a].option, point[a]);
  return label;
}

bool has(const ExperimentSummary& summary, Measure measure) {
  return std::any_of(summary.cells.begin(), summary.cells.end(),
                     [&](const SummaryCell& cell) { return cell[measure].has_value(); });
}

/// The measures that share a cell, as in the paper: clustering, classification.
std::vector<Measure> shown_measures(const ExperimentSummary& summary) {
  std::vector<Measure> shown;
  for (const Measure measure :
       {Measure::clustering, Measure::classification, Measure::random_forest, Measure::regression,
        Measure::reconstruction})
    if (has(summary, measure)) shown.push_back(measure);
  return shown;
}

std::string cell_text(const SummaryCell* cell, std::span<const Measure> measures) {
  if (cell == nullptr || cell->finished == 0) return format_missing(cell);
  std::string text;
  for (const Measure measure : measures)
    text += fmt::format("{}{}", text.empty() ? "" : ", ",
                        (*cell)[measure] ? format_figure(*(*cell)[measure], measure) : "-");
  return text;
}

std::string short_name(Measure measure) {
  return measure == Measure::classification  ? "classification"
         : measure == Measure::random_forest ? "classification by random forest"
         : measure == Measure::clustering    ? "clustering"
         : measure == Measure::regression    ? "regression"
                                             : "reconstruction";
}

/// What a table of a grid shows.
struct GridView {
  std::string data;
  std::size_t k = 0;
  Measure criterion = Measure::classification;
  std::span<const Measure> measures;
};

/// Which axis is across and which is down; all others make tables of their own. Epochs are down
/// only when there is nothing else.
struct Parts {
  explicit Parts(const Grid& grid) : axes(grid.axes), order(grid.axes.size()) {
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_partition(order.begin(), order.end(),
                          [&](std::size_t a) { return axes[a].option != kEpochs; });
    if (order.size() > 2) std::sort(order.begin() + 2, order.end());
    across = axes[order[0]];
    down = has_down() ? axes[order[1]] : GridAxis{"", {grid.method}};
    for (std::size_t i = 2; i < order.size(); ++i) others.push_back(axes[order[i]]);
  }
  bool has_down() const { return order.size() > 1; }
  std::string label(const std::string& r, const std::string& c, const Point& rest) const {
    Point whole(axes.size());
    for (std::size_t i = 0; i < rest.size(); ++i) whole[order[i + 2]] = rest[i];
    if (has_down()) whole[order[1]] = r;
    whole[order[0]] = c;
    return label_of(axes, whole);
  }

  const std::vector<GridAxis>& axes;
  std::vector<std::size_t> order;  // of the axes: across, down, the others as they come
  GridAxis across, down;
  std::vector<GridAxis> others;
};

/// One axis across, one down, and a table for each value of all others.
std::vector<Table> grid_tables(const ExperimentSummary& summary, const Grid& grid,
                               const GridView& view) {
  const Parts parts(grid);
  const GridAxis &across = parts.across, &down = parts.down;
  std::vector<Table> tables;
  for (const Point& rest : points_of(parts.others)) {
    Table& table = tables.emplace_back();
    table.title = fmt::format("{}, K {}{}{}", view.data, view.k, rest.empty() ? "" : ", ",
                              label_of(parts.others, rest));
    table.corner = fmt::format("{}{}{}", down.option, parts.has_down() ? " / " : "", across.option);
    table.columns = across.values;
    for (const std::string& value : down.values)
      table.rows.push_back({value, std::vector<TableCell>(across.values.size())});
    for (std::size_t r = 0; r < down.values.size(); ++r)
      for (std::size_t c = 0; c < across.values.size(); ++c) {
        const SummaryCell* const cell =
            summary.find(view.data, parts.label(down.values[r], across.values[c], rest), view.k);
        TableCell& shown = table.rows[r].cells[c];
        shown.text = cell_text(cell, view.measures);
        if (cell != nullptr && (*cell)[view.criterion])
          shown.place = (*cell)[view.criterion]->place;
      }
  }
  return tables;
}

}  // namespace

std::vector<ExperimentMethod> grid_methods(const Grid& grid) {
  for (const GridAxis& axis : grid.axes)
    for (std::size_t i = 0; i < axis.values.size(); ++i)
      if (std::count(axis.values.begin(), axis.values.end(), axis.values[i]) > 1)
        throw InvalidArgument(
            fmt::format("‹{}› has the value {} twice", axis.option, axis.values[i]));
  double points = 1;
  for (const GridAxis& axis : grid.axes) points *= static_cast<double>(axis.values.size());
  if (points > kMostRuns)
    throw InvalidArgument(fmt::format("a grid of {:g} points is too large", points),
                          "leave out some values");
  std::vector<ExperimentMethod> methods;
  for (const Point& point : points_of(grid.axes)) {
    ExperimentMethod method{label_of(grid.axes, point), grid.method, grid.fixed};
    if (method.label.empty()) method.label = grid.method;
    for (std::size_t a = 0; a < grid.axes.size(); ++a)
      method.options.push_back({grid.axes[a].option, point[a]});
    methods.push_back(std::move(method));
  }
  return methods;
}

Grid grid_of(std::span<const ExperimentMethod> methods) {
  Grid grid;
  if (methods.empty()) return grid;
  grid.method = methods[0].method;
  for (const GivenOption& option : methods[0].options) {
    GridAxis axis{option.name, {}};
    for (const ExperimentMethod& method : methods)
      for (const GivenOption& own : method.options)
        if (own.name == option.name &&
            std::find(axis.values.begin(), axis.values.end(), own.text) == axis.values.end())
          axis.values.push_back(own.text);
    if (axis.values.size() > 1)
      grid.axes.push_back(std::move(axis));
    else
      grid.fixed.push_back(option);
  }
  return grid;
}

ExperimentSummary marked_by_table(ExperimentSummary summary, const Grid& grid) {
  if (grid.axes.empty()) return summary;
  const Parts parts(grid);
  for (const std::string& data : summary.data)
    for (const std::size_t k : summary.ks(data))
      for (const Point& rest : points_of(parts.others))
        for (const Measure measure : kAllMeasures) {
          std::vector<Candidate> candidates;
          for (const std::string& r : parts.down.values)
            for (const std::string& c : parts.across.values) {
              const SummaryCell* const found = summary.find(data, parts.label(r, c, rest), k);
              if (found == nullptr || !(*found)[measure]) continue;
              Figure& figure =
                  *summary.cells[static_cast<std::size_t>(found - summary.cells.data())][measure];
              candidates.push_back({&figure.place, figure.mean, format_mean(figure, measure)});
            }
          mark_places(std::move(candidates), higher_is_better(measure));
        }
  return summary;
}

Measure natural_criterion(const ExperimentSummary& summary) {
  return has(summary, Measure::classification)   ? Measure::classification
         : has(summary, Measure::regression)     ? Measure::regression
         : has(summary, Measure::reconstruction) ? Measure::reconstruction
                                                 : Measure::clustering;
}

std::vector<GridBest> best_points(const Grid& grid, const ExperimentSummary& summary,
                                  Measure criterion) {
  const double better = higher_is_better(criterion) ? 1 : -1;
  std::vector<GridBest> found;
  for (const std::string& data : summary.data)
    for (const std::size_t k : summary.ks(data)) {
      std::vector<std::pair<std::string, Figure>> points;
      for (const Point& point : points_of(grid.axes)) {
        std::string label = label_of(grid.axes, point);
        if (label.empty()) label = grid.method;
        const SummaryCell* const cell = summary.find(data, label, k);
        if (cell != nullptr && (*cell)[criterion] && cell->failed == 0)
          points.emplace_back(std::move(label), *(*cell)[criterion]);
      }
      if (points.empty()) continue;
      // Of equals the first one.
      const auto& [label, figure] =
          *std::max_element(points.begin(), points.end(), [&](const auto& a, const auto& b) {
            return better * a.second.mean < better * b.second.mean;
          });
      GridBest best{data, k, label, figure, points.size(), 0};
      for (const auto& [other, own] : points)
        best.close +=
            other != label && better * (figure.mean - own.mean) <= std::max(figure.std, own.std);
      found.push_back(std::move(best));
    }
  return found;
}

std::string describe(const GridBest& best, Measure criterion) {
  std::string text = fmt::format("best on {}, K {}: {} with {}", best.data, best.k, best.label,
                                 format_figure(best.figure, criterion));
  if (best.points < 2) return text;
  if (best.figure.runs < 2) return text + "; one run of each point does not show how sure that is";
  if (best.close == 0) return text + "; ahead of all others by more than the spread of the runs";
  return text + fmt::format(
                    "; {} of the {} other points {} behind by less than the spread of the "
                    "runs, so this may be chance",
                    best.close, best.points - 1, best.close == 1 ? "is" : "are");
}

std::string describe(const ExperimentSummary& summary, const Grid& grid, Measure criterion,
                     TextFormat format) {
  const std::vector<Measure> measures = shown_measures(summary);
  std::string text;
  if (grid.axes.empty() || measures.empty()) {
    text = describe(summary, format);
  } else {
    std::string cells;
    for (const Measure measure : measures)
      cells += (cells.empty() ? "" : ", ") + short_name(measure);
    text = render_text(fmt::format("Each cell: {} in %, {}; marked are the best and the second "
                                   "best by {}.",
                                   cells, describe_runs(summary.runs), short_name(criterion)),
                       format);
    if (format == TextFormat::plain) text += "\n";
    const ExperimentSummary marked = marked_by_table(summary, grid);
    for (const std::string& data : summary.data)
      for (const std::size_t k : summary.ks(data))
        for (const Table& table : grid_tables(marked, grid, {data, k, criterion, measures}))
          text += render(table, format);
    text += describe_failures(summary, format);
  }
  for (const GridBest& best : best_points(grid, summary, criterion))
    text += render_text(describe(best, criterion), format);
  return text;
}

}  // namespace quickselection
