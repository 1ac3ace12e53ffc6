// src/selectors/ranking_file.cpp: see include/quickselection/ranking_file.h.
#include "quickselection/ranking_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>
#include <optional>

#include "core/files/atomic_file.h"
#include "data/formats/csv/csv.h"
#include "data/formats/csv/csv_scan.h"
#include "quickselection/error.h"

namespace quickselection {
namespace {

constexpr const char* kWrites = "`select ‹ranking FILE.csv›` writes one";

/// Reads a CSV file record by record: names may hold commas, quotes and line breaks.
class Records {
 public:
  explicit Records(const std::string& path)
      : path_(path), text_(read(path)), cursor_(start_csv(text_, path_)) {}

  bool next() {
    if (cursor_.at == cursor_.end) return false;
    line_ = cursor_.line;
    fields_.clear();
    for (const CsvField& field : scan_record(cursor_, ',')) fields_.push_back(to_string(field));
    return true;
  }

  const std::vector<std::string>& fields() const { return fields_; }
  std::size_t bytes() const { return text_.size(); }
  bool blank() const { return fields_.size() == 1 && fields_[0].empty(); }

  [[noreturn]] void fail(const std::string& what, const std::string& hint = "") const {
    throw Error(fmt::format("{}, line {}: {}", path_, line_, what), hint);
  }

  std::uint32_t number(std::size_t column) const {
    const std::string& text = fields_[column];
    std::uint32_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size())
      fail(fmt::format("'{}' is not a whole number", text));
    return value;
  }

  void check_finite(std::size_t column) const {
    double value = 0;
    if (!parse_number(fields_[column], value) || !std::isfinite(value))
      fail(fmt::format("'{}' is not a number", fields_[column]), kWrites);
  }

 private:
  static std::string read(const std::string& path) {
    if (auto text = read_file(path)) return std::move(*text);
    throw Error(fmt::format("cannot read the ranking {}", path), kWrites);
  }

  std::string path_, text_;
  CsvCursor cursor_;
  std::vector<std::string> fields_;
  std::size_t line_ = 1;
};

/// Features in the order in which they are added, each of them once.
class RankingBuilder {
 public:
  /// Of a group of columns the first one may be ranked, the others not.
  explicit RankingBuilder(const Dataset& data) : seen_(data.features(), true) {
    for (const std::uint32_t feature : data.ranked()) seen_[feature] = false;
  }

  void add(std::uint32_t feature, const Records& at) {
    if (feature >= seen_.size())
      at.fail(
          fmt::format("feature {} is beyond the {} features of the data", feature, seen_.size()),
          "is it the ranking of other data? Features are counted from 0");
    if (seen_[feature])
      at.fail(
          fmt::format("feature {} was ranked before, by itself or as a part of another", feature));
    seen_[feature] = true;
    ranking_.push_back(feature);
  }
  std::size_t size() const { return ranking_.size(); }
  std::vector<std::uint32_t> take() { return std::move(ranking_); }

