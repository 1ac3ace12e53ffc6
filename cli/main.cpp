// cli/main.cpp: the program: parses the command line, runs one command, turns exceptions into
// words.
#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <new>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "cli/commands/commands.h"
#include "cli/terminal.h"
#include "core/files/atomic_file.h"
#include "core/files/descriptor.h"
#include "core/processes/comm.h"
#include "core/processes/memory_bound.h"
#include "core/text/options.h"
#include "kernels/dispatch.h"
#include "quickselection/error.h"

namespace {

using quickselection::comm::Outcome;

Outcome failure(std::string_view message, std::string_view hint, int code) {
  Outcome outcome{code, {std::string("error: ").append(message)}};
  if (!hint.empty()) outcome.lines.push_back(std::string("hint: ").append(hint));
  return outcome;
}

void tell(const Outcome& outcome) {
  for (const std::string& line : outcome.lines) quickselection::cli::complain(line);
}

/// Shows everything but the options that the footers list, method by method.
class HelpFormatter : public CLI::Formatter {
 public:
  std::string make_group(std::string group, bool is_positional,
                         std::vector<const CLI::Option*> options) const override {
    if (group == quickselection::cli::kListedInFooter) return "";
    return CLI::Formatter::make_group(std::move(group), is_positional, std::move(options));
  }
};

/// A command with its options, or the program with its commands, as JSON; packaging/make_pages.py
/// makes the man page and the completions of shells of it.
nlohmann::ordered_json describe(const CLI::App& app) {
  nlohmann::ordered_json out{{"name", app.get_name()},
                             {"help", app.get_description()},
                             {"footer", app.get_footer()},
                             {"options", nlohmann::ordered_json::array()}};
  for (const CLI::Option* option : app.get_options()) {
    nlohmann::ordered_json& one = out["options"].emplace_back(nlohmann::ordered_json{
        {"help", option->get_description()},
        {"value", option->get_items_expected_max() > 0 ? option->get_type_name() : std::string()},
        {"default", option->get_default_str()}});
    if (option->get_positional()) one["positional"] = option->get_name(true);
    for (const std::string& name : option->get_snames()) one["names"].push_back("-" + name);
    for (const std::string& name : option->get_lnames()) one["names"].push_back("--" + name);
  }
  for (const CLI::App* command : app.get_subcommands({}))
    out["commands"].push_back(describe(*command));
  return out;
}

/// The parser only says that a command is missing; name the wrong one and the nearest right one.
void check_command(const CLI::App& app, std::string_view word) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands({})) names.push_back(command->get_name());
  if (std::find(names.begin(), names.end(), word) != names.end()) return;
  if (word.starts_with('-')) {
    const std::vector<std::string> options{"--help", "--version", "-h"};
    if (std::find(options.begin(), options.end(), word) != options.end()) return;
    const std::string near = quickselection::closest(word, options);
    throw quickselection::InvalidArgument(
        fmt::format("there is no option {} before a command", word),
        near.empty() ? "options stand behind the command: quickselection select data.csv -k 50"
                     : fmt::format("did you mean {}?", near));
  }
  const std::string near = quickselection::closest(word, names);
  throw quickselection::InvalidArgument(
      fmt::format("there is no command '{}'", word),
      near.empty() ? fmt::format("the commands are {}", fmt::join(names, ", "))
                   : fmt::format("did you mean {}?", near));
}

/// What to do when the words are wrong; `command` is the one they are for, when it is known.
std::string see_help(const CLI::App& app, const std::string& command) {
  const auto commands = app.get_subcommands({});
  const bool known = std::any_of(commands.begin(), commands.end(),
                                 [&](const CLI::App* one) { return one->get_name() == command; });
  return known ? fmt::format("`quickselection {} --help` lists its options", command)
               : "`quickselection --help` lists the commands";
}

/// Several processes do one thing.
void check_words(const std::vector<std::string>& words) {
  namespace comm = quickselection::comm;
  const std::string own = fmt::format("{}", fmt::join(words, " "));
  const std::string first = comm::broadcast(own);
  comm::together([&] {
    if (own != first)
      throw quickselection::InvalidArgument(
          fmt::format("process 0 was started with '{}', but process {} with '{}'", first,
                      comm::rank(), own),
          "all processes need the same words");
  });
}

