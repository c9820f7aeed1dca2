// Fitting volumes to a shape.
#pragma once

#include <tandem/mesh.h>

#include "tree/tree.h"

namespace tandem::detail {

/// Fits a volume to each leaf's triangle and merges them upwards: for volumes whose merge is as
/// tight as a fit. O(n).
template <BoundingVolume V>
Tree<V> fit_by_merging(const Mesh& mesh, const TreeShape& shape) {
  using Node = typename Tree<V>::Node;
  std::vector<Node> nodes;
  nodes.reserve(shape.size());
  for (const Link link : shape) {
    // An inner node's volume is a placeholder until its children have theirs.
    const TriangleF triangle = mesh.triangle(link.is_leaf() ? link.triangle() : 0);
    nodes.push_back({V::fit(triangle.corner), link});
  }
  // Backwards: in pre-order all descendants come after their ancestors.
  for (std::size_t i = nodes.size(); i-- > 0;) {
    const Link link = nodes[i].link;
    if (link.is_leaf()) continue;
    std::size_t child = i + 1;
    V volume = nodes[child].volume;
    while (true) {
      child = nodes[child].link.is_leaf() ? child + 1 : nodes[child].link.index();
      if (child == link.index()) break;
      volume = V::merge(volume, nodes[child].volume);
    }
    nodes[i].volume = volume;
  }
  return Tree<V>(std::move(nodes), shape);
}

}  // namespace tandem::detail
