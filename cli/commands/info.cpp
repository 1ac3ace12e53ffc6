// cli/commands/info.cpp: the command `info`.
#include <fmt/format.h>

#include <memory>

#include "cli/commands/commands.h"
#include "cli/common.h"
#include "cli/result.h"
#include "cli/terminal.h"
#include "core/files/atomic_file.h"
#include "core/text/fields_json.h"
#include "data/dataset/summary_fields.h"

namespace quickselection::cli {

void add_info(Parser& app) {
  struct Command {
    DataOptions data;
    std::string json;
  };
  auto command = std::make_shared<Command>();
  Parser& sub = *app.add_subcommand(
      "info",
      "Say what DATA holds: shape, type, memory, density, names, labels, doubtful features, and "
      "which scaling is advised");
  add_data(sub, command->data);
  add_path(sub, "--json", command->json, "Write the same for machines to this file");
  sub.callback([command] {
    check_outputs({{command->json}}, inputs_of(command->data));
    const Summary summary = inspect(command->data.paths, command->data.read);
    for (const auto& [title, text] : describe(summary))
      say(false, fmt::format("{:<20} {}", title, text));
    write_json(command->json, json_of(summary));
  });
}

}  // namespace quickselection::cli
