// src/network/training/checkpoint.h: a training's whole state in one file, written atomically.
#pragma once

#include <filesystem>
#include <vector>

#include "network/training/trainer.h"
#include "quickselection/setting.h"

namespace quickselection {

/// What a checkpoint belongs to: data, options and seed. All of it must be the same on resume.
using Identity = std::vector<Setting>;

void save_checkpoint(const std::filesystem::path& path, const TrainState& state,
                     const Identity& identity);

/// Throws Error when the file is damaged, or names the first difference when it belongs to another
/// training.
TrainState load_checkpoint(const std::filesystem::path& path, const Identity& identity,
                           const TrainOptions& options, std::size_t features);

/// A hash of all values in their stored type, and of their places when they are sparse.
std::uint64_t fingerprint(const Dataset& data);

}  // namespace quickselection
