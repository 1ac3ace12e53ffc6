// tests/selectors/trained_method_test.cpp: what every method that trains a network can do.
#include "selectors/trained_method.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <string>
#include <vector>

#include "core/files/hash.h"
#include "quickselection/error.h"
#include "support/sample_data.h"
#include "support/selecting.h"
#include "support/temp_folder.h"

namespace quickselection {
namespace {

SelectOptions small_training(const std::string& method) {
  SelectOptions options;
  options.method = method;
  options.k = 4;
  options.seed = 7;
  options.keep_network = true;
  options.method_options = {{"epochs", "3"}, {"hidden", "9"}, {"batch-size", "30"}};
  return options;
}

std::vector<std::string> trained_methods() {
  std::vector<std::string> names;
  for (const Method* method : all_methods())
    if (method->trains()) names.emplace_back(method->name);
  return names;
}

class EveryTrainedMethod : public ::testing::TestWithParam<std::string> {
 protected:
  const Dataset data = factor_data(100, 12);
  TempFolder folder;
  std::string path() const { return (folder / "state").string(); }

  /// Stopped after so many calls of progress or after_epoch; what it was doing is in the file.
  bool stopped_after(SelectOptions options, int calls, bool in_epochs) {
    std::atomic<bool> stop{false};
    RunContext context;
    context.threads = 1;
    context.stop = &stop;
    int left = calls;
    const auto count = [&] { stop = stop || --left <= 0; };
    if (in_epochs)
      context.after_epoch = [&](const EpochEnd&) { count(); };
    else
      context.progress = [&](const Progress&) { count(); };
    try {
      select_features(data, options, context);
    } catch (const Interrupted&) {
      return true;
    }
    return false;
  }
};
INSTANTIATE_TEST_SUITE_P(Methods, EveryTrainedMethod, ::testing::ValuesIn(trained_methods()),
                         [](const auto& parameter) { return parameter.param; });

TEST_P(EveryTrainedMethod, ResumesAfterAnyEpochToTheSameBits) {
  const Selection whole = select_features(data, small_training(GetParam()));
  ASSERT_GE(whole.loss.size(), 3u);
  for (std::size_t epoch = 1; epoch < whole.loss.size(); ++epoch) {
    SCOPED_TRACE(epoch);
    SelectOptions saving = small_training(GetParam()), resuming = small_training(GetParam());
    saving.checkpoint = resuming.resume = path();
    ASSERT_TRUE(stopped_after(saving, static_cast<int>(epoch), true));
    RunContext two;
    two.threads = 2;
    expect_same_networks(select_features(data, resuming, two), whole);
  }
}

TEST_P(EveryTrainedMethod, IsTheSameWithAndWithoutACheckpoint) {
  SelectOptions saving = small_training(GetParam());
  saving.checkpoint = path();
  expect_same_networks(select_features(data, saving),
                       select_features(data, small_training(GetParam())));
  SelectOptions again = small_training(GetParam());
  again.resume = path();  // of a finished training
  expect_same_networks(select_features(data, again),
                       select_features(data, small_training(GetParam())));
}

TEST_P(EveryTrainedMethod, TakesTheEpochWithTheLeastLossWhereAsked) {
  SelectOptions options = small_training(GetParam());
  // Such steps make the loss of most methods rise again.
  options.method_options.push_back({"learning-rate", "0.6"});
  options.method_options.front().text = "8";
  struct Epoch {
    double loss;
    std::vector<double> scores;
  };
  std::vector<Epoch> seen;
  std::atomic<bool> enough{false}, take_best{false};
  RunContext context;
  context.enough = &enough;
  context.take_best = &take_best;
  context.after_epoch = [&](const EpochEnd& end) {
    seen.push_back({end.loss, {end.scores.begin(), end.scores.end()}});
    enough = take_best = seen.size() == 6;
  };
  const Selection selection = select_features(data, options, context);
  ASSERT_EQ(seen.size(), 6u);
  // The stages of a lottery ticket have eight epochs each, so that all of these are in the first.
  const auto best = std::ranges::min_element(seen, {}, &Epoch::loss);
  EXPECT_EQ(selection.scores, best->scores);
  EXPECT_EQ(selection.loss.back(), best->loss);
  EXPECT_EQ(selection.loss.size(), static_cast<std::size_t>(best - seen.begin()) + 1);
  EXPECT_FALSE(selection.network.empty());
}

TEST_P(EveryTrainedMethod, EndsAfterAnyEpochWithWhatItHasLearnt) {
  const std::size_t epochs = select_features(data, small_training(GetParam())).loss.size();
  for (std::size_t last = 1; last <= epochs; ++last) {
    SCOPED_TRACE(last);
    std::atomic<bool> enough{false};
    std::vector<double> scores;
    RunContext context;
    context.enough = &enough;
    context.after_epoch = [&](const EpochEnd& end) {
      enough = end.epoch == last;
      scores.assign(end.scores.begin(), end.scores.end());
    };
    SelectOptions options = small_training(GetParam());
    options.checkpoint = path();
    options.checkpoint_every = 1000;
    const Selection selection = select_features(data, options, context);
    EXPECT_EQ(selection.loss.size(), last);
    EXPECT_EQ(selection.scores, scores);
    SelectOptions resuming = small_training(GetParam());  // its checkpoint stands there, too
    resuming.resume = path();
    expect_same_networks(select_features(data, resuming),
                         select_features(data, small_training(GetParam())));
  }
}

TEST_P(EveryTrainedMethod, TellsEveryEpochOnceWithItsScores) {
  std::vector<std::size_t> epochs;
  std::vector<double> losses, scores;
  RunContext context;
  context.after_epoch = [&](const EpochEnd& end) {
    epochs.push_back(end.epoch);
    losses.push_back(end.loss);
    scores.assign(end.scores.begin(), end.scores.end());
  };
  const Selection selection = select_features(data, small_training(GetParam()), context);
  std::vector<std::size_t> expected;
  for (std::size_t e = 1; e <= selection.loss.size(); ++e) expected.push_back(e);
  EXPECT_EQ(epochs, expected);
  EXPECT_EQ(losses, selection.loss);
  EXPECT_EQ(scores, selection.scores);
}

TEST_P(EveryTrainedMethod, SaysWhenItDidNotLearn) {
  SelectOptions options = small_training(GetParam());
  // With no step the network stays as random as it began, which is worse than a constant guess.
  options.method_options.push_back({"learning-rate", "1e-30"});
  EXPECT_THAT(select_features(data, options).warnings,
              ::testing::Contains(::testing::Field(&Warning::kind, WarningKind::did_not_learn)));
}

TEST_P(EveryTrainedMethod, RefusesTheCheckpointOfAnotherMethod) {
  for (const std::string& other : trained_methods()) {
    if (other == GetParam()) continue;
    SelectOptions saving = small_training(other), resuming = small_training(GetParam());
    saving.checkpoint = resuming.resume = path();
    select_features(data, saving);
    EXPECT_THROW(select_features(data, resuming), Error) << other;
    break;
  }
}

class EverySettlingMethod : public EveryTrainedMethod {
 protected:
  static SelectOptions with_epochs(const std::string& epochs) {
    SelectOptions options = small_training(GetParam());
    options.method_options = {{"epochs", epochs}, {"hidden", "9"}, {"batch-size", "2"}};
    return options;
  }
};
INSTANTIATE_TEST_SUITE_P(Methods, EverySettlingMethod,
                         ::testing::Values("quickselection", "fcae", "wast"),
                         [](const auto& parameter) { return parameter.param; });

TEST_P(EverySettlingMethod, StopsWhereALongerTrainingWouldPass) {
  const Selection settled = select_features(data, with_epochs("auto"));
  ASSERT_LT(settled.loss.size(), 100u);
  EXPECT_EQ(settled.loss.size() % 5, 0u);
  EXPECT_EQ(settled.settled, true);
  const Selection counted = select_features(data, with_epochs(std::to_string(settled.loss.size())));
  expect_same_networks(counted, settled);
  EXPECT_FALSE(counted.settled);
}

TEST_P(EverySettlingMethod, StopsAtTheSameEpochWhereverItWasResumed) {
  const Selection whole = select_features(data, with_epochs("auto"));
  ASSERT_GT(whole.loss.size(), 7u);
  for (const int epoch : {1, 5, 7, static_cast<int>(whole.loss.size()) - 1}) {
    SCOPED_TRACE(epoch);
    SelectOptions saving = with_epochs("auto"), resuming = with_epochs("auto");
    saving.checkpoint = resuming.resume = path();
    ASSERT_TRUE(stopped_after(saving, epoch, true));
    RunContext two;
    two.threads = 2;
    expect_same_networks(select_features(data, resuming, two), whole);
  }
}

TEST_P(EverySettlingMethod, IsDoneWhenResumedAfterItsEnd) {
  SelectOptions saving = with_epochs("auto"), resuming = with_epochs("auto");
  saving.checkpoint = resuming.resume = path();
  saving.checkpoint_every = 1000;
  const Selection whole = select_features(data, saving);
  const Selection again = select_features(data, resuming);
  expect_same_networks(again, whole);
  EXPECT_EQ(again.settled, true);
}

TEST_P(EverySettlingMethod, GoesOnFromItsEndToACountOfEpochs) {
  SelectOptions saving = with_epochs("auto");
  saving.checkpoint = path();
  const std::string more = std::to_string(select_features(data, saving).loss.size() + 3);
  SelectOptions resuming = with_epochs(more);
  resuming.resume = path();
  expect_same_networks(select_features(data, resuming), select_features(data, with_epochs(more)));
}

}  // namespace
}  // namespace quickselection
