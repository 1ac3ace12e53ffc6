// src/kernels/targets.h: which SIMD levels are compiled. Include before any Highway header.
#pragma once

// One level for each real difference: SSE4 (x86-64-v2, the least that is supported), AVX2 with FMA,
// AVX-512; NEON on Arm. SVE is left out because its vectors have no size at compile time, which the
// kernels' register blocks need. The kernels use no AES instruction, so none is demanded.
#define HWY_DISABLE_PCLMUL_AES
#define HWY_DISABLED_TARGETS \
  (HWY_SSSE3 | HWY_AVX3_DL | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128)

/// For lambdas of inner loops: for the SIMD level of their function, and never a call.
#define QS_INLINE_LAMBDA HWY_ATTR __attribute__((always_inline))
