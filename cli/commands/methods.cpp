// cli/commands/methods.cpp: the command `methods`.
#include <fmt/format.h>

#include <memory>
#include <string>

#include "cli/commands/commands.h"
#include "cli/common.h"
#include "cli/terminal.h"
#include "quickselection/selection.h"

namespace quickselection::cli {

void add_methods(Parser& app) {
  auto name = std::make_shared<std::string>();
  Parser& sub = *app.add_subcommand("methods", "List the methods and their options");
  sub.add_option("NAME", *name, "Only this method");
  sub.callback([name] {
    for (const MethodInfo& method :
         name->empty() ? methods() : std::vector<MethodInfo>{method_info(*name)})
      say(false, fmt::format("{}: {}\n  scales with: {}\n{}", method.name, method.summary,
                             to_text(method.scale), option_lines(method.options)));
  });
}

}  // namespace quickselection::cli
