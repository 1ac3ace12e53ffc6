// src/kernels/layer/activation-inl.h: activation functions and their derivatives. Included per SIMD
// level.
#if defined(QS_ACTIVATION_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef QS_ACTIVATION_INL_H_
#undef QS_ACTIVATION_INL_H_
#else
#define QS_ACTIVATION_INL_H_
#endif

#include <hwy/highway.h>

#include "kernels/layer/layer.h"
#include "kernels/random/random-inl.h"

HWY_BEFORE_NAMESPACE();
namespace quickselection::kernels::HWY_NAMESPACE {

/// e^x to a relative error of 2e-7 for |x| <= 87; beyond that it saturates.
HWY_INLINE VF FastExp(VF x) {
  const F32 d;
  const hn::RebindToSigned<F32> di;
  x = hn::Min(hn::Max(x, hn::Set(d, -87.0f)), hn::Set(d, 87.0f));
  // x = n ln 2 + r, |r| <= ln 2 / 2; ln 2 in two parts keeps r exact.
  // Added to 1.5 x 2^23, n is rounded, and stands in the lowest bits.
  const VF magic = hn::Set(d, 0x1.8p23f);
  const VF shifted = hn::MulAdd(x, hn::Set(d, 1.44269504f), magic);
  const VF n = hn::Sub(shifted, magic);
  VF r = hn::NegMulAdd(n, hn::Set(d, 0.693359375f), x);
  r = hn::NegMulAdd(n, hn::Set(d, -2.12194440e-4f), r);
  VF p = hn::MulAdd(r, hn::Set(d, 1.0f / 720), hn::Set(d, 1.0f / 120));
  p = hn::MulAdd(p, r, hn::Set(d, 1.0f / 24));
  p = hn::MulAdd(p, r, hn::Set(d, 1.0f / 6));
  p = hn::MulAdd(p, r, hn::Set(d, 0.5f));
  p = hn::MulAdd(p, r, hn::Set(d, 1.0f));
  p = hn::MulAdd(p, r, hn::Set(d, 1.0f));
  const auto power = hn::ShiftLeft<23>(hn::BitCast(di, shifted));
  return hn::BitCast(d, hn::Add(hn::BitCast(di, p), power));
}

/// a(x). tanh goes through the exponential of -2|x|, which loses no accuracy that training needs.
template <Activation kind>
HWY_INLINE VF Activate(VF x) {
  const F32 d;
  const VF one = hn::Set(d, 1.0f);
  if constexpr (kind == Activation::sigmoid) {
    return hn::Div(one, hn::Add(one, FastExp(hn::Neg(x))));
  } else if constexpr (kind == Activation::tanh) {
    const VF e = FastExp(hn::Mul(hn::Set(d, -2.0f), hn::Abs(x)));
    return hn::CopySign(hn::Div(hn::Sub(one, e), hn::Add(one, e)), x);
  } else if constexpr (kind == Activation::relu) {
    return hn::Max(x, hn::Zero(d));
  } else if constexpr (kind == Activation::leaky_relu) {
    return hn::Max(x, hn::Mul(x, hn::Set(d, kLeakySlope)));
  } else {
    return x;
  }
}

/// a'(x) from y = a(x).
template <Activation kind>
HWY_INLINE VF Derivative(VF y) {
  const F32 d;
  const VF one = hn::Set(d, 1.0f);
  if constexpr (kind == Activation::sigmoid) {
    return hn::NegMulAdd(y, y, y);
  } else if constexpr (kind == Activation::tanh) {
    return hn::NegMulAdd(y, y, one);
  } else if constexpr (kind == Activation::relu) {
    return hn::IfThenElseZero(hn::Gt(y, hn::Zero(d)), one);
  } else if constexpr (kind == Activation::leaky_relu) {
    return hn::IfThenElse(hn::Gt(y, hn::Zero(d)), one, hn::Set(d, kLeakySlope));
  } else {
    return one;
  }
}

/// Calls body with the activation as a compile-time constant, so that loops hold no branch.
template <class Body>
HWY_INLINE auto WithActivation(Activation kind, Body&& body) {
  switch (kind) {
    case Activation::sigmoid:
      return body.template operator()<Activation::sigmoid>();
    case Activation::tanh:
      return body.template operator()<Activation::tanh>();
    case Activation::relu:
      return body.template operator()<Activation::relu>();
    case Activation::leaky_relu:
      return body.template operator()<Activation::leaky_relu>();
    case Activation::linear:
      break;
  }
  return body.template operator()<Activation::linear>();
}

}  // namespace quickselection::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // include guard
