// src/report/selection_report.cpp: a selection as a page.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "evaluation/evaluation_fields.h"
#include "quickselection/error.h"
#include "report/page.h"
#include "report/reports.h"
#include "report/sample.h"

namespace quickselection {
namespace {

// Bounds that keep the page small and quick, whatever the data.
constexpr std::size_t kMostListed = 50'000;       // features with rank, name and score
constexpr std::size_t kTailPoints = 500;          // scores of those behind
constexpr std::size_t kLines = 20;                // strength over epochs: so many of each kind
constexpr std::size_t kMostCorrelated = 100;      // features in the map
constexpr std::size_t kLeastCorrelated = 50;      // the cut may move up to here
constexpr std::size_t kSampleRows = 5'000;        // for correlations and class means
constexpr std::size_t kMostPixels = 40'000;       // larger grids are no picture to look at
constexpr std::size_t kMostFrameBytes = 800'000;  // of all epochs together
constexpr std::size_t kMostClasses = 20;

std::optional<ImageShape> parse_shape(const std::string& text) {
  ImageShape shape;
  const char* const end = text.data() + text.size();
  const auto height = std::from_chars(text.data(), end, shape.height);
  if (height.ec != std::errc() || height.ptr == end || *height.ptr != 'x') return std::nullopt;
  const auto width = std::from_chars(height.ptr + 1, end, shape.width);
  if (width.ec != std::errc() || width.ptr != end) return std::nullopt;
  if (shape.height == 0 || shape.width == 0) return std::nullopt;
  return shape;
}

Json ranked_features(const SelectionReport& report) {
  const Selection& selection = report.selection;
  const std::size_t features = selection.ranking.size();
  const std::size_t listed = std::min(features, std::max(report.k, kMostListed));
  Json json = {{"ranking", Json::array()}, {"scores", Json::array()}};
  for (std::size_t r = 0; r < listed; ++r) {
    json["ranking"].push_back(selection.ranking[r]);
    // All digits: the page offers the ranking as a file.
    json["scores"].push_back(selection.scores[selection.ranking[r]]);
    if (!report.data.names.empty())
      json["names"].push_back(report.data.ranked_name(selection.ranking[r]));
  }
  if (listed < features) {
    Json ranks = Json::array(), scores = Json::array();
    for (std::size_t i = 1; i <= kTailPoints; ++i) {
      const std::size_t r = listed + (features - listed) * i / kTailPoints - 1;
      ranks.push_back(r + 1);
      scores.push_back(rounded(selection.scores[selection.ranking[r]]));
    }
    json["tail"] = {{"ranks", std::move(ranks)}, {"scores", std::move(scores)}};
  }
  return json;
}

/// The strength over the epochs of the best features and of some rejected ones, evenly spaced over
/// the ranks.
Json strength_lines(const SelectionReport& report) {
  const Selection& selection = report.selection;
  const std::size_t features = selection.ranking.size(), k = report.k;
  std::vector<std::uint32_t> shown(
      selection.ranking.begin(),
      selection.ranking.begin() + static_cast<std::ptrdiff_t>(std::min(k, kLines)));
  const std::size_t rejected = features - k, lines = std::min(rejected, kLines);
  for (std::size_t i = 0; i < lines; ++i)
    shown.push_back(selection.ranking[k + (2 * i + 1) * rejected / (2 * lines)]);
  const StrengthHistory& history = *report.history;
  Json json = {{"epochs", history.epochs()}, {"features", shown}};
  for (const std::uint32_t feature : shown) {
    Json line = Json::array();
    for (std::size_t e = 0; e < history.size(); ++e)
      line.push_back(rounded(history.scores(e)[feature]));
    json["values"].push_back(std::move(line));
  }
  return json;
}

std::uint8_t level(double value, double least, double most) {
  if (!(most > least)) return 0;
  return static_cast<std::uint8_t>(
      std::lround(255 * std::clamp((value - least) / (most - least), 0.0, 1.0)));
}

/// The scores as pictures, one for each epoch of the history (or some), and the final one last.
Json strength_frames(const SelectionReport& report) {
  const Selection& selection = report.selection;
  const std::size_t features = selection.scores.size();
  const std::size_t kept = report.history != nullptr ? report.history->size() : 0;
  const std::size_t count = std::min(kept, kMostFrameBytes / features);
  Json epochs = Json::array();
  std::vector<std::uint8_t> bytes;
  const auto add = [&](const auto& scores) {
    const double most = *std::max_element(scores.begin(), scores.end());
    for (const double score : scores) bytes.push_back(level(score, 0, most));
  };
  for (std::size_t i = 1; i <= count; ++i) {
    const std::size_t e = i * kept / count - 1;
    epochs.push_back(report.history->epochs()[e]);
    add(report.history->scores(e));
  }
  if (count == 0) {
    epochs.push_back(selection.loss.size());
    add(selection.scores);
  }
  return {{"height", report.image->height},
          {"width", report.image->width},
          {"epochs", std::move(epochs)},
          {"frames", base64(bytes)}};
}

Json class_pictures(const Dataset& data, std::span<const std::uint32_t> rows) {
  const std::size_t classes = std::min(data.labels->classes.size(), kMostClasses);
  const ClassMeans found = class_means(data, rows, classes);
  const auto [least, most] = std::minmax_element(found.means.begin(), found.means.end());
  std::vector<std::uint8_t> bytes;
  bytes.reserve(found.means.size());
  for (const double value : found.means) bytes.push_back(level(value, *least, *most));
  const auto& names = data.labels->classes;
  return {
      {"names", std::vector(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(classes))},
      {"all", names.size()},
      {"counts", found.counts},
      {"rows", rows.size()},
      {"least", rounded(*least)},
      {"most", rounded(*most)},
      {"means", base64(bytes)}};
}

/// In percent, the lower triangle row by row: 0:1, 0:2, 1:2, 0:3, …
Json correlation_map(const SelectionReport& report, std::span<const std::uint32_t> rows) {
  const auto& ranking = report.selection.ranking;
  const std::size_t count =
      std::min({ranking.size(), kMostCorrelated, std::max(report.k, kLeastCorrelated)});
  const auto found = correlations(report.data, rows, std::span(ranking).first(count));
  Json percent = Json::array();
  for (std::size_t i = 1; i < count; ++i)
    for (std::size_t j = 0; j < i; ++j) percent.push_back(std::lround(100 * found[i * count + j]));
  return {{"count", count}, {"rows", rows.size()}, {"percent", std::move(percent)}};
}

/// With the features of the page in the order of the ranking: how often each was chosen.
Json stability_of(const SelectionReport& report, std::size_t listed) {
  const Stability& stability = *report.stability;
  Json json = json_of(stability, 4);
  json["text"] = describe(stability);
  json["frequency"] = Json::array();
  for (std::size_t r = 0; r < listed; ++r)
    json["frequency"].push_back(rounded(stability.frequency[report.selection.ranking[r]], 17));
  return json;
}

/// What the page says first, in words.
Json headline(const SelectionReport& report) {
  Json parts = Json::array();
  parts.push_back(fmt::format("{} of {} features", report.k, report.data.ranked_count()));
  if (const std::string training = training_in_words(report.selection); !training.empty())
    parts.push_back(training);
  if (report.stability) {
    const Stability& stability = *report.stability;
    parts.push_back(fmt::format("two runs agree on {:.0f} of {}",
                                stability.overlap * static_cast<double>(stability.k), stability.k));
  }
  if (report.explained && !report.explained->nothing_to_predict())
    parts.push_back(
        fmt::format("they explain {:.0f} % of what can be predicted, random ones {:.0f} %",
                    100 * report.explained->chosen, 100 * report.explained->random));
  if (!report.relevant.empty()) {
    const auto& ranking = report.selection.ranking;
    const auto found =
        std::count_if(ranking.begin(), ranking.begin() + static_cast<std::ptrdiff_t>(report.k),
                      [&](std::uint32_t f) {
                        return std::find(report.relevant.begin(), report.relevant.end(), f) !=
                               report.relevant.end();
                      });
    parts.push_back(
        fmt::format("{} of the {} relevant ones were found", found, report.relevant.size()));
  }
  return parts;
}

}  // namespace

void check_image_shape(const std::string& asked) {
  if (!asked.empty() && !parse_shape(asked))
    throw InvalidArgument(fmt::format("‹image› is '{}', but must be like 28x28", asked),
                          "height first, then the letter x, then the width");
}

std::optional<ImageShape> image_shape(const std::string& asked, const Dataset& data) {
  check_image_shape(asked);
  if (!asked.empty()) {
    const ImageShape shape = *parse_shape(asked);
    // Divided, since the product may overflow.
    if (data.features() % shape.height != 0 || data.features() / shape.height != shape.width)
      throw InvalidArgument(fmt::format("‹image {}› does not fit the {} features of {}", asked,
                                        data.features(), data.source));
    return shape;
  }
  const auto& shape = data.feature_shape;
  if (shape.size() == 2 && shape[0] > 1 && shape[1] > 1 && shape[0] * shape[1] == data.features())
    return ImageShape{shape[0], shape[1]};
  return std::nullopt;
}

std::string selection_report(const SelectionReport& report) {
  const auto& [data, selection, k, measured, history, image, relevant, stability, explained] =
      report;
  std::vector<Setting> settings = {{"scale", to_text(selection.scale)},
                                   {"clip", selection.clip},
                                   {"seed", std::to_string(selection.seed)},
                                   {"threads", static_cast<std::int64_t>(selection.threads)}};
  settings.insert(settings.end(), selection.options.begin(), selection.options.end());
  Json costs = about_costs(measured);
  costs["select_seconds"] = rounded(selection.seconds);
  costs["parameters"] = selection.parameters;

  Json json = {{"kind", "selection"},
               {"headline", headline(report)},
               {"method", selection.method},
               {"k", k},
               {"data", about_data(data)},
               {"settings", about_settings(settings)},
               {"costs", std::move(costs)},
               {"warnings", on_command_line(selection.warnings)},
               {"notes", on_command_line(selection.notes)}};
  json.update(ranked_features(report));
  if (!relevant.empty()) json["relevant"] = relevant;
  if (!selection.loss.empty()) json["loss"] = json_of(selection.loss, 5);
  if (history != nullptr && history->size() > 1) json["strengths"] = strength_lines(report);
  if (stability) json["stability"] = stability_of(report, json["ranking"].size());
  if (stability && stability->near_chance())
    json["warnings"].push_back("No more stable than random: " + describe(*stability));
  if (explained) json["explained"] = json_of(*explained, 4);
  const std::vector<std::uint32_t> rows = sample_rows(data.rows(), kSampleRows);
  if (k > 1 || selection.ranking.size() > 1) json["correlations"] = correlation_map(report, rows);
  if (image && data.features() <= kMostPixels) {
    json["image"] = strength_frames(report);
    if (data.labels && data.features() * kMostClasses <= kMostFrameBytes)
      json["classes"] = class_pictures(data, rows);
  }
  return report_page(
      fmt::format("{} of {} features: {}", k, data.ranked_count(), file_name(data.source)), json);
}

}  // namespace quickselection
