// src/experiment/run.cpp: all runs of an experiment, one after the other.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <tuple>

#include "core/meters.h"
#include "core/worker.h"
#include "experiment/methods.h"
#include "experiment/one_run.h"
#include "experiment/plan_json.h"
#include "experiment/results_file.h"
#include "experiment/tasks.h"
#include "quickselection/error.h"
#include "quickselection/experiment.h"

namespace quickselection {
namespace {

constexpr double kUnits = 1000;  // of progress, for each task

using Key = std::tuple<std::string, std::string, std::size_t, int>;
Key key_of(const ResultRow& row) { return {row.data, row.method, row.k, row.run}; }

/// How long tasks take, learnt from those that were made.
class Durations {
 public:
  void add(const std::string& data, const std::string& method, std::size_t k, double seconds) {
    for (Mean* mean :
         {&known_[{data, method, k}], &known_[{data, method, 0}], &of_data_[data], &all_}) {
      mean->sum += seconds;
      ++mean->count;
    }
  }
  /// Negative when nothing is known.
  double expect(const std::string& data, const std::string& method, std::size_t k) const {
    for (const std::size_t which : {k, std::size_t{0}})
      if (const auto found = known_.find({data, method, which}); found != known_.end())
        return found->second.value();
    if (const auto found = of_data_.find(data); found != of_data_.end())
      return found->second.value();
    return all_.count > 0 ? all_.value() : -1;
  }

 private:
  struct Mean {
    double sum = 0;
    std::size_t count = 0;
    double value() const { return sum / static_cast<double>(count); }
  };
  std::map<std::tuple<std::string, std::string, std::size_t>, Mean> known_;
  std::map<std::string, Mean> of_data_;
  Mean all_;
};

std::string amount(std::size_t bytes) {
  return fmt::format("{:.1f} MB", static_cast<double>(bytes) / 1e6);
}

/// The rows of a task from what its process said.
std::vector<ResultRow> rows_of(const ExperimentPlan& plan, const Task& task,
                               const WorkerOutcome& outcome) {
  std::vector<ResultRow> rows;
  if (outcome.end == WorkerEnd::answered) {
    for (const Json& json : Json::parse(outcome.text)) rows.push_back(row_from_json(json));
    for (ResultRow& row : rows) {
      // It may have been above the limit between two looks at it.
      if (plan.memory_limit == 0 || row.peak_rss_bytes <= plan.memory_limit) continue;
      ResultRow over;
      std::tie(over.data, over.method, over.k, over.run, over.seed) =
          std::tie(row.data, row.method, row.k, row.run, row.seed);
      over.rows = row.rows;
      over.features = row.features;
      over.status = RunStatus::memory_limit;
      over.message = fmt::format("needed more than {}", amount(plan.memory_limit));
      row = over;
    }
  } else {
    rows = empty_rows(plan, task);
    for (ResultRow& row : rows) {
      row.message = on_command_line(outcome.text);
      row.status = outcome.end == WorkerEnd::failed       ? RunStatus::failed
                   : outcome.end == WorkerEnd::crashed    ? RunStatus::crashed
                   : outcome.end == WorkerEnd::time_limit ? RunStatus::time_limit
                                                          : RunStatus::memory_limit;
      if (row.status == RunStatus::time_limit)
        row.message = fmt::format("not finished after {:g} s", plan.time_limit);
      if (row.status == RunStatus::memory_limit)
        row.message = fmt::format("needed more than {}", amount(plan.memory_limit));
    }
  }
  for (ResultRow& row : rows) row.run_seconds = outcome.seconds;
  return rows;
}

class Experiment {
 public:
  Experiment(const ExperimentPlan& plan, const ExperimentFolder& folder, const RunContext& context)
      : plan_(plan),
        folder_(folder),
        context_(context),
        file_(folder, plan),
        tasks_(tasks_of(plan)) {
    for (const ResultRow& row : file_.found()) add(row);
  }

