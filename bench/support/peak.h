// bench/support/peak.h: what this core can do at most, measured in the same run as the rest.
#pragma once

namespace quickselection::bench {

/// Billions of floating-point operations per second of independent fused multiply-adds in
/// registers, at the SIMD level in use, on one core: the best of a few short runs.
double peak_gflops();

/// CPU time of this thread: what others do on the machine adds less to it than to the clock's.
double thread_seconds();

}  // namespace quickselection::bench
