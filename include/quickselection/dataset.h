// include/quickselection/dataset.h: a table of numbers as it was stored, and how to read one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "quickselection/matrix_view.h"
#include "quickselection/value_type.h"

namespace quickselection {

/// A sparse matrix by rows (CSR): row r holds the places offsets[r] to offsets[r + 1] of `columns`
/// and `values`; all other values are 0. The columns of a row are distinct and ascend.
struct SparseView {
  const std::uint64_t* offsets = nullptr;  // (rows + 1), need not begin at 0
  const std::uint32_t* columns = nullptr;
  const std::byte* values = nullptr;
  std::size_t rows = 0;
  std::size_t features = 0;
  ValueType type = ValueType::f32;

  std::size_t stored() const { return rows == 0 ? 0 : offsets[rows] - offsets[0]; }
};

/// Whether the values stand in memory or in a mapped file, whose pages can be given back.
enum class Backing : std::uint8_t { memory, file };

/// Labels: codes[r] is the index of row r's class in `classes`.
/// Classes are sorted: by value when all are numbers, by text otherwise.
struct Labels {
  std::vector<std::int32_t> codes;
  std::vector<std::string> classes;
  bool measured = false;  ///< the classes are the values of a measured number, to be predicted
};

/// What labels are. `automatic`: a measured number when all are numbers, and either fractions of
/// many different values or whole numbers of which hardly any comes often; classes otherwise.
enum class LabelTask : std::uint8_t { automatic, classification, regression };

/// Builds Labels from one text per row. Throws Error when a measured number is none.
Labels make_labels(std::span<const std::string> texts, LabelTask task = LabelTask::automatic);
/// Settles what labels are that exist already, in the same way.
void take_labels_as(Labels& labels, LabelTask task);

/// The numbers behind the classes: NaN for those that stand for a missing value. Throws Error
/// naming the first class that is no number.
std::vector<double> numbers_of(const Labels& labels);

/// What a column of a text table holds, judged by all of its values.
enum class ColumnKind : std::uint8_t { number, boolean, date, identifier, text, empty };

/// A column of a mixed text table, and what became of it.
struct TableColumn {
  std::string name;
  ColumnKind kind = ColumnKind::number;
  std::size_t missing = 0;  ///< values
  std::string
      use;  ///< "feature", "left out", "labels", "one feature of 3 indicators", "refused: …"
};

/// Columns that are one feature together: the indicators of a column of text. A ranking names it by
/// its first column, and gives it one rank.
struct FeatureGroup {
  std::string name;
  std::uint32_t begin = 0, end = 0;  ///< columns
};

/// One of several files of a data set. Its first row is row `first`, which a slice may leave out.
struct PartOfRows {
  std::string path;
  std::ptrdiff_t first = 0;
};

/// Values, feature names and labels. Copies are cheap: they share the values.
class Dataset {
 public:
  Dataset();
  Dataset(const Dataset&);
  Dataset(Dataset&&) noexcept;
  Dataset& operator=(const Dataset&);
  Dataset& operator=(Dataset&&) noexcept;
  ~Dataset();

  /// `owner` keeps the memory behind `values` alive (a mapped file, a buffer, a NumPy array).
  Dataset(MatrixView values, std::shared_ptr<const void> owner, Backing backing = Backing::memory);

  /// Throws InvalidArgument naming the row when the view breaks a rule of SparseView.
  Dataset(SparseView values, std::shared_ptr<const void> owner);

  /// Takes over a row-major buffer. Throws InvalidArgument when its size is not rows x features.
  template <class T>
  static Dataset from_vector(std::vector<T> values, std::size_t rows, std::size_t features) {
    check_size(values.size(), rows, features);
    auto owner = std::make_shared<const std::vector<T>>(std::move(values));
    MatrixView view{reinterpret_cast<const std::byte*>(owner->data()), rows, features,
                    features * sizeof(T), value_type_of<T>()};
    return Dataset(view, owner);
  }

  /// Takes over the three arrays of a CSR matrix.
  template <class T>
  static Dataset from_csr(std::vector<std::uint64_t> offsets, std::vector<std::uint32_t> columns,
                          std::vector<T> values, std::size_t features) {
    check_sizes(offsets, columns.size(), values.size());
    struct Arrays {
      std::vector<std::uint64_t> offsets;
      std::vector<std::uint32_t> columns;
      std::vector<T> values;
    };
    auto owner = std::make_shared<const Arrays>(
        Arrays{std::move(offsets), std::move(columns), std::move(values)});
    const SparseView view{owner->offsets.data(),
                          owner->columns.data(),
                          reinterpret_cast<const std::byte*>(owner->values.data()),
                          owner->offsets.size() - 1,
                          features,
                          value_type_of<T>()};
    return Dataset(view, owner);
  }

