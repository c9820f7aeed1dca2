#include "tree/ray_tree.h"

#include <cmath>

namespace tandem::detail {

RayTree::RayTree(const Tree<Aabb>& tree) {
  nodes_.reserve(tree.node_count());
  for (std::uint32_t node = 0; node < tree.node_count(); ++node) {
    const Link link =
        tree.is_leaf(node) ? Link::leaf(tree.triangle(node)) : Link::inner(tree.escape_index(node));
    nodes_.push_back({tree.volume(node), link, 0, 0, true});
  }
  for (std::uint32_t node = 0; node < node_count(); ++node) {
    if (is_leaf(node)) continue;
    const std::uint32_t first = first_child(node);
    const std::uint32_t second = second_child(node);
    nodes_[first].parent = node;
    nodes_[second].parent = node;
    double widest = -1;
    for (int axis = 0; axis < 3; ++axis) {
      const double first_centre = double{box(first).lower[axis]} + box(first).upper[axis];
      const double second_centre = double{box(second).lower[axis]} + box(second).upper[axis];
      const double apart = std::fabs(second_centre - first_centre);
      if (apart <= widest) continue;
      widest = apart;
      nodes_[node].axis = static_cast<std::uint8_t>(axis);
      nodes_[node].first_is_lower = first_centre <= second_centre;
    }
  }
}

}  // namespace tandem::detail
