// tests/data/formats/arrow/arrow_table_test.cpp: streams made by hand, as the interface lays them
// down.
#include "data/formats/arrow/arrow_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <list>

#include "quickselection/error.h"

namespace quickselection {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// A column of one batch: its format, its buffers, and perhaps a dictionary.
struct Column {
  std::string name, format;
  std::vector<std::vector<std::uint8_t>> buffers;  // the first is the validity, or empty
  std::vector<Column> dictionary = {};             // none or one
  std::int64_t length = 0, offset = 0;
};

template <class T>
std::vector<std::uint8_t> bytes(const std::vector<T>& values) {
  std::vector<std::uint8_t> out(values.size() * sizeof(T));
  if (!out.empty()) std::memcpy(out.data(), values.data(), out.size());
  return out;
}

template <class T>
Column numbers(std::string name, std::string format, const std::vector<T>& values,
               std::vector<std::uint8_t> validity = {}) {
  return {std::move(name),
          std::move(format),
          {std::move(validity), bytes(values)},
          {},
          static_cast<std::int64_t>(values.size())};
}

Column texts(std::string name, const std::vector<std::string>& values,
             std::vector<std::uint8_t> validity = {}) {
  std::vector<std::int32_t> offsets{0};
  std::string all;
  for (const std::string& value : values) {
    all += value;
    offsets.push_back(static_cast<std::int32_t>(all.size()));
  }
  return {std::move(name),
          "u",
          {std::move(validity), bytes(offsets), bytes(std::vector<char>(all.begin(), all.end()))},
          {},
          static_cast<std::int64_t>(values.size())};
}

/// Everything that a stream points to, and how often it was released.
struct Made {
  std::list<std::vector<const void*>> pointers;
  std::list<std::vector<ArrowArray*>> arrays;
  std::list<std::vector<ArrowSchema*>> schemas;
  std::list<ArrowArray> kept_arrays;
  std::list<ArrowSchema> kept_schemas;
};

template <class Struct>
void release(Struct* held) {
  held->release = nullptr;
}

ArrowSchema schema_of(const Column& column, Made& made) {
  ArrowSchema schema{};
  schema.format = column.format.c_str();
  schema.name = column.name.c_str();
  schema.release = release<ArrowSchema>;
  if (!column.dictionary.empty()) {
    made.kept_schemas.push_back(schema_of(column.dictionary[0], made));
    schema.dictionary = &made.kept_schemas.back();
  }
  return schema;
}

ArrowArray array_of(const Column& column, Made& made) {
  ArrowArray array{};
  array.length = column.length;
  array.offset = column.offset;
  array.null_count = column.buffers[0].empty() ? 0 : -1;
  auto& pointers = made.pointers.emplace_back();
  for (const auto& buffer : column.buffers)
    pointers.push_back(buffer.empty() ? nullptr : buffer.data());
  array.n_buffers = static_cast<std::int64_t>(pointers.size());
  array.buffers = pointers.data();
  array.release = release<ArrowArray>;
  if (!column.dictionary.empty()) {
    made.kept_arrays.push_back(array_of(column.dictionary[0], made));
    array.dictionary = &made.kept_arrays.back();
  }
  return array;
}

/// A table of batches; the struct array of each has this offset.
struct Table {
  std::vector<std::vector<Column>> batches;
  std::int64_t offset = 0;
  int fails_at = -1;
  mutable Made made = {};
  mutable int opened = 0, released = 0;

  struct State {
    const Table* table;
    std::size_t next = 0;
  };

  ArrowOwner<ArrowArrayStream> open() const {
    ++opened;
    ArrowArrayStream stream{};
    stream.private_data = new State{this};
    stream.get_schema = [](ArrowArrayStream* self, ArrowSchema* out) {
      const Table& table = *static_cast<State*>(self->private_data)->table;
      auto& children = table.made.schemas.emplace_back();
      for (const Column& column : table.batches[0]) {
        table.made.kept_schemas.push_back(schema_of(column, table.made));
        children.push_back(&table.made.kept_schemas.back());
      }
      *out = {};
      out->format = "+s";
      out->n_children = static_cast<std::int64_t>(children.size());
      out->children = children.data();
      out->release = release<ArrowSchema>;
      return 0;
    };
    stream.get_next = [](ArrowArrayStream* self, ArrowArray* out) {
      State& state = *static_cast<State*>(self->private_data);
      const Table& table = *state.table;
      *out = {};
      if (static_cast<int>(state.next) == table.fails_at) return 5;
      if (state.next == table.batches.size()) return 0;
      auto& children = table.made.arrays.emplace_back();
      for (const Column& column : table.batches[state.next]) {
        table.made.kept_arrays.push_back(array_of(column, table.made));
        children.push_back(&table.made.kept_arrays.back());
      }
      out->length = table.batches[state.next][0].length - table.offset;
      out->offset = table.offset;
      out->n_children = static_cast<std::int64_t>(children.size());
      out->children = children.data();
      out->release = release<ArrowArray>;
      ++state.next;
      return 0;
    };
    stream.get_last_error = [](ArrowArrayStream*) { return "the disk is gone"; };
    stream.release = [](ArrowArrayStream* self) {
      const auto* const state = static_cast<State*>(self->private_data);
      ++state->table->released;
      delete state;
      self->release = nullptr;
    };
    return ArrowOwner<ArrowArrayStream>(stream);
  }

