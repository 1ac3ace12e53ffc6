// src/kernels/orthonormal.h: orthonormal vectors that span what others do, by LAPACK.
#pragma once

#include <cstddef>

namespace quickselection::kernels {

/// Makes the rows of `vectors` (count, length), count <= length, orthonormal: the first ones span
/// what they spanned before. Works on the calling thread while a SerialBlas lives.
void make_orthonormal(double* vectors, std::size_t count, std::size_t length);

}  // namespace quickselection::kernels
