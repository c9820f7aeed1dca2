// Powers of two, without a call.
#pragma once

#include <tandem/host_device.h>

#include <cstdint>
#include <cstring>

namespace tandem::detail {

/// 2^exponent, for exponents from -1022 to 1023.
TANDEM_HD inline double power_of_two(int exponent) {
  const std::uint64_t bits = static_cast<std::uint64_t>(exponent + 1023) << 52;
  double result;
  std::memcpy(&result, &bits, sizeof(result));
  return result;
}

}  // namespace tandem::detail
