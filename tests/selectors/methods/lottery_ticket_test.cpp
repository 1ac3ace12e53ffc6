// tests/selectors/methods/lottery_ticket_test.cpp
#include <gtest/gtest.h>

#include <cmath>

#include "quickselection/error.h"
#include "support/selecting.h"

namespace quickselection {
namespace {

const std::vector<GivenOption> kSmallLotteryTicket = {
    {"hidden", "30"}, {"epochs", "10"}, {"epsilon", "3"}};

TEST(LotteryTicketMethod, FindsTheFeaturesThatShareASignal) {
  const Dataset data = signal_data(400, 40, 11, 8);
  const Selection selection = select_with(data, "lottery_ticket",
                                          {{"hidden", "1"},
                                           {"epochs", "60"},
                                           {"epsilon", "0.3"},
                                           {"dropout", "0"},
                                           {"weight-decay", "0.003"},
                                           {"learning-rate", "0.2"}});
  EXPECT_EQ(found(selection, 8, 11, 8), 8u);  // 12 connections are left in the first layer
  expect_complete(selection, 40);
  EXPECT_EQ(selection.loss.size(), 120u) << "both trainings count";
}

TEST(LotteryTicketMethod, GivesTheSameBitsWithAnyNumberOfThreads) {
  const Dataset data = signal_data(150, 70, 5, 20);
  const Selection one = select_with(data, "lottery_ticket", kSmallLotteryTicket, 0, 1);
  expect_same_result(select_with(data, "lottery_ticket", kSmallLotteryTicket, 0, 2), one);
}

TEST(LotteryTicketMethod, SurvivesUglyData) {
  expect_to_survive_ugly_data("lottery_ticket", kSmallLotteryTicket);
}

// Appendix F counts the dense network, rounded to 100,000, and the sparse one.
TEST(LotteryTicketMethod, HasTheParametersOfAppendixF) {
  struct Case {
    std::size_t features;
    double sparse, both;  // millions, as printed in the paper
  };
  const Case cases[] = {{1024, 0.054, 2.054}, {617, 0.043, 1.243}, {500, 0.040, 1.040},
                        {561, 0.042, 1.142},  {784, 0.048, 1.548}, {3289, 0.115, 6.715}};
  for (const Case& c : cases) {
    const Selection selection =
        select_with(signal_data(2, c.features, 0, 2), "lottery_ticket", {{"epochs", "1"}});
    ASSERT_EQ(selection.measures.size(), 2u);
    const auto dense = std::get<std::int64_t>(selection.measures[0].value);
    const auto ticket = std::get<std::int64_t>(selection.measures[1].value);
    EXPECT_EQ(selection.parameters, static_cast<std::size_t>(dense + ticket));
    EXPECT_EQ(static_cast<std::size_t>(dense), 2000 * c.features + 1000 + c.features);
    EXPECT_EQ(static_cast<std::size_t>(ticket), 2 * 13 * (c.features + 1000) + c.features + 1000);
    EXPECT_EQ(std::floor(static_cast<double>(ticket) / 1000) / 1000, c.sparse) << c.features;
    EXPECT_NEAR(static_cast<double>(selection.parameters) / 1e6, c.both, 0.08) << c.features;
  }
}

TEST(LotteryTicketMethod, RefusesZeta) {
  EXPECT_THROW(select_with(signal_data(10, 4, 0, 2), "lottery_ticket", {{"zeta", "0.5"}}),
               InvalidArgument);
}

}  // namespace
}  // namespace quickselection
