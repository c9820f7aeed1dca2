// Two wide trees that are descended together, step by step.
#pragma once

#include <tandem/host_device.h>

#include <cstddef>
#include <cstdint>

#include "tree/wide/tree.h"

namespace tandem::detail {

/// Which trees a step descends in.
enum class Descent { both, a_alone, b_alone };

/// A step leads from pairs of blocks to pairs of their children; the children of the last step are
/// leaves. When one tree is higher, some steps descend in it alone, while the lower one waits. It
/// waits at its root until the blocks of the higher one are smaller than that, then descends too.
/// In its last blocks it waits again, so that leaves meet leaves:
///
///     step   0        1        2        3        4 = steps()
///     A      root  →  level 1  level 2  level 3  leaves          height 4, larger
///     B      root     root  →  level 1  level 1  leaves          height 2
///
/// Where leaves of the lower tree have blocks of their own, it waits there instead, and what of the
/// higher tree overlaps none of their triangles is left behind:
///
///     step   0        1        2        3        4 = steps()
///     A      root  →  level 1  level 2  level 3  leaves          height 4
///     B      root  →  leaves   leaves   leaves   leaves          height 1
struct WidePair {
  /// Neither is empty.
  TANDEM_HD WidePair(const WideTreeView& tree_a, const WideTreeView& tree_b)
      : a(tree_a), b(tree_b), a_is_lower_(a.level_count < b.level_count) {
    const WideTreeView& lower = a_is_lower_ ? a : b;
    const WideTreeView& higher = a_is_lower_ ? b : a;
    more_levels_ = higher.level_count - lower.level_count;
    // Four children are half as large as their parent, where surfaces are evenly divided.
    double size = higher.root.radius;
    while (at_root_ < more_levels_ && 2 * size > lower.root.radius) {
      size /= 2;
      ++at_root_;
    }
    const bool at_triangles = at_root_ < more_levels_ && lower.triangles != nullptr;
    last_level_ = lower.level_count - (at_triangles ? 0 : 1);
  }

  WideTreeView a;
  WideTreeView b;

  TANDEM_HD int steps() const { return a_is_lower_ ? b.level_count : a.level_count; }
  TANDEM_HD Descent descent(int step) const {
    const bool waits_below = at_root_ + last_level_ <= step && step < more_levels_ + last_level_;
    if (step >= at_root_ && !waits_below) return Descent::both;
    return a_is_lower_ ? Descent::b_alone : Descent::a_alone;
  }
  /// The blocks that a step looks at.
  TANDEM_HD const NodeBlock* blocks_a(int step) const {
    return a_is_lower_ ? blocks_of_lower(a, step) : a.level(step);
  }
  TANDEM_HD const NodeBlock* blocks_b(int step) const {
    return a_is_lower_ ? b.level(step) : blocks_of_lower(b, step);
  }
  /// The level of the lower tree's blocks that a step looks at.
  TANDEM_HD int level_of_lower(int step) const {
    if (step < at_root_) return 0;
    return step - at_root_ < last_level_ ? step - at_root_ : last_level_;
  }

 private:
  TANDEM_HD const NodeBlock* blocks_of_lower(const WideTreeView& tree, int step) const {
    const int level = level_of_lower(step);
    return level < tree.level_count ? tree.level(level) : tree.triangles;
  }

  bool a_is_lower_;
  int more_levels_;
  /// How many steps the lower tree waits at its root, and the level at which it waits again.
  int at_root_ = 0;
  int last_level_;
};

/// Pairs of blocks, of leaves or of triangle slots, by index.
struct PairList {
  std::uint32_t* a;
  std::uint32_t* b;

  PairList from(std::size_t first) const { return {a + first, b + first}; }
};

/// How many pairs of children a pair of blocks has.
inline constexpr std::size_t k_pairs_of_children = k_block * k_block;

/// A query that wants one touching pair soon sorts pairs of children into bands, the promising ones
/// first. Surfaces cross where each goes through the other's middle, so the score of a pair is the
/// sum of the squares of distance over reach along all five axes. Pairs with a score below the
/// first limit are promising, those with one below the second limit are the best.
inline constexpr int k_bands = 2;
inline constexpr float k_promising = 0.9F;
inline constexpr float k_best = 0.7F;

/// Kernels write whole vectors: a list has room for this many pairs behind those that count.
inline constexpr std::size_t k_list_slack = 16;

}  // namespace tandem::detail
