// The nodes above up to 32 ranges of triangles that follow each other, all found at once by the
// threads of a warp.
//
// Between two ranges there is a place, and at each place two parts meet and become a node: all
// ranges back to the last higher place, and all up to the next higher one. So a thread has two
// places to look for, and no node has to wait for those below it. Its box is the union of boxes of
// 2, 4 or 8 ranges each, which may overlap.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

#include "gpu/kernel.h"
#include "gpu/warp.h"
#include "math/bits.h"
#include "volume/aabb.h"

namespace tandem::detail {

/// The union of two boxes. Minima and maxima that devices have instructions for; which of two zeros
/// they return does not matter.
TANDEM_HD inline Aabb merged(const Aabb& a, const Aabb& b) {
  return {{std::fmin(a.lower.x, b.lower.x), std::fmin(a.lower.y, b.lower.y),
           std::fmin(a.lower.z, b.lower.z)},
          {std::fmax(a.upper.x, b.upper.x), std::fmax(a.upper.y, b.upper.y),
           std::fmax(a.upper.z, b.upper.z)}};
}

/// The box of another thread of the warp.
template <class Threads>
TANDEM_KERNEL Aabb shuffled(const Threads& threads, const Aabb& box, std::uint32_t lane) {
  return {{threads.shuffle(box.lower.x, lane), threads.shuffle(box.lower.y, lane),
           threads.shuffle(box.lower.z, lane)},
          {threads.shuffle(box.upper.x, lane), threads.shuffle(box.upper.y, lane),
           threads.shuffle(box.upper.z, lane)}};
}

/// How many lanes there are up to the last one of these; 0 for none.
TANDEM_HD inline std::uint32_t lanes_up_to(std::uint32_t lanes) {
#if defined(__CUDA_ARCH__)
  return static_cast<std::uint32_t>(32 - __clz(static_cast<int>(lanes)));
#else
  return static_cast<std::uint32_t>(std::bit_width(lanes));
#endif
}

/// What a thread knows of the node at the place behind its range. Threads are lanes here.
struct NodeOfWarp {
  /// Whether all its ranges are those of the warp; the rest is about such a node.
  bool complete;
  /// Of its ranges.
  std::uint32_t first;
  std::uint32_t last;
  /// Of the places before and behind these.
  std::uint32_t level_before;
  std::uint32_t level_after;
};

/// The thread whose node is above a range or a node; `k_warp_size` where that is not complete. A
/// first child comes from the left.
struct ParentOfWarp {
  std::uint32_t lane;
  bool is_first;

  TANDEM_KERNEL bool there() const { return lane < k_warp_size; }
};

/// The first `count` threads of the warp have a range each, and the levels of the places before and
/// behind it, which are below 128.
class RangesOfWarp {
 public:
  template <class Threads>
  TANDEM_KERNEL RangesOfWarp(const Threads& threads, std::uint32_t count,
                             std::uint32_t level_before, std::uint32_t level_after) {
    constexpr int k_level_bits = 7;
    const std::uint32_t lane = threads.lane();
    const std::uint32_t level = lane < count ? level_after : (1U << k_level_bits) - 1;
    // The threads with higher places: those whose first bit that differs is set.
    std::uint32_t higher = 0;
    std::uint32_t equal = ~std::uint32_t{0};
    for (int bit = k_level_bits - 1; bit >= 0; --bit) {
      const bool set = (level >> bit & 1) != 0;
      const std::uint32_t with = threads.ballot(set);
      higher |= set ? 0 : equal & with;
      equal &= set ? with : ~with;
    }
    const std::uint32_t before = higher & lanes_before(lane);
    const std::uint32_t behind = higher & ~lanes_before(lane) & ~(std::uint32_t{1} << lane);
    const std::uint32_t very_first = threads.shuffle(level_before, 0);
    node.first = lanes_up_to(before);
    node.last = behind != 0 ? static_cast<std::uint32_t>(lowest_bit(behind)) : k_warp_size;
    const std::uint32_t found = threads.shuffle(level, node.first - 1);
    node.level_before = before != 0 ? found : very_first;
    node.level_after = threads.shuffle(level, node.last);
    node.complete = lane + 1 < count && node.last < count && node.level_before > level;
    complete_ = threads.ballot(node.complete);
    above_range = parent(lane, lane, level_before, level);
    above_node = parent(node.first, node.last, node.level_before, node.level_after);
  }

  NodeOfWarp node;
  ParentOfWarp above_range;
  ParentOfWarp above_node;

 private:
  /// Of what begins and ends with these ranges: it meets the next or the last one.
  TANDEM_KERNEL ParentOfWarp parent(std::uint32_t first, std::uint32_t last,
                                    std::uint32_t level_before, std::uint32_t level_after) const {
    const bool is_first = level_after < level_before;
    const std::uint32_t lane = is_first ? last : first - 1;
    const bool there = lane < k_warp_size && (complete_ >> lane & 1) != 0;
    return {there ? lane : k_warp_size, is_first};
  }

  /// The threads whose nodes are.
  std::uint32_t complete_;
};

/// The boxes of 2, 4 and 8 ranges that follow each other, in memory of the warp.
struct BoxesOfWarp {
  struct alignas(16) Four {
    float number[4];
  };
  struct alignas(8) Two {
    float number[2];
  };
  static constexpr int k_sizes = 3;
  Four four[k_sizes][k_warp_size];
  Two two[k_sizes][k_warp_size];

  /// All threads bring the boxes of their ranges. Returns that of the next thread. `sync_warp` is
  /// to follow.
  template <class Threads>
  TANDEM_KERNEL Aabb fill(const Threads& threads, const Aabb& own) {
    const std::uint32_t lane = threads.lane();
    const Aabb next = shuffled(threads, own, lane + 1);
    Aabb box = merged(own, next);
    put(0, lane, box);
    for (int size = 1; size < k_sizes; ++size) {
      box = merged(box, shuffled(threads, box, lane + (1U << size)));
      put(size, lane, box);
    }
    return next;
  }

  /// Of the ranges from `first` to `last`, which are two or more.
  TANDEM_KERNEL Aabb of(std::uint32_t first, std::uint32_t last) const {
    const std::uint32_t count = last - first + 1;
    if (count < 8) {
      const int size = count < 4 ? 0 : 1;
      return merged(get(size, first), get(size, last + 1 - (2U << size)));
    }
    const Aabb ends = merged(get(2, first), get(2, last - 7));
    return count <= 16 ? ends : merged(ends, merged(get(2, first + 8), get(2, last - 15)));
  }

 private:
  TANDEM_KERNEL void put(int size, std::uint32_t lane, const Aabb& box) {
    four[size][lane] = {{box.lower.x, box.lower.y, box.lower.z, box.upper.x}};
    two[size][lane] = {{box.upper.y, box.upper.z}};
  }
  TANDEM_KERNEL Aabb get(int size, std::uint32_t lane) const {
    const Four a = four[size][lane];
    const Two b = two[size][lane];
    return {{a.number[0], a.number[1], a.number[2]}, {a.number[3], b.number[0], b.number[1]}};
  }
};

}  // namespace tandem::detail
