// Descent rules: which tree to descend when two volumes overlap and at least one is not a leaf.
#pragma once

#include <tandem/host_device.h>

namespace tandem::detail {

enum class Side : bool { a, b };

/// The larger volume first (stackless tandem paper, section 4): prunes well, but the order of the
/// pairs to come depends on the volumes met on the way.
struct LargerVolumeFirst {
  template <class Pairs>
  TANDEM_HD static Side choose(const Pairs& pairs, const typename Pairs::Pair& pair) {
    if (pairs.leaf_a(pair)) return Side::b;
    if (pairs.leaf_b(pair)) return Side::a;
    return pairs.size_a(pair) < pairs.size_b(pair) ? Side::b : Side::a;
  }
};

/// B and A alternately (section 5): B where the levels are equal. When the tree whose turn it is
/// has reached a leaf, the other one is descended.
struct Alternating {
  template <class Pairs>
  TANDEM_HD static Side choose(const Pairs& pairs, const typename Pairs::Pair& pair) {
    const Side turn = pairs.level_a(pair) < pairs.level_b(pair) ? Side::a : Side::b;
    if (turn == Side::a) return pairs.leaf_a(pair) ? Side::b : Side::a;
    return pairs.leaf_b(pair) ? Side::a : Side::b;
  }
};

}  // namespace tandem::detail
