// src/data/io/mapped_file.cpp: see mapped_file.h.
#include "data/io/mapped_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>

#include "core/files/descriptor.h"
#include "core/text/visible.h"
#include "quickselection/error.h"

namespace quickselection {
namespace {

// A handler of signals may take no lock.
std::array<std::atomic<const MappedFile*>, 1024> mapped{};
static_assert(std::atomic<const MappedFile*>::is_always_lock_free);

void exchange_mapped(const MappedFile* old, const MappedFile* now) {
  for (auto& file : mapped) {
    const MappedFile* expected = old;
    if (file.compare_exchange_strong(expected, now)) return;
  }
}

[[noreturn]] void fail(const std::string& path, int code) {
  const char* hint = code == ENOENT    ? "check the name and the folder"
                     : code == EACCES  ? "you may not read this file: check its permissions"
                     : code == ENOTDIR ? "a part of the path is not a folder"
                                       : "";
  throw Error(fmt::format("cannot read {}: {}", path, std::strerror(code)), hint);
}

}  // namespace

MappedFile::MappedFile(const std::string& path) : path_(path), shown_(visible(path)) {
  // Without O_NONBLOCK a named pipe would wait here for a writer.
  const Descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (file < 0) fail(path, errno);
  struct stat status {};
  if (fstat(file, &status) != 0) fail(path, errno);
  if (S_ISDIR(status.st_mode))
    throw Error(fmt::format("cannot read {}: it is a folder", path), "name a file in it");
  if (!S_ISREG(status.st_mode))
    throw Error(fmt::format("cannot read {}: it is not a regular file", path),
                "pipes and devices cannot be mapped into memory: save the data to a file first");
  if (status.st_size == 0)
    throw Error(fmt::format("cannot read {}: the file is empty", path),
                "was it written completely?");
  size_ = static_cast<std::size_t>(status.st_size);
  data_ = mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, file, 0);
  if (data_ == MAP_FAILED) fail(path, errno);
  exchange_mapped(nullptr, this);
}

MappedFile::~MappedFile() {
  exchange_mapped(this, nullptr);
  munmap(data_, size_);
}

const char* mapped_at(const void* address) noexcept {
  for (const auto& slot : mapped) {
    const MappedFile* const file = slot.load();
    if (file != nullptr && address >= file->data() && address < file->data() + file->size())
      return file->shown_.c_str();
  }
  return nullptr;
}

void MappedFile::release_before(std::size_t bytes) const noexcept {
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  const std::size_t whole = std::min(bytes, size_) / page * page;
  if (whole > 0) madvise(data_, whole, MADV_DONTNEED);
}

}  // namespace quickselection
