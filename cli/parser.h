// cli/parser.h: commands and their options. Only parser.cpp sees CLI11, whose header costs every
// file that includes it five seconds.
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace quickselection::cli {

/// One option of a command; what it returns is itself, so that calls can be chained.
class Option {
 public:
  explicit Option(CLI::Option* option) : option_(option) {}
  Option* required(bool value = true);
  Option* type_name(const std::string& kind);
  Option* default_str(const std::string& text);        ///< what the help shows as the default
  Option* capture_default_str();                       ///< the same, from the variable
  Option* delimiter(char c);                           ///< one word holds several values …
  Option* allow_extra_args(bool value);                ///< … or several words do
  Option* between(int low, int high);                  ///< inclusive
  Option* among(const std::vector<std::string>& all);  ///< one of these words
  Option* existing_file();
  std::size_t count() const;  ///< how often it was given

 private:
  CLI::Option* option_;
};

/// The program, or one of its commands.
class Parser {
 public:
  /// The program.
  Parser(const std::string& name, const std::string& description, const std::string& version);
  Parser(const Parser&) = delete;
  Parser& operator=(const Parser&) = delete;

  Parser* add_subcommand(const std::string& name, const std::string& description);
  /// For the types that parser.cpp instantiates. `kind` is the FILE in `--json FILE`.
  template <class T>
  Option* add_option(const std::string& names, T& value, const std::string& help,
                     const std::string& kind = "");
  /// `take` gets the text.
  Option* add_option(const std::string& names, const std::function<void(const std::string&)>& take,
                     const std::string& help);
  Option* add_flag(const std::string& names, bool& value, const std::string& help);
  /// An option that the footer describes; `take` gets its text.
  void add_footer_option(const std::string& name,
                         const std::function<void(const std::string&)>& take);
  void footer(const std::string& text);                ///< the end of the help
  void callback(const std::function<void()>& action);  ///< what a command does
  void allow_extras();                                 ///< words that no option takes are kept

  /// Runs the command that is asked for, or prints help or the version. Throws InvalidArgument.
  void parse(int argc, char** argv);

  /// All commands and their options as JSON; packaging/make_pages.py makes the man page and the
  /// completions of shells of it.
  std::string description() const;

  std::string name() const;
  std::vector<std::string> subcommands() const;
  std::vector<std::string> remaining() const;    ///< those words
  std::vector<std::string> long_names() const;   ///< of all options, without dashes
  std::vector<std::string> given_names() const;  ///< of the options that were given
  bool has(const std::string& option) const;     ///< known, as "--name"
  bool given(const std::string& option) const;   ///< used, as "--name"
  Option* option(const std::string& name);       ///< one that is known

 private:
  explicit Parser(std::shared_ptr<CLI::App> command) : app_(std::move(command)) {}
  Option* keep(CLI::Option* option) { return &options_.emplace_back(option); }

  std::shared_ptr<CLI::App> app_;
  std::deque<Option> options_;
  std::vector<std::unique_ptr<Parser>> commands_;
};

}  // namespace quickselection::cli
