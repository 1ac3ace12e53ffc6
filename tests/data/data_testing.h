// tests/data/data_testing.h: temporary files, fixtures and error texts for the data tests.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include <unistd.h>

#include "quickselection/dataset.h"
#include "quickselection/error.h"

namespace quickselection {

/// A file written by make_fixtures.py.
std::string fixtures_folder();
inline std::string fixture(const std::string& name) { return fixtures_folder() + "/" + name; }

/// A folder that disappears with the test. In memory if possible: many small files are written.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string pattern =
        access("/dev/shm", W_OK) == 0 ? "/dev/shm/quickselection.XXXXXX" : testing::TempDir();
    if (!pattern.ends_with("XXXXXX")) pattern += "quickselection.XXXXXX";
    if (mkdtemp(pattern.data()) == nullptr) throw Error("cannot make " + pattern);
    path_ = pattern;
  }
  ~TemporaryFolder() { std::filesystem::remove_all(path_); }
  std::string file(const std::string& name) const { return (path_ / name).string(); }
  std::string write(const std::string& name, std::string_view content) const {
    // Writing over a file makes some file systems wait for the disk; a new file does not.
    std::filesystem::remove(path_ / name);
    std::ofstream(path_ / name, std::ios::binary) << content;
    return file(name);
  }

 private:
  std::filesystem::path path_;
};

inline std::string read_bytes(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// "message | hint" of the exception that `body` throws, or "" when it throws none.
template <class Body>
std::string error_text(Body&& body) {
  try {
    body();
  } catch (const Error& error) {
    return std::string(error.what()) + " | " + error.hint();
  } catch (const InvalidArgument& error) {
    return std::string(error.what()) + " | " + error.hint();
  }
  return "";
}

/// Reads every beginning of a file that is shorter than the whole: each must be an error that names
/// the file. The last `harmless` bytes may be missing without harm. Formats that are read in a
/// process of their own take a `step`; fuzz_readers tries every length of those as well.
inline void expect_truncation_reported(const std::string& path, const ReadOptions& options = {},
                                       std::size_t harmless = 0, std::size_t step = 1) {
  const TemporaryFolder folder;
  const std::string whole = read_bytes(path);
  const std::string name = "cut_" + std::filesystem::path(path).filename().string();
  const std::string cut = folder.write(name, whole);
  for (std::size_t length = whole.size() - harmless; length-- > 0;) {
    if (length % step != 0) continue;
    std::filesystem::resize_file(cut, length);  // shorter and shorter: nothing is written again
    ASSERT_THAT(error_text([&] { read(cut, options); }), testing::HasSubstr(name)) << length;
  }
}

/// Reads copies of a file with some bytes replaced at random: each gives data or an error that
/// names the file.
inline void expect_flips_survived(const std::string& path, int rounds,
                                  const ReadOptions& options = {}) {
  const TemporaryFolder folder;
  const std::string whole = read_bytes(path);
  const std::string name = "flipped_" + std::filesystem::path(path).filename().string();
  std::mt19937 random(1);
  int refused = 0;
  for (int round = 0; round < rounds; ++round) {
    std::string damaged = whole;
    for (int flips = 0; flips < 1 + round % 3; ++flips)
      damaged[random() % damaged.size()] = static_cast<char>(random());
    const std::string flipped = folder.write(name, damaged);
    const std::string message = error_text([&] {
      const Dataset data = read(flipped, options);
      data.at(data.rows() - 1, data.features() - 1);
    });
    if (message.empty()) continue;
    ++refused;
    ASSERT_THAT(message, testing::HasSubstr(name)) << round;
  }
  EXPECT_GT(refused, 0);
}

/// What make_matrix() in make_fixtures.py holds.
inline double matrix_value(std::size_t row, std::size_t column, int offset = 0) {
  return static_cast<double>((7 * row + 3 * column) % 50) - offset;
}

/// That `data` is make_matrix(9, 7, offset) times `factor`.
inline void expect_nine_by_seven(const Dataset& data, int offset = 0, double factor = 1) {
  ASSERT_EQ(data.rows(), 9u);
  ASSERT_EQ(data.features(), 7u);
  for (std::size_t r = 0; r < 9; ++r)
    for (std::size_t f = 0; f < 7; ++f)
      ASSERT_EQ(data.at(r, f), factor * matrix_value(r, f, offset)) << r << " " << f;
}

/// What make_sparse() in make_fixtures.py holds.
inline double sparse_value(std::size_t r, std::size_t c) {
  if (r == 4 || c == 3 || (5 * r + 3 * c) % 7 >= 2) return 0;
  return static_cast<double>((7 * r + 3 * c) % 50 + 1);
}

/// That `data` is make_sparse() times `factor`.
inline void expect_sparse_values(const Dataset& data, double factor = 1) {
  ASSERT_EQ(data.rows(), 12u);
  ASSERT_EQ(data.features(), 9u);
  for (std::size_t r = 0; r < 12; ++r)
    for (std::size_t f = 0; f < 9; ++f)
      ASSERT_EQ(data.at(r, f), factor * sparse_value(r, f)) << r << " " << f;
}

/// The label of each row.
inline std::vector<std::string> label_texts(const Dataset& data) {
  std::vector<std::string> texts;
  for (const std::int32_t code : data.labels.value().codes)
    texts.push_back(data.labels->classes[static_cast<std::size_t>(code)]);
  return texts;
}

inline ReadOptions with_array(const std::string& array) {
  ReadOptions options;
  options.array = array;
  return options;
}

inline ReadOptions with_label(const std::string& label) {
  ReadOptions options;
  options.label = label;
  return options;
}

}  // namespace quickselection
