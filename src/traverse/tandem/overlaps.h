// The question that traversals ask of a pair of nodes with stored volumes.
#pragma once

#include <tandem/host_device.h>

#include <cstdint>

#include "volume/bounding_volume.h"

namespace tandem::detail {

/// Whether the pair needs a closer look: its volumes overlap, or it is a pair of leaves whose
/// triangles are better tested at once. Brings B's volume into A's frame for this pair alone.
template <class Tree, OverlapTest<typename Tree::Volume> Overlap, class Observer>
TANDEM_HD bool overlaps(const Tree& a, std::uint32_t node_a, const Tree& b, std::uint32_t node_b,
                        const Overlap& overlap, Observer& observer) {
  observer.iteration(node_a, node_b);
  if constexpr (!Overlap::k_tests_leaves) {
    if (a.is_leaf(node_a) && b.is_leaf(node_b)) {
      observer.overlap();
      return true;
    }
  }
  if constexpr (Overlap::k_tumbles) observer.tumbled();
  if (!overlap(a.volume(node_a), overlap.tumble(b.volume(node_b)))) return false;
  observer.overlap();
  return true;
}

}  // namespace tandem::detail
