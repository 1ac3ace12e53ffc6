// src/kernels/dispatch.cpp: see dispatch.h.
#include "kernels/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/dispatch.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <atomic>

#include "kernels/dispatch.h"
#include "quickselection/error.h"

HWY_BEFORE_NAMESPACE();
namespace quickselection::kernels::HWY_NAMESPACE {

std::size_t Lanes() { return hwy::HWY_NAMESPACE::Lanes(hwy::HWY_NAMESPACE::ScalableTag<float>()); }
const char* Level() { return hwy::TargetName(HWY_TARGET); }

}  // namespace quickselection::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace quickselection::kernels {

HWY_EXPORT(Lanes);
HWY_EXPORT(Level);

namespace {

/// AVX-512 on processors that also have AVX512_BF16. Highway knows no such level that would differ
/// in nothing else.
constexpr const char* kPackedLevel = "AVX3_BF16";

bool has_packed_products() {
#if HWY_ARCH_X86
  return __builtin_cpu_supports("avx512bf16") > 0;
#else
  return false;
#endif
}

std::atomic<bool> use_packed_products = has_packed_products();

}  // namespace

std::size_t lanes() { return HWY_DYNAMIC_DISPATCH(Lanes)(); }

bool multiplies_packed_rows() { return use_packed_products.load(std::memory_order_relaxed); }

std::string level() {
  const std::string name = HWY_DYNAMIC_DISPATCH(Level)();
  return name == hwy::TargetName(HWY_AVX3) && multiplies_packed_rows() ? kPackedLevel : name;
}

std::vector<std::string> available_levels() {
  std::vector<std::string> names;
  for (const auto target : hwy::SupportedAndGeneratedTargets()) {
    if (target == HWY_AVX3 && has_packed_products()) names.emplace_back(kPackedLevel);
    names.emplace_back(hwy::TargetName(target));
  }
  return names;
}

void force_level(const std::string& name) {
  hwy::SetSupportedTargetsForTest(0);
  use_packed_products = has_packed_products();
  if (name.empty()) return;
  const bool packed = name == kPackedLevel && has_packed_products();
  for (const auto target : hwy::SupportedAndGeneratedTargets()) {
    if (packed ? target != HWY_AVX3 : name != hwy::TargetName(target)) continue;
    hwy::SetSupportedTargetsForTest(target);
    use_packed_products = packed;
    return;
  }
  std::string known;
  for (const std::string& one : available_levels()) known += (known.empty() ? "" : ", ") + one;
  throw InvalidArgument("this machine has no SIMD level called " + name, "it has: " + known);
}

}  // namespace quickselection::kernels
#endif
