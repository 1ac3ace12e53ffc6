// cli/commands/extract.cpp: the command `extract`: rows become fewer numbers, by a network or by
// PCA.
#include <fmt/format.h>

#include <memory>
#include <optional>

#include "cli/commands/commands.h"
#include "cli/common.h"
#include "cli/result.h"
#include "cli/terminal.h"
#include "core/files/atomic_file.h"
#include "core/processes/meters.h"
#include "data/formats/read_options.h"
#include "data/formats/write.h"
#include "extraction/extraction_fields.h"
#include "quickselection/error.h"
#include "quickselection/extraction.h"
#include "report/reports.h"

namespace quickselection::cli {
namespace {

struct ExtractCommand {
  CommonOptions common;
  DataOptions data;
  ExtractOptions extract;
  std::string out, save_model, model, report;
};

/// A saved model has its own network and scaling.
void check_model(const Parser& sub, const ExtractCommand& command) {
  if (command.model.empty()) return;
  for (const char* name : {"--network", "--layers", "--scale", "--clip", "--seed", "--save-model"})
    if (sub.count(name) > 0)
      throw InvalidArgument(fmt::format("{} cannot be used with --model", name),
                            "a model keeps what it was fitted with");
  if (!command.extract.network_options.empty())
    throw InvalidArgument(fmt::format("--{} cannot be used with --model",
                                      command.extract.network_options.front().name),
                          "a model keeps what it was fitted with");
}

Json extractor_json(const ExtractorInfo& info, const Dataset& data, double fit_seconds,
                    double seconds) {
  Json json = with_scaling(quickselection::json_of(info));
  json.erase("features");
  json["data"] = about(data);
  json["seconds"] = {{"fit", fit_seconds}, {"total", seconds}};
  json["peak_rss_bytes"] = peak_rss_bytes();
  return json;
}

void run(const Parser& sub, ExtractCommand& command) {
  const Stopwatch total;
  EnergyMeter energy;
  const bool quiet = command.common.quiet;
  const ExtractOptions& options = command.extract;
  if (command.out.empty() && command.save_model.empty() && command.report.empty())
    throw InvalidArgument("nothing to write", "give --out FILE, --save-model FILE, or both");
  check_model(sub, command);
  check_options(options);
  std::vector<std::string> inputs = inputs_of(command.data);
  inputs.push_back(command.model);
  check_outputs({{command.common.json, command.save_model}, command.out, command.report}, inputs);
  std::optional<Extractor> extractor;
  if (!command.model.empty()) extractor = load_extractor(command.model);

  const Dataset data = read_data(command.data, quiet);
  Measured measured;
  measured.read_seconds = total.seconds();
  ProgressPrinter printer(quiet);
  const RunContext context{command.common.threads, std::ref(printer), &stop_flag()};
  double fit_seconds = 0;
  OutputBatch outputs;
  if (!extractor) {
    const Stopwatch fitting;
    extractor = fit_extractor(data, options, context);
    fit_seconds = fitting.seconds();
    if (!command.save_model.empty()) save_extractor(command.save_model, *extractor);
  }
  if (!command.out.empty() || !command.report.empty()) {
    const Dataset codes = extract(*extractor, data, context);
    if (!command.out.empty()) {
      say_notes(write_notes(command.out, codes), quiet);
      write_dataset(command.out, codes);
    }
    measured.energy = energy.read();
    measured.total_seconds = total.seconds();
    if (!command.report.empty())
      write_file(command.report, extraction_report({data, codes, extractor->info(), measured}));
  }
  const ExtractorInfo& info = extractor->info();
  write_json(command.common.json, extractor_json(info, data, fit_seconds, total.seconds()));
  outputs.commit();
  for (const Warning& warning : info.warnings) warn(warning.text);
  say(quiet, fmt::format("{} rows x {} features to {} dimensions by {}, scaled: {} · {} parameters "
                         "· {} · peak memory {}",
                         data.rows(), data.features(), info.dimensions, info.network,
                         to_text(info.scale), info.parameters, duration(total.seconds()),
                         bytes(static_cast<double>(peak_rss_bytes()))));
}

}  // namespace

void add_extract(Parser& app) {
  auto command = std::make_shared<ExtractCommand>();
  Parser& sub =
      *app.add_subcommand("extract", "Turn the rows of DATA into fewer numbers, without labels");
  add_data(sub, command->data);
  add_path(sub, "--out", command->out, "Write the new columns, in the format of the ending");
  add_fields(sub, command->extract);
  add_path(sub, "--save-model", command->save_model, "Keep the fitted network in this file");
  add_path(sub, "--model", command->model, "Use a network of --save-model instead of fitting one");
  add_path(sub, "--report", command->report, "Write a page to look at", "FILE.html");
  add_common(sub, command->common);
  for (const char* network : {"sparse", "dense", "pca"})
    add_given(sub, extraction_options(network), command->extract.network_options);
  sub.footer(
      "Options of the sparse network (the dense one has no --epsilon and --zeta, pca has "
      "none):\n" +
      option_lines(extraction_options("sparse")) +
      "\nExample:\n  quickselection extract train.npy --layers 1000,50,1000 --out codes.npy "
      "--save-model model\n  quickselection extract test.npy --model model --out "
      "test-codes.npy");
  on_call(sub, [command, &sub] { run(sub, *command); });
}

}  // namespace quickselection::cli
