// src/core/atomic_file.cpp: see atomic_file.h.
#include "core/atomic_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <utility>

#include "quickselection/error.h"

namespace quickselection {
namespace {

constexpr std::size_t kBufferBytes = 1 << 16;

std::filesystem::path folder_of(const std::filesystem::path& target) {
  return target.has_parent_path() ? target.parent_path() : std::filesystem::path(".");
}

}  // namespace

AtomicFile::AtomicFile(const std::filesystem::path& target) : target_(target) {
  std::error_code ignored;
  if (std::filesystem::is_directory(target, ignored))
    throw Error(fmt::format("cannot write {}: it is a folder", target.string()),
                "name a file instead");
  // The rename would put a plain file in the place of a pipe or a device.
  if (std::filesystem::exists(target, ignored) &&
      !std::filesystem::is_regular_file(target, ignored))
    throw Error(fmt::format("cannot write {}: it is not a regular file", target.string()),
                "pipes and devices cannot be replaced: name a file instead");
  std::string pattern =
      (folder_of(target) / fmt::format(".{}.XXXXXX", target.filename().string())).string();
  descriptor_ = mkstemp(pattern.data());
  temporary_ = pattern;
  if (descriptor_ < 0) {
    throw Error(fmt::format("cannot write {}: {}", target_.string(), std::strerror(errno)),
                fmt::format("check that the folder {} exists and that you may write there",
                            folder_of(target).string()));
  }
  // mkstemp makes private files; give the result the permissions a plain new file would have.
  const mode_t mask = umask(0);
  umask(mask);
  if (fchmod(descriptor_, 0666 & ~mask) != 0) fail("set the permissions of");
}

AtomicFile::~AtomicFile() {
  if (descriptor_ < 0) return;
  close(descriptor_);
  unlink(temporary_.c_str());
}

void AtomicFile::fail(const char* doing) {
  throw Error(fmt::format("cannot {} {}: {}", doing, target_.string(), std::strerror(errno)),
              "is the disk full?");
}

void AtomicFile::flush() {
  const char* data = buffer_.data();
  std::size_t left = buffer_.size();
  while (left > 0) {
    const ssize_t done = ::write(descriptor_, data, left);
    if (done < 0 && errno == EINTR) continue;
    if (done < 0) fail("write");
    data += done;
    left -= static_cast<std::size_t>(done);
  }
  buffer_.clear();
}

void AtomicFile::write(const void* data, std::size_t bytes) {
  buffer_.append(static_cast<const char*>(data), bytes);
  if (buffer_.size() >= kBufferBytes) flush();
}

void AtomicFile::commit() {
  flush();
  if (fsync(descriptor_) != 0) fail("write");
  if (std::rename(temporary_.c_str(), target_.c_str()) != 0) fail("replace");
  close(std::exchange(descriptor_, -1));
}

void write_file(const std::filesystem::path& target, std::string_view text) {
  AtomicFile file(target);
  file.write(text);
  file.commit();
}

std::optional<std::string> read_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return std::nullopt;
  return std::string(std::istreambuf_iterator<char>(file), {});
}

void check_writable(const std::filesystem::path& target) { AtomicFile probe(target); }

}  // namespace quickselection
