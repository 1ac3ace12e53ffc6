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
  double last_line_ = 0;
};

/// Set by Ctrl-C or a polite kill; a second one ends the program at once.
const std::atomic<bool>& stop_flag();
void catch_signals();

/// "3.2 s", "1 min 20 s", "2 h 5 min".
std::string duration(double seconds);
/// "12.3 MB".
std::string bytes(double count);
/// `width` cells, `share` of them filled.
std::string bar(double share, int width);

/// Printed unless --quiet, with options as the command line has them.
void say(bool quiet, std::string_view text);
void warn(std::string_view text);

}  // namespace quickselection::cli
