// src/data/h5ad.cpp: AnnData files, as single-cell tools write them.
#include <fmt/format.h>

#include <array>

#include "data/array.h"
#include "data/format.h"
#include "data/hdf5_file.h"
#include "quickselection/error.h"

namespace quickselection {
namespace {

constexpr std::array<std::string_view, 1> kEndings{".h5ad"};
constexpr const char* kNoCategory = "NaN";

/// The texts of categories, one for each code.
std::vector<std::string> expand(const std::vector<std::string>& codes,
                                const std::vector<std::string>& categories, const std::string& path,
                                const std::string& column) {
  std::vector<std::string> texts;
  texts.reserve(codes.size());
  for (const std::string& text : codes) {
    const double code = std::stod(text);
    if (code == -1) {
      texts.emplace_back(kNoCategory);
      continue;
    }
    if (!(code >= 0 && code < static_cast<double>(categories.size())))
      throw Error(
          fmt::format("{}: the column '{}' of obs is damaged: it has {} categories, but "
                      "one of its codes is {}",
                      path, column, categories.size(), text));
    texts.push_back(categories[static_cast<std::size_t>(code)]);
  }
  return texts;
}

std::vector<std::string> obs_column(const Hdf5File& file, const std::string& column) {
  const std::string place = "obs/" + column;
  if (!file.has(place))
    throw InvalidArgument(
        fmt::format("--label is '{}', but {} has no such column in obs", column, file.path()),
        "name a column of obs, a file of labels, or none");
  if (file.is_group(place))  // how AnnData 0.8 and later store categories
    return expand(file.texts(place + "/codes"), file.texts(place + "/categories"), file.path(),
                  column);
  const std::string categories = "obs/__categories/" + column;  // earlier than that
  if (file.has(categories))
    return expand(file.texts(place), file.texts(categories), file.path(), column);
  return file.texts(place);
}

Dataset read_h5ad(const std::string& path, const ReadOptions& options) {
  const Hdf5File file(path);
  const std::string matrix = options.array.empty() ? "X" : options.array;
  if (!file.has(matrix))
    throw Error(fmt::format("{} has no matrix '{}'", path, matrix),
                "--array names another, such as raw/X or layers/counts");
  if (file.is_group(matrix))
    throw Error(fmt::format("{}: '{}' is a sparse matrix, which cannot be read yet", path, matrix),
                "make it dense: adata.X = adata.X.toarray()");
  Dataset data = file.values(matrix);

  const std::string var = matrix.starts_with("raw/") ? "raw/var" : "var";
  if (const auto index = file.has(var) ? file.attribute(var, "_index") : std::nullopt) {
    const std::string place = var + "/" + *index;
    if (file.has(place)) data.names = file.texts(place);
    if (!data.names.empty() && data.names.size() != data.features())
      throw Error(fmt::format("{}: '{}' has {} names, but '{}' has {} features", path, place,
                              data.names.size(), matrix, data.features()));
  }
  if (!options.label.empty() && options.label != "none") {
    const std::vector<std::string> texts = obs_column(file, options.label);
    if (texts.size() != data.rows())
      throw Error(fmt::format("{}: the column '{}' of obs has {} values, but '{}' has {} rows",
                              path, options.label, texts.size(), matrix, data.rows()));
    data.labels = make_labels(texts);
  }
  return data;
}

}  // namespace

const Format h5ad_format{.name = "h5ad",
                         .summary = "AnnData; --label names a column of obs",
                         .endings = kEndings,
                         .detect = is_hdf5,
                         .read = read_h5ad};

}  // namespace quickselection
