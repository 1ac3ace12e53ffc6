// cli/commands/info.cpp: the command `info`.
#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "cli/commands/commands.h"
#include "cli/common.h"
#include "cli/terminal.h"
#include "core/atomic_file.h"
#include "data/dataset/summary.h"
#include "quickselection/words.h"

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
  sub.add_option("--json", command->json, "Write the same for machines to this file")
      ->type_name("FILE");
  sub.callback([command] {
    if (!command->json.empty()) check_writable(command->json);
    const Summary summary = summarize(read_data(command->data, true));
    for (const auto& [title, text] : describe(summary))
      say(false, fmt::format("{:<20} {}", title, text));
    if (command->json.empty()) return;
    nlohmann::ordered_json json = {{"path", summary.source},
                                   {"rows", summary.rows},
                                   {"features", summary.features},
                                   {"type", name_of(summary.type)},
                                   {"sparse", summary.sparse},
                                   {"bytes", summary.bytes},
                                   {"density", summary.density},
                                   {"constant_features", summary.constant_features},
                                   {"duplicated_features", summary.duplicated_features},
                                   {"nonfinite_features", summary.nonfinite_features},
                                   {"nonfinite_values", summary.nonfinite_values},
                                   {"least", summary.least},
                                   {"most", summary.most},
                                   {"whole_numbers", summary.integers},
                                   {"named", summary.named},
                                   {"notes", on_command_line(summary.notes)}};
    json["classes"] = nlohmann::ordered_json::object();
    for (const auto& [label, rows] : summary.classes) json["classes"][label] = rows;
    const ScalingAdvice advice = advise_scaling(summary);
    json["advised_scaling"] = {{"scale", advice.scale}, {"reason", advice.reason}};
    write_json(command->json, json);
  });
}

}  // namespace quickselection::cli
