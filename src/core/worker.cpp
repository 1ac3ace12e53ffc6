// src/core/worker.cpp: see worker.h.
#include "core/worker.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/wait.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fstream>
#include <new>
#include <utility>

#include "core/child.h"
#include "core/meters.h"
#include "quickselection/error.h"

namespace quickselection {
namespace {

// The first byte of a frame; its length and its text follow.
constexpr char kProgress = 'p', kLift = 'l', kAnswer = 'a', kFailure = 'f';
constexpr std::size_t kHead = 1 + sizeof(std::uint64_t);

void send_frame(int file, char kind, std::string_view text) {
  const std::uint64_t length = text.size();
  std::string frame(1, kind);
  frame.append(reinterpret_cast<const char*>(&length), sizeof length);
  frame.append(text);
  send_all(file, frame);
}

struct ProgressFrame {
  std::uint64_t done, total, epoch, epochs;
  double seconds, seconds_left, loss;
};

[[noreturn]] void run_child(int file, const std::function<std::string(const WorkerLine&)>& body) {
  // The parent hears Ctrl-C as well, and ends this process.
  std::signal(SIGINT, SIG_IGN);
  std::signal(SIGPIPE, SIG_IGN);
  // When memory runs out, this process goes and not the parent.
  std::ofstream("/proc/self/oom_score_adj") << 1000;
  const auto fail = [&](const std::string& message, const std::string& hint) {
    send_frame(file, kFailure, hint.empty() ? message : message + "; " + hint);
  };
  try {
    send_frame(file, kAnswer, body(WorkerLine(file)));
  } catch (const Error& error) {
    fail(error.what(), error.hint());
  } catch (const InvalidArgument& error) {
    fail(error.what(), error.hint());
  } catch (const std::bad_alloc&) {
    fail("out of memory", "");
  } catch (const std::exception& error) {
    fail(error.what(), "");
  } catch (...) {
    _exit(1);
  }
  _exit(0);  // without the handlers and destructors that belong to the parent
}

std::size_t resident_bytes_of(pid_t process) {
  std::ifstream file(fmt::format("/proc/{}/statm", process));
  std::size_t all = 0, resident = 0;
  file >> all >> resident;
  return resident * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

/// The child as its parent sees it. Ends with the object.
class Child {
 public:
  Child(pid_t process, int file) : process_(process), file_(file) {}
  ~Child() { end(SIGKILL); }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  /// Waits for at most `milliseconds`; false when the child has closed its end.
  bool listen(int milliseconds) {
    pollfd ready{file_, POLLIN, 0};
    if (poll(&ready, 1, milliseconds) <= 0) return true;
    char buffer[1 << 16];
    const ssize_t got = read(file_, buffer, sizeof buffer);
    if (got < 0) return errno == EINTR || errno == EAGAIN;
    if (got == 0) return false;
    pending_.append(buffer, static_cast<std::size_t>(got));
    return true;
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

  std::size_t resident_bytes() const { return resident_bytes_of(process_); }

  /// The status of its end, after sending the signal if it is not 0.
  int end(int signal) {
    if (process_ <= 0) return 0;
    if (signal != 0) kill(process_, signal);
    int status = 0;
    while (waitpid(process_, &status, 0) < 0 && errno == EINTR) {
    }
    process_ = -1;
    return status;
  }

 private:
  pid_t process_;
  int file_;
  std::string pending_;
};

std::string explain_end(int status) {
  const int signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  if (signal == SIGKILL) return "its process was killed: is there enough memory?";
  if (signal != 0) return fmt::format("its process crashed ({})", strsignal(signal));
  return fmt::format("its process ended with code {} and no answer", WEXITSTATUS(status));
}

}  // namespace

void WorkerLine::progress(const Progress& progress) const {
  const ProgressFrame frame{progress.done,   progress.total,   progress.epoch,
                            progress.epochs, progress.seconds, progress.seconds_left,
                            progress.loss};
  std::string text(reinterpret_cast<const char*>(&frame), sizeof frame);
  send_frame(file_, kProgress, text + progress.task);
}

void WorkerLine::lift_limits() const { send_frame(file_, kLift, ""); }

WorkerOutcome run_worker(const std::function<std::string(const WorkerLine&)>& body,
                         const WorkerLimits& limits, const RunContext& context) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0)
    throw Error(fmt::format("cannot start a process: {}", std::strerror(errno)));
  Descriptor ours(ends[0]), theirs(ends[1]);
  const pid_t parent = getpid(), process = fork();
  if (process < 0)
    throw Error(fmt::format("cannot start a process: {}", std::strerror(errno)),
                "is there enough memory?");
  if (process == 0) {
    settle_child(parent);
    ours.reset();
    run_child(theirs, body);
  }
  theirs.reset();
  Child child(process, ours);
  const Stopwatch watch;
  const int wait = limits.bytes > 0 ? 10 : 100;  // memory can grow fast
  WorkerOutcome outcome{WorkerEnd::crashed, "", 0};
  bool limited = true, open = true;
  while (open) {
    open = child.listen(wait);
    char kind = 0;
    std::string text;
    while (child.next(kind, text)) {
      if (kind == kProgress && context.progress && text.size() >= sizeof(ProgressFrame)) {
        ProgressFrame frame{};
        std::memcpy(&frame, text.data(), sizeof frame);
        context.progress({text.substr(sizeof frame), frame.done, frame.total, frame.seconds,
                          frame.seconds_left, frame.epoch, frame.epochs, frame.loss});
      } else if (kind == kLift) {
        limited = false;
      } else if (kind == kAnswer || kind == kFailure) {
        outcome.end = kind == kAnswer ? WorkerEnd::answered : WorkerEnd::failed;
        outcome.text = std::move(text);
        limited = false;
      }
    }
    if (context.stop != nullptr && context.stop->load(std::memory_order_relaxed))
      throw Interrupted("stopped");  // ends the child
    if (!limited || !open) continue;
    const bool late = limits.seconds > 0 && watch.seconds() > limits.seconds;
    const bool large = limits.bytes > 0 && child.resident_bytes() > limits.bytes;
    if (!late && !large) continue;
    child.end(SIGKILL);
    return {late ? WorkerEnd::time_limit : WorkerEnd::memory_limit, "", watch.seconds()};
  }
  const int status = child.end(0);
  if (outcome.end == WorkerEnd::crashed) outcome.text = explain_end(status);
  outcome.seconds = watch.seconds();
  return outcome;
}

}  // namespace quickselection
