// src/core/processes/child.cpp: see child.h.
#include "core/processes/child.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fstream>
#include <new>

#include "core/files/descriptor.h"
#include "core/files/waiting.h"
#include "core/pace.h"
#include "core/processes/limits.h"
#include "core/processes/meters.h"
#include "quickselection/error.h"

namespace quickselection {
namespace {

// A frame is its kind, the length of its text, and the text.
constexpr char kProgress = 'p', kLift = 'l', kEnd = 'e';
constexpr std::size_t kHead = 1 + sizeof(std::uint64_t);

struct ProgressFrame {
  std::uint64_t done, total, epoch, epochs;
  double seconds, seconds_left, loss;
};

/// All of it, or nothing more when the other end is gone.
void send(int file, char kind, std::string_view text) {
  const std::uint64_t length = text.size();
  std::string frame(1, kind);
  frame.append(reinterpret_cast<const char*>(&length), sizeof length).append(text);
  write_all(file, frame);
}

/// How it ended, the length of the text, the text and the hint.
void send_end(int file, ChildEnd end, std::string_view text, std::string_view hint = {}) {
  const std::uint64_t length = text.size();
  std::string frame(1, static_cast<char>(end));
  frame.append(reinterpret_cast<const char*>(&length), sizeof length).append(text).append(hint);
  send(file, kEnd, frame);
}

/// Lowers a limit of this process (RLIMIT_...), never raises it.
void limit_resource(__rlimit_resource_t resource, rlim_t value) {
  rlimit limits{};
  if (getrlimit(resource, &limits) != 0) return;
  limits.rlim_cur = limits.rlim_max = std::min(value, limits.rlim_max);
  setrlimit(resource, &limits);
}

/// Seconds of CPU, with one left: at the hard limit the system would kill, which looks like a lack
/// of memory; at the soft one it sends SIGXCPU.
void limit_cpu(rlim_t seconds) {
  rlimit limits{};
  if (getrlimit(RLIMIT_CPU, &limits) != 0) return;
  limits.rlim_max = std::min(limits.rlim_max, seconds == RLIM_INFINITY ? seconds : seconds + 1);
  if (limits.rlim_max == RLIM_INFINITY || limits.rlim_max == 0) return;
  limits.rlim_cur = std::min(limits.rlim_cur, limits.rlim_max - 1);
  setrlimit(RLIMIT_CPU, &limits);
}

void settle(pid_t parent, const ChildLimits& limits, bool ctrl_c) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  set_while_waiting({});  // it is the parent that is asked to stop
  if (getppid() != parent) _exit(1);
  for (const int signal : {SIGINT, SIGTERM, SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL, SIGXCPU})
    std::signal(signal, SIG_DFL);
  std::signal(SIGPIPE, SIG_IGN);
  if (!ctrl_c) std::signal(SIGINT, SIG_IGN);  // the parent hears it as well, and ends this process
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  const int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) dup2(nowhere, stream);
  // When memory runs out, this process goes and not the parent.
  std::ofstream("/proc/self/oom_score_adj") << 1000;
  limit_resource(RLIMIT_CORE, 0);
  limit_cpu(limits.cpu_seconds > 0 ? limits.cpu_seconds : RLIM_INFINITY);
  if (limits.more_address_space > 0 && !kSanitized)
    limit_resource(RLIMIT_AS, address_space_bytes() + limits.more_address_space);
}

[[noreturn]] void work(int file, const std::function<std::string(const ParentLine&)>& body) {
  try {
    send_end(file, ChildEnd::answered, body(ParentLine(file)));
  } catch (const Error& error) {
    send_end(file, ChildEnd::error, error.what(), error.hint());
  } catch (const InvalidArgument& error) {
    send_end(file, ChildEnd::invalid_argument, error.what(), error.hint());
  } catch (const std::bad_alloc&) {
    send_end(file, ChildEnd::out_of_memory, "out of memory");
  } catch (const std::exception& error) {
    send_end(file, ChildEnd::error, error.what());
  } catch (...) {
    _exit(1);
  }
  _exit(0);  // without the handlers and destructors that belong to the parent
}

