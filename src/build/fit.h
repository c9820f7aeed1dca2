// Fitting volumes to a shape.
#pragma once

#include <tandem/mesh.h>

#include <iterator>
#include <span>
#include <vector>

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

/// Fits a volume to all corners below each node: for volumes that get larger than necessary when
/// they are merged. O(n · depth).
template <BoundingVolume V>
Tree<V> fit_by_points(const Mesh& mesh, const TreeShape& shape) {
  // The corners in the order of the leaves: those below a node are contiguous.
  std::vector<Vec3f> corners;
  std::vector<std::size_t> first_corner;
  for (const Link link : shape) {
    first_corner.push_back(corners.size());
    if (!link.is_leaf()) continue;
    const TriangleF triangle = mesh.triangle(link.triangle());
    corners.insert(corners.end(), std::begin(triangle.corner), std::end(triangle.corner));
  }
  first_corner.push_back(corners.size());
  std::vector<typename Tree<V>::Node> nodes;
  nodes.reserve(shape.size());
  for (std::uint32_t node = 0; node < shape.size(); ++node) {
    const std::size_t begin = first_corner[node];
    const std::size_t end = first_corner[escape_index(shape, node)];
    nodes.push_back({V::fit(std::span(corners).subspan(begin, end - begin)), shape[node]});
  }
  return Tree<V>(std::move(nodes), shape);
}

/// The tightest tree for a shape.
template <BoundingVolume V>
Tree<V> fit_tree(const Mesh& mesh, const TreeShape& shape) {
  if constexpr (V::k_merges_tightly) {
    return fit_by_merging<V>(mesh, shape);
  } else {
    return fit_by_points<V>(mesh, shape);
  }
}

}  // namespace tandem::detail
