// Bits of numbers, on the host and on devices. nvcc compiles `std::countr_zero`, and others for 64
// bits, without a word into constants.
#pragma once

#include <tandem/host_device.h>

#include <bit>
#include <cstdint>

namespace tandem::detail {

/// The position of the lowest bit that is set; there is one.
TANDEM_HD inline int lowest_bit(std::uint32_t bits) {
#if defined(__CUDA_ARCH__)
  return __ffs(static_cast<int>(bits)) - 1;
#else
  return std::countr_zero(bits);
#endif
}
TANDEM_HD inline int lowest_bit(std::uint64_t bits) {
#if defined(__CUDA_ARCH__)
  return __ffsll(static_cast<long long>(bits)) - 1;
#else
  return std::countr_zero(bits);
#endif
}

/// The position of the highest one, counted from 1; 0 where none is set.
TANDEM_HD inline int bit_width(std::uint64_t bits) {
#if defined(__CUDA_ARCH__)
  return 64 - __clzll(static_cast<long long>(bits));
#else
  return static_cast<int>(std::bit_width(bits));
#endif
}

/// How many bits are set.
TANDEM_HD inline std::uint32_t count_bits(std::uint32_t bits) {
#if defined(__CUDA_ARCH__)
  return static_cast<std::uint32_t>(__popc(bits));
#else
  return static_cast<std::uint32_t>(std::popcount(bits));
#endif
}

}  // namespace tandem::detail
