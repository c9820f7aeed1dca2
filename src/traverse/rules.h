// Descent rules: which tree to descend when two volumes overlap and at least one is not a leaf.
#pragma once

#include <cstdint>

namespace tandem::detail {

enum class Side : bool { a, b };

/// The larger volume first (stackless tandem paper, section 4): prunes well, but the order of the
/// pairs to come depends on the volumes met on the way.
struct LargerVolumeFirst {
  template <class TreeA, class TreeB>
  static Side choose(const TreeA& a, std::uint32_t node_a, const TreeB& b, std::uint32_t node_b) {
    if (a.is_leaf(node_a)) return Side::b;
    if (b.is_leaf(node_b)) return Side::a;
    return a.volume(node_a).size() < b.volume(node_b).size() ? Side::b : Side::a;
  }
};

/// B and A by turns (section 5): B where the levels are equal. When the tree whose turn it is has
/// reached a leaf, the other one is descended.
struct Alternating {
  template <class TreeA, class TreeB>
  static Side choose(const TreeA& a, std::uint32_t node_a, const TreeB& b, std::uint32_t node_b) {
    const Side turn = a.level(node_a) < b.level(node_b) ? Side::a : Side::b;
    if (turn == Side::a) return a.is_leaf(node_a) ? Side::b : Side::a;
    return b.is_leaf(node_b) ? Side::a : Side::b;
  }
};

}  // namespace tandem::detail
