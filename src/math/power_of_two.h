// Powers of two, without a call.
#pragma once

#include <tandem/host_device.h>

#include <cstdint>
#include <cstring>

namespace tandem::detail {

/// 2^exponent, for exponents from -1022 to 1023.
TANDEM_HD inline double power_of_two(int exponent) {
  const std::uint64_t bits = static_cast<std::uint64_t>(1023 + exponent) << 52;
  double power = 0;
  std::memcpy(&power, &bits, sizeof power);
  return power;
}

TANDEM_HD inline std::uint64_t bits_of(double x) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, &x, sizeof bits);
  return bits;
}

/// The exponent of a positive normal number.
TANDEM_HD inline int exponent_of(double x) {
  return static_cast<int>(bits_of(x) >> 52) - 1023;
}

}  // namespace tandem::detail
