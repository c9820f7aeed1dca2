// What the threads of a warp do together, and how they load.
#pragma once

#include <tandem/host_device.h>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "gpu/kernel.h"
#include "math/bits.h"

namespace tandem::detail {

/// Bits for the lanes before this one.
TANDEM_HD inline std::uint32_t lanes_before(std::uint32_t lane) {
  return (std::uint32_t{1} << lane) - 1;
}

/// The sum of a number over all lanes of the warp before this one; `total` is that over all.
template <class Threads>
TANDEM_KERNEL std::uint32_t sum_before(const Threads& threads, std::uint32_t number,
                                       std::uint32_t* total) {
  const std::uint32_t lane = threads.lane();
  std::uint32_t sum = number;
  for (std::uint32_t step = 1; step < k_warp_size; step *= 2) {
    const std::uint32_t before = threads.shuffle(sum, lane - step);
    sum += lane >= step ? before : 0;
  }
  *total = threads.shuffle(sum, k_warp_size - 1);
  return sum - number;
}

/// Something that no kernel writes while this one runs, in as few loads as its alignment allows.
template <class T>
TANDEM_HD T load_constant(const T* from) {
#if defined(__CUDA_ARCH__)
  if constexpr (!std::is_trivially_default_constructible_v<T>) {
    return *from;
  } else {
    constexpr std::size_t k_unit = alignof(T) >= 16 ? 16 : alignof(T) >= 8 ? 8 : 4;
    static_assert(sizeof(T) % k_unit == 0);
    T result;
    if constexpr (k_unit == 16) {
#pragma unroll
      for (std::size_t i = 0; i < sizeof(T) / 16; ++i) {
        reinterpret_cast<uint4*>(&result)[i] = __ldg(reinterpret_cast<const uint4*>(from) + i);
      }
    } else if constexpr (k_unit == 8) {
#pragma unroll
      for (std::size_t i = 0; i < sizeof(T) / 8; ++i) {
        reinterpret_cast<uint2*>(&result)[i] = __ldg(reinterpret_cast<const uint2*>(from) + i);
      }
    } else {
#pragma unroll
      for (std::size_t i = 0; i < sizeof(T) / 4; ++i) {
        reinterpret_cast<unsigned*>(&result)[i] =
            __ldg(reinterpret_cast<const unsigned*>(from) + i);
      }
    }
    return result;
  }
#else
  return *from;
#endif
}

/// Three words that no kernel writes while this one runs. They are aligned to four bytes alone, but
/// either the first or the last two of them to eight: two loads instead of three.
template <class T>
TANDEM_HD T load_three_words(const T* from) {
  static_assert(sizeof(T) == 12 && std::is_trivially_copyable_v<T>);
#if defined(__CUDA_ARCH__)
  const auto* const words = reinterpret_cast<const unsigned*>(from);
  const bool two_first = reinterpret_cast<std::uintptr_t>(from) % 8 == 0;
  const uint2 two = __ldg(reinterpret_cast<const uint2*>(words + (two_first ? 0 : 1)));
  const unsigned one = __ldg(words + (two_first ? 2 : 0));
  const std::array<unsigned, 3> in_order = {two_first ? two.x : one, two_first ? two.y : two.x,
                                            two_first ? one : two.y};
  return std::bit_cast<T>(in_order);
#else
  return *from;
#endif
}

/// Has a processor load something that its threads will read, without waiting for it.
template <class T>
TANDEM_HD void prefetch([[maybe_unused]] const T* from) {
#if defined(__CUDA_ARCH__)
  constexpr std::size_t k_sector = 32;
#pragma unroll
  for (std::size_t i = 0; i < sizeof(T); i += k_sector) {
    asm volatile("prefetch.global.L1 [%0];" ::"l"(reinterpret_cast<const char*>(from) + i));
  }
#endif
}

/// A number that the kernel before this one has written, even if this one began before that ended:
/// not one that a processor has kept.
TANDEM_HD inline std::uint32_t load_fresh(const std::uint32_t* from) {
#if defined(__CUDA_ARCH__)
  return __ldcg(from);
#else
  return *from;
#endif
}

/// The same for a larger number.
TANDEM_HD inline unsigned long long load_fresh(const unsigned long long* from) {
#if defined(__CUDA_ARCH__)
  return __ldcg(from);
#else
  return *from;
#endif
}

}  // namespace tandem::detail
