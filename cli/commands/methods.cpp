// cli/commands/methods.cpp: the command `methods`.
#include <fmt/format.h>

#include <memory>
#include <string>

#include "cli/commands/commands.h"
#include "cli/common.h"
#include "cli/result.h"
#include "cli/terminal.h"
#include "quickselection/selection.h"

namespace quickselection::cli {
namespace {

Json method_json(const MethodInfo& method) {
  Json options = Json::array();
  for (const OptionInfo& option : method.options)
    options.push_back({{"name", option.name},
                       {"default", to_text(option.default_value)},
                       {"allowed", option.allowed},
                       {"help", on_command_line(option.help)}});
  return {{"name", method.name},
          {"summary", method.summary},
          {"scale", to_text(method.scale)},
          {"trains", method.trains},
          {"options", options}};
}

}  // namespace

void add_methods(Parser& app) {
  auto name = std::make_shared<std::string>(), json = std::make_shared<std::string>();
  Parser& sub = *app.add_subcommand("methods", "List the methods and their options");
  sub.add_option("NAME", *name, "Only this method");
  add_path(sub, "--json", *json, "Write the same for machines to this file");
  sub.callback([name, json] {
    check_outputs({{*json}});
    const std::vector<MethodInfo> shown =
        name->empty() ? methods() : std::vector<MethodInfo>{method_info(*name)};
    Json list = Json::array();
    for (const MethodInfo& method : shown) list.push_back(method_json(method));
    write_json(*json, {{"methods", list}});
    for (const MethodInfo& method : shown)
      say(false, fmt::format("{}: {}\n  scales with: {}\n{}", method.name, method.summary,
                             to_text(method.scale), option_lines(method.options)));
  });
}

}  // namespace quickselection::cli
