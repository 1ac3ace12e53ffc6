// src/core/files/atomic_file.cpp: see atomic_file.h.
#include "core/files/atomic_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <thread>
#include <tuple>
#include <utility>

#include "core/files/descriptor.h"
#include "core/files/hash.h"
#include "core/files/waiting.h"
#include "quickselection/error.h"

namespace quickselection {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kBufferBytes = 1 << 16;
constexpr int kMostLinks = 40, kMostTurns = 1000;

thread_local OutputBatch* current_batch = nullptr;

fs::path folder_of(const fs::path& target) {
  return target.has_parent_path() ? target.parent_path() : fs::path(".");
}

[[noreturn]] void fail_to(const char* doing, const fs::path& target, int code,
                          const std::string& hint = "is the disk full?") {
  throw Error(fmt::format("cannot {} {}: {}", doing, target.string(), std::strerror(code)), hint);
}

/// The N of /proc/self/fd/N, to which /dev/stdout and /dev/fd/N lead; -1 for other paths.
int own_descriptor(const fs::path& path) {
  std::error_code ignored;
  const std::string name = path.filename().string();
  int number = -1;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
  if (error != std::errc() || end != name.data() + name.size() || number < 0) return -1;
  const fs::path descriptors = fs::canonical("/proc/self/fd", ignored);
  return !ignored && fs::canonical(folder_of(path), ignored) == descriptors && !ignored ? number
                                                                                        : -1;
}

/// Where writing to a path arrives.
struct Destination {
  fs::path path;        ///< behind all links
  int descriptor = -1;  ///< of this process, if it is one
  struct stat info {};
  bool exists = false;

  explicit Destination(const fs::path& target) : path(target == "-" ? "/dev/stdout" : target) {
    std::error_code ignored;
    exists = stat(path.c_str(), &info) == 0;
    for (int links = 0; descriptor < 0; ++links) {
      descriptor = own_descriptor(path);
      if (descriptor >= 0 || !fs::is_symlink(fs::symlink_status(path, ignored))) break;
      if (links == kMostLinks) fail_to("write", target, ELOOP, "name the file itself");
      path = folder_of(path) / fs::read_symlink(path, ignored);
    }
  }

  /// What cannot be replaced, only written to.
  bool is_stream() const {
    return descriptor >= 0 || (exists && !S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode));
  }
  bool can_be_written() const {
    if (descriptor >= 0) {
      const int flags = fcntl(descriptor, F_GETFL);
      return flags >= 0 && (flags & O_ACCMODE) != O_RDONLY;
    }
    // Root may write everything; a file without any permission to write is meant to stay.
    return !exists || ((info.st_mode & (S_IWUSR | S_IWGRP | S_IWOTH)) != 0 &&
                       faccessat(AT_FDCWD, path.c_str(), W_OK, AT_EACCESS) == 0);
  }

  void check(const fs::path& target) const {
    if (exists && S_ISDIR(info.st_mode))
      throw Error(fmt::format("cannot write {}: it is a folder", target.string()),
                  "name a file instead");
    if (!can_be_written())
      throw Error(fmt::format("cannot write {}: it is read-only", target.string()),
                  "name another file, or change its permissions");
  }
};

/// Some file systems have nothing to do for it and say so.
void flush_names(const Descriptor& folder, const fs::path& name) {
  if (fsync(folder) != 0 && errno != EINVAL && errno != EBADF)
    fail_to("write the folder of", name, errno);
}

}  // namespace

struct AtomicFile::State {
  static inline thread_local State* all = nullptr;  // a list, for remove_unfinished()
  State *before = nullptr, *after = nullptr;

  fs::path target;              // as it was named, for messages
  fs::path beside;              // the folder
  std::string leaf, temporary;  // names in the folder
  bool stream = false, named = false;
  Descriptor folder, file;
  std::string buffer;

  explicit State(const fs::path& given, bool probe = false) : target(given) {
    const Destination destination(given);
    destination.check(given);
    stream = destination.is_stream();
    if (!stream)
      open_beside(destination.path, destination.info);
    else if (!probe)  // a pipe that is opened and closed would end its reader
      open_stream(destination);
    after = std::exchange(all, this);
    if (after != nullptr) after->before = this;
  }
  ~State() {
    remove_name();
    (before != nullptr ? before->after : all) = after;
    if (after != nullptr) after->before = before;
  }
  void remove_name() const {
    if (named) unlinkat(folder, temporary.c_str(), 0);
  }
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  void open_stream(const Destination& destination) {
    // What was printed before comes first.
    std::fflush(stdout);
    file.reset(destination.descriptor >= 0
                   ? fcntl(destination.descriptor, F_DUPFD_CLOEXEC, STDERR_FILENO + 1)
                   : open_to_write(destination.path));
    if (file < 0) fail_to("write", target, errno, "check that you may write there");
  }

