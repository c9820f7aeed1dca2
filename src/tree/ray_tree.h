// The binary tree that rays are traced through: what the traversals of the stackless ray paper and
// its peers need of a node.
#pragma once

#include <tandem/host_device.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "tree/tree.h"
#include "volume/aabb.h"

namespace tandem::detail {

/// A box with links up and sideways, and which child a ray meets first: by the axis along which the
/// children's centres lie farthest apart, and the octant of the ray's direction
/// (`RaySlabs::octant`).
struct RayNode {
  Aabb box;
  Link link;
  std::uint32_t sibling = 0;
  std::uint32_t sibling_of_parent = 0;
  // One bit per octant.
  std::uint8_t first_is_near = 0;
  std::uint8_t parent_is_near = 0;
};

/// What traversals of rays see. Any view with these members can be traversed by rays. Nodes are in
/// pre-order: the root is 0, a first child follows its parent.
struct RayTreeView {
  const RayNode* nodes;
  std::uint32_t count;

  TANDEM_HD bool empty() const { return count == 0; }
  TANDEM_HD std::uint32_t node_count() const { return count; }
  TANDEM_HD const Aabb& box(std::uint32_t node) const { return nodes[node].box; }
  TANDEM_HD bool is_leaf(std::uint32_t node) const { return nodes[node].link.is_leaf(); }
  TANDEM_HD std::uint32_t triangle(std::uint32_t leaf) const { return nodes[leaf].link.triangle(); }

  /// The root's is the root.
  TANDEM_HD std::uint32_t parent(std::uint32_t node) const {
    const std::uint32_t first = node < sibling(node) ? node : sibling(node);
    return (first > 1 ? first : 1) - 1;
  }
  /// One past the last node of the subtree.
  TANDEM_HD std::uint32_t escape_index(std::uint32_t node) const {
    const Link link = nodes[node].link;
    return link.is_leaf() ? node + 1 : link.index();
  }
  TANDEM_HD std::uint32_t first_child(std::uint32_t node) const { return node + 1; }
  TANDEM_HD std::uint32_t second_child(std::uint32_t node) const { return escape_index(node + 1); }
  /// Of every node but the root.
  TANDEM_HD std::uint32_t sibling(std::uint32_t node) const { return nodes[node].sibling; }
  /// Of every node but the root and its children.
  TANDEM_HD std::uint32_t sibling_of_parent(std::uint32_t node) const {
    return nodes[node].sibling_of_parent;
  }

  /// Whether rays of the octant meet an inner node's first child before the second.
  TANDEM_HD bool first_is_near(std::uint32_t node, unsigned octant) const {
    return (nodes[node].first_is_near >> octant & 1) != 0;
  }
  /// Whether rays of the octant meet a node's parent before the parent's sibling; the root never.
  TANDEM_HD bool parent_is_near(std::uint32_t node, unsigned octant) const {
    return (nodes[node].parent_is_near >> octant & 1) != 0;
  }
};

class RayTree {
 public:
  using View = RayTreeView;

  /// A copy of a binary tree.
  explicit RayTree(const TreeView<Aabb>& tree);

  View view() const { return {nodes_.data(), static_cast<std::uint32_t>(nodes_.size())}; }
  std::size_t bytes() const { return nodes_.size() * sizeof(RayNode); }

 private:
  std::vector<RayNode> nodes_;
};

}  // namespace tandem::detail
