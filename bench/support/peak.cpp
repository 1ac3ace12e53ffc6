// bench/support/peak.cpp: see peak.h.
#include "kernels/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "support/peak.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <time.h>

#include <algorithm>
#include <cstddef>

#include "support/peak.h"

HWY_BEFORE_NAMESPACE();
namespace quickselection::bench::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

double MeasurePeak() {
  const hn::ScalableTag<float> d;
  constexpr std::size_t kChains = 12, kSteps = 400'000;
  double best = 0;
  for (int run = 0; run < 200; ++run) {
    hn::Vec<decltype(d)> sum[kChains];
    for (std::size_t i = 0; i < kChains; ++i) sum[i] = hn::Iota(d, static_cast<float>(i));
    const auto factor = hn::Set(d, 0.999f), summand = hn::Set(d, 0.001f);
    const double begin = thread_seconds();
    for (std::size_t step = 0; step < kSteps; ++step)
#pragma GCC unroll 16
      for (std::size_t i = 0; i < kChains; ++i) sum[i] = hn::MulAdd(sum[i], factor, summand);
    const double seconds = thread_seconds() - begin;
    for (std::size_t i = 1; i < kChains; ++i) sum[0] = hn::Add(sum[0], sum[i]);
    volatile float keep = hn::GetLane(sum[0]);
    (void)keep;
    const double flops = 2.0 * kChains * kSteps * static_cast<double>(hn::Lanes(d));
    best = std::max(best, flops / seconds / 1e9);
  }
  return best;
}

}  // namespace quickselection::bench::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace quickselection::bench {

HWY_EXPORT(MeasurePeak);

double thread_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

double peak_gflops() { return HWY_DYNAMIC_DISPATCH(MeasurePeak)(); }

}  // namespace quickselection::bench
#endif
