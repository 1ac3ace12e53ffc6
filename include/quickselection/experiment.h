// include/quickselection/experiment.h: many selections, measured side by side and summed up.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "quickselection/dataset.h"
#include "quickselection/evaluation.h"
#include "quickselection/progress.h"
#include "quickselection/scale_mode.h"
#include "quickselection/setting.h"
#include "quickselection/split.h"

namespace quickselection {

/// A method with its options. The names "scale" and "clip" are options of every method.
struct ExperimentMethod {
  std::string label;  ///< its name in tables
  std::string method;
  std::vector<GivenOption> options;
};

/// Methods as text: "mcfs,QS10=quickselection:epochs=10:zeta=0.3". Throws InvalidArgument.
std::vector<ExperimentMethod> parse_experiment_methods(const std::string& text);
ExperimentMethod parse_experiment_method(const std::string& text);

/// Gives `shared` options to every method that has them and does not set them itself. Throws
/// InvalidArgument when no method has one of them.
void share_options(std::vector<ExperimentMethod>& methods, std::span<const GivenOption> shared);

struct ExperimentData {
  std::string name;   ///< in tables
  std::string group;  ///< for the normalised Score 1; "" = by its size
  std::string path;
  const Dataset* values = nullptr;  ///< in memory, in the place of `path`; must outlive the runs
  const Dataset* test_values = nullptr;  ///< in the place of `test`
  ReadOptions read;                      ///< its rows are the training rows
  std::string test, test_label;          ///< file of the test rows
  std::optional<RowRange> test_rows;
  double split = 0.2;  ///< share of test rows, when nothing else says which they are
  std::uint64_t split_seed = kSplitSeed;
  std::vector<std::size_t> k;            ///< none = those of the plan
  std::optional<ScaleMode> judge_scale;  ///< before clustering; unset = that of the plan's judges
  std::map<std::string, std::vector<GivenOption>> options;  ///< of a method, on this data only
};

struct ExperimentPlan {
  std::vector<ExperimentData> data;
  std::vector<ExperimentMethod> methods;
  std::vector<std::size_t> k = {50};
  int runs = 5;
  std::uint64_t seed = 0;  ///< of the first run; the next ones count on
  int threads = 0;
  EvaluationOptions judges;  ///< its k, seed, classifier and baselines are not used
  bool random_forest = false;
  std::optional<bool> reconstruction;  ///< unset = for data without labels
  bool all_features = false;           ///< judge all features too, as a reference
  bool share_epochs = false;     ///< methods that differ only in epochs come from one training
  double time_limit = 0;         ///< seconds until a selection must be made; 0 = none
  std::size_t memory_limit = 0;  ///< bytes until then; 0 = none

  ExperimentPlan();
};

/// The label of the reference rows: all features, no selection.
inline constexpr const char* kAllFeatures = "all features";

enum class RunStatus : std::uint8_t { ok, failed, crashed, time_limit, memory_limit };
std::string to_text(RunStatus status);

/// One run of one method on one data set, judged for one K.
struct ResultRow {
  std::string data, method;
  std::size_t k = 0;  ///< 0 = all features
  int run = 1;
  std::uint64_t seed = 0;
  RunStatus status = RunStatus::ok;
  std::string message;  ///< why it failed
  std::optional<double> classification, random_forest, regression, clustering, nmi, ari,
      reconstruction;
  double seconds = 0;              ///< of the selection, without reading
  std::size_t peak_rss_bytes = 0;  ///< of the process while it selected, with the training data
  double joules = 0;               ///< of the selection
  std::string energy_source;
  std::size_t parameters = 0;
  std::size_t rows = 0, features = 0;   ///< of the training data
  double run_seconds = 0;               ///< of the whole process, with reading and judging
  std::vector<std::uint32_t> selected;  ///< the k features, best first
  std::vector<std::string> warnings;    ///< and `message`: as the command line writes them
};

/// Where the rows are kept as they come.
struct ExperimentFolder {
  std::string path;     ///< results.jsonl and settings.json are in it; "" = nothing is kept
  std::string command;  ///< the command that makes it: one cannot continue that of another
  bool go_on = false;   ///< continue what is there, otherwise it must not be there
};

/// Throws InvalidArgument for anything in a plan that can be refused before data is read.
void check_plan(const ExperimentPlan& plan);

/// The plan that a folder was begun with. Throws Error when there is none.
ExperimentPlan read_plan(const ExperimentFolder& folder);

/// Makes every run that the folder does not hold yet, each in a process of its own, and returns
/// all rows in the order of the plan. A run that fails is a row that says so. Throws Interrupted
/// when it is asked to stop; what was finished is kept. The calling process should have no other
/// threads.
std::vector<ResultRow> run_experiment(const ExperimentPlan& plan, const ExperimentFolder& folder,
                                      const RunContext& context = {});

/// A whole history: reads the plan's first data set, trains its first method, notes the best
/// features after the epochs `marks`, and writes into the folder
/// strength.csv, chosen.csv and, for images, chosen_epoch_N.pgm and class_averages.pgm.
void run_history(const ExperimentPlan& plan, const std::vector<std::size_t>& marks,
                 const std::string& folder, const RunContext& context);

enum class Measure : std::uint8_t {
  classification,
  random_forest,
  regression,
  clustering,
  reconstruction,
  seconds,
  memory,
  energy,
  parameters
};
inline constexpr std::size_t kMeasures = 9;
inline constexpr Measure kAllMeasures[] = {
    Measure::classification, Measure::random_forest,  Measure::regression,
    Measure::clustering,     Measure::reconstruction, Measure::seconds,
    Measure::memory,         Measure::energy,         Measure::parameters};
/// A title with the unit, such as "Classification accuracy (%)".
std::string title_of(Measure measure);
/// A short name for machines.
std::string name_of_measure(Measure measure);
bool higher_is_better(Measure measure);

/// Of what is compared; values that look equal in a table share a place.
enum class Place : std::uint8_t { none, first, second };

/// Mean and standard deviation over the runs that were finished.
struct Figure {
  double mean = 0, std = 0;
  std::size_t runs = 0;
  Place place = Place::none;  ///< among the methods that finished all runs on this data and K
};

/// A method on one data set for one K.
struct SummaryCell {
  std::string data, method;
  std::size_t k = 0;
  std::array<std::optional<Figure>, kMeasures> figures;
  std::size_t finished = 0, failed = 0;
  std::string failure;  ///< the first one

