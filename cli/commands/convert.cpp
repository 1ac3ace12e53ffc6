// cli/commands/convert.cpp: the command `convert`: from any format that is read to any that is
// written.
#include <fmt/format.h>

#include <memory>

#include "cli/commands/commands.h"
#include "cli/common.h"
#include "cli/result.h"
#include "cli/terminal.h"
#include "core/files/atomic_file.h"
#include "data/formats/format.h"
#include "data/formats/read_options.h"
#include "data/formats/write.h"
#include "quickselection/words.h"

namespace quickselection::cli {
namespace {

/// One line for each format: its name, its endings, what it is, and whether it is written.
std::string format_lines() {
  std::string lines;
  for (const Format* format : formats()) {
    const std::string endings = format->endings.empty()
                                    ? "folder"
                                    : fmt::format("{}{}", fmt::join(format->endings, " "),
                                                  format->reads_gzip ? ", .gz too" : "");
    lines += fmt::format("  {:<9} {}{}\n{:12}{}\n", format->name, on_command_line(format->summary),
                         format->write == nullptr ? " (only read)" : "", "", endings);
  }
  return lines;
}

}  // namespace

void add_convert(Parser& app) {
  struct Command {
    DataOptions data;
    std::string out;
    CommonOptions common;
  };
  auto command = std::make_shared<Command>();
  Parser& sub = *app.add_subcommand(
      "convert", "Write DATA in another format; values keep their type, names and labels stay");
  add_data(sub, command->data);
  // Any number of words may be DATA, so the parser cannot tell the last one.
  sub.add_option("OUT", command->out, "File to write, in the format of its ending")
      ->option_text("TEXT REQUIRED");
  add_output(sub, command->common);
  sub.footer("Formats:\n" + format_lines() +
             "\nExample:\n  quickselection convert counts.mtx.gz counts.h5ad");
  sub.callback([command] {
    const bool quiet = command->common.quiet;
    std::vector<std::string>& words = command->data.paths;
    if (words.size() < 2) throw CLI::RequiredError("OUT");
    command->out = std::move(words.back());
    words.pop_back();
    check_outputs({{command->common.json}, command->out}, inputs_of(command->data));
    const Dataset data = read_data(command->data, quiet);
    std::vector<std::string> notes = write_notes(command->out, data);
    say_notes(notes, quiet);
    notes.insert(notes.begin(), data.notes.begin(), data.notes.end());
    OutputBatch outputs;
    write_dataset(command->out, data);
    write_json(command->common.json, {{"path", command->out},
                                      {"rows", data.rows()},
                                      {"features", data.features()},
                                      {"type", name_of(data.type())},
                                      {"sparse", data.is_sparse()},
                                      {"notes", on_command_line(notes)}});
    outputs.commit();
    say(quiet,
        fmt::format("{}: {} rows x {} features, {}{}", command->out, data.rows(), data.features(),
                    name_of(data.type()), data.is_sparse() ? ", sparse" : ""));
  });
}

}  // namespace quickselection::cli
