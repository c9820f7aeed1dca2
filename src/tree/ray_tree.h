// The binary tree that rays are traced through: what the traversals of the stackless ray paper and
// its peers need of a node.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "tree/tree.h"
#include "volume/aabb.h"

namespace tandem::detail {

/// Boxes with links up and sideways, and which child a ray meets first: by the axis along which the
/// children's centres lie farthest apart, and the octant of the ray's direction (`RaySlabs::octant`).
/// Any tree with these members can be traversed by rays. Nodes are in pre-order: the root is 0, a
/// first child follows its parent.
class RayTree {
 public:
  RayTree() = default;
  /// A copy of a binary tree.
  explicit RayTree(const Tree<Aabb>& tree);

  bool empty() const { return nodes_.empty(); }
  std::uint32_t node_count() const { return static_cast<std::uint32_t>(nodes_.size()); }
  const Aabb& box(std::uint32_t node) const { return nodes_[node].box; }
  bool is_leaf(std::uint32_t node) const { return nodes_[node].link.is_leaf(); }
  std::uint32_t triangle(std::uint32_t leaf) const { return nodes_[leaf].link.triangle(); }

  /// The root's is the root.
  std::uint32_t parent(std::uint32_t node) const {
    return std::max(1U, std::min(node, sibling(node))) - 1;
  }
  /// One past the last node of the subtree.
  std::uint32_t escape_index(std::uint32_t node) const {
    const Link link = nodes_[node].link;
    return link.is_leaf() ? node + 1 : link.index();
  }
  std::uint32_t first_child(std::uint32_t node) const { return node + 1; }
  std::uint32_t second_child(std::uint32_t node) const { return escape_index(node + 1); }
  /// Of every node but the root.
  std::uint32_t sibling(std::uint32_t node) const { return nodes_[node].sibling; }
  /// Of every node but the root and its children.
  std::uint32_t sibling_of_parent(std::uint32_t node) const {
    return nodes_[node].sibling_of_parent;
  }

  /// Whether rays of the octant meet an inner node's first child before the second.
  bool first_is_near(std::uint32_t node, unsigned octant) const {
    return (nodes_[node].first_is_near >> octant & 1) != 0;
  }
  /// Whether rays of the octant meet a node's parent before the parent's sibling; the root never.
  bool parent_is_near(std::uint32_t node, unsigned octant) const {
    return (nodes_[node].parent_is_near >> octant & 1) != 0;
  }

 private:
  struct Node {
    Aabb box;
    Link link;
    std::uint32_t sibling = 0;
    std::uint32_t sibling_of_parent = 0;
    // One bit an octant.
    std::uint8_t first_is_near = 0;
    std::uint8_t parent_is_near = 0;
  };
  std::vector<Node> nodes_;
};

}  // namespace tandem::detail
