// src/data/formats/arrow/arrow_library.cpp: opens files by the Arrow C++ library; compiled with
// QS_ARROW only. What is read leaves it through the C stream interface.
#include <arrow/c/bridge.h>
#include <arrow/io/file.h>
#include <arrow/ipc/reader.h>
#include <arrow/record_batch.h>
#include <arrow/util/config.h>
#include <fmt/format.h>
#include <parquet/arrow/reader.h>
#include <parquet/properties.h>

#include <memory>
#include <string>
#include <string_view>

#include "data/formats/arrow/arrow_table.h"
#include "quickselection/error.h"

namespace quickselection {
namespace {

constexpr std::int64_t kBatchRows = 1 << 14;

template <class Value>
Value taken(arrow::Result<Value> result, const std::string& path) {
  if (!result.ok())
    throw Error(fmt::format("cannot read {}: {}", path, result.status().message()),
                "was it written completely?");
  return std::move(result).ValueUnsafe();
}

void check(const arrow::Status& status, const std::string& path) {
  if (!status.ok())
    throw Error(fmt::format("cannot read {}: {}", path, status.message()),
                "was it written completely?");
}

/// The batches of an IPC file in order; each is read when its turn comes.
class FileBatches : public arrow::RecordBatchReader {
 public:
  explicit FileBatches(std::shared_ptr<arrow::ipc::RecordBatchFileReader> file)
      : file_(std::move(file)) {}

  std::shared_ptr<arrow::Schema> schema() const override { return file_->schema(); }

  arrow::Status ReadNext(std::shared_ptr<arrow::RecordBatch>* batch) override {
    if (next_ == file_->num_record_batches()) {
      batch->reset();
      return arrow::Status::OK();
    }
    ARROW_ASSIGN_OR_RAISE(*batch, file_->ReadRecordBatch(next_++));
    return arrow::Status::OK();
  }

 private:
  std::shared_ptr<arrow::ipc::RecordBatchFileReader> file_;
  int next_ = 0;
};

/// Looks through every batch: IPC takes places of texts and of categories as the file has them.
class SoundBatches : public arrow::RecordBatchReader {
 public:
  explicit SoundBatches(std::shared_ptr<arrow::RecordBatchReader> batches)
      : batches_(std::move(batches)) {}

  std::shared_ptr<arrow::Schema> schema() const override { return batches_->schema(); }
  arrow::Status ReadNext(std::shared_ptr<arrow::RecordBatch>* batch) override {
    ARROW_RETURN_NOT_OK(batches_->ReadNext(batch));
    return *batch == nullptr ? arrow::Status::OK() : (*batch)->ValidateFull();
  }

 private:
  std::shared_ptr<arrow::RecordBatchReader> batches_;
};

/// Keeps the Parquet reader alive as long as its batches.
class ParquetBatches : public arrow::RecordBatchReader {
 public:
  ParquetBatches(const std::shared_ptr<arrow::io::RandomAccessFile>& file,
                 const std::string& path) {
    // Pages of each column as they are needed, not a whole group of rows.
    parquet::ReaderProperties pages;
    pages.enable_buffered_stream();
    parquet::ArrowReaderProperties batches(false);
    batches.set_pre_buffer(false);
    batches.set_batch_size(kBatchRows);
    parquet::arrow::FileReaderBuilder builder;
    check(builder.Open(file, pages), path);
    builder.properties(batches);
    check(builder.Build(&reader_), path);
#if ARROW_VERSION_MAJOR >= 21
    batches_ = taken(reader_->GetRecordBatchReader(), path);
#else
    std::unique_ptr<arrow::RecordBatchReader> made;
    check(reader_->GetRecordBatchReader(&made), path);
    batches_ = std::move(made);
#endif
  }

  std::shared_ptr<arrow::Schema> schema() const override { return batches_->schema(); }
  arrow::Status ReadNext(std::shared_ptr<arrow::RecordBatch>* batch) override {
    return batches_->ReadNext(batch);
  }

 private:
  std::unique_ptr<parquet::arrow::FileReader> reader_;
  std::shared_ptr<arrow::RecordBatchReader> batches_;
};

std::shared_ptr<arrow::RecordBatchReader> batches_of(const std::string& path) {
  const std::shared_ptr<arrow::io::RandomAccessFile> file =
      taken(arrow::io::ReadableFile::Open(path), path);
  const auto head = taken(file->ReadAt(0, 8), path);
  const std::string_view magic(reinterpret_cast<const char*>(head->data()),
                               static_cast<std::size_t>(head->size()));
  if (magic.starts_with("PAR1")) return std::make_shared<ParquetBatches>(file, path);
  if (magic.starts_with("ARROW1"))
    return std::make_shared<FileBatches>(
        taken(arrow::ipc::RecordBatchFileReader::Open(file), path));
  if (magic.starts_with("FEA1"))
    throw Error(fmt::format("{} is a Feather file of version 1, which Arrow no longer reads", path),
                "write it again as version 2");
  check(file->Seek(0), path);
  return taken(arrow::ipc::RecordBatchStreamReader::Open(file), path);
}

}  // namespace

ArrowOwner<ArrowArrayStream> open_arrow_file(const std::string& path) {
  try {
    ArrowArrayStream stream{};
    check(arrow::ExportRecordBatchReader(std::make_shared<SoundBatches>(batches_of(path)), &stream),
          path);
    return ArrowOwner<ArrowArrayStream>(stream);
  } catch (const Error&) {
    throw;
  } catch (const std::exception& error) {  // Parquet throws its own
    throw Error(fmt::format("cannot read {}: {}", path, error.what()),
                "was it written completely?");
  }
}

}  // namespace quickselection
