// cli/terminal.cpp: see terminal.h.
#include "cli/terminal.h"
#include "quickselection/words.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <cstdio>

namespace quickselection::cli {
namespace {

constexpr double kSecondsBetweenLines = 5;
std::atomic<bool> stop_requested{false};
static_assert(std::atomic<bool>::is_always_lock_free);  // so a signal handler may set it

extern "C" void request_stop(int signal) {
  stop_requested.store(true, std::memory_order_relaxed);
  std::signal(signal, SIG_DFL);
}

}  // namespace

const std::atomic<bool>& stop_flag() { return stop_requested; }

void catch_signals() {
  std::signal(SIGINT, request_stop);
  std::signal(SIGTERM, request_stop);
}

ProgressPrinter::ProgressPrinter(bool quiet) : quiet_(quiet), terminal_(isatty(STDERR_FILENO)) {}

ProgressPrinter::~ProgressPrinter() {
  if (shown_ && terminal_) fmt::print(stderr, "\r\033[K");
}

void ProgressPrinter::operator()(const Progress& progress) {
  if (quiet_ || progress.total == 0) return;
  if (!terminal_ && progress.seconds - last_line_ < kSecondsBetweenLines) return;
  last_line_ = progress.seconds;
  shown_ = true;
  const double share = static_cast<double>(progress.done) / static_cast<double>(progress.total);
  std::string text = fmt::format("{} {} {:3.0f} %", progress.task, bar(share, 24), 100 * share);
  if (progress.epochs > 0)
    text +=
        fmt::format("  epoch {}/{}", std::min(progress.epoch, progress.epochs), progress.epochs);
  if (progress.loss > 0) text += fmt::format("  loss {:.4f}", progress.loss);
  if (progress.seconds_left >= 0) text += "  " + duration(progress.seconds_left) + " left";
  if (terminal_)
    fmt::print(stderr, "\r\033[K{}", text);
  else
    fmt::print(stderr, "{}\n", text);
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

void say(bool quiet, std::string_view text) {
  if (!quiet) fmt::print("{}\n", on_command_line(text));
}

void warn(std::string_view text) { fmt::print(stderr, "warning: {}\n", on_command_line(text)); }

}  // namespace quickselection::cli
