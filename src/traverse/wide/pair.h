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
/// leaves. When one tree is higher, the first steps descend in it alone, while the other one waits
/// at its root, so that leaves meet leaves:
///
///     step   0        1        2        3 = steps()
///     A      root  →  level 1  level 2  leaves          height 3
///     B      root     root  →  level 1  leaves          height 2
struct WidePair {
  /// Neither is empty.
  WideTreeView a;
  WideTreeView b;

  TANDEM_HD int steps() const {
    return a.level_count > b.level_count ? a.level_count : b.level_count;
  }
  TANDEM_HD Descent descent(int step) const {
    if (step < steps() - a.level_count) return Descent::b_alone;
    if (step < steps() - b.level_count) return Descent::a_alone;
    return Descent::both;
  }
  /// The blocks that a step looks at.
  TANDEM_HD const NodeBlock* blocks_a(int step) const { return blocks(a, step); }
  TANDEM_HD const NodeBlock* blocks_b(int step) const { return blocks(b, step); }

 private:
  TANDEM_HD const NodeBlock* blocks(const WideTreeView& tree, int step) const {
    const int level = step - (steps() - tree.level_count);
    return tree.level(level > 0 ? level : 0);
  }
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
/// sum of the squares of distance over reach, those along slabs counted twice. Pairs with a score
/// below the limit are promising.
inline constexpr int k_bands = 2;
inline constexpr float k_promising = 1;

/// Kernels write whole vectors: a list has room for this many pairs behind those that count.
inline constexpr std::size_t k_list_slack = 16;

}  // namespace tandem::detail
