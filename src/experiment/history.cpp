// src/experiment/history.cpp: see history.h.
#include "experiment/history.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "core/files/atomic_file.h"
#include "experiment/tasks.h"
#include "quickselection/error.h"
#include "quickselection/selection.h"
#include "selectors/ranking.h"

namespace quickselection {
namespace {

struct Image {
  std::size_t height = 0, width = 0;
  std::vector<std::uint8_t> pixels;

  Image(std::size_t h, std::size_t w) : height(h), width(w), pixels(h * w) {}
  std::string pgm() const {
    return fmt::format("P5\n{} {}\n255\n", width, height) +
           std::string(pixels.begin(), pixels.end());
  }
};

std::size_t first_of(const HistoryMark& mark, std::size_t k) {
  return std::min(k, mark.ranking.size());
}

/// The mean of each feature in each class, and the largest of all.
std::vector<std::vector<double>> class_means(const Dataset& data) {
  const Labels& labels = *data.labels;
  std::vector<std::vector<double>> means(labels.classes.size(),
                                         std::vector<double>(data.features()));
  std::vector<double> count(labels.classes.size());
  for (std::size_t r = 0; r < data.rows(); ++r) {
    const auto own = static_cast<std::size_t>(labels.codes[r]);
    ++count[own];
    for (std::size_t f = 0; f < data.features(); ++f) means[own][f] += data.at(r, f);
  }
  for (std::size_t c = 0; c < means.size(); ++c)
    for (double& mean : means[c]) mean /= std::max(1.0, count[c]);
  return means;
}

}  // namespace

void run_history(const ExperimentPlan& plan, const std::vector<std::size_t>& marks,
                 const std::string& folder, const RunContext& context) {
  const ExperimentData& data = plan.data.at(0);
  const std::filesystem::path out = folder;
  std::filesystem::create_directories(out);
  const Dataset train = read(data.path, data.read);
  const std::size_t k = (data.k.empty() ? plan.k : data.k).at(0);
  RunContext own = context;
  own.threads = plan.threads;
  const History history = follow_training(plan, marks, train, own);
  OutputBatch outputs;
  write_file(out / "strength.csv", strength_csv(history, k));
  write_file(out / "chosen.csv", chosen_csv(history, k));
  if (train.feature_shape.size() == 2) {
    for (const HistoryMark& mark : history.marks)
      write_file(out / fmt::format("chosen_epoch_{}.pgm", mark.epoch),
                 chosen_image(mark, k, train.feature_shape));
    if (train.labels)
      write_file(out / "class_averages.pgm", class_averages_image(history, k, train));
  }
  outputs.commit();
}

History follow_training(const ExperimentPlan& plan, const std::vector<std::size_t>& marks,
                        const Dataset& train, const RunContext& context) {
  SelectOptions options = select_options(plan.methods.at(0), plan.data.at(0));
  options.seed = plan.seed;
  const auto epochs = shareable_epochs(options);
  if (!epochs)
    throw InvalidArgument(
        fmt::format("{} does not tell its scores after each of so many epochs", options.method),
        "quickselection, fcae and wast do, with a number of ‹epochs›");
  for (const std::size_t mark : marks)
    if (mark < 1 || mark > *epochs)
      throw InvalidArgument(
          fmt::format("epoch {} is asked for, but the training has {} epochs", mark, *epochs));
  History history;
  RunContext own = context;
  own.after_epoch = [&](const EpochEnd& end) {
    history.scores.emplace_back(end.scores.begin(), end.scores.end());
  };
  const Selection selection = select_features(train, options, own);
  for (const std::size_t mark : marks)
    history.marks.push_back({mark, rank_features(history.scores[mark - 1], train, selection)});
  return history;
}

std::string strength_csv(const History& history, std::size_t k) {
  std::string text = "epoch,feature,chosen_at,place,score\n";
  for (const HistoryMark& mark : history.marks) {
    const std::size_t count = first_of(mark, k), all = mark.ranking.size();
    for (std::size_t epoch = 0; epoch < history.scores.size(); ++epoch)
      for (std::size_t i = 0; i < count; ++i)
        for (const auto& [place, feature] :
             {std::pair{"best", mark.ranking[i]}, {"weakest", mark.ranking[all - 1 - i]}})
          text += fmt::format("{},{},{},{},{}\n", epoch + 1, feature, mark.epoch, place,
                              history.scores[epoch][feature]);
  }
  return text;
}

std::string chosen_csv(const History& history, std::size_t k) {
  std::string text = "epoch,rank,feature,score\n";
  for (const HistoryMark& mark : history.marks)
    for (std::size_t i = 0; i < first_of(mark, k); ++i)
      text += fmt::format("{},{},{},{}\n", mark.epoch, i + 1, mark.ranking[i],
                          history.scores[mark.epoch - 1][mark.ranking[i]]);
  return text;
}

std::string chosen_image(const HistoryMark& mark, std::size_t k,
                         const std::vector<std::size_t>& shape) {
  Image image(shape.at(0), shape.at(1));
  for (std::size_t i = 0; i < first_of(mark, k); ++i) image.pixels[mark.ranking[i]] = 255;
  return image.pgm();
}

std::string class_averages_image(const History& history, std::size_t k, const Dataset& data) {
  const std::size_t height = data.feature_shape.at(0), width = data.feature_shape.at(1);
  const std::size_t columns = history.marks.size() + 1;
  const auto means = class_means(data);
  double largest = 0;
  for (const auto& mean : means)
    largest = std::max(largest, *std::max_element(mean.begin(), mean.end()));
  Image image(means.size() * height, columns * width);
  const auto put = [&](std::size_t row, std::size_t column, std::size_t feature) {
    const double share = largest > 0 ? means[row][feature] / largest : 0;
    image
        .pixels[(row * height + feature / width) * image.width + column * width + feature % width] =
        static_cast<std::uint8_t>(255 * std::clamp(share, 0.0, 1.0));
  };
  for (std::size_t c = 0; c < means.size(); ++c) {
    for (std::size_t m = 0; m < history.marks.size(); ++m)
      for (std::size_t i = 0; i < first_of(history.marks[m], k); ++i)
        put(c, m, history.marks[m].ranking[i]);
    for (std::size_t f = 0; f < data.features(); ++f) put(c, columns - 1, f);
  }
  return image.pgm();
}

}  // namespace quickselection
