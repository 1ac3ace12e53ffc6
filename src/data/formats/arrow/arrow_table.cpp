// src/data/formats/arrow/arrow_table.cpp: see arrow_table.h.
#include "data/formats/arrow/arrow_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>
#include <string_view>

#include "data/formats/csv/csv.h"
#include "data/formats/csv/csv_columns.h"
#include "data/formats/csv/csv_layout.h"
#include "data/formats/value_store.h"
#include "quickselection/error.h"

namespace quickselection {
namespace {

constexpr std::size_t kBlock = 256;  // rows that are turned into rows of numbers at once
constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();
constexpr char kNoSeparator = ';';  // so that 1,5 is one and a half

enum class Stored : std::uint8_t { number, boolean, text, date, other };

/// What a column's format string says of it; a dictionary is what its values are.
struct ColumnType {
  Stored stored = Stored::other;
  std::string format;
  bool dictionary = false;
  bool wide = false;  ///< a 64-bit float or a decimal: numbers that need 64 bits
};

ColumnType type_of(const ArrowSchema& schema) {
  const std::string format = schema.format;
  if (schema.dictionary != nullptr) {
    ColumnType type = type_of(*schema.dictionary);
    type.dictionary = true;
    return type;
  }
  ColumnType type;
  type.format = format;
  if (format == "b") type.stored = Stored::boolean;
  if (format.size() == 1 && std::string_view("cCsSiIlLefg").find(format[0]) != std::string::npos)
    type.stored = Stored::number;
  if (format == "n") type.stored = Stored::number;
  if (format.starts_with("tD")) type.stored = Stored::number;
  if (format.starts_with("d:")) {
    const std::size_t bits = format.find(',', format.find(',') + 1);
    if (bits == std::string::npos || format.substr(bits + 1) == "128") type.stored = Stored::number;
  }
  type.wide = format == "g" || format.starts_with("d:");
  if (format == "u" || format == "U" || format == "vu") type.stored = Stored::text;
  if (format.starts_with("td") || format.starts_with("ts") || format.starts_with("tt"))
    type.stored = Stored::date;
  return type;
}

bool is_null(const ArrowArray& array, std::int64_t at) {
  if (array.null_count == 0 || array.n_buffers == 0 || array.buffers[0] == nullptr) return false;
  const auto* const bits = static_cast<const std::uint8_t*>(array.buffers[0]);
  return (bits[at >> 3] >> (at & 7) & 1) == 0;
}

template <class T>
T value_at(const ArrowArray& array, std::int64_t at) {
  T value;
  std::memcpy(&value, static_cast<const std::byte*>(array.buffers[1]) + at * sizeof(T), sizeof(T));
  return value;
}

double half_to_double(std::uint16_t bits) {
  const int exponent = bits >> 10 & 31, fraction = bits & 1023;
  double value =
      exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024 + fraction, exponent - 25);
  if (exponent == 31) value = fraction == 0 ? std::numeric_limits<double>::infinity() : kMissing;
  return bits >> 15 != 0 ? -value : value;
}

double decimal_at(const std::string& format, const ArrowArray& array, std::int64_t at) {
  const std::size_t comma = format.find(',');
  const int scale = std::atoi(format.c_str() + comma + 1);
  struct Parts {
    std::uint64_t low;
    std::int64_t high;
  };
  const auto parts = value_at<Parts>(array, at);
  const double whole =
      std::ldexp(static_cast<double>(parts.high), 64) + static_cast<double>(parts.low);
  return whole / std::pow(10.0, scale);
}

/// `at` counts from the beginning of the buffers.
double number_at(const std::string& format, const ArrowArray& array, std::int64_t at) {
  if (is_null(array, at)) return kMissing;
  switch (format[0]) {
    case 'b':
      return static_cast<const std::uint8_t*>(array.buffers[1])[at >> 3] >> (at & 7) & 1;
    case 'c':
      return value_at<std::int8_t>(array, at);
    case 'C':
      return value_at<std::uint8_t>(array, at);
    case 's':
      return value_at<std::int16_t>(array, at);
    case 'S':
      return value_at<std::uint16_t>(array, at);
    case 'i':
      return value_at<std::int32_t>(array, at);
    case 'I':
      return value_at<std::uint32_t>(array, at);
    case 'l':
    case 't':  // a duration
      return static_cast<double>(value_at<std::int64_t>(array, at));
    case 'L':
      return static_cast<double>(value_at<std::uint64_t>(array, at));
    case 'e':
      return half_to_double(value_at<std::uint16_t>(array, at));
    case 'f':
      return value_at<float>(array, at);
    case 'g':
      return value_at<double>(array, at);
    case 'd':
      return decimal_at(format, array, at);
    default:
      return kMissing;  // the type of nothing but nulls
  }
}

std::string_view text_at(const std::string& format, const ArrowArray& array, std::int64_t at) {
  if (is_null(array, at)) return {};
  if (format == "vu") {
    struct View {
      std::int32_t length;
      char prefix[4];
      std::int32_t buffer, offset;
    };
    const auto* const views = static_cast<const std::byte*>(array.buffers[1]) + at * 16;
    View view;
    std::memcpy(&view, views, sizeof view);
    const auto length = static_cast<std::size_t>(view.length);
    if (length <= 12) return {reinterpret_cast<const char*>(views) + 4, length};
    return {static_cast<const char*>(array.buffers[2 + view.buffer]) + view.offset, length};
  }
  const auto* const bytes = static_cast<const char*>(array.buffers[2]);
  if (format == "U") {
    const auto begin = value_at<std::int64_t>(array, at),
               end = value_at<std::int64_t>(array, at + 1);
    return {bytes + begin, static_cast<std::size_t>(end - begin)};
  }
  const auto begin = value_at<std::int32_t>(array, at), end = value_at<std::int32_t>(array, at + 1);
  return {bytes + begin, static_cast<std::size_t>(end - begin)};
}

/// A column of a batch: values by row, through the dictionary where there is one.
class BatchColumn {
 public:
  BatchColumn(const ColumnType& type, const ArrowSchema& schema, const ArrowArray& batch,
              std::int64_t column)
      : type_(type),
        indices_(schema.format),
        array_(*batch.children[column]),
        begin_(batch.offset + array_.offset) {}

