// cli/commands/demo.cpp: the command `demo`: a selection that needs nothing and shows what to
// expect.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "cli/commands/commands.h"
#include "cli/common.h"
#include "cli/result.h"
#include "cli/terminal.h"
#include "core/files/atomic_file.h"
#include "core/processes/meters.h"
#include "quickselection/generators.h"
#include "quickselection/selection.h"
#include "report/page.h"
#include "report/reports.h"

namespace quickselection::cli {
namespace {

struct DemoCommand {
  CommonOptions common;
  std::uint64_t seed = 0;
  std::string report = "quickselection-demo.html";
};

void run(const DemoCommand& command) {
  const Stopwatch total;
  EnergyMeter energy;
  const bool quiet = command.common.quiet;
  const bool reports = reports_available();
  check_outputs({{command.common.json}, "", reports ? command.report : ""});

  Generated made = generate_madelon({}, command.seed);
  made.data.source = fmt::format("generated: madelon, seed {}", command.seed);
  const std::size_t k = made.relevant.size();
  say(quiet, fmt::format("{} rows x {} features were generated: {} carry signal, {} are noise. "
                         "Labels are not used. Selecting with --dropout 0.",
                         made.data.rows(), made.data.features(), k, made.data.features() - k));
  SelectOptions options;
  options.seed = command.seed;
  // Where nearly all features are noise, dropout costs more than it gains (docs/method.md).
  options.method_options = {{"dropout", "0"}};
  Selection selection;
  StrengthHistory history;
  {
    ProgressPrinter printer(quiet);
    RunContext context{command.common.threads, std::ref(printer), &stop_flag()};
    context.after_epoch = [&](const EpochEnd& end) { history.add(end); };
    selection = select_features(made.data, options, context);
  }
  std::size_t found = 0;
  for (std::size_t r = 0; r < k; ++r)
    found += std::binary_search(made.relevant.begin(), made.relevant.end(), selection.ranking[r]);

  const Measured measured{0, total.seconds(), energy.read()};
  OutputBatch outputs;
  if (reports)
    write_file(command.report, selection_report({made.data, selection, k, measured, &history,
                                                 std::nullopt, made.relevant}));
  if (!command.common.json.empty()) {
    Json json = json_of(made.data, selection, k, measured);
    json["relevant"] = made.relevant;
    json["found"] = found;
    write_json(command.common.json, json);
  }
  outputs.commit();
  for (const Warning& warning : selection.warnings) warn(warning.text);
  say(quiet, readable(made.data, selection, k, measured));
  say(quiet, fmt::format("Found {} of the {} relevant features. Report: {}", found, k,
                         reports ? command.report : "none, it was built without esbuild"));
}

}  // namespace

void add_demo(Parser& app) {
  auto command = std::make_shared<DemoCommand>();
  Parser& sub = *app.add_subcommand(
      "demo", "Generate data with 20 relevant features among 500 and find them");
  sub.add_option("--report", command->report, "Where the HTML report goes")->capture_default_str();
  add_common(sub, command->common);
  add_field(sub, "seed", command->seed, at_least(0), "Same seed, same result, bit for bit");
  sub.callback([command] { run(*command); });
}

}  // namespace quickselection::cli
