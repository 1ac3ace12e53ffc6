// src/core/processes/isolated.cpp: see isolated.h.
#include "core/processes/isolated.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <new>

#if __has_include(<linux/landlock.h>)
#include <linux/landlock.h>
#endif

#include "core/files/descriptor.h"
#include "core/files/waiting.h"
#include "core/processes/child.h"
#include "core/processes/limits.h"
#include "core/processes/memory_bound.h"
#include "quickselection/error.h"

namespace quickselection {
namespace {

constexpr const char* kHint = "was it written or copied completely?";
constexpr std::size_t kAlways = std::size_t{256} << 20;           // what HDF5 needs for itself
constexpr std::size_t kSeconds = 5, kBytesPerSecond = 1'000'000;  // of a compressed file
constexpr double kWaiting = 10;  // of the clock for a second of CPU: disks may be slow

int make_memory() {
  const int file = above_streams(memfd_create("quickselection", MFD_CLOEXEC));
  if (file < 0)
    throw Error(fmt::format("cannot get memory to share with a process: {}", std::strerror(errno)));
  return file;
}

/// A damaged file must not cost more than its size justifies.
ChildLimits limits_of(const Isolation& isolation) {
  ChildLimits limits;
  if (isolation.file_bytes == 0) return limits;
  limits.cpu_seconds = kSeconds + isolation.file_bytes / kBytesPerSecond;
  limits.seconds = kWaiting * static_cast<double>(limits.cpu_seconds);
  const std::size_t wanted = justified_bytes(isolation.file_bytes);
  if (wanted < SIZE_MAX / 4) limits.more_address_space = kAlways + 2 * wanted;
  return limits;
}

[[noreturn]] void refuse_memory(const Isolation& isolation) {
  throw Error(
      fmt::format("{} is damaged, or there is not enough memory to read it", isolation.path),
      kHint);
}

[[noreturn]] void explain_crash(const Isolation& isolation, int signal) {
  if (signal == SIGINT || signal == SIGTERM)
    throw Interrupted(fmt::format("stopped at {}", isolation.path));
  if (signal == SIGKILL)
    throw Error(fmt::format("the process that worked on {} was killed", isolation.path),
                "is there enough memory?");
  throw Error(
      fmt::format("{}{}", isolation.failure, signal == SIGXCPU ? " in a reasonable time" : ""),
      kHint);
}

int bodies = 0;  // one within the other; 0 = this is no child

}  // namespace

SharedMemory::SharedMemory(std::size_t most_bytes)
    : file_(make_memory()), most_bytes_(most_bytes) {}

SharedMemory::~SharedMemory() { close(file_); }

SharedMemory::Block SharedMemory::allocate(std::size_t bytes, const std::string& what) {
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  if (bytes > most_bytes_ - std::min(used_, most_bytes_) || bytes > SIZE_MAX / 2)
    throw Error(
        fmt::format("{} is damaged: {} bytes cannot come from a file of its size", what, bytes),
        kHint);
  const Block block{used_, bytes};
  used_ += (std::max<std::size_t>(bytes, 1) + page - 1) / page * page;
  if (used_ > bounded_memory()) throw std::bad_alloc();
  if (ftruncate(file_, static_cast<off_t>(used_)) != 0) {
    if (errno == EFBIG)  // a limit holds for this memory, too, as if it were a file
      throw Error(fmt::format("{} cannot be read: {}", what, std::strerror(errno)),
                  "raise the limit on files (`ulimit -f`)");
    throw std::bad_alloc();
  }
  return block;
}

std::byte* SharedMemory::data(const Block& block) const {
  void* const data = mmap(nullptr, std::max<std::size_t>(block.bytes, 1), PROT_READ | PROT_WRITE,
                          MAP_SHARED, file_, static_cast<off_t>(block.offset));
  if (data == MAP_FAILED) throw std::bad_alloc();
  return static_cast<std::byte*>(data);  // unmapped when the child ends
}

SharedMemory::Mapping SharedMemory::map() const {
  const off_t end = lseek(file_, 0, SEEK_END);
  if (end <= 0) return {};
  const auto bytes = static_cast<std::size_t>(end);
  void* const data = mmap(nullptr, bytes, PROT_READ, MAP_SHARED, file_, 0);
  if (data == MAP_FAILED) throw std::bad_alloc();
  return {
      std::shared_ptr<const std::byte>(static_cast<const std::byte*>(data),
                                       [data, bytes](const std::byte*) { munmap(data, bytes); }),
      bytes};
}

const std::byte* SharedMemory::Mapping::at(const Block& block) const {
  if (block.offset > bytes || block.bytes > bytes - block.offset) return nullptr;
  return data.get() + block.offset;
}

void open_no_more_files() {
#ifdef LANDLOCK_ACCESS_FS_READ_FILE
  if (bodies != 1) return;  // the files of an outer body are not ours to forbid
  landlock_ruleset_attr nothing{};
  nothing.handled_access_fs = LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_READ_FILE |
                              LANDLOCK_ACCESS_FS_READ_DIR | LANDLOCK_ACCESS_FS_WRITE_FILE |
                              LANDLOCK_ACCESS_FS_MAKE_REG | LANDLOCK_ACCESS_FS_REMOVE_FILE;
  const long rules = syscall(SYS_landlock_create_ruleset, &nothing, sizeof nothing, 0);
  if (rules < 0) return;
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0) syscall(SYS_landlock_restrict_self, rules, 0);
  close(static_cast<int>(rules));
#endif
}

std::string run_isolated(const Isolation& isolation, const std::function<std::string()>& body) {
  if (bodies > 0) {  // a second child would protect nothing more
    struct Inner {
      Inner() { ++bodies; }
      ~Inner() { --bodies; }
    } const inner;
    try {
      return body();
    } catch (const std::bad_alloc&) {
      refuse_memory(isolation);
    }
  }
  const auto work = [&](const ParentLine&) {
    bodies = 1;
    return body();
  };
  ChildOutcome outcome = run_child(work, limits_of(isolation), {}, while_waiting);
  if (outcome.end == ChildEnd::answered) return std::move(outcome.text);
  if (outcome.end == ChildEnd::invalid_argument) throw InvalidArgument(outcome.text, outcome.hint);
  if (outcome.end == ChildEnd::error) throw Error(outcome.text, outcome.hint);
  if (outcome.end == ChildEnd::out_of_memory) refuse_memory(isolation);
  if (outcome.end == ChildEnd::time_limit) outcome.signal = SIGXCPU;
  explain_crash(isolation, outcome.signal);
}

}  // namespace quickselection
