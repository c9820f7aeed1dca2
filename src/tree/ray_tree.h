// The binary tree that rays are traced through: what the traversals of the stackless ray paper and
// its peers need of a node.
#pragma once

#include <cstdint>
#include <vector>

#include "tree/tree.h"
#include "volume/aabb.h"

namespace tandem::detail {

/// Boxes with links to parents and the axis along which the children's centres lie farthest apart.
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

  std::uint32_t parent(std::uint32_t node) const { return nodes_[node].parent; }
  /// One past the last node of the subtree.
  std::uint32_t escape_index(std::uint32_t node) const {
    const Link link = nodes_[node].link;
    return link.is_leaf() ? node + 1 : link.index();
  }
  std::uint32_t first_child(std::uint32_t node) const { return node + 1; }
  std::uint32_t second_child(std::uint32_t node) const { return escape_index(node + 1); }
  std::uint32_t sibling(std::uint32_t node) const {
    const std::uint32_t first = first_child(parent(node));
    return node == first ? escape_index(first) : first;
  }

  /// Of an inner node.
  int separation_axis(std::uint32_t node) const { return nodes_[node].axis; }
  /// Whether the first child lies before the second along that axis.
  bool first_is_lower(std::uint32_t node) const { return nodes_[node].first_is_lower; }

 private:
  struct Node {
    Aabb box;
    Link link;
    std::uint32_t parent;
    std::uint8_t axis;
    bool first_is_lower;
  };
  std::vector<Node> nodes_;
};

}  // namespace tandem::detail
