// cli/terminal.h: what a person sees while and after work: progress, numbers, errors, Ctrl-C.
#pragma once

#include <atomic>
#include <string>
#include <string_view>

#include "quickselection/progress.h"

namespace quickselection::cli {

/// A bar with the time left on stderr when it is a terminal, otherwise a line every few seconds.
class ProgressPrinter {
 public:
  explicit ProgressPrinter(bool quiet);
  ~ProgressPrinter();
  void operator()(const Progress& progress);

 private:
  bool quiet_, terminal_;
  bool shown_ = false;
  int exceptions_;    // in flight when it began
  std::string task_;  // of the last line
  double last_line_ = 0;
};

/// Set by Ctrl-C or a polite kill; a second one ends the program at once.
const std::atomic<bool>& stop_flag();
void catch_signals();
/// 128 and the signal that asked to stop, as shells have it: 130 or 143; comm::kStopped when it
/// asked another process.
int stop_code();

/// Before anything is opened: a stream that is closed is opened in such a way that using it fails.
/// Otherwise the next file would become it.
void open_streams();
/// At the end: throws Error when something that was said or warned could not be written.
void check_streams();

/// "3.2 s", "1 min 20 s", "2 h 5 min".
std::string duration(double seconds);
/// "12.3 MB".
std::string bytes(double count);
/// `width` cells, `share` of them filled.
std::string bar(double share, int width);

/// Columns of the terminal behind a stream, or what COLUMNS says; 0 = neither.
int width_of(int stream);
/// Cut to so many columns (UTF-8).
std::string fitted(const std::string& text, int columns);
/// Where lists of help have their text.
inline constexpr std::size_t kHelpColumn = 32;
/// Lines that are longer than so many columns are broken at blanks; what follows is indented as the
/// text of the line is. 0 = as they are.
std::string wrapped(std::string_view text, int columns);

/// From now on say() prints to standard error: standard output belongs to what was asked for.
void keep_output_free();

/// Printed unless --quiet, with options as the command line has them.
void say(bool quiet, std::string_view text);
void warn(std::string_view text);
/// One line on stderr; never throws. False when it could not be written.
bool complain(std::string_view text) noexcept;

}  // namespace quickselection::cli
