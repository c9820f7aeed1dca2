#include "tree/ray_tree.h"

#include <cmath>

namespace tandem::detail {
namespace {

/// The octants, as bits, in which a ray meets the first box before the second.
std::uint8_t octants_that_meet_first(const Aabb& first, const Aabb& second) {
  int widest = 0;
  double apart = 0;
  for (int axis = 0; axis < 3; ++axis) {
    const double centre = double{first.lower[axis]} + first.upper[axis];
    const double other = double{second.lower[axis]} + second.upper[axis];
    if (std::fabs(other - centre) <= std::fabs(apart)) continue;
    widest = axis;
    apart = other - centre;
  }
  std::uint8_t octants = 0;
  for (unsigned octant = 0; octant < 8; ++octant) {
    const bool negative = (octant >> widest & 1) != 0;
    if ((apart >= 0) != negative) octants |= static_cast<std::uint8_t>(1U << octant);
  }
  return octants;
}

}  // namespace

RayTree::RayTree(const TreeView<Aabb>& tree) {
  nodes_.reserve(tree.node_count());
  for (std::uint32_t node = 0; node < tree.node_count(); ++node) {
    const Link link =
        tree.is_leaf(node) ? Link::leaf(tree.triangle(node)) : Link::inner(tree.escape_index(node));
    nodes_.push_back({.box = tree.volume(node), .link = link});
  }
  // In pre-order: what a node knows of its parent was found out before.
  const RayTreeView rays = view();
  for (std::uint32_t node = 0; node < rays.node_count(); ++node) {
    if (rays.is_leaf(node)) continue;
    const std::uint32_t first = rays.first_child(node);
    const std::uint32_t second = rays.second_child(node);
    nodes_[first].sibling = second;
    nodes_[second].sibling = first;
    nodes_[node].first_is_near = octants_that_meet_first(rays.box(first), rays.box(second));
    if (node == 0) continue;
    const std::uint8_t first_octants = nodes_[rays.parent(node)].first_is_near;
    const bool is_first = node < rays.sibling(node);
    for (const std::uint32_t child : {first, second}) {
      nodes_[child].sibling_of_parent = rays.sibling(node);
      nodes_[child].parent_is_near =
          is_first ? first_octants : static_cast<std::uint8_t>(~first_octants);
    }
  }
}

}  // namespace tandem::detail