  bool present(std::int64_t row) const { return !is_null(array_, begin_ + row); }

  double number(std::int64_t row) const {
    const std::int64_t at = begin_ + row;
    if (!type_.dictionary) return number_at(type_.format, array_, at);
    const double index = number_at(indices_, array_, at);
    if (std::isnan(index)) return kMissing;
    return number_at(type_.format, *array_.dictionary,
                     array_.dictionary->offset + static_cast<std::int64_t>(index));
  }

  /// Nothing for a null; numbers as text.
  std::optional<std::string> text(std::int64_t row) const {
    const std::int64_t at = begin_ + row;
    if (is_null(array_, at)) return std::nullopt;
    if (type_.stored != Stored::text) {
      const double value = number(row);
      if (std::isnan(value)) return std::nullopt;
      if (type_.stored == Stored::boolean) return value != 0 ? "True" : "False";
      return fmt::format("{}", value);
    }
    if (!type_.dictionary) return std::string(text_at(type_.format, array_, at));
    const double index = number_at(indices_, array_, at);
    const std::int64_t place = array_.dictionary->offset + static_cast<std::int64_t>(index);
    if (is_null(*array_.dictionary, place)) return std::nullopt;
    return std::string(text_at(type_.format, *array_.dictionary, place));
  }

 private:
  const ColumnType& type_;
  const std::string indices_;
  const ArrowArray& array_;
  std::int64_t begin_;
};

/// A stream with its schema.
class Batches {
 public:
  Batches(ArrowOwner<ArrowArrayStream> stream, const std::string& path)
      : stream_(std::move(stream)), path_(path) {
    check(stream_->get_schema(stream_.get(), schema_.get()));
    if (std::string_view(schema_->format) != "+s")
      throw Error(fmt::format("{} is no table", path), "a stream of record batches is needed");
    for (std::int64_t c = 0; c < schema_->n_children; ++c)
      types_.push_back(type_of(*schema_->children[c]));
  }

