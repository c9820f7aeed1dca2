// The hierarchy that SIMD traversals walk: blocks of four.
#pragma once

#include <tandem/vec.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace tandem::detail {

/// As many children, boxes or triangles as stand side by side in a block.
inline constexpr int k_block = 4;

/// Four children, each enclosed by a box and by a slab; arrays are by axis, then by child. All points
/// x of a child obey |x - centre| <= half on each axis, and |normal·(x - centre) - offset| <=
/// thickness. Children that are not there have half sides that are NaN, so that nothing overlaps them.
struct alignas(64) NodeBlock {
  float centre[3][k_block];
  float half[3][k_block];
  float normal[3][k_block];
  float offset[k_block];
  float thickness[k_block];
  /// The children's own blocks follow each other from here: of the next level, or of the leaves.
  std::uint32_t first_child;
  std::uint32_t child_count;
};
static_assert(sizeof(NodeBlock) == 192);

/// The boxes of a leaf's four triangles. Those that are not there are empty: lower exceeds upper.
struct alignas(32) BoxBlock {
  float lower[3][k_block];
  float upper[3][k_block];
};
static_assert(sizeof(BoxBlock) == 96);

/// A triangle's corners, x y z each. Those that are not there are NaN.
struct CornerRow {
  float value[9];
};
static_assert(sizeof(CornerRow) == 36);

inline constexpr std::uint32_t k_no_triangle = 0xffffffff;

/// Levels of blocks, all leaves at the same depth. Coordinates are relative to `origin` and divided
/// by 2^exponent, which brings them into [-1, 1]; both are chosen so that nothing is rounded (but for
/// magnitudes below 2^-149 of the whole, which may vanish). Empty for an empty mesh.
struct WideTree {
  /// From the root, one block, to the blocks whose children are leaves; at least one level.
  std::vector<std::vector<NodeBlock>> levels;
  /// Leaf i has the triangles in slots 4i to 4i + 3; only the last leaf may have fewer than four.
  std::vector<BoxBlock> boxes;
  std::vector<CornerRow> corners;
  /// The mesh's triangle in each slot.
  std::vector<std::uint32_t> ids;

  Vec3d origin{0, 0, 0};
  int exponent = 0;
  /// The largest magnitudes of coordinates.
  Vec3d extent{0, 0, 0};

  int height() const { return static_cast<int>(levels.size()); }
  bool empty() const { return levels.empty(); }
  std::size_t bytes() const {
    std::size_t sum = boxes.size() * sizeof(BoxBlock) + corners.size() * sizeof(CornerRow) +
                      ids.size() * sizeof(std::uint32_t);
    for (const auto& level : levels) sum += level.size() * sizeof(NodeBlock);
    return sum;
  }
};

}  // namespace tandem::detail
