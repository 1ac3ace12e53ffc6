// src/kernels/dispatch.h: which SIMD level runs.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace quickselection::kernels {

/// Floats in one vector of the level in use. Tiles are padded to a multiple of it.
std::size_t lanes();

/// Name of the level in use, e.g. "AVX2".
std::string level();

/// Names of all levels this machine can run, best first.
std::vector<std::string> available_levels();

/// Runs every kernel at this level from now on (tests, benchmarks). "" returns to the best one.
void force_level(const std::string& name);

}  // namespace quickselection::kernels
