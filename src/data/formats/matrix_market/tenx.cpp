// src/data/formats/matrix_market/tenx.cpp: a 10x Genomics folder: a matrix of features x cells, and
// the names of both.
#include <fmt/format.h>

#include <filesystem>
#include <optional>
#include <unordered_map>

#include "data/formats/csv/csv.h"
#include "data/formats/format.h"
#include "quickselection/error.h"

namespace quickselection {
namespace {

namespace fs = std::filesystem;

std::optional<std::string> find_file(const fs::path& folder,
                                     std::initializer_list<const char*> names) {
  std::error_code ignored;
  for (const char* const name : names)
    for (const char* const ending : {"", ".gz"})
      if (const fs::path file = folder / (std::string(name) + ending);
          fs::is_regular_file(file, ignored))
        return file.string();
  return std::nullopt;
}

std::optional<std::string> find_matrix(const fs::path& folder) {
  return find_file(folder, {"matrix.mtx"});
}

/// Lines of id, name, kind between tabs: the names, with the id where several have the same.
std::vector<std::string> read_names(const std::string& path) {
  std::vector<std::string> names, ids;
  std::unordered_map<std::string, int> times;
  for (const std::string& line : read_text_lines(path)) {
    const std::size_t tab = line.find('\t');
    ids.push_back(line.substr(0, tab));
    names.push_back(tab == std::string::npos
                        ? ids.back()
                        : line.substr(tab + 1, line.find('\t', tab + 1) - tab - 1));
    ++times[names.back()];
  }
  for (std::size_t i = 0; i < names.size(); ++i)
    if (times[names[i]] > 1 && ids[i] != names[i]) names[i] += fmt::format(" ({})", ids[i]);
  return names;
}

Dataset read_tenx(const std::string& path, const ReadOptions& options) {
  const auto matrix = find_matrix(path);
  if (!matrix)
    throw Error(fmt::format("{} holds no matrix.mtx or matrix.mtx.gz", path),
                "name the folder of one 10x Genomics matrix");
  Dataset data = read_matrix_market(*matrix, true);
  data.source = path;
  if (const auto file = find_file(path, {"features.tsv", "genes.tsv"})) {
    data.names = read_names(*file);
    if (data.names.size() != data.features())
      throw Error(fmt::format("{} has {} names, but {} has {} features", *file, data.names.size(),
                              *matrix, data.features()),
                  "each line of the names stands for a row of the matrix");
  }
  if (const auto file = find_file(path, {"barcodes.tsv"})) {
    const std::size_t cells = read_text_lines(*file).size();
    if (cells != data.rows())
      throw Error(fmt::format("{} has {} barcodes, but {} has {} cells", *file, cells, *matrix,
                              data.rows()),
                  "each line of the barcodes stands for a column of the matrix");
  }
  if (!options.label.empty() && options.label != "none")
    throw InvalidArgument(
        fmt::format("‹label› is '{}', but {} holds no labels", options.label, path),
        "give a file of labels, or none");
  return data;
}

bool detect_folder(const std::string& path) { return find_matrix(path).has_value(); }

}  // namespace

const Format tenx_format{
    .name = "10x",
    .summary = "folder of 10x Genomics: matrix.mtx, features.tsv or genes.tsv, barcodes.tsv",
    .endings = {},
    .detect = [](std::string_view) { return false; },
    .read = read_tenx,
    .detect_folder = detect_folder};

}  // namespace quickselection
