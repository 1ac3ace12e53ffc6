// src/report/extraction_report.cpp: an extraction as a page.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "quickselection/selection.h"
#include "report/page.h"
#include "report/reports.h"
#include "report/sample.h"

namespace quickselection {
namespace {

constexpr std::size_t kMostRows = 1000;      // shown as points
constexpr std::size_t kMostDimensions = 20;  // to choose from: those that vary most

std::vector<double> deviations(const Dataset& codes) {
  std::vector<double> sums(codes.features()), squares(codes.features());
  for (std::size_t r = 0; r < codes.rows(); ++r)
    for (std::size_t d = 0; d < codes.features(); ++d) {
      const double value = codes.at(r, d);
      sums[d] += value;
      squares[d] += value * value;
    }
  const auto rows = static_cast<double>(codes.rows());
  for (std::size_t d = 0; d < sums.size(); ++d)
    squares[d] = std::sqrt(std::max(0.0, squares[d] / rows - sums[d] / rows * (sums[d] / rows)));
  return squares;
}

Json sample_of(const Dataset& codes, const std::vector<double>& spread) {
  std::vector<std::size_t> dimensions(codes.features());
  std::iota(dimensions.begin(), dimensions.end(), std::size_t{0});
  std::stable_sort(dimensions.begin(), dimensions.end(),
                   [&](std::size_t a, std::size_t b) { return spread[a] > spread[b]; });
  dimensions.resize(std::min(dimensions.size(), kMostDimensions));
  Json rows = Json::array(), classes = Json::array();
  for (const std::uint32_t r : sample_rows(codes.rows(), kMostRows)) {
    Json row = Json::array();
    for (const std::size_t d : dimensions) row.push_back(rounded(codes.at(r, d)));
    rows.push_back(std::move(row));
    if (codes.labels) classes.push_back(codes.labels->codes[r]);
  }
  Json sample = {{"dimensions", dimensions}, {"rows", std::move(rows)}};
  if (codes.labels) sample["classes"] = std::move(classes);
  return sample;
}

}  // namespace

std::string extraction_report(const ExtractionReport& report) {
  const ExtractorInfo& info = report.info;
  std::vector<Setting> settings{{"network", info.network},
                                {"scale", to_text(info.scale)},
                                {"clip", info.clip},
                                {"seed", std::to_string(info.seed)}};
  settings.insert(settings.end(), info.options.begin(), info.options.end());
  const std::vector<double> spread = deviations(report.codes);
  Json costs = about_costs(report.measured);
  costs["parameters"] = info.parameters;
  Json headline = {fmt::format(
      "{} features became {} numbers by {}", info.features, info.dimensions,
      info.network == "pca" ? "principal components" : "a " + info.network + " network")};
  const auto still = std::count_if(spread.begin(), spread.end(), [&](double s) {
    return s < 1e-3 * *std::max_element(spread.begin(), spread.end());
  });
  if (still > 0) headline.push_back(fmt::format("{} of them hardly vary", still));
  Json json = {{"kind", "extraction"},
               {"headline", std::move(headline)},
               {"data", about_data(report.data)},
               {"settings", about_settings(settings)},
               {"costs", std::move(costs)},
               {"warnings", on_command_line(info.warnings)},
               {"notes", Json::array()},
               {"loss", json_of(info.loss, 4)},
               {"spread", json_of(spread, 4)},
               {"sample", sample_of(report.codes, spread)}};
  if (report.codes.labels) json["class_names"] = report.codes.labels->classes;
  return report_page(fmt::format("Features extracted from {}", file_name(report.data.source)),
                     json);
}

}  // namespace quickselection