  void open_beside(const fs::path& path, const struct stat& info) {
    beside = folder_of(path);
    leaf = path.filename().string();
    Hash hash;
    hash.add(leaf.data(), leaf.size());
    temporary = fmt::format(".quickselection-{:016x}.part", hash.value());
    constexpr int kFolder = O_DIRECTORY | O_CLOEXEC;
    folder.reset(open(beside.c_str(), O_RDONLY | kFolder));
    if (folder < 0 && errno == EACCES) folder.reset(open(beside.c_str(), O_PATH | kFolder));
    const auto refuse = [&] {
      fail_to("write", target, errno,
              fmt::format("check that the folder {} exists and that you may write there",
                          beside.string()));
    };
    if (folder < 0) refuse();
    // In such a folder, as /tmp is one, only the owner of a file may replace it.
    struct stat around {};
    if (info.st_ino != 0 && fstat(folder, &around) == 0 && (around.st_mode & S_ISVTX) != 0 &&
        geteuid() != 0 && geteuid() != info.st_uid && geteuid() != around.st_uid)
      fail_to("replace", target, EPERM, "it belongs to somebody else: name another file");
    file.reset(above_streams(openat(folder, ".", O_TMPFILE | O_RDWR | O_CLOEXEC, 0666)));
    if (file >= 0 && access(own_path().c_str(), F_OK) == 0)
      remove_left();
    else if (!open_named())
      refuse();
  }

  /// For file systems without files without names.
  bool open_named() {
    for (int turn = 0; turn < 2 * kMostTurns; ++turn) {
      if (turn == kMostTurns) avoid_name();
      constexpr int kFlags = O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC;
      file.reset(above_streams(openat(folder, temporary.c_str(), kFlags, 0666)));
      if (file < 0 && (errno != EEXIST || !remove_left())) return false;
      struct stat info {};
      named = file >= 0 && lock(file) && fstat(file, &info) == 0 && info.st_nlink > 0;
      if (named) return true;
    }
    return false;
  }