  const std::vector<ColumnType>& types() const { return types_; }
  std::string name(std::size_t column) {
    const char* const name = schema_->children[column]->name;
    return name == nullptr ? "" : name;
  }

  /// Calls body(columns, rows) for each batch.
  template <class Body>
  void for_each(const Body& body) {
    for (;;) {
      ArrowOwner<ArrowArray> batch;
      check(stream_->get_next(stream_.get(), batch.get()));
      if (batch->release == nullptr) return;
      if (static_cast<std::size_t>(batch->n_children) != types_.size())
        throw Error(fmt::format("{} has batches of {} and of {} columns", path_, types_.size(),
                                batch->n_children));
      std::vector<BatchColumn> columns;
      for (std::size_t c = 0; c < types_.size(); ++c)
        columns.emplace_back(types_[c], *schema_->children[c], *batch.get(),
                             static_cast<std::int64_t>(c));
      if (!body(columns, batch->length)) return;
    }
  }

 private:
  void check(int code) {
    if (code == 0) return;
    const char* const said = stream_->get_last_error(stream_.get());
    throw Error(
        fmt::format("cannot read {}: {}", path_, said != nullptr ? said : "no reason is given"),
        "was it written completely?");
  }

  ArrowOwner<ArrowArrayStream> stream_;
  ArrowOwner<ArrowSchema> schema_;
  const std::string& path_;
  std::vector<ColumnType> types_;
};

/// Names, labels and what ‹columns› and ‹drop› say; columns of types that are no values are left
/// out.
CsvLayout layout_of(Batches& batches, const std::string& path, const ReadOptions& options) {
  CsvLayout layout;
  layout.data.path = path;
  layout.delimiter = kNoSeparator;
  std::vector<std::string> others;
  for (std::size_t c = 0; c < batches.types().size(); ++c) {
    layout.header.push_back(batches.name(c));
    const bool other = batches.types()[c].stored == Stored::other;
    layout.roles.push_back(other ? CsvRole::skip : CsvRole::value);
    if (other) others.push_back(layout.header.back());
    // What pandas keeps of an index without a name.
    if (layout.header.back().starts_with("__index_level_")) {
      layout.roles.back() = CsvRole::skip;
      layout.notes.push_back(fmt::format("'{}' is the index and left out", layout.header.back()));
    }
  }
  if (layout.roles.empty()) throw Error(fmt::format("{} has no columns", path));
  if (!others.empty()) {
    layout.notes.push_back(fmt::format("left out, no single values: {}", fmt::join(others, ", ")));
    layout.decisions.push_back(layout.notes.back());
  }
  assign_roles(layout, options);
  if (options.transpose && layout.roles[0] == CsvRole::value &&
      batches.types()[0].stored == Stored::text)
    layout.roles[0] = CsvRole::name;
  return layout;
}

bool needs_a_look(const Batches& batches, const CsvLayout& layout) {
  for (std::size_t c = 0; c < layout.roles.size(); ++c) {
    if (layout.roles[c] != CsvRole::value) continue;
    const Stored stored = batches.types()[c].stored;
    if (stored == Stored::text || stored == Stored::date || is_id_name(layout.header[c]))
      return true;
  }
  return false;
}

/// What each column holds, by a pass over those that are not plain numbers.
std::size_t look(Batches& batches, std::vector<SeenColumn>& seen) {
  std::size_t rows = 0;
  batches.for_each([&](const std::vector<BatchColumn>& columns, std::int64_t count) {
    for (std::size_t c = 0; c < columns.size(); ++c) {
      const Stored stored = batches.types()[c].stored;
      if (stored == Stored::other) continue;
      for (std::int64_t r = 0; r < count; ++r) {
        if (stored == Stored::text || (seen[c].id_name && stored == Stored::number)) {
          const auto text = columns[c].text(r);
          if (text && !is_missing_token(*text))
            see(seen[c], {*text, false}, kNoSeparator, rows + static_cast<std::size_t>(r));
          continue;
        }
        if (stored != Stored::date && std::isnan(columns[c].number(r))) continue;
        if (stored == Stored::date && !columns[c].present(r)) continue;
        ++seen[c].values;
        seen[c].numbers += stored != Stored::date;
        seen[c].booleans += stored == Stored::boolean;
        seen[c].dates += stored == Stored::date;
      }
    }
    rows += static_cast<std::size_t>(count);
    return true;
  });
  return rows;
}

[[noreturn]] void no_number(const std::string& path, std::size_t row, const std::string& name,
                            const std::string& text) {
  throw Error(
      fmt::format("{}, row {}, column '{}': '{}' is not a number", path, row, name, text),
      fmt::format("‹drop {0}› leaves the column out, ‹label {0}› takes it as the labels", name));
}

}  // namespace