  std::vector<ResultRow> run() {
    for (at_ = 0; at_ < tasks_.size(); ++at_) {
      const std::vector<ResultRow> missing = missing_rows(tasks_[at_]);
      if (missing.empty()) continue;
      try {
        make(tasks_[at_]);
      } catch (const Interrupted&) {
        throw Interrupted(fmt::format(
            "stopped after {} of {} runs{}", finished_tasks(), tasks_.size(),
            folder_.path.empty() ? ""
                                 : fmt::format("; go on with ‹continue› ‹out {}›", folder_.path)));
      }
    }
    return in_order();
  }

 private:
  void add(const ResultRow& row) {
    if (rows_.emplace(key_of(row), row).second && row.run_seconds > 0)
      durations_.add(row.data, row.method, row.k, row.run_seconds);
  }

  std::vector<ResultRow> missing_rows(const Task& task) const {
    std::vector<ResultRow> missing;
    for (ResultRow& row : empty_rows(plan_, task))
      if (!rows_.contains(key_of(row))) missing.push_back(std::move(row));
    return missing;
  }

  std::size_t finished_tasks() const {
    return static_cast<std::size_t>(
        std::count_if(tasks_.begin(), tasks_.end(),
                      [&](const Task& task) { return missing_rows(task).empty(); }));
  }

  void make(const Task& task) {
    const auto body = [&](const WorkerLine& line) {
      file_.leave();
      RunContext own;
      own.threads = plan_.threads;
      own.progress = [&](const Progress& progress) { line.progress(progress); };
      Json answer = Json::array();
      for (const ResultRow& row : make_rows(plan_, task, own, [&] { line.lift_limits(); }))
        answer.push_back(to_json(row));
      return answer.dump(-1, ' ', false, Json::error_handler_t::replace);
    };
    RunContext watching;
    watching.stop = context_.stop;
    const Stopwatch watch;
    watching.progress = [&](const Progress& progress) { report(task, progress, watch.seconds()); };
    report(task, {}, 0);
    const WorkerOutcome outcome =
        run_worker(body, {plan_.time_limit, plan_.memory_limit}, watching);
    std::vector<ResultRow> fresh;
    for (ResultRow& row : rows_of(plan_, task, outcome))
      if (!rows_.contains(key_of(row))) fresh.push_back(std::move(row));
    file_.append(fresh);
    for (const ResultRow& row : fresh) add(row);
  }

  double expected(const Task& task) const {
    return durations_.expect(plan_.data[task.data].name, name_of(plan_, task), task.ks[0]);
  }

  void report(const Task& task, const Progress& inner, double seconds) {
    if (!context_.progress) return;
    double left = 0;
    bool known = true;
    for (std::size_t t = at_ + 1; t < tasks_.size(); ++t) {
      if (missing_rows(tasks_[t]).empty()) continue;
      double one = expected(tasks_[t]);
      // Nothing has been finished yet: this task is all there is to learn from.
      if (one < 0 && inner.seconds_left >= 0) one = seconds + inner.seconds_left;
      known = known && one >= 0;
      left += one;
    }
    const double whole = expected(task);
    if (whole >= 0)
      left += std::max(0.0, whole - seconds);
    else if (inner.seconds_left >= 0)
      left += inner.seconds_left;
    else
      known = false;
    const double share =
        inner.total > 0 ? static_cast<double>(inner.done) / static_cast<double>(inner.total) : 0;
    Progress progress;
    progress.task = fmt::format("{} · {} · run {} of {}", plan_.data[task.data].name,
                                name_of(plan_, task), task.run, plan_.runs);
    // Reading, selecting and judging each count their own way; the share is that of the last.
    progress.done = static_cast<std::size_t>(kUnits * (static_cast<double>(at_) + share));
    progress.total = static_cast<std::size_t>(kUnits) * tasks_.size();
    progress.seconds = watch_.seconds();
    progress.seconds_left = known ? left : -1;
    progress.epoch = inner.epoch;
    progress.epochs = inner.epochs;
    progress.loss = inner.loss;
    context_.progress(progress);
  }

