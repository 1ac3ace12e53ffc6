// src/data/formats/arrow/arrow.cpp: Parquet, Feather and Arrow IPC files.
#include <fmt/format.h>

#include <array>

#include "data/formats/arrow/arrow_table.h"
#include "data/formats/format.h"
#include "quickselection/error.h"

namespace quickselection {
namespace {

constexpr std::array<std::string_view, 6> kEndings{".parquet", ".pq",  ".feather",
                                                   ".arrow",   ".ipc", ".arrows"};

Dataset read_arrow(const std::string& path, const ReadOptions& options) {
  return read_arrow_stream([&] { return open_arrow_file(path); }, path, options);
}

bool detect_arrow(std::string_view head) {
  return head.starts_with("PAR1") || head.starts_with("ARROW1") || head.starts_with("FEA1");
}

}  // namespace

#ifndef QS_ARROW
ArrowOwner<ArrowArrayStream> open_arrow_file(const std::string& path) {
  throw Error(fmt::format("cannot read {}: this program was built without the Arrow library", path),
              "build it with -DQS_ARROW=ON, which takes Arrow's CMake package (libarrow-dev, "
              "libparquet-dev) or an installed Python package pyarrow; or write a CSV file: "
              "pandas.read_parquet(…).to_csv(…, index=False)");
}
#endif

const Format arrow_format{
    .name = "arrow",
    .summary = "tables of Parquet, Feather and Arrow IPC, where the Arrow library was built in",
    .endings = kEndings,
    .detect = detect_arrow,
    .read = read_arrow};

}  // namespace quickselection
