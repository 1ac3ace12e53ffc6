// src/data/formats/format.h: what a file format is to the rest of the library.
//
// A format is one constant of this struct in a file of its own, and one line in read.cpp's list.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "quickselection/dataset.h"

namespace quickselection {

/// Writes these columns, which are ascending and exist.
using WriteFormat = void(const std::string& path, const Dataset& data,
                         std::span<const std::uint32_t> columns);

struct Format {
  std::string_view name;                      ///< as in --format
  std::string_view summary;                   ///< one sentence for --help
  std::span<const std::string_view> endings;  ///< lower case, with the dot
  bool (*detect)(std::string_view head);      ///< looks at the first bytes of a file
  Dataset (*read)(const std::string& path, const ReadOptions& options);
  WriteFormat* write = nullptr;  ///< null when the format is only read
  bool writes_names = true, writes_labels = true, writes_sparse = true;
  bool writes_in_order = true;  ///< so that it can be written to a pipe
  bool reads_gzip = false;      ///< `read` understands the same file compressed with gzip
  bool (*detect_folder)(const std::string& path) = nullptr;  ///< null: the data is one file
};

/// All formats, in the order in which their content is tried.
std::span<const Format* const> formats();

/// The format whose ending `path` has, or null. A further .gz counts where it can be read.
const Format* format_by_ending(std::string_view path);

/// "csv (.csv, .tsv, .txt; .gz too), npy (.npy)": for hints.
std::string list_formats();

/// The files that may be read for `path`: itself, or those of a folder.
std::vector<std::string> files_behind(const std::string& path, const std::string& format = "");

/// For writers: the names of these columns, none when the data has none.
std::vector<std::string> names_of(const Dataset& data, std::span<const std::uint32_t> columns);
/// The label of each row.
std::vector<std::string> texts_of(const Labels& labels);

/// Labels for formats that only have numbers.
struct NumberLabels {
  std::vector<std::string> texts;  ///< one for each class
  std::vector<double> values;
  bool as_they_are = true;  ///< false: the classes are no numbers, and got 0, 1, 2, ...
};

NumberLabels number_labels(const Labels& labels);

/// Writers in a file of their own, beside their reader.
WriteFormat write_csv;
/// As AnnData does it, labels in obs/label.
WriteFormat write_h5ad;
/// Version 5: X, sparse if the data is; labels in Y (numbers, or a cell array of texts), names in
/// names (a cell array).
WriteFormat write_mat5;
/// Dense values as the array X, sparse ones as scipy.sparse.save_npz does; labels as y, the names
/// of the features as names.
WriteFormat write_npz;

/// Readers that a neighbour uses. MATLAB's version 5 (MATLAB 5 to 7.2); version 7.3 is an HDF5 file
/// whose arrays are stored column by column.
Dataset read_mat5(const std::string& path, const ReadOptions& options);
Dataset read_mat73(const std::string& path, const ReadOptions& options);
/// A Matrix Market file, plain or compressed. With `turned` its columns become the rows.
Dataset read_matrix_market(const std::string& path, bool turned);

extern const Format arrow_format;
extern const Format csv_format;
extern const Format h5ad_format;
extern const Format har_format;
extern const Format hdf5_format;
extern const Format idx_format;
extern const Format mat_format;
extern const Format mtx_format;
extern const Format npy_format;
extern const Format npz_format;
extern const Format svmlight_format;
extern const Format tenx_format;

}  // namespace quickselection
