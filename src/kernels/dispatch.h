// src/kernels/dispatch.h: which SIMD level runs.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace quickselection::kernels {

/// Floats in one vector of the level in use. Tiles are padded to a multiple of it.
std::size_t lanes();

/// Whether the level in use multiplies packed rows (layer/layer.h) by an instruction of its own.
bool multiplies_packed_rows();

/// Name of the level in use, e.g. "AVX2". Results differ between levels, in rounding.
std::string level();

/// Names of all levels this machine can run, best first.
std::vector<std::string> available_levels();

/// Runs every kernel at this level from now on (tests, benchmarks). "" returns to the best one.
void force_level(const std::string& name);

}  // namespace quickselection::kernels
