// src/selectors/methods/lottery_ticket.cpp: a dense denoising autoencoder is trained and pruned;
// its strongest connections return to their initial weights and are trained again (the paper's
// appendix F). A feature's score is the strength of its input neuron.
#include <utility>

#include "network/layers/importance.h"
#include "network/training/dense_trainer.h"
#include "network/training/train_loop.h"
#include "network/training/trainer.h"
#include "selectors/method.h"
#include "selectors/methods/winning_ticket.h"

namespace quickselection {
namespace {

struct LotteryTicketOptions {
  TrainOptions train;
};

template <class Self, class Visitor>
requires OptionsOf<Self, LotteryTicketOptions>
void for_each_field(Self& o, Visitor&& field) {
  for_each_size_field(o.train, field);
  for_each_sparsity_field(o.train, field);
  for_each_step_field(o.train, field);
  for_each_output_field(o.train, field);
  for_each_optimizer_field(o.train, field);
}

void check(std::span<const GivenOption> given) {
  parse_options<LotteryTicketOptions>(given, kLotteryTicket.name);
}

MethodOutput run(const MethodInput& in) {
  auto options = parse_options<LotteryTicketOptions>(in.given, kLotteryTicket.name);
  TrainOptions& train = options.train;
  train.zeta = 0;  // the ticket keeps its connections
  const Windows windows = plan_windows(in.data, in.context.memory);
  EpochPlan plan{static_cast<std::uint32_t>(train.epochs), train.learning_rate};
  MethodOutput out;

  TrainState ticket;
  {
    DenseTrainer trainer(in.data, in.scaler, train, in.seed, in.team, {{}, windows});
    check_memory(in.data, windows, in.context.memory);
    plan.epochs_after = plan.epochs;
    run_and_tell(trainer, plan, in.context, [](const DenseTrainState& state) {
      return strength(state.network.layers.front());
    });
    const DenseTrainState dense = trainer.take_state();
    ticket.network = lottery_ticket(dense.network, train.epsilon, train.optimizer, in.seed);
    out.loss = dense.loss;
    out.parameters = dense.network.parameters();
  }
  plan.epochs_before = std::exchange(plan.epochs_after, 0);
  Trainer trainer(in.data, in.scaler, train, in.seed, in.team, std::move(ticket), windows);
  const auto scores_of = [](const TrainState& state) {
    return importance(state.network.layers, Importance::strength, 0);
  };
  run_and_tell(trainer, plan, in.context, scores_of, plan.epochs_before);

  const TrainState& state = trainer.state();
  out.scores = scores_of(state);
  if (in.keep_network) out.network = weights_of(state.network);
  out.options = settings_of(options);
  out.warnings = warn_if_worse_than_mean(state.loss, in.scaler, train.learning_rate);
  out.measures = {
      {"parameters of the dense network", static_cast<std::int64_t>(out.parameters)},
      {"parameters of the ticket", static_cast<std::int64_t>(state.network.parameters())}};
  out.loss.insert(out.loss.end(), state.loss.begin(), state.loss.end());
  out.parameters += state.network.parameters();
  return out;
}

}  // namespace

const Method kLotteryTicket{
    "lottery_ticket",
    "Dense autoencoder, pruned to its strongest connections, rewound and trained again.",
    ScaleMode::standard,
    false,
    describe_options<LotteryTicketOptions>,
    check,
    run};

}  // namespace quickselection
