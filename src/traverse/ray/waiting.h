// The children of wide ray trees that wait to be visited, closest first.
#pragma once

#include <hwy/cache_control.h>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "tree/tree.h"
#include "tree/wide/ray_tree.h"

namespace tandem::detail {

/// A child that waits: how far away it is, and in the lower half its link. The distance is not
/// negative, so it compares as its bits do: closer children are smaller.
using Waiting = std::uint64_t;

[[gnu::always_inline]] inline Waiting make_waiting(float entry, std::uint32_t child) {
  return std::uint64_t{std::bit_cast<std::uint32_t>(entry)} << 32 | child;
}
[[gnu::always_inline]] inline std::uint32_t child_of(Waiting waiting) {
  return static_cast<std::uint32_t>(waiting);
}
[[gnu::always_inline]] inline float entry_of(Waiting waiting) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(waiting >> 32));
}

/// So many may wait at once: each node leaves at most seven, and the tree is not deeper than the
/// binary tree that it was made from.
inline constexpr int k_most_waiting = (k_max_depth + 1) * (WideRayNode::k_width - 1) + 1;

/// Swaps two if they are not in order, without a branch.
[[gnu::always_inline]] inline void order(Waiting& closer, Waiting& farther) {
  const Waiting least = std::min(closer, farther);
  farther = std::max(closer, farther);
  closer = least;
}

/// Asks for a whole block. For a node, that is two lines too many, which cost less than to find out
/// which of the two it is.
[[gnu::always_inline]] inline void prefetch(const WideRayTreeView& tree, std::uint32_t child) {
  const auto* const begin = static_cast<const std::byte*>(tree.at(child));
  for (std::size_t i = 0; i < sizeof(WideRayBlock); i += k_cache_line_bytes) {
    hwy::Prefetch(begin + i);
  }
}

/// Of the children whose bits are set, at least one, takes the closest, and puts the others on the
/// stack, closer ones on top.
[[gnu::always_inline]] inline std::uint32_t take_closest(const WideRayTreeView& tree,
                                                         const WideRayNode& node, unsigned bits,
                                                         const float* entries, Waiting*& top) {
  if ((bits & (bits - 1)) == 0) return node.child[std::countr_zero(bits)];
  const auto first_of = [&](unsigned lanes) {
    const int lane = std::countr_zero(lanes);
    prefetch(tree, node.child[lane]);
    return make_waiting(entries[lane], node.child[lane]);
  };
  Waiting a = first_of(bits);
  bits &= bits - 1;
  Waiting b = first_of(bits);
  bits &= bits - 1;
  order(a, b);
  if (bits == 0) {
    *top++ = b;
    return child_of(a);
  }
  Waiting c = first_of(bits);
  bits &= bits - 1;
  order(b, c);
  order(a, b);
  Waiting* const bottom = top;
  *top++ = c;
  *top++ = b;
  for (; bits != 0; bits &= bits - 1) {
    Waiting more = first_of(bits);
    order(a, more);
    Waiting* place = top++;
    for (; place != bottom && place[-1] < more; --place) *place = place[-1];
    *place = more;
  }
  return child_of(a);
}

}  // namespace tandem::detail
