// src/experiment/results_file.h: the rows of an experiment in a folder, one line for each.
#pragma once

#include <filesystem>
#include <span>
#include <vector>

#include "experiment/experiment_fields.h"
#include "quickselection/experiment.h"

namespace quickselection {

constexpr const char *kResults = "results.jsonl", *kSettings = "settings.json";

/// Throws Error when the folder holds results and shall not be continued, or holds none and shall.
void check_folder(const ExperimentFolder& folder);

/// results.jsonl and settings.json. Lines are appended whole; one that was torn by a crash is
/// dropped when the folder is opened again. Locked, so that two programs do not write the same.
class ResultsFile {
 public:
  /// Begins or continues, as the folder says; an empty path keeps nothing. Throws Error when there
  /// is something already, or nothing to continue, and InvalidArgument naming the first difference
  /// of the plan from that of the beginning.
  ResultsFile(const ExperimentFolder& folder, const ExperimentPlan& plan);
  ~ResultsFile();
  ResultsFile(const ResultsFile&) = delete;
  ResultsFile& operator=(const ResultsFile&) = delete;

  /// What was there at the beginning.
  const std::vector<ResultRow>& found() const { return found_; }

  void append(std::span<const ResultRow> rows);
  /// For a child process: forgets the file, so that the lock ends with the parent.
  void leave();

 private:
  void begin(const Json& settings);
  void go_on(const Json& settings);
  void read_rows();

  std::filesystem::path folder_, results_;
  int file_ = -1;
  std::vector<ResultRow> found_;
};

}  // namespace quickselection
