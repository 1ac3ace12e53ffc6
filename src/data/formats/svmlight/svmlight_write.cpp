// src/data/formats/svmlight/svmlight_write.cpp: see svmlight_write.h.
#include "data/formats/svmlight/svmlight_write.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "core/atomic_file.h"
#include "data/dataset/label_codes.h"
#include "data/dataset/subset.h"
#include "data/io/number_write.h"

namespace quickselection {
namespace {

bool is_plain(const std::string& name) { return name.find_first_of("\t\r\n") == std::string::npos; }

}  // namespace

void write_svmlight(const std::string& path, const Dataset& data,
                    std::span<const std::uint32_t> columns) {
  AtomicFile file(path);
  std::string line;
  if (!data.names.empty() && std::all_of(data.names.begin(), data.names.end(), is_plain)) {
    line = kNamesComment;
    for (const std::uint32_t column : columns) line += '\t' + data.names[column];
    file.write(line + '\n');
  }
  std::vector<std::string> labels;
  if (data.labels) labels = number_labels(*data.labels).texts;
  SelectedRows rows(data, columns);
  std::vector<std::byte> dense(data.is_sparse() ? 0 : rows.row_bytes());
  visit_type(data.type(), [&]<class T>() {
    const auto put = [&](std::size_t column, const std::byte* at) {
      T value;
      std::memcpy(&value, at, sizeof value);
      if (value == T{0}) return;
      line += fmt::format(" {}:", column + 1);
      append_number<T>(line, at);
    };
    for (std::size_t r = 0; r < data.rows(); ++r) {
      line = data.labels ? labels[static_cast<std::size_t>(data.labels->codes[r])] : "0";
      if (data.is_sparse()) {
        const SelectedRows::Stored row = rows.stored_row(r);
        for (std::size_t i = 0; i < row.columns.size(); ++i)
          put(row.columns[i], row.values + i * sizeof(T));
      } else {
        rows.copy_row(r, dense.data());
        for (std::size_t i = 0; i < columns.size(); ++i) put(i, dense.data() + i * sizeof(T));
      }
      file.write(line + '\n');
    }
  });
  file.commit();
}

}  // namespace quickselection
