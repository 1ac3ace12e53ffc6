// src/data/formats/arrow/no_arrow_library.cpp: what stands in for arrow_library.cpp without
// QS_ARROW.
#include <fmt/format.h>

#include "data/formats/arrow/arrow_table.h"
#include "quickselection/error.h"

namespace quickselection {

ArrowOwner<ArrowArrayStream> open_arrow_file(const std::string& path) {
  throw Error(fmt::format("cannot read {}: this program was built without the Arrow library", path),
              "build it with -DQS_ARROW=ON, which takes Arrow's CMake packages (libarrow-dev, "
              "libparquet-dev) or an installed Python package pyarrow; or write a CSV file: "
              "pandas.read_parquet(…).to_csv(…, index=False)");
}

}  // namespace quickselection
