// src/selectors/methods/lottery_ticket.cpp: a dense denoising autoencoder is trained and pruned;
// its strongest connections return to their initial weights and are trained again (the paper's
// appendix F). A feature's score is the strength of its input neuron.
#include <optional>

#include "network/layers/importance.h"
#include "network/training/dense_step.h"
#include "network/training/mean_loss.h"
#include "network/training/sparse_step.h"
#include "selectors/methods/winning_ticket.h"
#include "selectors/trained_method.h"

namespace quickselection {
namespace {

struct LotteryTicketOptions {
  TrainOptions train;
};

void for_each_field(OptionsOf<LotteryTicketOptions> auto& o, auto&& field) {
  for_each_fixed_epochs_field(o.train, field);
  for_each_hidden_field(o.train, field);
  for_each_sparsity_field(o.train, field);
  for_each_step_field(o.train, field);
  for_each_output_field(o.train, field);
  for_each_optimizer_field(o.train, field);
  for_each_shards_field(o.train, field);
}

/// A step of the network that is there.
class EitherStep {
 public:
  EitherStep(DenseNetwork& dense, Autoencoder& ticket, const TrainOptions& train,
             Batches& batches) {
    if (ticket.layers.empty())
      dense_.emplace(dense, train, batches);
    else
      sparse_.emplace(ticket, train, batches);
  }
  void begin_epoch(const EpochState& state) {
    if (sparse_) sparse_->begin_epoch(state);
  }
  void train_tile(int member, const Tile& tile, EpochState& state) {
    if (sparse_)
      sparse_->train_tile(member, tile, state);
    else
      dense_->train_tile(member, tile, state);
  }

 private:
  std::optional<DenseStep> dense_;
  std::optional<SparseStep> sparse_;
};

struct Lottery {
  static constexpr bool kEpochsMayGrow = false;
  LotteryTicketOptions options;
  std::uint64_t seed;
  DenseNetwork dense;  // until it is pruned
  Autoencoder ticket;  // from then on
  std::size_t dense_parameters;

  Lottery(const LotteryTicketOptions& given, const NetworkStart& start)
      : options(given),
        seed(start.seed),
        dense(make_dense_autoencoder(start.features, given.train, start.seed)),
        dense_parameters(dense.parameters()) {
    options.train.zeta = 0;  // the ticket keeps its connections
  }

  TrainOptions train_options(std::size_t /*rows*/) const { return options.train; }
  static std::vector<Stage> stages(const TrainOptions& train, std::size_t /*rows*/) {
    const auto epochs = most_epochs(train);
    return {{epochs}, {epochs}};
  }
  void end_stage(const TrainingState&, const TrainingInput&) {
    const TrainOptions& train = options.train;
    ticket = winning_ticket(dense, train.epsilon, train.optimizer, seed);
    dense = {};
  }
  void allocate(std::uint32_t stage) {
    if (stage == 0 || dense.layers.empty()) return;
    ticket = unfilled_ticket(dense, options.train.epsilon, options.train.optimizer);
    dense = {};
  }
  EitherStep make_step(Batches& batches, const TrainOptions& train) {
    return {dense, ticket, for_mean_loss(train, batches.features()), batches};
  }
  static void for_each_part(Lottery& self, PartsVisitor& visit) {
    visit(self.dense);
    visit(self.ticket);
  }

  bool pruned() const { return !ticket.layers.empty(); }
  std::vector<double> scores(const Scaler&) const {
    return pruned() ? importance(ticket.layers, Importance::strength, 0)
                    : strength(dense.layers.front());
  }
  std::size_t parameters() const { return dense_parameters + ticket.parameters(); }
  std::vector<LayerWeights> weights() const {
    return pruned() ? weights_of(ticket) : weights_of(dense);
  }
  std::vector<Setting> measures() const {
    return {{"parameters of the dense network", static_cast<std::int64_t>(dense_parameters)},
            {"parameters of the ticket", static_cast<std::int64_t>(ticket.parameters())}};
  }
};

}  // namespace

constinit const Method kLotteryTicket = trained_method<Lottery, kLotteryTicket>({
    .name = "lottery_ticket",
    .class_name = "LotteryTicket",
    .summary = "Dense autoencoder, pruned to its strongest connections, rewound and trained again.",
});

}  // namespace quickselection
