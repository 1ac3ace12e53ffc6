// src/data/formats/arrow/arrow_library.cpp: opens files by the Arrow C++ library; compiled with
// QS_ARROW only. What is read leaves it through the C stream interface.
#include <arrow/c/bridge.h>
#include <arrow/io/file.h>
#include <arrow/ipc/reader.h>
#include <arrow/memory_pool.h>
#include <arrow/record_batch.h>
#include <arrow/util/config.h>
#include <fmt/format.h>
#include <parquet/arrow/reader.h>
#include <parquet/properties.h>

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>

#include "core/processes/limits.h"
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

/// Gives no more than a file of that size justifies: what its messages declare may be anything.
class JustPool : public arrow::ProxyMemoryPool {
 public:
  explicit JustPool(std::int64_t file_bytes)
      : ProxyMemoryPool(arrow::default_memory_pool()),
        most_(std::min<std::size_t>(justified_bytes(static_cast<std::size_t>(file_bytes)),
                                    INT64_MAX)) {}

  arrow::Status Allocate(std::int64_t size, std::int64_t alignment, std::uint8_t** out) override {
    ARROW_RETURN_NOT_OK(check_more(size));
    return ProxyMemoryPool::Allocate(size, alignment, out);
  }
  arrow::Status Reallocate(std::int64_t old_size, std::int64_t new_size, std::int64_t alignment,
                           std::uint8_t** place) override {
    ARROW_RETURN_NOT_OK(check_more(new_size - old_size));
    return ProxyMemoryPool::Reallocate(old_size, new_size, alignment, place);
  }
  using ProxyMemoryPool::Allocate;
  using ProxyMemoryPool::Reallocate;

 private:
  arrow::Status check_more(std::int64_t bytes) const {
    if (bytes <= static_cast<std::int64_t>(most_) - bytes_allocated()) return arrow::Status::OK();
    return arrow::Status::OutOfMemory(bytes, " bytes cannot come from a file of its size");
  }

  std::size_t most_;
};

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
  /// The pool must live as long as they.
  SoundBatches(std::shared_ptr<JustPool> pool, std::shared_ptr<arrow::RecordBatchReader> batches)
      : pool_(std::move(pool)), batches_(std::move(batches)) {}

  std::shared_ptr<arrow::Schema> schema() const override { return batches_->schema(); }
  arrow::Status ReadNext(std::shared_ptr<arrow::RecordBatch>* batch) override {
    ARROW_RETURN_NOT_OK(batches_->ReadNext(batch));
    return *batch == nullptr ? arrow::Status::OK() : (*batch)->ValidateFull();
  }

 private:
  std::shared_ptr<JustPool> pool_;
  std::shared_ptr<arrow::RecordBatchReader> batches_;
};

/// Keeps the Parquet reader alive as long as its batches.
class ParquetBatches : public arrow::RecordBatchReader {
 public:
  ParquetBatches(const std::shared_ptr<arrow::io::RandomAccessFile>& file, arrow::MemoryPool* pool,
                 const std::string& path) {
    // Pages of each column as they are needed, not a whole group of rows.
    parquet::ReaderProperties pages(pool);
    pages.enable_buffered_stream();
    parquet::ArrowReaderProperties batches(false);
    batches.set_pre_buffer(false);
    batches.set_batch_size(kBatchRows);
    parquet::arrow::FileReaderBuilder builder;
    check(builder.Open(file, pages), path);
    builder.properties(batches);
    builder.memory_pool(pool);
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

std::shared_ptr<SoundBatches> batches_of(const std::string& path) {
  // Mapped: what a message declares is not asked for before it is there.
  const std::shared_ptr<arrow::io::RandomAccessFile> file =
      taken(arrow::io::MemoryMappedFile::Open(path, arrow::io::FileMode::READ), path);
  const auto pool = std::make_shared<JustPool>(taken(file->GetSize(), path));
  const auto sound = [&](std::shared_ptr<arrow::RecordBatchReader> batches) {
    return std::make_shared<SoundBatches>(pool, std::move(batches));
  };
  auto options = arrow::ipc::IpcReadOptions::Defaults();
  options.memory_pool = pool.get();
  const auto head = taken(file->ReadAt(0, 8), path);
  const std::string_view magic(reinterpret_cast<const char*>(head->data()),
                               static_cast<std::size_t>(head->size()));
  if (magic.starts_with("PAR1"))
    return sound(std::make_shared<ParquetBatches>(file, pool.get(), path));
  if (magic.starts_with("ARROW1"))
    return sound(std::make_shared<FileBatches>(
        taken(arrow::ipc::RecordBatchFileReader::Open(file, options), path)));
  if (magic.starts_with("FEA1"))
    throw Error(fmt::format("{} is a Feather file of version 1, which Arrow no longer reads", path),
                "write it again as version 2");
  check(file->Seek(0), path);
  return sound(taken(arrow::ipc::RecordBatchStreamReader::Open(file, options), path));
}

}  // namespace

ArrowOwner<ArrowArrayStream> open_arrow_file(const std::string& path) {
  try {
    ArrowArrayStream stream{};
    check(arrow::ExportRecordBatchReader(batches_of(path), &stream), path);
    return ArrowOwner<ArrowArrayStream>(stream);
  } catch (const Error&) {
    throw;
  } catch (const std::exception& error) {  // Parquet throws its own
    throw Error(fmt::format("cannot read {}: {}", path, error.what()),
                "was it written completely?");
  }
}

}  // namespace quickselection
