// src/data/io/spooled_stream.cpp: see spooled_stream.h.
#include "data/io/spooled_stream.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <vector>

#include "core/files/waiting.h"
#include "quickselection/error.h"

namespace quickselection {
namespace {

[[noreturn]] void fail(std::string_view what, const std::string& path, int code) {
  throw Error(
      fmt::format("{} {}: {}", what, path, std::strerror(code)),
      code == ENOSPC ? "‹TMPDIR› names the folder that takes a stream while it is read" : "");
}

/// A file without a name: nothing is left behind, whatever happens.
int unnamed_file() {
  std::error_code ignored;
  const std::string folder = std::filesystem::temp_directory_path(ignored).string();
  const int file = open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (file >= 0) return file;
  std::string name = folder + "/quickselection-XXXXXX";  // a file system without such files
  const int named = mkostemp(name.data(), O_CLOEXEC);
  if (named < 0) fail("cannot make a temporary file in", folder, errno);
  unlink(name.c_str());
  return named;
}

}  // namespace

bool is_stream(const std::string& path) {
  if (path == "-") return true;
  std::error_code ignored;
  const std::filesystem::file_type type = std::filesystem::status(path, ignored).type();
  return type == std::filesystem::file_type::fifo ||
         type == std::filesystem::file_type::character ||
         type == std::filesystem::file_type::socket;
}

SpooledStream::SpooledStream(const std::string& path) {
  const int from = path == "-" ? STDIN_FILENO : open_to_read(path);
  if (from < 0) fail("cannot read", path, errno);
  int error = 0;
  bool any = false;
  try {
    file_ = unnamed_file();
    std::vector<char> buffer(std::size_t{1} << 20);
    for (ssize_t count; error == 0;) {
      count = read_waiting(from, buffer.data(), buffer.size());
      if (count == 0) break;
      if (count < 0) {
        error = errno;
        continue;
      }
      any = true;
      for (const char* at = buffer.data(); count > 0 && error == 0;) {
        const ssize_t written = ::write(file_, at, static_cast<std::size_t>(count));
        if (written < 0) error = errno;
        at += written;
        count -= written;
      }
    }
  } catch (...) {
    if (from != STDIN_FILENO) close(from);
    throw;
  }
  if (from != STDIN_FILENO) close(from);
  if (error == 0 && any) return;
  close(file_);
  if (error != 0) fail("cannot read", path, error);
  throw Error(fmt::format("cannot read {}: nothing came through it", path),
              "did the program before it fail?");
}

SpooledStream::~SpooledStream() { close(file_); }

std::string SpooledStream::path() const { return fmt::format("/proc/self/fd/{}", file_); }

}  // namespace quickselection