  std::vector<ResultRow> in_order() const {
    std::vector<ResultRow> ordered;
    for (const Task& task : tasks_)
      for (const ResultRow& row : empty_rows(plan_, task)) ordered.push_back(rows_.at(key_of(row)));
    return ordered;
  }

  const ExperimentPlan& plan_;
  const ExperimentFolder& folder_;
  const RunContext& context_;
  ResultsFile file_;
  const std::vector<Task> tasks_;
  std::map<Key, ResultRow> rows_;
  Durations durations_;
  std::size_t at_ = 0;
  Stopwatch watch_;
};

template <class Items, class Name>
void refuse_doubles(const Items& items, const char* what, Name name) {
  std::set<std::string> seen;
  for (const auto& item : items)
    if (!seen.insert(name(item)).second)
      throw InvalidArgument(fmt::format("two {} are called '{}'", what, name(item)),
                            "each needs a name of its own in the tables");
}

void check_ks(const std::vector<std::size_t>& ks) {
  if (std::set<std::size_t>(ks.begin(), ks.end()).size() != ks.size())
    throw InvalidArgument(fmt::format("‹k› is {}: a number is given twice", fmt::join(ks, ",")));
  if (std::find(ks.begin(), ks.end(), std::size_t{0}) != ks.end())
    throw InvalidArgument("‹k› is 0, but must be at least 1");
}

}  // namespace

ExperimentPlan::ExperimentPlan() {
  judges.runs = 1;  // each run is judged once: the spread is that of the runs
}

void check_plan(const ExperimentPlan& plan) {
  if (plan.data.empty()) throw InvalidArgument("no data is given", "name one or more files");
  if (plan.methods.empty() && !plan.all_features)
    throw InvalidArgument("no methods are given", "for example ‹methods quickselection,mcfs›");
  if (plan.runs < 1)
    throw InvalidArgument(fmt::format("‹runs› is {}, but must be at least 1", plan.runs));
  if (static_cast<std::uint64_t>(plan.runs - 1) > UINT64_MAX - plan.seed)
    throw InvalidArgument(
        fmt::format("‹seed› is {}, which leaves no seeds for {} runs", plan.seed, plan.runs));
  if (!(plan.time_limit >= 0))
    throw InvalidArgument(
        fmt::format("‹time-limit› is {}, but must be at least 0", plan.time_limit));
  refuse_doubles(plan.data, "data sets", [](const ExperimentData& data) { return data.name; });
  refuse_doubles(plan.methods, "methods",
                 [](const ExperimentMethod& method) { return method.label; });
  check_ks(plan.k);
  for (const ExperimentData& data : plan.data) {
    check_ks(data.k);
    if (plan.k.empty() && data.k.empty())
      throw InvalidArgument(fmt::format("no K is given for {}", data.name),
                            "for example ‹k 10,50›");
    if (!(data.split >= 0 && data.split < 1))
      throw InvalidArgument(
          fmt::format("‹split› is {}, but must be 0 or more and less than 1", data.split));
    for (const std::string& path : {data.path, data.test})
      if (!path.empty() && !std::filesystem::exists(path))
        throw Error(fmt::format("cannot read {}: there is no such file", path));
    for (const ExperimentMethod& method : plan.methods) check_options(select_options(method, data));
  }
  for (const ExperimentMethod& method : plan.methods)
    if (method.label == kAllFeatures)
      throw InvalidArgument(fmt::format("a method cannot be called '{}'", kAllFeatures));
}

std::vector<ResultRow> run_experiment(const ExperimentPlan& plan, const ExperimentFolder& folder,
                                      const RunContext& context) {
  check_plan(plan);
  return Experiment(plan, folder, context).run();
}

}  // namespace quickselection
