// cli/terminal.cpp: see terminal.h.
#include "cli/terminal.h"
#include "core/files/atomic_file.h"
#include "core/files/waiting.h"
#include "core/processes/comm.h"
#include "core/text/visible.h"
#include "data/io/mapped_file.h"
#include "quickselection/error.h"
#include "quickselection/words.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <vector>

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
}

/// Somebody cuts a file short while it is read, or its disk fails. No value of it can be trusted.
extern "C" void end_at_lost_page(int signal, siginfo_t* info, void*) {
  const char* const path = info->si_code > 0 ? mapped_at(info->si_addr) : nullptr;
  if (path == nullptr) {
    std::signal(signal, SIG_DFL);
    raise(signal);
    return;
  }
  remove_unfinished();
  for (const char* const words :
       {"error: cannot read ", path, ": it was cut short meanwhile, or its disk fails\n"})
    if (write(STDERR_FILENO, words, std::strlen(words)) < 0) break;
  _exit(1);
}

}  // namespace

const std::atomic<bool>& stop_flag() { return stop_requested; }

void catch_signals() {
  struct sigaction action {};
  action.sa_handler = request_stop;  // without SA_RESTART, so that it ends a wait for a pipe
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  for (const int signal : {SIGINT, SIGTERM}) sigaction(signal, &action, nullptr);
  struct sigaction lost {};
  lost.sa_sigaction = end_at_lost_page;
  lost.sa_flags = SA_SIGINFO;
  sigaction(SIGBUS, &lost, nullptr);
  set_while_waiting([] {
    if (stop_requested) throw Interrupted("stopped");
  });
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
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
    while_waiting();  // a pipe that nobody reads, until a signal came
    throw Error(fmt::format("cannot write to the standard output{}",
                            errno != 0 ? fmt::format(": {}", std::strerror(errno)) : ""),
                "what was asked for in files has been written");
  }
  if (warning_lost) throw Error("cannot write to the standard error output");
}

ProgressPrinter::ProgressPrinter(bool quiet)
    : quiet_(quiet || !comm::speaks()),
      terminal_(isatty(STDERR_FILENO)),
      exceptions_(std::uncaught_exceptions()) {}

ProgressPrinter::~ProgressPrinter() {
  if (!shown_) return;
  try {
    // Work that ended early, or was less than expected, is done all the same.
    if (std::uncaught_exceptions() == exceptions_) {
      Progress done;
      done.task = task_;
      done.done = done.total = 1;
      done.seconds = last_line_ + kSecondsBetweenLines;
      done.seconds_left = -1;
      (*this)(done);
    }
  } catch (const std::exception&) {  // no memory for the last line: then without it
  }
  if (terminal_) std::fputs("\r\033[K", stderr);
}

int width_of(int stream) {
  winsize size{};
  if (ioctl(stream, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  const char* const columns = std::getenv("COLUMNS");
  return columns == nullptr ? 0 : std::max(0, std::atoi(columns));
}

namespace {

/// Bytes that begin a character, in UTF-8.
bool begins(char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }

int columns_in(std::string_view text) {
  return static_cast<int>(std::count_if(text.begin(), text.end(), begins));
}

}  // namespace

std::string fitted(const std::string& text, int columns) {
  std::size_t end = 0;
  for (int seen = 0; end < text.size(); ++end)
    if (begins(text[end]) && ++seen > columns) break;
  return text.substr(0, end);
}

std::string wrapped(std::string_view text, int columns) {
  if (columns == 0) return std::string(text);
  constexpr int kLeast = 24;  // narrower columns of text cannot be read
  std::string out;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    // A list has its text behind two blanks or more: "  --seed N          Same seed, same bits".
    const std::size_t begin = std::min(line.find_first_not_of(' '), line.size());
    const std::size_t gap = line.find("  ", begin);
    std::size_t listed = gap == std::string_view::npos ? begin : line.find_first_not_of(' ', gap);
    // A name that just fits its column is one blank away from its text.
    if (begin == 2 && line[begin] == '-' && line.size() > kHelpColumn && gap > kHelpColumn &&
        line[kHelpColumn - 1] == ' ')
      listed = kHelpColumn;
    std::size_t indent = listed == std::string_view::npos ? begin : listed;
    if (columns - static_cast<int>(indent) < kLeast) indent = std::min<std::size_t>(begin + 4, 8);
    std::size_t taken = 0;  // of the line; its first part keeps its own beginning
    for (bool first = true; first || taken < line.size(); first = false) {
      const std::string_view rest = line.substr(taken);
      const int room = columns - (first ? 0 : static_cast<int>(indent));
      std::size_t cut = rest.size();
      if (columns_in(rest) > room) {
        const std::size_t reach = fitted(std::string(rest), room + 1).size();
        cut = rest.rfind(' ', reach - 1);
        // A word that is longer than the line stands as it is.
        const std::size_t least = first ? begin + 1 : 1;
        if (cut == std::string_view::npos || cut < least)
          cut = std::min(rest.find(' ', least), rest.size());
      }
      if (!first) out.append(indent, ' ');
      std::string_view part = rest.substr(0, cut);
      part = part.substr(0, part.find_last_not_of(' ') + 1);
      out.append(part).append("\n");
      taken += cut;
      while (taken < line.size() && line[taken] == ' ') ++taken;
    }
  }
  return out;
}

void ProgressPrinter::operator()(const Progress& progress) {
  if (quiet_ || progress.total == 0) return;
  if (!terminal_ && progress.seconds - last_line_ < kSecondsBetweenLines) return;
  last_line_ = progress.seconds;
  shown_ = true;
  const double share =
      std::min(1.0, static_cast<double>(progress.done) / static_cast<double>(progress.total));
  // The last column stays free: some terminals would begin a new line behind it.
  constexpr int kUsual = 80, kAny = 1000;
  const int known = width_of(STDERR_FILENO);
  const int width = !terminal_ ? kAny : (known > 0 ? known : kUsual) - 1;
  task_ = progress.task;
  const std::string task = visible(progress.task);
  std::vector<std::string> rest;  // what matters most comes first
  if (progress.seconds_left >= 0) rest.push_back(duration(progress.seconds_left) + " left");
  if (progress.epochs > 0)
    rest.insert(rest.begin(), fmt::format("epoch {}/{}", std::min(progress.epoch, progress.epochs),
                                          progress.epochs));
  if (progress.loss > 0)
    rest.insert(rest.end() - (progress.seconds_left >= 0),
                fmt::format("loss {:.4f}", progress.loss));
  // The bar gives way first, then the loss, the epochs and the time.
  const auto line = [&](int cells) {
    std::string text = task + (cells > 0 ? " " + bar(share, cells) : "") +
                       fmt::format(" {:3.0f} %", std::floor(100 * share));
    for (const std::string& part : rest) text += "  " + part;
    return text;
  };
  constexpr int kCells = 24, kFewest = 6;
  int cells = kCells;
  while (columns_in(line(cells)) > width && cells > 0) cells = cells > kFewest ? cells - 1 : 0;
  while (columns_in(line(cells)) > width && rest.size() > 1)
    rest.erase(rest.size() > 2 ? rest.begin() + 1 : rest.begin());
  const std::string text = fitted(line(cells), width);
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
