// Bits of numbers, on the host and on devices. nvcc compiles `std::countr_zero` without a word, into
// a constant.
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

/// How many bits are set.
TANDEM_HD inline std::uint32_t count_bits(std::uint32_t bits) {
#if defined(__CUDA_ARCH__)
  return static_cast<std::uint32_t>(__popc(bits));
#else
  return static_cast<std::uint32_t>(std::popcount(bits));
#endif
}

}  // namespace tandem::detail