/// The child as its parent sees it. Ends with the object.
class Child {
 public:
  Child(pid_t process, int file) : process_(process), file_(file) {}
  ~Child() {
    end(SIGKILL);
    close(file_);
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  /// Waits for at most `milliseconds`. The number of bytes that came, 0 when no more can come, -1
  /// when nothing came.
  ssize_t listen(int milliseconds) {
    pollfd ready{file_, POLLIN, 0};
    if (poll(&ready, 1, milliseconds) <= 0) return -1;
    char buffer[1 << 16];
    const ssize_t got = read(file_, buffer, sizeof buffer);
    if (got > 0) pending_.append(buffer, static_cast<std::size_t>(got));
    return got;
  }

  /// The next whole frame, if there is one.
  bool next(char& kind, std::string& text) {
    std::uint64_t length = 0;
    if (pending_.size() < kHead) return false;
    std::memcpy(&length, pending_.data() + 1, sizeof length);
    if (pending_.size() - kHead < length) return false;
    kind = pending_.front();
    text = pending_.substr(kHead, length);
    pending_.erase(0, kHead + length);
    return true;
  }

  pid_t process() const { return process_; }

  /// Whether it has ended. A process that was forked meanwhile may still hold the pipe open.
  bool gone() {
    if (process_ > 0) reap(WNOHANG);
    return process_ < 0;
  }

  /// The status of its end, after sending the signal if it is not 0.
  int end(int signal) {
    if (process_ > 0 && signal != 0) kill(process_, signal);
    while (process_ > 0) reap(0);
    return status_;
  }

 private:
  /// An interrupted wait says nothing about the child: it may live and go on writing.
  void reap(int options) {
    const pid_t ended = waitpid(process_, &status_, options);
    if (ended > 0 || (ended < 0 && errno != EINTR)) process_ = -1;
  }

  pid_t process_;
  int file_, status_ = 0;
  std::string pending_;
};

void report(std::string text, const RunContext& context) {
  ProgressFrame frame{};
  if (!context.progress || text.size() < sizeof frame) return;
  std::memcpy(&frame, text.data(), sizeof frame);
  context.progress({text.substr(sizeof frame), frame.done, frame.total, frame.seconds,
                    frame.seconds_left, frame.epoch, frame.epochs, frame.loss});
}

ChildOutcome read_end(const std::string& text) {
  std::uint64_t length = 0;
  std::memcpy(&length, text.data() + 1, sizeof length);
  return {static_cast<ChildEnd>(text.front()), text.substr(kHead, length),
          text.substr(kHead + length)};
}

ChildOutcome explain(int status) {
  const int signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  return {ChildEnd::crashed,
          signal == SIGKILL   ? "its process was killed: is there enough memory?"
          : signal == SIGXCPU ? "its process was ended at its limit of CPU time: see `ulimit -t`"
          : signal != 0
              ? fmt::format("its process crashed ({})", strsignal(signal))
              : fmt::format("its process ended with code {} and no answer", WEXITSTATUS(status)),
          "", signal};
}

/// Listens until the child has said how it ended, has ended, or is ended.
ChildOutcome watch(Child& child, const ChildLimits& limits, const RunContext& context,
                   const std::function<void()>& while_waiting) {
  const Stopwatch clock;
  const int wait = limits.resident_bytes > 0 ? 10 : 100;  // memory can grow fast
  for (bool limited = true;;) {
    const bool gone = child.gone();
    const ssize_t got = child.listen(gone ? 0 : wait);
    char kind = 0;
    std::string text;
    while (child.next(kind, text)) {
      if (kind == kEnd) return read_end(text);
      if (kind == kLift) limited = false;
      if (kind == kProgress) report(std::move(text), context);
    }
    if (got == 0 || (gone && got < 0)) return explain(child.end(0));
    if (while_waiting) while_waiting();
    check_stop(context);
    if (limited && limits.seconds > 0 && clock.seconds() > limits.seconds)
      return {ChildEnd::time_limit};
    if (limited && limits.resident_bytes > 0 &&
        resident_bytes(child.process()) > limits.resident_bytes)
      return {ChildEnd::memory_limit};
  }
}

}  // namespace

void ParentLine::progress(const Progress& progress) const {
  const ProgressFrame frame{progress.done,   progress.total,   progress.epoch,
                            progress.epochs, progress.seconds, progress.seconds_left,
                            progress.loss};
  send(file_, kProgress,
       std::string(reinterpret_cast<const char*>(&frame), sizeof frame) + progress.task);
}

void ParentLine::lift_limits() const { send(file_, kLift, ""); }

ChildOutcome run_child(const std::function<std::string(const ParentLine&)>& body,
                       const ChildLimits& limits, const RunContext& context,
                       const std::function<void()>& while_waiting) {
  const auto refuse = [] {
    throw Error(fmt::format("cannot start a process: {}", std::strerror(errno)),
                "is there enough memory?");
  };
  const Stopwatch clock;
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) refuse();
  for (int& end : ends) end = above_streams(end);
  const pid_t parent = getpid(), process = fork();
  if (process == 0) {
    close(ends[0]);
    settle(parent, limits, context.stop == nullptr);
    work(ends[1], body);
  }
  close(ends[1]);
  Child child(process, ends[0]);
  if (process < 0) refuse();
  ChildOutcome outcome = watch(child, limits, context, while_waiting);
  child.end(outcome.end == ChildEnd::time_limit || outcome.end == ChildEnd::memory_limit ? SIGKILL
                                                                                         : 0);
  outcome.seconds = clock.seconds();
  return outcome;
}

}  // namespace quickselection
