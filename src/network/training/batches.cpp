// src/network/training/batches.cpp: see batches.h.
#include "network/training/batches.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <span>
#include <utility>

#include "data/scaling/stored_rows.h"
#include "kernels/dispatch.h"
#include "kernels/flush.h"
#include "kernels/layer/neurons.h"
#include "kernels/tile.h"
#include "quickselection/error.h"

namespace quickselection {
namespace {

/// Both tiles of very wide data together stay below this; narrower tiles then share a batch.
constexpr std::size_t kTileBudgetBytes = std::size_t{128} << 20;
constexpr std::size_t kLeastTile = 16;
/// Into which a panel is cut when it is filled ahead.
constexpr std::size_t kPieces = 16;
/// What stands in for the rows of a tile without samples.
constexpr std::uint32_t kNoRow = 0;

std::size_t round_up(std::size_t n, std::size_t unit) { return (n + unit - 1) / unit * unit; }

}  // namespace

std::size_t samples_in_tile(std::size_t batch, std::size_t features) {
  const std::size_t affordable = kTileBudgetBytes / (2 * sizeof(float) * features);
  const std::size_t most = std::clamp(affordable / 16 * 16, kLeastTile, kernels::kMaxStride);
  // Nearly equal tiles of whole vectors, rather than full ones and a small rest.
  const std::size_t tiles = (batch + most - 1) / most;
  return std::min(batch, round_up((batch + tiles - 1) / tiles, kernels::lanes()));
}

std::size_t stride_of(std::size_t samples) { return round_up(samples, kernels::lanes()); }

std::size_t panels_of(std::size_t samples) {
  const std::size_t good = kernels::good_panel(kernels::lanes());
  return std::max<std::size_t>(1, (samples + good / 2) / good);
}

std::size_t packed_words_of(std::size_t samples) {
  // Each panel may have a vector without a partner.
  return (stride_of(samples) + panels_of(samples) * kernels::lanes()) / 2;
}

Panel Tile::panel(std::size_t p) const {
  const std::size_t lanes = kernels::lanes(), vectors = stride / lanes;
  const std::size_t each = vectors / panels, longer = vectors % panels;
  const std::size_t begin = lanes * (p * each + std::min(p, longer));
  const std::size_t width = lanes * (each + (p < longer ? 1 : 0));
  const auto words = [&](std::size_t stride_of_panel) {
    return kernels::packed_stride(stride_of_panel, lanes);
  };
  const std::size_t before = std::min(p, longer) * words(lanes * (each + 1)) +
                             (p - std::min(p, longer)) * words(lanes * each);
  return {begin, std::min(width, samples - begin), width, before, words(width), buffer};
}

Batches::Batches(const Dataset& data, const Scaler& scaler, const TrainOptions& options,
                 std::uint64_t seed, Team& team, RowChoice choice)
    : data_(data),
      scaler_(scaler),
      options_(options),
      seed_(seed),
      team_(team),
      choice_(std::move(choice)) {
  if (options_.shards > rows())
    throw InvalidArgument(
        fmt::format("‹shards› is {}, but there are only {} rows", options_.shards, rows()),
        "every shard needs a row; without ‹shards› there is one");
  if (options_.shards > options_.batch_size)
    throw InvalidArgument(fmt::format("‹shards› is {}, but a step has only {} rows",
                                      options_.shards, options_.batch_size),
                          "a larger ‹batch-size› gives every shard a row in each step");
  parts_ = {rows(), std::min<std::size_t>(options_.batch_size, rows()), options_.shards};
  own_ = own_shards(parts_.shards);
  tile_samples_ = samples_in_tile(parts_.most(), features());
  buffers_.resize(1);
  buffers_[0].target = AlignedArray<float>(features() * stride());
}

void Batches::use_panels() {
  panels_ = true;
  if (alone_of(most_panels()) > 0) {
    buffers_.resize(2);
    buffers_[1].target = AlignedArray<float>(features() * stride());
    ahead_.resize(static_cast<std::size_t>(team_.size()));
    taken_ = std::vector<std::atomic<std::size_t>>(most_panels());
  }
  for (Buffer& buffer : buffers_)
    buffer.packed = AlignedArray<kernels::Packed>(features() * words());
}

std::size_t Batches::per_epoch() const { return parts_.count(); }

std::size_t Batches::stride() const { return stride_of(tile_samples_); }

std::size_t Batches::words() const { return packed_words_of(tile_samples_); }

std::size_t Batches::most_panels() const { return panels_of(tile_samples_); }

std::size_t Batches::alone_of(std::size_t panels) const {
  const auto members = static_cast<std::size_t>(team_.size());
  return members == 1 ? 0 : panels / members * members;
}

std::size_t Batches::most_tiles() const {
  std::size_t most = 1;
  for (std::size_t s = own_.begin; s < own_.end; ++s)
    most += parts_.part(0, s).size() / tile_samples_ + 2;
  return most;
}

void Batches::find_tiles(const Place& place, std::vector<Tile>& tiles) const {
  std::size_t all = 0;
  for (std::size_t s = 0; s < parts_.shards; ++s) all += parts_.part(place.batch, s).size();
  tiles.clear();
  for (std::size_t own = 0; own < orders_.size(); ++own) {
    const Range part = parts_.part(place.batch, own_.begin + own);
    add_tiles(tiles, orders_[own].rows() + part.begin, part.size(), own, all, place);
  }
  // A process without rows still takes part in the step.
  if (tiles.empty()) add_tiles(tiles, nullptr, 0, 0, all, place);
  tiles.front().first_of_batch = tiles.back().last_of_batch = true;
}

void Batches::add_tiles(std::vector<Tile>& tiles, const std::uint32_t* row_ids, std::size_t samples,
                        std::size_t shard, std::size_t batch_samples, const Place& place) const {
  for (std::size_t done = 0; done == 0 || done < samples; done += tile_samples_) {
    const std::size_t count = std::min(tile_samples_, samples - done);
    Tile tile;
    tile.row_ids = samples == 0 ? &kNoRow : row_ids + done;
    tile.samples = count;
    tile.stride = stride_of(std::max<std::size_t>(count, 1));
    tile.batch_samples = batch_samples;
    tile.first_of_shard = done == 0;
    tile.last_of_shard = done + count == samples;
    tile.shard = shard;
    tile.first_of_batch = tile.last_of_batch = false;
    tile.epoch = place.epoch;
    tile.step = place.step;
    if (panels_)  // as many as are nearest to the width that the kernels like
      tile.panels = panels_of(count);
    if (team_.size() > 1) {
      if (panels_) tile.alone = alone_of(tile.panels);
      tiles.push_back(tile);
      continue;
    }
    // One thread takes each panel through all phases while it is in the cache. Panels are the same.
    for (std::size_t p = 0; p < tile.panels; ++p) {
      const Panel panel = tile.panel(p);
      Tile part = tile;
      part.row_ids += panel.first;
      part.samples = panel.samples;
      part.stride = panel.stride;
      part.panels = 1;
      part.first_of_shard = tile.first_of_shard && p == 0;
      part.last_of_shard = tile.last_of_shard && p + 1 == tile.panels;
      tiles.push_back(part);
    }
  }
}

void Batches::fill_part(const Tile& tile, std::size_t p, Range range) {
  const kernels::FlushTinyNumbers flush;
  const Panel panel = tile.panel(p);
  const bool fresh = options_.noise_mode == NoiseMode::fresh;
  Buffer& to = buffers_[tile.buffer];
  kernels::TileJob job;
  job.from = stored_rows(data_);
  job.row_ids = tile.row_ids + panel.first;
  job.samples = panel.samples;
  job.stride = panel.stride;
  job.scaling = scaler_.view();
  job.noise = {static_cast<float>(options_.noise), seed_, fresh ? tile.epoch : 0};
  job.clean = to.target.data() + features() * panel.first;
  if (panels_)
    job.packed = to.packed.data() + features() * panel.first_word;
  else
    job.noisy = noisy_.data();
  kernels::fill_tile(job, range.begin, range.end);
}

void Batches::fill(int member, const Tile& tile) {
  const Range shared = share(features(), member, team_.size(), kernels::kTileBlock);
  for (std::size_t p = 0; p < tile.panels; ++p) {
    if (p < tile.alone && static_cast<int>(p) % team_.size() != member) continue;
    fill_part(tile, p, p < tile.alone ? Range{0, features()} : shared);
  }
}

void Batches::fill_ahead(int member) {
  const Tile* const tile = ahead_[static_cast<std::size_t>(member)];
  if (tile == nullptr) return;
  // First what is likely to be ours next time, while it is in our cache.
  for (std::size_t i = 0; i < tile->panels; ++i) {
    const std::size_t p = (i + static_cast<std::size_t>(member)) % tile->panels;
    for (std::size_t piece; (piece = taken_[p].fetch_add(1, std::memory_order_relaxed)) < kPieces;)
      fill_part(*tile, p, share(features(), static_cast<int>(piece), kPieces, kernels::kTileBlock));
  }
}

void Batches::advance(std::size_t batch) {
  for (std::size_t own = 0; own < orders_.size(); ++own)
    orders_[own].advance(data_, parts_.part(batch, own_.begin + own).begin);
}

void Batches::train(int member, const BatchWork& work, const Tile& tile, const Tile* next) {
  const bool ahead = next != nullptr && tile.alone > 0;
  if (ahead) ahead_[static_cast<std::size_t>(member)] = next;
  {
    const kernels::FlushTinyNumbers flush;
    work.train_tile(member, tile);
  }
  if (ahead) {
    ahead_[static_cast<std::size_t>(member)] = nullptr;
    if (member == 0)
      for (auto& taken : taken_) taken = 0;
  } else if (next != nullptr) {
    fill(member, *next);
  }
}

bool Batches::run_epoch(EpochState& state, const BatchWork& work,
                        const std::function<bool()>& go_on) {
  if (state.batch == 0) state.output_loss.assign(features(), 0.0);
  if (!panels_ && noisy_.empty()) noisy_ = AlignedArray<float>(features() * stride());
  orders_.clear();
  for (std::size_t s = own_.begin; s < own_.end; ++s) {
    const Range mine = rows_of_shard(rows(), s, parts_.shards);
    const auto shard = static_cast<std::uint32_t>(s);
    orders_.push_back(choice_.rows.empty()
                          ? RowOrder(mine, choice_.windows, seed_, state.epoch, shard)
                          : RowOrder(std::span(choice_.rows).subspan(mine.begin, mine.size()),
                                     seed_, state.epoch, shard));
  }
  advance(state.batch);

  const std::size_t batches = per_epoch();
  std::uint64_t sent = comm::bytes_sent();
  bool stopped = false;
  std::exception_ptr error;  // of go_on: the others must not wait for us at a barrier for ever
  // A member that lacked memory would not come to the barrier either, so it is taken here.
  struct Tiles {
    std::vector<Tile> now, coming;  // of the batch under way and the one after it
  };
  std::vector<Tiles> tiles_of(static_cast<std::size_t>(team_.size()));
  for (Tiles& tiles : tiles_of) {
    tiles.now.reserve(most_tiles());
    tiles.coming.reserve(most_tiles());
  }
  const auto work_on = [&](int member) {
    Place place{state.epoch, state.batch, state.step};
    auto& [now, coming] = tiles_of[static_cast<std::size_t>(member)];
    std::size_t found = 0;
    const auto find = [&](std::vector<Tile>& tiles) {
      find_tiles(place, tiles);
      for (Tile& tile : tiles) tile.buffer = found++ % buffers_.size();
    };
    find(now);
    fill(member, now.front());
    team_.barrier();
    for (bool more = true; more && !stopped;) {
      ++place.batch;
      ++place.step;
      more = place.batch < batches;
      if (more) find(coming);
      for (std::size_t t = 0; t < now.size(); ++t) {
        const bool last = t + 1 == now.size();
        train(member, work, now[t], !last ? &now[t + 1] : more ? &coming.front() : nullptr);
        if (!last) team_.barrier();
      }
      if (work.after_batch) {
        team_.barrier();
        work.after_batch(member);
        team_.barrier();
      }
      if (member == 0) {  // nobody else looks at the state before the barrier
        state.batch = place.batch;
        state.step = place.step;
        comm::bytes_of_last_step() = comm::bytes_sent() - std::exchange(sent, comm::bytes_sent());
        advance(state.batch);
        try {
          stopped = !go_on();
        } catch (...) {
          error = std::current_exception();
          stopped = true;
        }
      }
      std::swap(now, coming);
      team_.barrier();
    }
  };
  if (state.batch < batches) team_.run(work_on);
  if (error) std::rethrow_exception(error);
  if (state.batch < batches) return false;

  double sum = 0;
  for (const double loss : state.output_loss) sum += loss;
  state.loss.push_back(sum / static_cast<double>(rows()) / static_cast<double>(features()));
  ++state.epoch;
  state.batch = 0;
  return true;
}

kernels::UpdateJob update_job(const TrainOptions& options, const Tile& tile) {
  kernels::UpdateJob job;
  job.optimizer = options.optimizer;
  job.learning_rate = static_cast<float>(options.learning_rate);
  job.momentum = static_cast<float>(options.momentum);
  job.weight_decay = static_cast<float>(options.weight_decay);
  const double t = static_cast<double>(tile.step + 1);
  job.bias_correction1 = static_cast<float>(1 / (1 - std::pow(0.9, t)));
  job.bias_correction2 = static_cast<float>(1 / (1 - std::pow(0.999, t)));
  job.inverse_batch = 1.0f / static_cast<float>(tile.batch_samples);
  job.first_tile = tile.first_of_shard;
  job.last_tile = tile.last_of_batch;
  return job;
}

BatchSum::BatchSum(const Batches& batches, std::vector<std::span<float>> floats,
                   std::span<double> doubles)
    : batches_(batches) {
  if (batches.sharded()) sum_.emplace(batches.shards(), std::move(floats), doubles);
}

void BatchSum::end_tile(int member, const Tile& tile) {
  if (!sum_ || !tile.last_of_shard) return;
  Team& team = batches_.team();
  team.barrier();
  if (own_shards(batches_.shards()).size() > 0) sum_->add(member, team, tile.shard);
  team.barrier();
  if (tile.last_of_batch) sum_->finish(member, team);
}

namespace {

std::vector<std::span<float>> arrays_of(std::span<GradientSum> gradients) {
  std::vector<std::span<float>> arrays;
  for (GradientSum& sum : gradients) {
    arrays.emplace_back(sum.weights.begin(), sum.weights.end());
    arrays.emplace_back(sum.bias.begin(), sum.bias.end());
  }
  return arrays;
}

}  // namespace

ShardedGradients::ShardedGradients(const Batches& batches, std::span<GradientSum> gradients)
    : batches_(batches),
      losses_(batches.sharded() ? batches.features() : 0),
      sum_(batches, arrays_of(gradients), losses_) {}

void ShardedGradients::begin_tile(int member, const Tile& tile, const EpochState& state) {
  if (!sum_.used() || !tile.first_of_shard) return;
  Team& team = batches_.team();
  // The first shard goes on from the batches before, so that one shard is what no shards are.
  const bool first = own_shards(batches_.shards()).begin == 0 && tile.shard == 0;
  const Range mine = share(losses_.size(), member, team.size());
  for (std::size_t f = mine.begin; f < mine.end; ++f)
    losses_[f] = first ? state.output_loss[f] : 0.0;
  team.barrier();
}

void ShardedGradients::end_tile(int member, const Tile& tile, EpochState& state) {
  sum_.end_tile(member, tile);
  if (!sum_.used() || !tile.last_of_batch) return;
  const Range mine = share(losses_.size(), member, batches_.team().size());
  std::copy_n(losses_.data() + mine.begin, mine.size(), state.output_loss.data() + mine.begin);
}

void step_by_sum(kernels::UpdateJob job, Range outputs, Range connections) {
  job.first_tile = job.last_tile = true;
  kernels::update(job, job.weights, connections.begin, connections.size(),
                  job.weights.gradient + connections.begin);
  kernels::update(job, job.bias, outputs.begin, outputs.size(), job.bias.gradient + outputs.begin);
}

}  // namespace quickselection
