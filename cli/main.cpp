// cli/main.cpp: the program: parses the command line, runs one command, turns exceptions into
// words.
#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <new>
#include <string>
#include <string_view>
#include <vector>

#include "cli/commands/commands.h"
#include "cli/parser.h"
#include "cli/terminal.h"
#include "core/options.h"
#include "quickselection/error.h"

namespace {

constexpr const char* kHelp = "quickselection COMMAND --help lists what a command takes";

int report(std::string_view message, std::string_view hint, int code) {
  fmt::print(stderr, "error: {}\n", quickselection::on_command_line(message));
  if (!hint.empty()) fmt::print(stderr, "hint: {}\n", quickselection::on_command_line(hint));
  return code;
}

/// The parser only says that a command is missing; name the wrong one and the nearest right one.
void check_command(const quickselection::cli::Parser& app, std::string_view word) {
  const std::vector<std::string> names = app.subcommands();
  if (word.starts_with('-') || std::find(names.begin(), names.end(), word) != names.end()) return;
  const std::string near = quickselection::closest(word, names);
  throw quickselection::InvalidArgument(
      fmt::format("there is no command '{}'", word),
      near.empty() ? fmt::format("the commands are {}", fmt::join(names, ", "))
                   : fmt::format("did you mean {}?", near));
}

}  // namespace

int main(int argc, char** argv) {
  namespace qs = quickselection;
  qs::cli::Parser app("quickselection",
                      "QuickSelection: which features matter? Unsupervised feature selection for\n"
                      "high-dimensional data with sparse neural networks.",
                      std::string("quickselection ") + QS_VERSION);
  app.footer(
      "Try it:      quickselection demo\n"
      "First steps: quickselection select data.csv -k 50 --ranking ranking.csv\n"
      "More:        quickselection COMMAND --help");
  qs::cli::add_demo(app);
  qs::cli::add_select(app);
  qs::cli::add_evaluate(app);
  qs::cli::add_compare(app);
  qs::cli::add_tune(app);
  qs::cli::add_experiment(app);
  qs::cli::add_extract(app);
  qs::cli::add_generate(app);
  qs::cli::add_info(app);
  qs::cli::add_convert(app);
  qs::cli::add_methods(app);
  qs::cli::catch_signals();
  try {
    if (argc == 2 && argv[1] == std::string_view("--describe")) {  // for packaging/make_pages.py
      fmt::print("{}\n", app.description());
      return 0;
    }
    if (argc > 1) check_command(app, argv[1]);
    app.parse(argc, argv);
    return 0;
  } catch (const qs::InvalidArgument& error) {
    return report(error.what(), error.hint().empty() ? kHelp : error.hint(), 2);
  } catch (const qs::Error& error) {
    return report(error.what(), error.hint(), 1);
  } catch (const qs::Interrupted& stop) {
    fmt::print(stderr, "{}\n", qs::on_command_line(stop.what()));
    return 130;
  } catch (const std::bad_alloc&) {
    return report("out of memory", "use fewer --rows, a smaller --hidden or a smaller --batch-size",
                  1);
  } catch (const std::exception& error) {
    return report(error.what(), "", 1);
  }
}
