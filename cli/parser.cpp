// cli/parser.cpp: see parser.h.
#include "cli/parser.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>
#include <optional>

#include "quickselection/error.h"

namespace quickselection::cli {
namespace {

// Not an empty group: messages would then leave out the option's name.
constexpr const char* kListedInFooter = "listed in the footer";

/// Shows everything but the options that the footers list, method by method.
class HelpFormatter : public CLI::Formatter {
 public:
  std::string make_group(std::string group, bool is_positional,
                         std::vector<const CLI::Option*> options) const override {
    if (group == kListedInFooter) return "";
    return CLI::Formatter::make_group(std::move(group), is_positional, std::move(options));
  }
};

nlohmann::ordered_json describe(const CLI::Option& option) {
  nlohmann::ordered_json out{
      {"help", option.get_description()},
      {"value", option.get_items_expected_max() > 0 ? option.get_type_name() : std::string()},
      {"default", option.get_default_str()}};
  if (option.get_positional()) out["positional"] = option.get_name(true);
  for (const std::string& name : option.get_snames()) out["names"].push_back("-" + name);
  for (const std::string& name : option.get_lnames()) out["names"].push_back("--" + name);
  return out;
}

nlohmann::ordered_json describe(const CLI::App& app) {
  nlohmann::ordered_json out{{"name", app.get_name()},
                             {"help", app.get_description()},
                             {"footer", app.get_footer()},
                             {"options", nlohmann::ordered_json::array()}};
  for (const CLI::Option* option : app.get_options()) out["options"].push_back(describe(*option));
  return out;
}

}  // namespace

Option* Option::required(bool value) {
  option_->required(value);
  return this;
}

Option* Option::type_name(const std::string& name) {
  option_->type_name(name);
  return this;
}

Option* Option::default_str(const std::string& text) {
  option_->default_str(text);
  return this;
}

Option* Option::capture_default_str() {
  option_->capture_default_str();
  return this;
}

Option* Option::delimiter(char c) {
  option_->delimiter(c);
  return this;
}

Option* Option::allow_extra_args(bool value) {
  option_->allow_extra_args(value);
  return this;
}

Option* Option::between(int low, int high) {
  option_->check(CLI::Range(low, high));
  return this;
}

Option* Option::among(const std::vector<std::string>& all) {
  option_->check(CLI::IsMember(all));
  return this;
}

Option* Option::existing_file() {
  option_->check(CLI::ExistingFile);
  return this;
}

std::size_t Option::count() const { return option_->count(); }

Parser::Parser(const std::string& name, const std::string& description, const std::string& version)
    : app_(std::make_shared<CLI::App>(description, name)) {
  app_->set_version_flag("--version", version);
  app_->require_subcommand(1);
  app_->formatter(std::make_shared<HelpFormatter>());
  app_->get_formatter()->column_width(32);
}

Parser* Parser::add_subcommand(const std::string& name, const std::string& description) {
  app_->add_subcommand(name, description);
  return commands_.emplace_back(new Parser(app_->get_subcommand_ptr(name))).get();
}

template <class T>
Option* Parser::add_option(const std::string& names, T& value, const std::string& help,
                           const std::string& kind) {
  Option* const option = keep(app_->add_option(names, value, help));
  return kind.empty() ? option : option->type_name(kind);
}
template Option* Parser::add_option(const std::string&, std::string&, const std::string&,
                                    const std::string&);
template Option* Parser::add_option(const std::string&, std::optional<int>&, const std::string&,
                                    const std::string&);
template Option* Parser::add_option(const std::string&, std::vector<std::string>&,
                                    const std::string&, const std::string&);

Option* Parser::add_option(const std::string& names,
                           const std::function<void(const std::string&)>& take,
                           const std::string& help) {
  return keep(app_->add_option_function<std::string>(names, take, help));
}

Option* Parser::add_flag(const std::string& names, bool& value, const std::string& help) {
  return keep(app_->add_flag(names, value, help));
}

void Parser::add_footer_option(const std::string& name,
                               const std::function<void(const std::string&)>& take) {
  app_->add_option_function<std::string>(name, take)->group(kListedInFooter);
}

void Parser::footer(const std::string& text) { app_->footer(text); }

void Parser::callback(const std::function<void()>& action) { app_->callback(action); }

void Parser::allow_extras() { app_->allow_extras(); }

void Parser::parse(int argc, char** argv) {
  try {
    app_->parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() != 0)
      throw InvalidArgument(error.what(),
                            "quickselection COMMAND --help lists what a command takes");
    app_->exit(error);  // prints help or version
  }
}

std::string Parser::description() const {
  nlohmann::ordered_json out = describe(*app_);
  for (const auto& command : commands_) out["commands"].push_back(describe(*command->app_));
  return out.dump(1);
}

std::string Parser::name() const { return app_->get_name(); }

std::vector<std::string> Parser::subcommands() const {
  std::vector<std::string> names;
  for (const auto& command : commands_) names.push_back(command->name());
  return names;
}

std::vector<std::string> Parser::remaining() const { return app_->remaining(); }

std::vector<std::string> Parser::long_names() const {
  std::vector<std::string> names;
  for (const CLI::Option* option : std::as_const(*app_).get_options())
    for (const std::string& name : option->get_lnames()) names.push_back(name);
  return names;
}

std::vector<std::string> Parser::given_names() const {
  std::vector<std::string> names;
  for (const CLI::Option* option : std::as_const(*app_).get_options())
    if (option->count() > 0)
      for (const std::string& name : option->get_lnames()) names.push_back(name);
  return names;
}

bool Parser::has(const std::string& option) const {
  return app_->get_option_no_throw(option) != nullptr;
}

bool Parser::given(const std::string& option) const {
  return app_->get_option(option)->count() > 0;
}

Option* Parser::option(const std::string& name) { return keep(app_->get_option(name)); }

}  // namespace quickselection::cli