  const std::optional<Figure>& operator[](Measure measure) const {
    return figures[static_cast<std::size_t>(measure)];
  }
  std::optional<Figure>& operator[](Measure measure) {
    return figures[static_cast<std::size_t>(measure)];
  }
};

/// What Score 1 and Score 2 add up: classification, clustering, seconds, memory.
inline constexpr Measure kScored[] = {Measure::classification, Measure::clustering,
                                      Measure::seconds, Measure::memory};
struct Score {
  std::array<double, 4> parts{};  ///< as kScored
  Place place = Place::none;      ///< of the total
  double total() const { return parts[0] + parts[1] + parts[2] + parts[3]; }
};

struct GroupScore {
  std::string group;
  std::size_t data_sets = 0;
  Score score;
};

struct MethodScores {
  std::string method;
  Score score1;             ///< one for each first or second place
  Score score1_normalised;  ///< each place counts one over the data sets of its group
  std::vector<GroupScore> score1_by_group;
  Score score2;  ///< sum of the measures, scaled from 0 (worst) to 1 (best)
};

struct DataGroup {
  std::string name;
  std::vector<std::string> data;
};

/// Training rows and features, 0 when no run came so far.
struct DataShape {
  std::size_t rows = 0, features = 0;
};

struct ExperimentSummary {
  std::vector<std::string> data;     ///< in the order of the plan
  std::vector<DataShape> shapes;     ///< of each
  std::vector<std::string> methods;  ///< without the reference
  std::vector<SummaryCell> cells;
  std::vector<DataGroup> groups;
  std::vector<MethodScores> scores;
  std::string energy_source;  ///< how energy was measured
  int runs = 0;

  const SummaryCell* find(const std::string& data, const std::string& method, std::size_t k) const;
  /// The K of a data set, ascending.
  std::vector<std::size_t> ks(const std::string& data) const;
};

/// `unscored` methods are in the tables, but the scores are those of the others among each other.
ExperimentSummary summarize(const ExperimentPlan& plan, std::span<const ResultRow> rows,
                            std::span<const std::string> unscored = {});

/// The scores of the named methods among each other; others are left out of the ranking. A method
/// that has not finished all its runs on a data set and K gets nothing there.
std::vector<MethodScores> score_methods(std::span<const SummaryCell> cells,
                                        std::span<const std::string> methods,
                                        std::span<const DataGroup> groups, int runs);

/// A grid of options of one method.
struct GridAxis {
  std::string option;
  std::vector<std::string> values;
};
struct Grid {
  std::string method;
  std::vector<GivenOption> fixed;
  std::vector<GridAxis> axes;
};
/// One method for each point, labelled "epsilon=2 zeta=0.1".
std::vector<ExperimentMethod> grid_methods(const Grid& grid);

/// The grid that such methods were made from: options that all of them set alike are fixed.
Grid grid_of(std::span<const ExperimentMethod> methods);

/// The same with places among the points of each table of the grid.
ExperimentSummary marked_by_table(ExperimentSummary summary, const Grid& grid);

/// The best point of a grid on one data set for one K.
struct GridBest {
  std::string data;
  std::size_t k = 0;
  std::string label;
  Figure figure;
  std::size_t points = 0;  ///< all that were finished
  /// Others that are behind by no more than the spread of the runs, theirs or the best one's.
  std::size_t close = 0;
};
/// In one sentence, with how sure it is.
std::string describe(const GridBest& best, Measure criterion);
std::vector<GridBest> best_points(const Grid& grid, const ExperimentSummary& summary,
                                  Measure criterion);

/// Classification where there are labels, otherwise reconstruction.
Measure natural_criterion(const ExperimentSummary& summary);

/// Text for people and for papers.
enum class TextFormat : std::uint8_t { plain, markdown, latex };
std::string describe(const ExperimentSummary& summary, TextFormat format);
std::string describe(const ExperimentSummary& summary, const Grid& grid, Measure criterion,
                     TextFormat format);
std::string summary_csv(const ExperimentSummary& summary);
std::string summary_json(const ExperimentPlan& plan, const ExperimentSummary& summary);

}  // namespace quickselection
