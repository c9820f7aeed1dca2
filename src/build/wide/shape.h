// The shape of a wide tree, and how a set of leaves is divided among the children of a block.
#pragma once

#include <tandem/mesh.h>
#include <tandem/sink.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "parallel/parallel_for.h"
#include "tree/wide/large_pages.h"
#include "tree/wide/tree.h"

namespace tandem::detail {

/// The number of children of each block, level by level from the root.
using ChildCounts = std::vector<std::vector<std::uint8_t>>;

/// The triangles in the order of their slots, four per leaf, and the blocks above them.
struct WideShape {
  LargeVector<std::uint32_t> order;
  ChildCounts child_counts;
};

inline std::size_t leaf_count_for(std::size_t triangle_count) {
  return (triangle_count + k_block - 1) / k_block;
}

/// The height of the lowest tree that holds this many leaves; at least one level.
inline int height_for(std::size_t leaf_count) {
  int height = 1;
  while (std::size_t{1} << (2 * height) < leaf_count) ++height;
  return height;
}

/// Leaves that stand one behind the other.
struct LeafRange {
  std::size_t begin;
  std::size_t end;
};

/// Divides leaves among the children of blocks, from the root down. A block of height h has at most
/// 4^h leaves below it and as few children as can hold them. So blocks are full at the bottom, and
/// only blocks near the top have fewer than four children. The leaves are divided by repeated
/// bisection near the middle: `bisect(leaf_begin, leaf_end, positions, count)` chooses one of up to
/// two positions, and orders the triangles so that those of the first part come first.
template <class Bisect>
class BlockDivider {
 public:
  /// With several threads, `bisect` may be called for two sets at the same time.
  BlockDivider(Bisect& bisect, int threads) : bisect_(bisect), threads_(threads) {}

  /// The children of a block with the leaves from `begin` to `end` - 1: how many they are, and
  /// where the leaves of each begin and end.
  struct Children {
    std::size_t count;
    std::size_t bounds[k_block + 1];
  };
  Children divide(std::size_t begin, std::size_t end, int height) {
    const std::size_t room = std::size_t{1} << (2 * (height - 1));
    Children children{(end - begin + room - 1) / room, {begin}};
    divide(begin, end, children.count, room, children.bounds + 1);
    return children;
  }

 private:
  /// Writes the ends of the parts.
  void divide(std::size_t begin, std::size_t end, std::size_t parts, std::size_t room,
              std::size_t* ends) {
    if (parts <= 1) {
      *ends = end;
      return;
    }
    const std::size_t count = end - begin;
    std::size_t positions[2] = {};
    int position_count = 0;
    for (const std::size_t left : {parts / 2, parts - parts / 2}) {
      // Both parts must fit below their blocks; grandchildren should be full.
      const std::size_t least = count - std::min(count, (parts - left) * room);
      const std::size_t most = std::min(count, left * room);
      std::size_t grain = std::max<std::size_t>(1, room / k_block);
      while (grain > 1 && grain * 4 > count) grain = std::max<std::size_t>(1, grain / k_block);
      std::size_t position = (count * left / parts + grain / 2) / grain * grain;
      position = std::clamp(position, std::max<std::size_t>(1, least), std::min(count - 1, most));
      if (position_count == 0 || positions[0] != position) positions[position_count++] = position;
      if (parts % 2 == 0) break;
    }
    const std::size_t left_count = bisect_(begin, end, positions, position_count);
    // Each side gets as many parts as it needs; spare parts go to the side with more leaves per
    // part.
    std::size_t left_parts = (left_count + room - 1) / room;
    std::size_t right_parts = (count - left_count + room - 1) / room;
    while (left_parts + right_parts < parts) {
      if (left_count * right_parts > (count - left_count) * left_parts) {
        ++left_parts;
      } else {
        ++right_parts;
      }
    }
    const std::size_t middle = begin + left_count;
    if (threads_ == 1) {
      divide(begin, middle, left_parts, room, ends);
      divide(middle, end, right_parts, room, ends + left_parts);
      return;
    }
    parallel_for(2, 1, threads_, [&](std::size_t side, std::size_t) {
      if (side == 0) divide(begin, middle, left_parts, room, ends);
      if (side == 1) divide(middle, end, right_parts, room, ends + left_parts);
    });
  }

  Bisect& bisect_;
  int threads_;
};

/// The child counts of a tree, from top to bottom. Large sets of leaves are divided with
/// `bisect_top`, by all threads together. From some height on, each block is one thread's work,
/// which gets a `bisect_part(range)` of its own that counts leaves from the begin of the range.
template <class BisectTop, class BisectPart>
class WideShaper {
 public:
  WideShaper(BisectTop& bisect_top, const BisectPart& bisect_part, int threads)
      : top_(bisect_top, threads), bisect_part_(bisect_part), threads_(threads) {}

  /// Of a tree with that many leaves, at least one.
  ChildCounts run(std::size_t leaf_count) {
    // Some 4^6 or 4^7 leaves: enough work for a thread, and there is enough for many threads.
    const int height = height_for(leaf_count);
    part_height_ = std::min(height, leaf_count > (std::size_t{1} << 20) ? 7 : 6);
    return place({0, leaf_count}, height);
  }

 private:
  ChildCounts place(const LeafRange& leaves, int height) {
    ChildCounts counts(height);
    if (height == part_height_) {
      auto bisect = bisect_part_(leaves);
      BlockDivider divider(bisect, 1);
      place_part(divider, {0, leaves.end - leaves.begin}, height, counts);
      return counts;
    }
    const auto children = top_.divide(leaves.begin, leaves.end, height);
    counts[0].push_back(static_cast<std::uint8_t>(children.count));
    ChildCounts below[k_block];
    parallel_for(children.count, 1, threads_, [&](std::size_t i, std::size_t) {
      below[i] = place({children.bounds[i], children.bounds[i + 1]}, height - 1);
    });
    for (std::size_t i = 0; i < children.count; ++i) {
      for (int level = 1; level < height; ++level) {
        const std::vector<std::uint8_t>& more = below[i][level - 1];
        counts[level].insert(counts[level].end(), more.begin(), more.end());
      }
    }
    return counts;
  }

  template <class Divider>
  static void place_part(Divider& divider, const LeafRange& leaves, int height,
                         ChildCounts& counts) {
    const auto children = divider.divide(leaves.begin, leaves.end, height);
    counts[counts.size() - height].push_back(static_cast<std::uint8_t>(children.count));
    if (height == 1) return;
    for (std::size_t i = 0; i < children.count; ++i) {
      place_part(divider, {children.bounds[i], children.bounds[i + 1]}, height - 1, counts);
    }
  }

  BlockDivider<BisectTop> top_;
  const BisectPart& bisect_part_;
  int threads_;
  int part_height_ = 0;
};

}  // namespace tandem::detail
