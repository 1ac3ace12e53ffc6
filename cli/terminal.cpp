// cli/terminal.cpp: see terminal.h.
#include "cli/terminal.h"
#include "core/processes/comm.h"
#include "core/text/visible.h"
#include "quickselection/error.h"
#include "quickselection/words.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstring>

namespace quickselection::cli {
namespace {

constexpr double kSecondsBetweenLines = 5;
std::atomic<bool> stop_requested{false};
std::atomic<int> stop_signal{SIGINT};
bool warning_lost = false;
static_assert(std::atomic<bool>::is_always_lock_free);  // so a signal handler may set it

extern "C" void request_stop(int signal) {
  stop_signal.store(signal, std::memory_order_relaxed);
  stop_requested.store(true, std::memory_order_relaxed);
  std::signal(signal, SIG_DFL);
}

}  // namespace

const std::atomic<bool>& stop_flag() { return stop_requested; }

void catch_signals() {
  std::signal(SIGINT, request_stop);
  std::signal(SIGTERM, request_stop);
  std::signal(SIGXFSZ, SIG_IGN);  // a write beyond the limit fails, and that is told
}

int stop_code() {
  return stop_requested ? 128 + stop_signal.load(std::memory_order_relaxed) : comm::kStopped;
}

void open_streams() {
  // The lowest free number is taken, so they come in order.
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (fcntl(stream, F_GETFD) < 0) open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

void check_streams() {
  errno = 0;
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0)
    throw Error(fmt::format("cannot write to the standard output{}",
                            errno != 0 ? fmt::format(": {}", std::strerror(errno)) : ""),
                "what was asked for in files has been written");
  if (warning_lost) throw Error("cannot write to the standard error output");
}

ProgressPrinter::ProgressPrinter(bool quiet)
    : quiet_(quiet || !comm::speaks()), terminal_(isatty(STDERR_FILENO)) {}

ProgressPrinter::~ProgressPrinter() {
  if (shown_ && terminal_) std::fputs("\r\033[K", stderr);
}

void ProgressPrinter::operator()(const Progress& progress) {
  if (quiet_ || progress.total == 0) return;
  if (!terminal_ && progress.seconds - last_line_ < kSecondsBetweenLines) return;
  last_line_ = progress.seconds;
  shown_ = true;
  const double share = static_cast<double>(progress.done) / static_cast<double>(progress.total);
  std::string text =
      fmt::format("{} {} {:3.0f} %", visible(progress.task), bar(share, 24), 100 * share);
  if (progress.epochs > 0)
    text +=
        fmt::format("  epoch {}/{}", std::min(progress.epoch, progress.epochs), progress.epochs);
  if (progress.loss > 0) text += fmt::format("  loss {:.4f}", progress.loss);
  if (progress.seconds_left >= 0) text += "  " + duration(progress.seconds_left) + " left";
  std::fputs((terminal_ ? "\r\033[K" + text : text + "\n").c_str(), stderr);
  std::fflush(stderr);
}

std::string duration(double seconds) {
  if (seconds < 0.95) return fmt::format("{:.2f} s", seconds);
  if (seconds < 59.5) return fmt::format("{:.1f} s", seconds);
  const auto whole = static_cast<long>(std::lround(seconds));
  if (whole < 3600) return fmt::format("{} min {} s", whole / 60, whole % 60);
  return fmt::format("{} h {} min", whole / 3600, whole / 60 % 60);
}

std::string bytes(double count) {
  constexpr const char* kUnits[] = {"B", "kB", "MB", "GB", "TB"};
  int unit = 0;
  for (; count >= 999.5 && unit < 4; ++unit) count /= 1000;
  return unit == 0 ? fmt::format("{:.0f} B", count) : fmt::format("{:.1f} {}", count, kUnits[unit]);
}

std::string bar(double share, int width) {
  const int filled = static_cast<int>(std::lround(std::clamp(share, 0.0, 1.0) * width));
  std::string cells;
  for (int i = 0; i < width; ++i) cells += i < filled ? "█" : "·";
  return cells;
}

namespace {
bool output_is_taken = false;
}

void keep_output_free() { output_is_taken = true; }

void say(bool quiet, std::string_view text) {
  // check_streams() tells what fails here.
  if (!quiet && comm::speaks())
    std::fputs((on_command_line(text) + "\n").c_str(), output_is_taken ? stderr : stdout);
}

bool complain(std::string_view text) noexcept {
  try {
    const std::string line = on_command_line(text) + "\n";
    return std::fwrite(line.data(), 1, line.size(), stderr) == line.size();
  } catch (const std::exception&) {
    return false;
  }
}

void warn(std::string_view text) {
  if (comm::speaks() && !complain(fmt::format("warning: {}", text))) warning_lost = true;
}

}  // namespace quickselection::cli
