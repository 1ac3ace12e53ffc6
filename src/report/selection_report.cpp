// src/report/selection_report.cpp: see selection_report.h.
#include "report/selection_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

namespace quickselection {
namespace {

constexpr double kWidth = 640, kHeight = 180, kMargin = 8;
constexpr std::size_t kMostPoints = 640;  // more would share a pixel

std::string escape(const std::string& text) {
  std::string safe;
  for (const char c : text) {
    switch (c) {
      case '&': safe += "&amp;"; break;
      case '<': safe += "&lt;"; break;
      case '>': safe += "&gt;"; break;
      case '"': safe += "&quot;"; break;
      case '\'': safe += "&#39;"; break;
      default: safe += c;
    }
  }
  return safe;
}

/// A line through `values`, x being their order; `mark` draws a vertical line at that position.
std::string curve(const std::vector<double>& values, const std::string& label, double mark) {
  if (values.size() < 2) return "";
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  const double range = *most > *least ? *most - *least : 1;
  const double last = static_cast<double>(values.size() - 1);
  const auto x = [&](double at) { return kMargin + (kWidth - 2 * kMargin) * at / last; };
  const auto y = [&](double value) {
    return kHeight - kMargin - (kHeight - 2 * kMargin) * (value - *least) / range;
  };
  std::string points;
  const std::size_t step = std::max<std::size_t>(1, values.size() / kMostPoints);
  for (std::size_t i = 0; i < values.size(); i += step)
    points += fmt::format("{:.1f},{:.1f} ", x(static_cast<double>(i)), y(values[i]));
  std::string svg = fmt::format(
      "<svg viewBox='0 0 {} {}' role='img' aria-label='{}'><polyline points='{}'/>", kWidth, kHeight,
      escape(label), points);
  if (mark > 0)
    svg += fmt::format("<line x1='{0:.1f}' x2='{0:.1f}' y1='0' y2='{1}'/>", x(mark), kHeight);
  return svg + fmt::format("</svg><p class='range'>{:.4g} to {:.4g}</p>", *least, *most);
}

std::string settings_rows(const Dataset& data, const Selection& selection) {
  std::string rows;
  const auto add = [&](const std::string& name, const std::string& value) {
    rows += fmt::format("<tr><th scope='row'>{}</th><td>{}</td></tr>\n", escape(name), escape(value));
  };
  add("data", data.source);
  add("rows", std::to_string(data.rows()));
  add("features", std::to_string(data.features()));
  add("method", selection.method);
  add("scale", to_text(selection.scale));
  add("seed", std::to_string(selection.seed));
  for (const auto& [name, value] : selection.options) add(name, to_text(value));
  add("parameters", std::to_string(selection.parameters));
  add("seconds", fmt::format("{:.2f}", selection.seconds));
  return rows;
}

/// What repeated selections have in common; a warning when that is little better than chance.
std::string stability_section(const RepeatedSelection& repeated) {
  const Stability& stability = *repeated.stability;
  std::vector<double> chosen;
  for (const double share : stability.frequency)
    if (share > 0) chosen.push_back(share);
  std::sort(chosen.begin(), chosen.end(), std::greater<>());
  return fmt::format(
             "<h2>Stability</h2>\n<p{}>{}</p>\n<p>How often each of the {} features that were ever "
             "among the best {} was chosen, sorted:</p>\n",
             near_chance(stability) ? " class='warning'" : "",
             escape(describe(stability, repeated.runs_are)), chosen.size(), stability.k) +
         curve(chosen, "share of runs that chose a feature, from the most often chosen to the least",
               static_cast<double>(stability.k) - 0.5);
}

constexpr const char* kStyle = R"(
:root { color-scheme: light dark; --ink: #1b1f24; --paper: #fff; --accent: #1769aa; --faint: #8a929b; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e6e8ea; --paper: #15181c; --accent: #6db3f2; } }
body { font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper);
  max-width: 46rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.4rem; } h2 { font-size: 1.1rem; margin-top: 2rem; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; padding: .15rem .6rem .15rem 0; overflow-wrap: anywhere; font-weight: normal; }
td.number { text-align: right; font-variant-numeric: tabular-nums; }
meter { width: 8rem; }
svg { width: 100%; } polyline { fill: none; stroke: var(--accent); stroke-width: 2; }
line { stroke: var(--faint); stroke-dasharray: 4 4; } .range { color: var(--faint); margin: 0; }
.warning { border-left: 4px solid #c77700; padding-left: .8rem; }
)";

}  // namespace

std::string selection_report(const Dataset& data, const Selection& selection, std::size_t k) {
  RepeatedSelection once;
  once.selection = selection;
  return selection_report(data, once, k);
}

std::string selection_report(const Dataset& data, const RepeatedSelection& repeated,
                             std::size_t k) {
  const Selection& selection = repeated.selection;
  const std::optional<Stability>& stability = repeated.stability;
  std::vector<double> sorted;
  for (const std::uint32_t feature : selection.ranking) sorted.push_back(selection.scores[feature]);
  const double best = std::max(sorted.front(), 1e-300);

  std::string page = fmt::format(
      "<!doctype html>\n<html lang='en'><head><meta charset='utf-8'>\n"
      "<meta http-equiv='Content-Security-Policy' content=\"default-src 'none'; style-src "
      "'unsafe-inline'\">\n<meta name='viewport' content='width=device-width'>\n"
      "<title>{0} of {1} features</title>\n<style>{2}</style></head><body>\n"
      "<h1>{0} of {1} features, chosen by {3}</h1>\n",
      k, data.features(), kStyle, escape(selection.method));
  for (const std::string& warning : selection.warnings)
    page += fmt::format("<p class='warning'>{}</p>\n", escape(warning));
  if (stability) page += stability_section(repeated);
  page += "<h2>Score of all features, sorted</h2>\n" +
          curve(sorted, "scores of all features from best to worst, with the cut at K",
                static_cast<double>(k) - 0.5);
  if (selection.loss.size() > 1)
    page += "<h2>Loss of each epoch</h2>\n" + curve(selection.loss, "loss of each epoch", 0);
  page += "<h2>The chosen features</h2>\n<table><thead><tr><th>rank</th><th>feature</th><th>name</th>"
          "<th>score</th><th></th>";
  if (stability) page += "<th>chosen in runs</th>";
  page += "</tr></thead><tbody>\n";
  for (std::size_t r = 0; r < k; ++r) {
    const std::uint32_t feature = selection.ranking[r];
    page += fmt::format(
        "<tr><td class='number'>{}</td><td class='number'>{}</td><td><bdi>{}</bdi></td>"
        "<td class='number'>{:.5g}</td><td><meter value='{:.4f}'></meter></td>",
        r + 1, feature, escape(data.name(feature)), sorted[r],
        std::clamp(sorted[r] / best, 0.0, 1.0));
    if (stability)
      page += fmt::format("<td class='number'>{:.0f} %</td>", 100 * stability->frequency[feature]);
    page += "</tr>\n";
  }
  page += "</tbody></table>\n<h2>Settings</h2>\n<table>\n" + settings_rows(data, selection) +
          "</table>\n</body></html>\n";
  return page;
}

}  // namespace quickselection
