// tests/data/data_testing.h: temporary files, fixtures and error texts for the data tests.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include <unistd.h>

#include "quickselection/dataset.h"
#include "quickselection/error.h"

namespace quickselection {

/// A file written by make_fixtures.py.
inline std::string fixture(const std::string& name) {
  return std::string(QS_FIXTURES) + "/" + name;
}

/// A folder that disappears with the test.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string pattern = testing::TempDir() + "quickselection.XXXXXX";
    if (mkdtemp(pattern.data()) == nullptr) throw Error("cannot make " + pattern);
    path_ = pattern;
  }
  ~TemporaryFolder() { std::filesystem::remove_all(path_); }
  std::string file(const std::string& name) const { return (path_ / name).string(); }
  std::string write(const std::string& name, std::string_view content) const {
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

/// What make_matrix() in make_fixtures.py holds.
inline double matrix_value(std::size_t row, std::size_t column, int offset = 0) {
  return static_cast<double>((7 * row + 3 * column) % 50) - offset;
}

}  // namespace quickselection
