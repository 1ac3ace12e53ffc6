// src/core/isolated.cpp: see isolated.h.
#include "core/isolated.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <new>
#include <optional>

#include "core/child.h"
#include "core/limits.h"
#include "quickselection/error.h"

// The sanitizers' shadow memory is larger than any limit.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define QS_SANITIZED 1
#else
#define QS_SANITIZED 0
#endif

namespace quickselection {
namespace {

constexpr const char* kHint = "was it written or copied completely?";
constexpr const char* kNoMemory = "{} is damaged, or there is not enough memory to read it";
constexpr std::size_t kAlways = std::size_t{256} << 20;      // what HDF5 needs for itself
constexpr rlim_t kSeconds = 5, kBytesPerSecond = 1'000'000;  // of a compressed file

// The first byte of what the child sends; the last one says that it is whole.
constexpr char kResult = 'r', kError = 'e', kArgument = 'a', kMemory = 'm', kWhole = '.';

int make_memory(const char* name) {
  const int file = memfd_create(name, MFD_CLOEXEC);
  if (file < 0)
    throw Error(fmt::format("cannot get memory to share with a process: {}", std::strerror(errno)));
  return file;
}

void send(int file, char kind, std::string_view message, std::string_view hint = {}) {
  const std::uint64_t length = message.size();
  std::string text(1, kind);
  text.append(reinterpret_cast<const char*>(&length), sizeof length);
  send_all(file, text);
  send_all(file, message);
  send_all(file, hint);
  send_all(file, std::string_view(&kWhole, 1));
}

std::string receive(int file) {
  std::string text;
  const off_t size = lseek(file, 0, SEEK_END);
  if (size <= 0) return text;
  text.resize(static_cast<std::size_t>(size));
  std::size_t done = 0;
  while (done < text.size()) {
    const ssize_t got =
        pread(file, text.data() + done, text.size() - done, static_cast<off_t>(done));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return {};
    done += static_cast<std::size_t>(got);
  }
  return text;
}

std::size_t address_space() {
  std::size_t pages = 0;
  if (std::FILE* const file = std::fopen("/proc/self/statm", "re")) {
    if (std::fscanf(file, "%zu", &pages) != 1) pages = 0;
    std::fclose(file);
  }
  return pages * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

bool is_child = false;

/// In a child of its own already, a second one would protect nothing more.
std::string run_here(const Isolation& isolation, const std::function<std::string()>& body) {
  try {
    return body();
  } catch (const std::bad_alloc&) {
    throw Error(fmt::format(kNoMemory, isolation.path), kHint);
  }
}

/// A damaged file must not cost more than its size justifies.
void bound_child(const Isolation& isolation, std::size_t space) {
  if (isolation.file_bytes == 0) return;
  limit_resource(RLIMIT_CPU, kSeconds + isolation.file_bytes / kBytesPerSecond);
  const std::size_t wanted = justified_bytes(isolation.file_bytes);
  if (!QS_SANITIZED && wanted < SIZE_MAX / 4)
    limit_resource(RLIMIT_AS, space + kAlways + 2 * wanted);
}

[[noreturn]] void run_child(int answer, const std::function<std::string()>& body) {
  try {
    send(answer, kResult, body());
  } catch (const Error& error) {
    send(answer, kError, error.what(), error.hint());
  } catch (const InvalidArgument& error) {
    send(answer, kArgument, error.what(), error.hint());
  } catch (const std::bad_alloc&) {
    send(answer, kMemory, "");
  } catch (const std::exception& error) {
    send(answer, kError, error.what());
  } catch (...) {
    _exit(1);
  }
  _exit(0);  // without the handlers and destructors that belong to the parent
}

[[noreturn]] void explain_death(const Isolation& isolation, int status) {
  const int signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  if (signal == SIGINT || signal == SIGTERM)
    throw Interrupted(fmt::format("stopped at {}", isolation.path));
  if (signal == SIGKILL)
    throw Error(fmt::format("the process that worked on {} was killed", isolation.path),
                "is there enough memory?");
  throw Error(
      fmt::format("{}{}", isolation.failure, signal == SIGXCPU ? " in a reasonable time" : ""),
      kHint);
}

}  // namespace

SharedMemory::SharedMemory(std::size_t most_bytes)
    : file_(make_memory("quickselection")), most_bytes_(most_bytes) {}

SharedMemory::~SharedMemory() { close(file_); }

SharedMemory::Block SharedMemory::allocate(std::size_t bytes, const std::string& what) {
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  if (bytes > most_bytes_ - std::min(used_, most_bytes_) || bytes > SIZE_MAX / 2)
    throw Error(
        fmt::format("{} is damaged: {} bytes cannot come from a file of its size", what, bytes),
        kHint);
  const Block block{used_, bytes};
  used_ += (std::max<std::size_t>(bytes, 1) + page - 1) / page * page;
  if (ftruncate(file_, static_cast<off_t>(used_)) != 0) throw std::bad_alloc();
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

std::string run_isolated(const Isolation& isolation, const std::function<std::string()>& body) {
  if (is_child) return run_here(isolation, body);
  const Descriptor answer(make_memory("quickselection answer"));
  const std::size_t space = address_space();
  const pid_t parent = getpid(), child = fork();
  if (child < 0)
    throw Error(fmt::format("cannot start a process to work on {}: {}", isolation.path,
                            std::strerror(errno)));
  if (child == 0) {
    is_child = true;
    settle_child(parent);
    bound_child(isolation, space);
    run_child(answer, body);
  }
  int status = 0;
  pid_t ended = 0;
  while ((ended = waitpid(child, &status, 0)) < 0 && errno == EINTR) {
  }
  // Without a status (somebody else waited for the child) a whole answer is proof enough.
  const bool well = ended < 0 || (WIFEXITED(status) && WEXITSTATUS(status) == 0);
  std::string text = well ? receive(answer) : std::string();
  std::uint64_t length = 0;
  constexpr std::size_t kHead = 1 + sizeof length;
  if (text.size() < kHead + 1 || text.back() != kWhole) explain_death(isolation, status);
  std::memcpy(&length, text.data() + 1, sizeof length);
  if (length > text.size() - kHead - 1) explain_death(isolation, 0);
  const char kind = text.front();
  text.pop_back();
  text.erase(0, kHead);
  if (kind == kResult) return text;
  if (kind == kMemory) throw Error(fmt::format(kNoMemory, isolation.path), kHint);
  const std::string message = text.substr(0, length), hint = text.substr(length);
  if (kind == kArgument) throw InvalidArgument(message, hint);
  throw Error(message, hint);
}

}  // namespace quickselection
