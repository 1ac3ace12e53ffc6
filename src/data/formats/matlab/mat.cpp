// src/data/formats/matlab/mat.cpp: MATLAB files: which version they have.
#include <fmt/format.h>

#include <array>

#include "data/formats/format.h"
#include "data/formats/matlab/mat5_file.h"
#include "data/io/mapped_file.h"
#include "quickselection/error.h"

namespace quickselection {
namespace {

constexpr std::array<std::string_view, 1> kEndings{".mat"};
using mat5::kHeaderBytes;
constexpr char kVersion5 = 1, kVersion73 = 2;

/// 1 or 2 for what MATLAB calls version 5 and 7.3; 0 for anything else.
char version_of(std::string_view bytes) {
  if (bytes.size() < kHeaderBytes) return 0;
  const std::string_view version = bytes.substr(124, 2), order = bytes.substr(126, 2);
  if (order == "IM" && version[0] == 0) return version[1];
  if (order == "MI" && version[1] == 0) return version[0];
  return 0;
}

Dataset read_mat(const std::string& path, const ReadOptions& options) {
  char version = 0;
  {
    const MappedFile file(path);
    version = version_of(file.text());
    if (version != kVersion5 && version != kVersion73)
      throw Error(fmt::format("{} is not a MATLAB file of version 5, 6, 7 or 7.3", path),
                  "was it written or copied completely? Older files: load and save them again");
  }
  return version == kVersion5 ? read_mat5(path, options) : read_mat73(path, options);
}

bool detect_mat(std::string_view head) { return version_of(head) != 0; }

}  // namespace

const Format mat_format{.name = "mat",
                        .summary = "MATLAB 5 to 7.3: X, fea or ‹variable›; labels in Y, gnd or y",
                        .endings = kEndings,
                        .detect = detect_mat,
                        .read = read_mat,
                        .write = write_mat5};

}  // namespace quickselection
