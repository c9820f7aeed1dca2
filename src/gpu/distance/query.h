// What a search for distances knows of each query, in the memory of the device.
#pragma once

#include <tandem/batch.h>
#include <tandem/cuda/collide.h>
#include <tandem/host_device.h>

#include <bit>
#include <cstdint>
#include <limits>

#include "gpu/kernel.h"
#include "gpu/warp.h"
#include "gpu/waves/results.h"

namespace tandem::detail {

using cuda::DeviceDistance;

/// A distance as a number that grows when it shrinks, so that threads keep the least one by
/// `atomic_max`; 0 as long as there is none.
using Closeness = unsigned long long;
inline constexpr Closeness k_touching = ~Closeness{0};

TANDEM_HD inline Closeness closeness_of(double distance) {
  return ~std::bit_cast<Closeness>(distance);
}
/// Infinite as long as there is none.
TANDEM_HD inline double distance_of(Closeness closeness) {
  return closeness == 0 ? std::numeric_limits<double>::infinity()
                        : std::bit_cast<double>(~closeness);
}
/// The same for two triangles, the first by triangle of A, then triangle of B.
TANDEM_HD inline Closeness closeness_of(const TrianglePair& pair) {
  return ~(Closeness{pair.a} << 32 | pair.b);
}
TANDEM_HD inline TrianglePair pair_of(Closeness closeness) {
  return {static_cast<std::uint32_t>(~closeness >> 32), static_cast<std::uint32_t>(~closeness)};
}

/// Two slots of triangles.
struct SlotPair {
  std::uint32_t a;
  std::uint32_t b;
};

/// Arrays with an entry for each query, and what is asked of all.
struct DistanceQueries {
  /// The models are at most so far apart, as far as it is known.
  Closeness* upper;
  /// The contract's distance of the closest pair so far, and that pair.
  Closeness* nearest;
  Closeness* pair;
  /// Where models touch: the triangles of `results`.
  SlotPair* touching;
  /// What is found. Where only pairs within a distance are asked for: null, and `any` is 1 for
  /// queries that have one.
  DeviceDistance* results;
  WaveCount* any;
  /// Pairs as far as that do not count.
  double limit;
  /// A pair that is not farther apart than that is enough; negative where the closest is wanted.
  double enough;

  /// Nothing more is to be known of a query. Kernels ask for it before they come to pairs that only
  /// exact arithmetic can tell.
  TANDEM_KERNEL bool is_answered(std::uint32_t query) const {
    if (any != nullptr) return load_fresh(any + query) != 0;
    return load_fresh(upper + query) == k_touching;
  }
  TANDEM_KERNEL double nearest_distance(std::uint32_t query) const {
    return distance_of(load_fresh(nearest + query));
  }
  /// A pair is so far apart. Returns what that counts: infinity from the limit on.
  template <class Threads>
  TANDEM_KERNEL double note(const Threads& threads, std::uint32_t query, double distance) const {
    if (!(distance < limit)) return std::numeric_limits<double>::infinity();
    threads.atomic_max(nearest + query, closeness_of(distance));
    if (any != nullptr) any[query] = 1;
    return distance;
  }
  /// Nothing is known of a query.
  TANDEM_KERNEL void clear(std::uint32_t query) const {
    upper[query] = 0;
    nearest[query] = 0;
    pair[query] = 0;
    if (any != nullptr) {
      any[query] = 0;
    } else {
      results[query] = DeviceDistance{};
    }
  }
};

}  // namespace tandem::detail