  std::size_t rows() const { return values_.rows; }
  std::size_t features() const { return values_.features; }
  ValueType type() const { return values_.type; }
  bool is_sparse() const { return sparse_.has_value(); }
  Backing backing() const { return backing_; }
  /// The dense values. Throws InvalidArgument when they are sparse.
  const MatrixView& values() const;
  /// The sparse values. Throws InvalidArgument when they are dense.
  const SparseView& sparse() const;
  /// Bytes of the values in their stored type, and of their places when they are sparse.
  std::size_t value_bytes() const;

  /// One value as a double; slow, for tests and messages.
  double at(std::size_t row, std::size_t feature) const;

  /// A view of rows [begin, end), sharing the values; labels are cut as well.
  Dataset slice_rows(std::size_t begin, std::size_t end) const;

  /// The feature's name, or its zero-based column as text when the file named none.
  std::string name(std::size_t feature) const;

  /// For messages: "row 7 (counted from 0)"; of several files also which one, and its own row.
  std::string row_text(std::size_t row) const;

  /// What a ranking ranks: the columns, and of each group the first one.
  std::vector<std::uint32_t> ranked() const;
  std::size_t ranked_count() const;
  /// The name of what stands in a ranking: that of the group whose first column it is.
  std::string ranked_name(std::size_t feature) const;
  /// All columns of what stands in a ranking, in its order.
  std::vector<std::uint32_t> columns_of(std::span<const std::uint32_t> ranked) const;

  std::vector<std::string> names;          ///< one per feature, or empty
  std::vector<FeatureGroup> groups;        ///< ascending; or empty
  std::optional<Labels> labels;            ///< never used by a selection
  std::string source;                      ///< where the data came from, for messages and results
  std::vector<PartOfRows> files;           ///< where there are several, as rows follow; or empty
  std::vector<std::size_t> feature_shape;  ///< e.g. {28, 28} for images; empty = a plain table
  std::vector<std::string> row_names;      ///< of a table that is to be transposed; or empty
  std::vector<std::string> notes;  ///< what the reader decided by itself and the user should know
  std::vector<std::string> decisions;  ///< those of the notes that change the result: what was left
                                       ///< out or guessed, and is said even to those who want quiet
  std::vector<TableColumn> table;      ///< of the file, where not all of it is numbers; or empty

 private:
  static void check_size(std::size_t have, std::size_t rows, std::size_t features);
  static void check_sizes(const std::vector<std::uint64_t>& offsets, std::size_t columns,
                          std::size_t values);

  MatrixView values_;  // of sparse data: the shape and the type alone
  std::optional<SparseView> sparse_;
  Backing backing_ = Backing::memory;
  std::shared_ptr<const void> owner_;
};

struct RowRange {
  std::size_t begin = 0;
  std::size_t end = SIZE_MAX;  ///< clipped to the number of rows only when left at SIZE_MAX
};

/// What to do with missing values: NaN, and infinity. `keep` leaves them in, and a selection
/// refuses them; `error` refuses them at once; `mean` puts the mean of a feature's other values.
enum class Missing : std::uint8_t { keep, error, mean, zero, drop_rows, drop_features };

/// What to do with columns of text in a text table: leave them out, make an indicator (0 or 1) of
/// each of their values, or refuse them. The first two also leave out dates and identifiers.
enum class TextColumns : std::uint8_t { drop, encode, error };

struct ReadOptions {
  std::string format;           ///< "" = found from the ending or the content
  std::string label;            ///< column or array, a file, "none", or "" = found by itself
  std::string header = "auto";  ///< text files: auto, yes, no
  std::string index_column;     ///< text files: name or number of a column to leave out
  std::string columns;          ///< features to keep: "a, c*, 5-9"; "" = all
  std::string drop;             ///< features to leave out, in the same way
  TextColumns text = TextColumns::drop;
  LabelTask task = LabelTask::automatic;
  std::string array;             ///< files of several arrays: which one is the data
  std::size_t features = 0;      ///< svmlight: how many there are; 0 = as many as are used
  bool transpose = false;        ///< the file has a row for each feature
  std::optional<RowRange> rows;  ///< keep only these
  Missing missing = Missing::keep;
};

/// Reads any supported file, or a folder of files that are one data set. Throws Error with file,
/// row, column, value and a hint.
Dataset read(const std::string& path, const ReadOptions& options = {});
/// The rows of one file or more, in this order; there is at least one. They have the same columns.
/// Dense ones of one type, and so mapped ones, are used where they are.
Dataset read(std::span<const std::string> paths, const ReadOptions& options = {});

}  // namespace quickselection
