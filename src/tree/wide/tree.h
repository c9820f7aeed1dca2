// The hierarchy that SIMD traversals walk: blocks of four.
#pragma once

#include <tandem/host_device.h>
#include <tandem/vec.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "tree/units.h"
#include "tree/wide/large_pages.h"
#include "tree/wide/support.h"

namespace tandem::detail {

/// The number of children, boxes or triangles that stand side by side in a block.
inline constexpr int k_block = 4;

/// A box along the axes.
struct CentredBox {
  Vec3d centre{0, 0, 0};
  Vec3d half{0, 0, 0};
};

/// The box of a whole mesh, in its own coordinates.
struct RootBox : CentredBox {
  /// No point of the mesh is farther from the centre.
  double radius = 0;
  /// No point of the box is farther from the origin of the mesh's coordinates.
  double farthest = 0;
};

/// Four children, each enclosed by a box and by a slab. Arrays are indexed by axis, then by child.
/// All points x of a child obey |x - centre| <= half on each axis, and
/// |normal·(x - centre) - offset| <= thickness. The half sides of missing children are NaN, so that
/// nothing overlaps them.
///
/// Half sides and thicknesses are larger than that by what tests in float32 may be off because of
/// the child's own coordinates, which are in no magnitude larger than e, with u = 2^-24:
///
///   half sides by 64 u e. Tests need 8.1 u e of them along the axes of A. Along the normal n of
///   another child's slab they reach |n|₁ · 64 u e, which is at least 64 u e, and of which 56 u e
///   are needed: 37 for the centre, which is off by 8.1 u e on each axis, is multiplied by n and
///   was turned by M; 12 for n itself, which is rounded when it is turned; 7 for the last sums.
///   thicknesses by 128 u e. Along the child's own normal 72 u e are needed for the same reasons,
///   and 32 u e for the rounding of the slab when it is built.
struct alignas(64) NodeBlock {
  float centre[3][k_block];
  float half[3][k_block];
  float normal[3][k_block];
  float offset[k_block];
  float thickness[k_block];
  /// The children's own blocks stand one after another from here: an index into the next level, or
  /// into the leaves.
  std::uint32_t first_child;
  std::uint32_t child_count;
};
static_assert(sizeof(NodeBlock) == 192);

/// The boxes of a leaf's four triangles. The boxes of missing triangles are empty: lower exceeds
/// upper.
struct alignas(32) BoxBlock {
  float lower[3][k_block];
  float upper[3][k_block];
};
static_assert(sizeof(BoxBlock) == 96);

/// A triangle's corners, x y z each. The corners of missing triangles are NaN.
struct CornerRow {
  float value[9];
};
static_assert(sizeof(CornerRow) == 36);

/// The id in a slot without a triangle.
inline constexpr std::uint32_t k_no_triangle = 0xffffffff;

/// The most levels that a tree can have: 15 levels hold 4^15 leaves, which are 2^32 triangles.
inline constexpr int k_max_wide_height = 15;

/// A wide tree as traversals see it, on the host or on a device: plain pointers and numbers, valid
/// as long as the memory behind them. See `WideTree` for what they mean.
struct WideTreeView {
  const NodeBlock* blocks = nullptr;
  const BoxBlock* boxes = nullptr;
  const CornerRow* corners = nullptr;
  const std::uint32_t* ids = nullptr;
  const NodeBlock* triangles = nullptr;
  std::uint32_t leaf_count = 0;
  int level_count = 0;
  std::uint32_t level_begin[k_max_wide_height + 1] = {};
  int exponent = 0;
  Vec3d origin;
  Vec3d extent;
  RootBox root;
  SupportMap support;
  bool spread = false;
  bool exact = false;

  TANDEM_HD bool empty() const { return level_count == 0; }
  TANDEM_HD std::uint32_t slot_count() const { return k_block * leaf_count; }
  TANDEM_HD TreeUnits units() const { return {exponent, origin, extent}; }
  /// The blocks of one level; indices in the level above count from here.
  TANDEM_HD const NodeBlock* level(int number) const { return blocks + level_begin[number]; }
};

/// Levels of blocks, all leaves at the same depth. Coordinates are relative to `origin` and divided
/// by 2^exponent, which brings them into [-1, 1], or most of them in a spread mesh. Both are chosen
/// so that nothing is rounded, except that magnitudes below 2^-149 may vanish. Empty for an empty
/// mesh.
struct WideTree {
  static constexpr std::string_view k_name = "wide";
  static constexpr std::string_view k_description =
      "four boxes side by side, each with a slab, tested in SIMD lanes";

  /// Level by level, from the root, which is one block, to the blocks whose children are leaves.
  LargeVector<NodeBlock> blocks;
  /// Level i is blocks[level_begin[i]] to blocks[level_begin[i + 1] - 1]. A tree that is not empty
  /// has at least one level.
  int level_count = 0;
  std::uint32_t level_begin[k_max_wide_height + 1] = {};
  /// Leaf i has the triangles in slots 4i to 4i + 3; only the last leaf may have fewer than four.
  LargeVector<BoxBlock> boxes;
  LargeVector<CornerRow> corners;
  /// The mesh's triangle in each slot.
  LargeVector<std::uint32_t> ids;
  /// Of small meshes, a block for each leaf, whose children are its triangles.
  LargeVector<NodeBlock> triangles;

  int exponent = 0;
  Vec3d origin{0, 0, 0};
  /// The largest magnitude of a coordinate on each axis.
  Vec3d extent{0, 0, 0};
  RootBox root;
  /// How far the mesh reaches from the centre of its box: the values of a `SupportMap`.
  std::vector<float> support;
  /// Much of the mesh is far smaller than the whole, because some of its triangles are far away.
  bool spread = false;
  /// No stored coordinate was rounded: all of the mesh's follow from them.
  bool exact = false;

  bool empty() const { return level_count == 0; }
  std::span<NodeBlock> level(int number) {
    return {blocks.data() + level_begin[number], blocks.data() + level_begin[number + 1]};
  }
  std::span<const NodeBlock> level(int number) const {
    return {blocks.data() + level_begin[number], blocks.data() + level_begin[number + 1]};
  }
  std::size_t bytes() const {
    return (blocks.size() + triangles.size()) * sizeof(NodeBlock) +
           boxes.size() * sizeof(BoxBlock) + corners.size() * sizeof(CornerRow) +
           ids.size() * sizeof(std::uint32_t) + support.size() * sizeof(float);
  }
  WideTreeView view() const {
    WideTreeView result{.blocks = blocks.data(),
                        .boxes = boxes.data(),
                        .corners = corners.data(),
                        .ids = ids.data(),
                        .triangles = triangles.empty() ? nullptr : triangles.data(),
                        .leaf_count = static_cast<std::uint32_t>(boxes.size()),
                        .level_count = level_count,
                        .level_begin = {},
                        .exponent = exponent,
                        .origin = origin,
                        .extent = extent,
                        .root = root,
                        .support = SupportMap(support.data(), std::ldexp(1.0, exponent)),
                        .spread = spread,
                        .exact = exact};
    for (int i = 0; i <= level_count; ++i) result.level_begin[i] = level_begin[i];
    return result;
  }
};

}  // namespace tandem::detail
