// src/kernels/dispatch.cpp: see dispatch.h.
#include "kernels/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/dispatch.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

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

std::size_t lanes() { return HWY_DYNAMIC_DISPATCH(Lanes)(); }
std::string level() { return HWY_DYNAMIC_DISPATCH(Level)(); }

std::vector<std::string> available_levels() {
  std::vector<std::string> names;
  for (const auto target : hwy::SupportedAndGeneratedTargets())
    names.emplace_back(hwy::TargetName(target));
  return names;
}

void force_level(const std::string& name) {
  hwy::SetSupportedTargetsForTest(0);
  if (name.empty()) return;
  for (const auto target : hwy::SupportedAndGeneratedTargets()) {
    if (name != hwy::TargetName(target)) continue;
    hwy::SetSupportedTargetsForTest(target);
    return;
  }
  std::string known;
  for (const std::string& one : available_levels()) known += (known.empty() ? "" : ", ") + one;
  throw InvalidArgument("this machine has no SIMD level called " + name, "it has: " + known);
}

}  // namespace quickselection::kernels
#endif
