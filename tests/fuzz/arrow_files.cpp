// tests/fuzz/arrow_files.cpp: see arrow_files.h; compiled with QS_ARROW only.
#include "arrow_files.h"

#include <arrow/api.h>
#include <arrow/io/file.h>
#include <arrow/ipc/feather.h>
#include <arrow/ipc/writer.h>
#include <parquet/arrow/writer.h>
#include <parquet/properties.h>

#include <filesystem>
#include <memory>
#include <stdexcept>
#include <utility>

namespace quickselection {

const std::map<std::string, std::vector<const char*>> kArrowFiles{
    {"arrow", {"plain.arrow", "stream.arrows", "packed.feather"}},
    {"parquet", {"plain.parquet", "packed.parquet"}},
};

namespace {

constexpr int kRows = 24;

void check(const arrow::Status& status) {
  if (!status.ok()) throw std::runtime_error(status.ToString());
}

template <class Value>
Value taken(arrow::Result<Value> result) {
  check(result.status());
  return std::move(result).ValueUnsafe();
}

/// `value(row)` in each row; every seventh is missing.
template <class Builder>
std::shared_ptr<arrow::Array> column(Builder&& builder, const auto& value) {
  for (int r = 0; r < kRows; ++r)
    check(r % 7 == 3 ? builder.AppendNull() : builder.Append(value(r)));
  return taken(builder.Finish());
}

/// A column of each type that the reader tells apart.
std::shared_ptr<arrow::Table> table() {
  const auto text = [](int r) {
    return std::string("a longer text than a view holds ") + char('a' + r % 4);
  };
  const auto decimal = [](int r) { return arrow::Decimal128(r * 1001 - 7); };
  const auto date = [](int r) { return r * 31; };
  const auto number = [](int r) { return static_cast<int>(r * 13 % 50); };
  const auto fraction = [](int r) { return static_cast<double>(r) / 7; };
  const auto pool = arrow::default_memory_pool();
  const std::vector<std::pair<std::string, std::shared_ptr<arrow::Array>>> columns{
      {"f8", column(arrow::DoubleBuilder(), fraction)},
      {"f4", column(arrow::FloatBuilder(), [&](int r) { return static_cast<float>(fraction(r)); })},
      {"i1", column(arrow::Int8Builder(), number)},
      {"u2", column(arrow::UInt16Builder(), number)},
      {"i8", column(arrow::Int64Builder(), number)},
      {"yes", column(arrow::BooleanBuilder(), [](int r) { return r % 2 == 0; })},
      {"money", column(arrow::Decimal128Builder(arrow::decimal128(12, 2)), decimal)},
      {"day", column(arrow::Date32Builder(), date)},
      {"city", column(arrow::StringBuilder(), text)},
      {"region", column(arrow::LargeStringBuilder(), text)},
      {"grade", column(arrow::StringDictionaryBuilder(pool), text)},
      {"label", column(arrow::StringBuilder(), [](int r) { return r % 2 == 0 ? "x" : "y"; })},
  };
  std::vector<std::shared_ptr<arrow::Field>> fields;
  std::vector<std::shared_ptr<arrow::Array>> arrays;
  for (const auto& [name, array] : columns) {
    fields.push_back(arrow::field(name, array->type()));
    arrays.push_back(array);
  }
  return arrow::Table::Make(arrow::schema(fields), arrays);
}

}  // namespace

void write_arrow_files(const std::string& folder) {
  const auto all = table();
  const auto file = [&](const char* name) {
    return taken(
        arrow::io::FileOutputStream::Open((std::filesystem::path(folder) / name).string()));
  };
  constexpr int kRowsOfBatch = 10;
  for (const bool stream : {false, true}) {
    const auto out = file(stream ? "stream.arrows" : "plain.arrow");
    const auto writer = taken(stream ? arrow::ipc::MakeStreamWriter(out, all->schema())
                                     : arrow::ipc::MakeFileWriter(out, all->schema()));
    check(writer->WriteTable(*all, kRowsOfBatch));
    check(writer->Close());
    check(out->Close());
  }
  auto packed = arrow::ipc::feather::WriteProperties::Defaults();
  packed.compression = arrow::Compression::LZ4_FRAME;
  const auto feather = file("packed.feather");
  check(arrow::ipc::feather::WriteTable(*all, feather.get(), packed));
  check(feather->Close());
  for (const bool plain : {false, true}) {
    parquet::WriterProperties::Builder how;
    if (plain) how.disable_dictionary();
    how.compression(plain ? parquet::Compression::UNCOMPRESSED : parquet::Compression::SNAPPY);
    const auto out = file(plain ? "plain.parquet" : "packed.parquet");
    check(parquet::arrow::WriteTable(*all, arrow::default_memory_pool(), out, kRowsOfBatch,
                                     how.build()));
    check(out->Close());
  }
}

}  // namespace quickselection
