// src/data/formats/arrow/arrow.cpp: Parquet, Feather and Arrow IPC files.
#include <array>

#include "data/formats/arrow/arrow_table.h"
#include "data/formats/format.h"

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

const Format arrow_format{
    .name = "arrow",
    .summary = "tables of Parquet, Feather and Arrow IPC, where the Arrow library was built in",
    .endings = kEndings,
    .detect = detect_arrow,
    .read = read_arrow};

}  // namespace quickselection