Dataset read_arrow_stream(const OpenArrowStream& open, const std::string& path,
                          const ReadOptions& options) {
  CsvLayout layout;
  bool use_f64 = false, mixed = false;
  {
    Batches batches(open(), path);
    layout = layout_of(batches, path, options);
    for (std::size_t c = 0; c < layout.roles.size(); ++c)
      use_f64 |= layout.roles[c] == CsvRole::value && batches.types()[c].wide;
    mixed = needs_a_look(batches, layout);
    if (mixed) {
      std::vector<SeenColumn> seen(layout.roles.size());
      for (std::size_t c = 0; c < seen.size(); ++c) seen[c].id_name = is_id_name(layout.header[c]);
      const std::size_t rows = look(batches, seen);
      give_roles(layout, seen, rows, options.text);
    }
    layout.count_features();
  }
  std::vector<std::string> labels, row_names;
  std::optional<ValueStore> store;
  for (bool again = true; again;) {
    again = false;
    labels.clear();
    row_names.clear();
    store.emplace(layout.features, use_f64);
    Batches batches(open(), path);
    std::vector<double> block(kBlock * layout.features);
    batches.for_each([&](const std::vector<BatchColumn>& columns, std::int64_t count) {
      for (std::int64_t first = 0; first < count; first += kBlock) {
        const auto here = std::min<std::int64_t>(kBlock, count - first);
        std::size_t f = 0;
        for (std::size_t c = 0; c < layout.roles.size(); ++c) {
          const CsvRole role = layout.roles[c];
          if (role == CsvRole::skip) continue;
          const bool text = batches.types()[c].stored == Stored::text;
          for (std::int64_t r = 0; r < here; ++r) {
            double* const row = block.data() + static_cast<std::size_t>(r) * layout.features;
            if (role == CsvRole::value && !text) {
              row[f] = columns[c].number(first + r);
              continue;
            }
            const std::string value = columns[c].text(first + r).value_or("");
            if (role == CsvRole::label) labels.push_back(value);
            if (role == CsvRole::name) row_names.push_back(value);
            if (role == CsvRole::text)
              for (std::size_t i = 0; i < layout.categories[c].size(); ++i)
                row[f + i] = value == layout.categories[c][i];
            if (role != CsvRole::value) continue;
            if (is_missing_token(value))
              row[f] = kMissing;
            else if (!parse_cell(value, kNoSeparator, row[f]))
              no_number(path, store->rows() + static_cast<std::size_t>(r), layout.name(c), value);
          }
          f += role == CsvRole::value ? 1 : role == CsvRole::text ? layout.categories[c].size() : 0;
        }
        for (std::size_t r = 0; r < static_cast<std::size_t>(here); ++r)
          if (!store->append({block.data() + r * layout.features, layout.features})) {
            again = use_f64 = true;  // 32 bits would lose digits
            return false;
          }
      }
      return true;
    });
  }
  if (store->rows() == 0)
    throw Error(fmt::format("{} has no rows", path), "was it written completely?");
  Dataset data = store->finish();
  name_features(layout, data);
  data.row_names = std::move(row_names);
  data.table = std::move(layout.table);
  if (layout.has_label) data.labels = make_labels(labels);
  data.notes = std::move(layout.notes);
  data.decisions = std::move(layout.decisions);
  return data;
}

}  // namespace quickselection
