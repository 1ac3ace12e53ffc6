// src/experiment/tasks.cpp: see tasks.h.
#include "experiment/tasks.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace quickselection {
namespace {

/// Everything but the epochs, as text: methods with equal keys share a training.
std::string training_key(const SelectOptions& options) {
  std::map<std::string, std::string> sorted;
  for (const GivenOption& option : options.method_options)
    if (option.name != "epochs") sorted[option.name] = option.text;
  std::string key = fmt::format("{}\n{}\n{}\n", options.method,
                                options.scale ? to_text(*options.scale) : "", options.clip);
  for (const auto& [name, text] : sorted) key += fmt::format("{}={}\n", name, text);
  return key;
}

/// Methods by the training that they come from, in the order of the plan.
std::vector<std::vector<std::size_t>> groups_of(const ExperimentPlan& plan,
                                                const ExperimentData& data) {
  std::vector<std::vector<std::size_t>> groups;
  std::map<std::string, std::size_t> found;
  for (std::size_t m = 0; m < plan.methods.size(); ++m) {
    const SelectOptions options = select_options(plan.methods[m], data);
    if (!plan.share_epochs || !shareable_epochs(options)) {
      groups.push_back({m});
      continue;
    }
    const auto [place, fresh] = found.try_emplace(training_key(options), groups.size());
    if (fresh) groups.emplace_back();
    groups[place->second].push_back(m);
  }
  for (auto& group : groups)
    std::stable_sort(group.begin(), group.end(), [&](std::size_t a, std::size_t b) {
      return shareable_epochs(select_options(plan.methods[a], data)) <
             shareable_epochs(select_options(plan.methods[b], data));
    });
  return groups;
}

}  // namespace

std::vector<Task> tasks_of(const ExperimentPlan& plan) {
  std::vector<Task> tasks;
  for (std::size_t d = 0; d < plan.data.size(); ++d) {
    const ExperimentData& data = plan.data[d];
    const std::vector<std::size_t>& ks = data.k.empty() ? plan.k : data.k;
    const auto groups = groups_of(plan, data);
    for (int run = 1; run <= plan.runs; ++run) {
      if (plan.all_features) tasks.push_back({d, {}, {0}, run});
      for (const auto& group : groups) {
        if (!needs_k(select_options(plan.methods[group[0]], data))) {
          tasks.push_back({d, group, ks, run});
          continue;
        }
        for (const std::size_t k : ks) tasks.push_back({d, group, {k}, run});
      }
    }
  }
  return tasks;
}

std::vector<ResultRow> empty_rows(const ExperimentPlan& plan, const Task& task) {
  std::vector<ResultRow> rows;
  const auto add = [&](const std::string& method, std::size_t k) {
    ResultRow& row = rows.emplace_back();
    row.data = plan.data[task.data].name;
    row.method = method;
    row.k = k;
    row.run = task.run;
    row.seed = plan.seed + static_cast<std::uint64_t>(task.run - 1);
  };
  if (task.is_reference()) add(kAllFeatures, 0);
  for (const std::size_t method : task.methods)
    for (const std::size_t k : task.ks) add(plan.methods[method].label, k);
  return rows;
}

std::string name_of(const ExperimentPlan& plan, const Task& task) {
  return task.is_reference() ? kAllFeatures : plan.methods[task.methods.back()].label;
}

}  // namespace quickselection