  /// The file that has the temporary name is locked by its writer as long as that lives.
  static bool lock(int file) { return flock(file, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK; }

  /// What a process that was killed left. False when it lives and has the name.
  bool remove_left() {
    const Descriptor left(
        openat(folder, temporary.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
    if (left < 0 && errno == ELOOP)
      unlinkat(folder, temporary.c_str(), 0);  // none of ours is a link
    if (left < 0) return true;
    if (!lock(left)) return errno = EBUSY, false;
    struct stat locked {
    }, there{};
    if (fstat(left, &locked) == 0 &&
        fstatat(folder, temporary.c_str(), &there, AT_SYMLINK_NOFOLLOW) == 0 &&
        locked.st_ino == there.st_ino)
      unlinkat(folder, temporary.c_str(), 0);
    return true;
  }

  /// Another name, where somebody keeps the usual one: a folder, or a file that is not given up.
  void avoid_name() { temporary.insert(temporary.rfind('.'), fmt::format("-{}", getpid())); }

  std::string own_path() const { return fmt::format("/proc/self/fd/{}", int{file}); }

  void flush() {
    if (!write_all(file, buffer)) fail_to("write", target, errno);
    buffer.clear();
  }

  /// Everything but the name is on the disk afterwards.
  void prepare() {
    flush();
    if (stream) return;
    struct stat old {};
    if (fstatat(folder, leaf.c_str(), &old, AT_SYMLINK_NOFOLLOW) == 0) {
      if (!S_ISREG(old.st_mode))
        fail_to("replace", target, S_ISDIR(old.st_mode) ? EISDIR : EEXIST,
                "it has become something else meanwhile");
      // Only root may give files away; others keep the group where they belong to it.
      if (fchown(file, old.st_uid, old.st_gid) != 0 && fchown(file, uid_t(-1), old.st_gid) != 0)
        old.st_mode &= ~mode_t{S_ISUID | S_ISGID};
      if (fchmod(file, old.st_mode & 07777) != 0)
        fail_to("set the permissions of", target, errno, "");
    }
    if (fsync(file) != 0) fail_to("write", target, errno);
  }

  void give_name() {
    for (int turn = 0; !named; ++turn) {
      if (turn == kMostTurns) avoid_name();
      lock(file);
      named =
          linkat(AT_FDCWD, own_path().c_str(), folder, temporary.c_str(), AT_SYMLINK_FOLLOW) == 0;
      if (named) return;
      if (errno != EEXIST || turn == 2 * kMostTurns)
        fail_to("replace", target, errno, "check that you may write there");
      // Another writer of the same target is as far. Its rename comes at once.
      if (!remove_left()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }

  void place() {
    if (stream) return;
    give_name();
    if (renameat(folder, temporary.c_str(), folder, leaf.c_str()) != 0)
      fail_to("replace", target, errno, "check that you may write there");
    named = false;
  }

  /// Makes the new name last.
  void settle() const {
    if (!stream) flush_names(folder, target);
  }
};

AtomicFile::AtomicFile(const fs::path& target) : state_(std::make_unique<State>(target)) {}

AtomicFile::~AtomicFile() = default;

void AtomicFile::write(const void* data, std::size_t bytes) {
  state_->buffer.append(static_cast<const char*>(data), bytes);
  if (state_->buffer.size() >= kBufferBytes) state_->flush();
}

void AtomicFile::write_at(std::uint64_t place, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t done =
        pwrite(state_->file, bytes.data(), bytes.size(), static_cast<off_t>(place));
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) fail_to("write", state_->target, done == 0 ? EIO : errno);
    bytes.remove_prefix(static_cast<std::size_t>(done));
    place += static_cast<std::uint64_t>(done);
  }
}

void AtomicFile::commit() {
  state_->prepare();
  if (current_batch != nullptr) {
    current_batch->prepared_.push_back(std::move(state_));
    return;
  }
  state_->place();
  state_->settle();
  state_.reset();
}

std::string AtomicFile::temporary() {
  state_->give_name();
  return (state_->beside / state_->temporary).string();
}

void remove_unfinished() noexcept {
  for (const AtomicFile::State* file = AtomicFile::State::all; file != nullptr; file = file->after)
    file->remove_name();
}

OutputBatch::OutputBatch() { current_batch = this; }

OutputBatch::~OutputBatch() { current_batch = nullptr; }

void OutputBatch::commit() {
  for (const auto& file : prepared_) file->place();
  for (const auto& file : prepared_) file->settle();
  prepared_.clear();
}

void write_file(const fs::path& target, std::string_view text) {
  AtomicFile file(target);
  file.write(text);
  file.commit();
}

void flush_folder(const fs::path& folder) {
  const Descriptor names(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  flush_names(names, folder / ".");
}

std::optional<std::string> read_file(const fs::path& path) {
  const Descriptor file(open_to_read(path));
  std::string text, piece(kBufferBytes, '\0');
  if (file < 0) return std::nullopt;
  for (;;) {
    const ssize_t got = read_waiting(file, piece.data(), piece.size());
    if (got < 0) return std::nullopt;
    if (got == 0) return text;
    text.append(piece, 0, static_cast<std::size_t>(got));
  }
}

void check_writable(const fs::path& target) { AtomicFile::State probe(target, true); }

bool is_stream_output(const fs::path& target) { return Destination(target).is_stream(); }

void check_distinct(std::span<const std::string> outputs, std::span<const std::string> inputs) {
  // A file that is there is known by its number, one that is not by its folder's and its name.
  using Identity = std::tuple<dev_t, ino_t, std::string>;
  const auto identity_of = [](const std::string& path, bool is_read) -> std::optional<Identity> {
    if (path.empty()) return std::nullopt;
    const Destination place(is_read && path == "-" ? "/dev/stdin" : path);
    struct stat folder {};
    if (place.exists)
      return S_ISREG(place.info.st_mode)
                 ? std::optional(Identity(place.info.st_dev, place.info.st_ino, ""))
                 : std::nullopt;
    if (is_read || stat(folder_of(place.path).c_str(), &folder) != 0) return std::nullopt;
    return Identity(folder.st_dev, folder.st_ino, place.path.filename().string());
  };
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const auto own = identity_of(outputs[i], false);
    if (!own) continue;
    for (const std::string& input : inputs)
      if (identity_of(input, true) == own)
        throw InvalidArgument(
            input == outputs[i]
                ? fmt::format("{} is to be read and to be written", input)
                : fmt::format("{} is to be written, but it is the same file as {}, which is read",
                              outputs[i], input),
            "give the output a file of its own");
    for (std::size_t j = 0; j < i; ++j)
      if (identity_of(outputs[j], false) == own)
        throw InvalidArgument(
            outputs[j] == outputs[i]
                ? fmt::format("{} is to be written twice", outputs[i])
                : fmt::format("{} and {} are the same file", outputs[j], outputs[i]),
            "give each output a file of its own");
  }
}

}  // namespace quickselection
