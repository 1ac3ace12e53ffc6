// src/data/io/decimal.h: plain decimal numbers, the fast way. Inline: text readers live in it.
#pragma once

#include <cstddef>
#include <cstdint>

namespace quickselection {

/// Reads what looks like a plain decimal number and returns where it ends, or `at` itself when the
/// general way must be taken. Exact: up to 2^53 times or over a power of ten up to 10^22 rounds
/// once.
inline const char* parse_simple(const char* at, const char* end, double& value) {
  static constexpr double kPowers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                       1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                       1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
  constexpr std::uint64_t kExact = std::uint64_t{1} << 53;
  constexpr std::ptrdiff_t kMostDigits = 19;  // what fits 64 bits
  const char* const begin = at;
  const bool negative = at != end && *at == '-';
  at += negative;
  std::uint64_t mantissa = 0;
  const char* const digits = at;
  auto digit = [](const char* p) {
    return static_cast<unsigned>(static_cast<unsigned char>(*p)) - '0';
  };
  for (unsigned d; at != end && (d = digit(at)) < 10; ++at) mantissa = mantissa * 10 + d;
  std::ptrdiff_t count = at - digits, exponent = 0;
  if (at != end && *at == '.') {
    const char* const fraction = ++at;
    for (unsigned d; at != end && (d = digit(at)) < 10; ++at) mantissa = mantissa * 10 + d;
    exponent = fraction - at;
    count -= exponent;
  }
  if (count == 0 || count > kMostDigits || mantissa > kExact) return begin;
  if (at != end && (*at | 0x20) == 'e') {
    const char* mark = at + 1;
    const bool minus = mark != end && *mark == '-';
    mark += mark != end && (*mark == '-' || *mark == '+');
    const char* const first = mark;
    int power = 0;
    for (unsigned d; mark != end && mark - first < 4 && (d = digit(mark)) < 10; ++mark)
      power = power * 10 + static_cast<int>(d);
    if (mark == first) return begin;
    exponent += minus ? -power : power;
    at = mark;
  }
  double result = static_cast<double>(mantissa);
  if (exponent < -22 || exponent > 22) return begin;
  result = exponent < 0 ? result / kPowers[-exponent] : result * kPowers[exponent];
  value = negative ? -result : result;
  return at;
}

}  // namespace quickselection
