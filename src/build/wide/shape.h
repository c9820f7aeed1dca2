// The shape of a wide tree, and how a set of leaves is divided among the children of a block.
#pragma once

#include <tandem/mesh.h>
#include <tandem/sink.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "tree/wide/tree.h"

namespace tandem::detail {

/// The triangles in the order of their slots, four per leaf, and the number of children of each
/// block, level by level from the root.
struct WideShape {
  std::vector<std::uint32_t> order;
  std::vector<std::vector<std::uint8_t>> child_counts;
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

/// Fills a shape from the root down. A block of height h has at most 4^h leaves below it and as few
/// children as can hold them. So blocks are full at the bottom, and only blocks near the top have
/// fewer than four children. The leaves are divided by repeated bisection near the middle:
/// `bisect(leaf_begin, leaf_end, positions, count)` chooses one of up to two positions, and orders
/// the triangles so that those of the first part come first.
template <class Bisect>
class WideShaper {
 public:
  WideShaper(std::size_t leaf_count, WideShape& shape, Bisect bisect)
      : shape_(shape), bisect_(bisect) {
    const int height = height_for(leaf_count);
    shape_.child_counts.resize(height);
    place(0, leaf_count, height);
  }

 private:
  void place(std::size_t begin, std::size_t end, int height) {
    const std::size_t child_room = std::size_t{1} << (2 * (height - 1));
    const std::size_t child_count = (end - begin + child_room - 1) / child_room;
    shape_.child_counts[shape_.child_counts.size() - height].push_back(
        static_cast<std::uint8_t>(child_count));
    std::size_t bounds[k_block + 1];
    bounds[0] = begin;
    std::size_t* next = bounds + 1;
    divide(begin, end, child_count, child_room, next);
    if (height == 1) return;
    for (std::size_t i = 0; i < child_count; ++i) place(bounds[i], bounds[i + 1], height - 1);
  }

  /// Appends the ends of the parts.
  void divide(std::size_t begin, std::size_t end, std::size_t parts, std::size_t room,
              std::size_t*& next) {
    if (parts <= 1) {
      *next++ = end;
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
    divide(begin, begin + left_count, left_parts, room, next);
    divide(begin + left_count, end, right_parts, room, next);
  }

  WideShape& shape_;
  Bisect bisect_;
};

}  // namespace tandem::detail