 private:
  std::vector<bool> seen_;
  std::vector<std::uint32_t> ranking_;
};

std::optional<std::size_t> column_of(const Records& header, const std::string& name) {
  const auto& fields = header.fields();
  const auto found = std::find(fields.begin(), fields.end(), name);
  if (found == fields.end()) return std::nullopt;
  return static_cast<std::size_t>(found - fields.begin());
}

/// Data without names may be ranked by a file with names, and the other way round.
void check_name(const Dataset& data, std::uint32_t feature, const std::string& name,
                const Records& at) {
  const std::string own = data.ranked_name(feature);
  if (data.names.empty() || name == std::to_string(feature) || name == own ||
      without_apostrophe(name) == own)
    return;
  at.fail(fmt::format("feature {} is called '{}', but in the data '{}'", feature, name, own),
          "is it the ranking of other data? The columns must be in the same order");
}

std::vector<std::uint32_t> read_one(Records& records, const Dataset& data) {
  const auto feature_column = column_of(records, "feature"),
             name_column = column_of(records, "name"), rank_column = column_of(records, "rank");
  const std::optional<std::size_t> numbers[] = {column_of(records, "score"),
                                                column_of(records, "frequency")};
  if (!feature_column)
    records.fail("there is no column 'feature'; a ranking begins with rank,feature,name,score",
                 kWrites);
  const std::size_t width = records.fields().size();
  RankingBuilder ranking(data);
  while (records.next()) {
    if (records.blank()) continue;
    if (records.fields().size() != width)
      records.fail(fmt::format("{} fields, but the header has {}", records.fields().size(), width));
    if (rank_column && records.number(*rank_column) != ranking.size() + 1)
      records.fail(fmt::format("rank {} stands where {} is expected",
                               records.fields()[*rank_column], ranking.size() + 1),
                   "sort the file by rank, and leave out no rank");
    const std::uint32_t feature = records.number(*feature_column);
    ranking.add(feature, records);
    for (const auto& column : numbers)
      if (column) records.check_finite(*column);
    if (name_column) check_name(data, feature, records.fields()[*name_column], records);
  }
  if (ranking.size() == 0) records.fail("no feature is ranked");
  return ranking.take();
}

}  // namespace

std::string ranking_csv(const Dataset& data, const Selection& selection,
                        std::span<const double> frequency) {
  std::string text = "rank,feature,name,score";
  text += frequency.empty() ? "\n" : ",frequency\n";
  for (std::size_t r = 0; r < selection.ranking.size(); ++r) {
    const std::uint32_t feature = selection.ranking[r];
    text += fmt::format("{},{},{},{}", r + 1, feature, spreadsheet_field(data.ranked_name(feature)),
                        selection.scores[feature]);
    text += frequency.empty() ? "\n" : fmt::format(",{}\n", frequency[feature]);
  }
  return text;
}

std::vector<std::uint32_t> read_ranking(const std::string& path, const Dataset& data) {
  Records records(path);
  if (!records.next()) records.fail("the file is empty", kWrites);
  return read_one(records, data);
}

std::string run_rankings_csv(std::span<const std::vector<std::uint32_t>> rankings) {
  fmt::memory_buffer text;
  const auto out = std::back_inserter(text);
  fmt::format_to(out, "rank");
  for (std::size_t run = 0; run < rankings.size(); ++run) fmt::format_to(out, ",run_{}", run + 1);
  fmt::format_to(out, "\n");
  for (std::size_t r = 0; r < rankings[0].size(); ++r) {
    fmt::format_to(out, "{}", r + 1);
    for (const auto& ranking : rankings) fmt::format_to(out, ",{}", ranking[r]);
    fmt::format_to(out, "\n");
  }
  return fmt::to_string(text);
}

std::vector<std::vector<std::uint32_t>> read_rankings(const std::string& path,
                                                      const Dataset& data) {
  Records records(path);
  if (!records.next()) records.fail("the file is empty", kWrites);
  if (!column_of(records, "run_1")) return {read_one(records, data)};
  const std::size_t runs = records.fields().size() - 1;
  if (runs > records.bytes() / std::max<std::size_t>(data.features() / 64, 1))
    records.fail(fmt::format("{} runs are ranked, which the file is too short for", runs));
  std::vector<RankingBuilder> builders(runs, RankingBuilder(data));
  while (records.next()) {
    if (records.blank()) continue;
    if (records.fields().size() != runs + 1)
      records.fail(
          fmt::format("{} fields, but the header has {}", records.fields().size(), runs + 1));
    for (std::size_t run = 0; run < runs; ++run)
      builders[run].add(records.number(run + 1), records);
  }
  std::vector<std::vector<std::uint32_t>> rankings;
  for (RankingBuilder& builder : builders) rankings.push_back(builder.take());
  return rankings;
}

}  // namespace quickselection