  Dataset read(const ReadOptions& options = {}) const {
    return read_arrow_stream([this] { return open(); }, "t.arrow", options);
  }
};

std::vector<double> column_of(const Dataset& data, std::size_t feature) {
  std::vector<double> values;
  for (std::size_t r = 0; r < data.rows(); ++r) values.push_back(data.at(r, feature));
  return values;
}

TEST(ArrowTable, ReadsEveryKindOfNumber) {
  const Table table{
      {{numbers<std::int8_t>("c", "c", {-1, 2}), numbers<std::uint8_t>("C", "C", {1, 255}),
        numbers<std::int16_t>("s", "s", {-300, 2}), numbers<std::uint16_t>("S", "S", {1, 65535}),
        numbers<std::int32_t>("i", "i", {-70000, 2}),
        numbers<std::uint32_t>("I", "I", {1, 4000000000u}),
        numbers<std::int64_t>("l", "l", {-5000000000, 2}), numbers<std::uint64_t>("L", "L", {1, 7}),
        numbers<std::uint16_t>("e", "e", {0x3e00, 0xc400}), numbers<float>("f", "f", {0.5f, -2}),
        numbers<double>("g", "g", {0.1, 1e300}), numbers<std::int64_t>("duration", "tDm", {60, 90}),
        numbers<std::int64_t>("decimal", "d:10,2", {1250, 0, -1, -1}),
        numbers<std::uint8_t>("b", "b", {0b10})}}};
  Table fixed = table;
  fixed.batches[0][12].length = fixed.batches[0][13].length = 2;
  const Dataset data = fixed.read();
  EXPECT_EQ(data.type(), ValueType::f64);
  ASSERT_EQ(data.rows(), 2u);
  EXPECT_THAT(column_of(data, 0), ElementsAre(-1, 2));
  EXPECT_THAT(column_of(data, 1), ElementsAre(1, 255));
  EXPECT_THAT(column_of(data, 2), ElementsAre(-300, 2));
  EXPECT_THAT(column_of(data, 3), ElementsAre(1, 65535));
  EXPECT_THAT(column_of(data, 4), ElementsAre(-70000, 2));
  EXPECT_THAT(column_of(data, 5), ElementsAre(1, 4000000000.0));
  EXPECT_THAT(column_of(data, 6), ElementsAre(-5000000000.0, 2));
  EXPECT_THAT(column_of(data, 7), ElementsAre(1, 7));
  EXPECT_THAT(column_of(data, 8), ElementsAre(1.5, -4));
  EXPECT_THAT(column_of(data, 9), ElementsAre(0.5, -2));
  EXPECT_THAT(column_of(data, 10), ElementsAre(0.1, 1e300));
  EXPECT_THAT(column_of(data, 11), ElementsAre(60, 90));
  EXPECT_THAT(column_of(data, 12), ElementsAre(12.5, -0.01));
  EXPECT_THAT(column_of(data, 13), ElementsAre(0, 1));
  EXPECT_EQ(fixed.opened, fixed.released);
}

TEST(ArrowTable, KeepsSmallNumbersSmallAndBeginsAgainWhereDigitsWouldBeLost) {
  const Table small{
      {{numbers<std::int64_t>("a", "l", {1, 200}), numbers<std::int64_t>("b", "l", {0, 3})}}};
  EXPECT_EQ(small.read().type(), ValueType::u8);
  const Table large{{{numbers<std::int64_t>("a", "l", {1, 2})},
                     {numbers<std::int64_t>("a", "l", {123456789012345, 2})}}};
  const Dataset data = large.read();
  EXPECT_EQ(data.type(), ValueType::f64);
  EXPECT_THAT(column_of(data, 0), ElementsAre(1, 2, 123456789012345.0, 2));
  EXPECT_EQ(large.opened, large.released);
}

TEST(ArrowTable, NullsAreMissingAndOffsetsCount) {
  Table table{{{numbers<std::int32_t>("a", "i", {9, 1, 2, 3}, {0b1101}),
                numbers<float>("b", "f", {9, 9, 4, 5, 6}, {0b01110})}}};
  table.batches[0][1].offset = 1;
  table.offset = 1;
  table.batches[0][0].length = 4;
  const Dataset data = table.read();
  ASSERT_EQ(data.rows(), 3u);
  EXPECT_TRUE(std::isnan(data.at(0, 0)));
  EXPECT_EQ(data.at(1, 0), 2);
  EXPECT_EQ(data.at(2, 0), 3);
  EXPECT_EQ(data.at(0, 1), 4);
  EXPECT_EQ(data.at(1, 1), 5);
  EXPECT_TRUE(std::isnan(data.at(2, 1)));
}

TEST(ArrowTable, TreatsTextAsTextTablesDo) {
  Column coded = numbers<std::int8_t>("city", "c", {1, 0, 1, 1}, {0b0111});
  coded.dictionary = {texts("", {"Bonn", "Celle"})};
  const Table table{{{texts("key", {"a", "b", "c", "d"}),
                      numbers<std::int32_t>("day", "tdD", {1, 2, 3, 4}),
                      coded,
                      numbers<std::int16_t>("x", "s", {1, 2, 3, 4}),
                      texts("price", {"1,5", "2", "NA", "4"}),
                      texts("class", {"p", "q", "p", "p"}),
                      {"list", "+l", {{}, {}}, {}, 4}}}};
  const Dataset dropped = table.read();
  EXPECT_THAT(dropped.names, ElementsAre("x", "price"));
  EXPECT_THAT(dropped.labels->classes, ElementsAre("p", "q"));
  EXPECT_THAT(dropped.decisions, ElementsAre(HasSubstr("list"), HasSubstr("day"), HasSubstr("key"),
                                             HasSubstr("city")));
  EXPECT_EQ(dropped.at(0, 1), 1.5);
  EXPECT_TRUE(std::isnan(dropped.at(2, 1)));
  ReadOptions options;
  options.text = TextColumns::encode;
  const Dataset encoded = table.read(options);
  EXPECT_THAT(encoded.names, ElementsAre("city=Bonn", "city=Celle", "x", "price"));
  EXPECT_THAT(column_of(encoded, 0), ElementsAre(0, 1, 0, 0));
  EXPECT_THAT(column_of(encoded, 1), ElementsAre(1, 0, 1, 0));
  ASSERT_EQ(encoded.groups.size(), 1u);
  EXPECT_EQ(encoded.groups[0].name, "city");
  EXPECT_EQ(encoded.ranked_count(), 3u);
}

TEST(ArrowTable, ReadsViewsOfShortAndLongTexts) {
  std::vector<std::uint8_t> views(3 * 16);
  const auto put = [&](std::size_t row, const std::string& text, std::int32_t offset) {
    const auto length = static_cast<std::int32_t>(text.size());
    std::memcpy(views.data() + row * 16, &length, 4);
    if (text.size() <= 12) {
      std::memcpy(views.data() + row * 16 + 4, text.data(), text.size());
      return;
    }
    std::memcpy(views.data() + row * 16 + 4, text.data(), 4);
    const std::int32_t place[] = {0, offset};
    std::memcpy(views.data() + row * 16 + 8, place, 8);
  };
  const std::string longer = "a class of a long name";
  put(0, "short", 0);
  put(1, longer, 3);
  put(2, "short", 0);
  const std::string stored = "..." + longer;
  const Table table{{{numbers<float>("x", "f", {1, 2, 3}),
                      {"y",
                       "vu",
                       {{}, views, bytes(std::vector<char>(stored.begin(), stored.end())), {}},
                       {},
                       3}}}};
  EXPECT_THAT(table.read().labels->classes, ElementsAre(longer, "short"));
}

TEST(ArrowTable, NamesWhatIsWrong) {
  const auto message = [](const Table& table, const ReadOptions& options = {}) -> std::string {
    try {
      table.read(options);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  Table broken{{{numbers<float>("x", "f", {1, 2})}}};
  broken.fails_at = 1;
  EXPECT_THAT(message(broken), HasSubstr("cannot read t.arrow: the disk is gone"));
  EXPECT_EQ(broken.opened, broken.released);
  const Table empty{{{numbers<float>("x", "f", {})}}};
  EXPECT_THAT(message(empty), HasSubstr("t.arrow has no rows"));
  const Table words{{{texts("a", {"1", "2", "x"}), numbers<float>("b", "f", {1, 2, 3})}}};
  EXPECT_THAT(message(words), HasSubstr("t.arrow, row 2, column 'a': 'x' is not a number"));
  const Table none{{{texts("a", {"u", "v", "u"})}}};
  EXPECT_THAT(message(none), HasSubstr("no column left for features"));
}

}  // namespace
}  // namespace quickselection
