// cli/commands/generate.cpp: the command `generate`.
#include <fmt/format.h>

#include <memory>

#include "cli/commands/commands.h"
#include "cli/common.h"
#include "cli/result.h"
#include "cli/terminal.h"
#include "core/files/atomic_file.h"
#include "data/formats/write.h"
#include "quickselection/error.h"
#include "quickselection/generators.h"

namespace quickselection::cli {

namespace {

struct Command {
  std::string kind, out, labels;
  std::vector<GivenOption> given;
  std::uint64_t seed = 0;
  CommonOptions common;
};

void check_labels_file(const Command& command, const Generator& generator) {
  if (!generator.labels)
    throw InvalidArgument(fmt::format("{} data has no labels", generator.name),
                          "leave out --labels");
  if (command.labels.empty())
    throw InvalidArgument("--labels names no file", "name one, or leave out --labels");
}

}  // namespace

void add_generate(Parser& app) {
  auto command = std::make_shared<Command>();
  Parser& sub =
      *app.add_subcommand("generate", "Write artificial data with known relevant features");
  std::string kinds, footer;
  for (const Generator& generator : generators()) {
    kinds += (kinds.empty() ? "" : ", ") + generator.name;
    footer += fmt::format("{}: {}\n{}\n", generator.name, generator.summary,
                          option_lines(generator.options));
  }
  sub.add_option("KIND", command->kind, "One of " + kinds)->required();
  sub.add_option("-o,--out", command->out, "File to write: .csv, .tsv or .npy")->required();
  auto* labels =
      sub.add_option("--labels", command->labels,
                     "Write the labels here, one in a line: a .npy file has no place for them");
  add_field(sub, "seed", command->seed, at_least(0), "Same seed, same data");
  add_output(sub, command->common);
  for (const Generator& generator : generators()) add_given(sub, generator.options, command->given);
  sub.footer(footer + "Example:\n  quickselection generate madelon -o madelon.csv --rows 1000");
  on_call(sub, [command, labels] {
    const Generator& generator = find_generator(command->kind);
    if (labels->count() > 0) check_labels_file(*command, generator);
    const bool quiet = command->common.quiet;
    check_outputs({{command->labels, command->common.json}, command->out});
    const Generated made = generator.make(command->given, command->seed);
    OutputBatch outputs;
    if (!command->labels.empty()) {
      write_labels(command->labels, *made.data.labels);
    } else {
      for (const std::string& note : write_notes(command->out, made.data))
        say(quiet, fmt::format("note: {}; --labels FILE writes them", note));
    }
    write_dataset(command->out, made.data);
    write_json(command->common.json, {{"path", command->out},
                                      {"rows", made.data.rows()},
                                      {"features", made.data.features()},
                                      {"relevant", made.relevant}});
    outputs.commit();
    say(quiet, fmt::format("{}: {} rows x {} features", command->out, made.data.rows(),
                           made.data.features()));
    if (!made.relevant.empty())
      say(quiet, fmt::format("relevant features: {}", fmt::join(made.relevant, ",")));
  });
}

}  // namespace quickselection::cli