/// Some functions of CLI11 and nlohmann's JSON ask for memory and may not throw.
[[noreturn]] void end_program() {
  try {
    if (const std::exception_ptr thrown = std::current_exception()) std::rethrow_exception(thrown);
  } catch (const std::bad_alloc&) {
    quickselection::remove_unfinished();
    constexpr std::string_view kWords = "error: out of memory\n";
    quickselection::write_all(STDERR_FILENO, kWords);
    _exit(1);
  } catch (...) {
    std::abort();
  }
  std::abort();
}

/// OpenBLAS starts a thread for each core when it is loaded. Each takes 128 MB of addresses; where
/// a limit refuses them it tries for ever, and the program would never end. None of them is needed.
void start_without_threads_of_blas(char** argv) {
  constexpr const char* kThreads = "OPENBLAS_NUM_THREADS";
  for (const auto resource : {RLIMIT_AS, RLIMIT_DATA}) {
    rlimit limit{};
    if (getrlimit(resource, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) continue;
    if (std::getenv(kThreads) == nullptr && setenv(kThreads, "1", 0) == 0)
      execv("/proc/self/exe", argv);
  }
}

Outcome run(int argc, char** argv) try {
  namespace qs = quickselection;
  CLI::App app(
      "QuickSelection: which features matter? Unsupervised feature selection for\n"
      "high-dimensional data with sparse neural networks.",
      "quickselection");
  app.set_version_flag("--version", std::string("quickselection ") + QS_VERSION);
  app.require_subcommand(1);
  app.formatter(std::make_shared<HelpFormatter>());
  app.get_formatter()->column_width(qs::cli::kHelpColumn);
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
  qs::bound_memory_of_program();
  const std::string command = argc > 1 ? argv[1] : "";
  try {
    qs::comm::start();
    if (argc == 2 && argv[1] == std::string_view("--describe")) {  // for packaging/make_pages.py
      fmt::print("{}\n", describe(app).dump(1));
      return {};
    }
    // For tests: results of several levels on one machine.
    if (const char* const level = std::getenv("QUICKSELECTION_SIMD"))
      qs::kernels::force_level(level);
    // CLI11 takes the words from the last to the first.
    std::vector<std::string> words(argv + 1, argv + argc);
    check_words(words);
    if (words.empty()) words = {"--help"};
    if (words[0] == "help") {
      words.erase(words.begin());
      words.resize(std::min<std::size_t>(words.size(), 1));
      words.emplace_back("--help");
    }
    check_command(app, words[0]);
    std::reverse(words.begin(), words.end());
    app.parse(words);
    qs::cli::check_streams();
    return {};
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() != 0) return failure(error.what(), see_help(app, command), 2);
    std::ostringstream text;  // help or the version
    app.exit(error, text, text);
    const std::string lines = qs::cli::wrapped(text.str(), qs::cli::width_of(STDOUT_FILENO));
    if (qs::comm::speaks()) std::fputs(lines.c_str(), stdout);
    qs::cli::check_streams();
    return {};
  } catch (const qs::InvalidArgument& error) {
    return failure(error.what(), error.hint().empty() ? see_help(app, command) : error.hint(), 2);
  } catch (const qs::Error& error) {
    return failure(error.what(), error.hint(), 1);
  } catch (const qs::Interrupted& stop) {
    return {qs::cli::stop_code(), {stop.what()}};
  } catch (const std::bad_alloc&) {
    return failure("out of memory",
                   "use fewer --rows, a smaller --hidden or a smaller --batch-size", 1);
  } catch (const std::exception& error) {
    return failure(error.what(), "", 1);
  }
} catch (const std::exception& error) {  // before or beside the command, such as lack of memory
  return failure(error.what(), "", 1);
}

}  // namespace

int main(int argc, char** argv) {
  namespace qs = quickselection;
  start_without_threads_of_blas(argv);
  qs::cli::open_streams();
  std::set_terminate(end_program);
  return qs::comm::finish(run(argc, argv), tell);
}
