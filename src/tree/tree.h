// The hierarchy in memory: pre-order arrays.
//
// The tree room holds memory layouts. It uses the volume room.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "volume/bounding_volume.h"

namespace tandem::detail {

/// The shape of a hierarchy without volumes: its nodes in pre-order, one link each. A leaf holds
/// one triangle; an inner node's first child follows it, and its link is the escape index: where
/// the traversal goes on when the subtree is skipped, one past the subtree's last node. The next
/// sibling of a child is therefore its escape index, until that is the parent's.
///
///        0                 node     0   1   2   3   4   5   6
///      ┌─┴───┐             link     7   4  t2  t0   7  t1  t3
///      1     4
///     ┌┴┐   ┌┴┐
///     2 3   5 6            t: a leaf's triangle
class Link {
 public:
  static Link leaf(std::uint32_t triangle) { return Link(triangle | k_leaf_bit); }
  static Link inner(std::uint32_t index) { return Link(index); }

  bool is_leaf() const { return (value_ & k_leaf_bit) != 0; }
  /// Of a leaf.
  std::uint32_t triangle() const { return value_ & ~k_leaf_bit; }
  /// Of an inner node: the escape index in pre-order layouts.
  std::uint32_t index() const { return value_; }

 private:
  static constexpr std::uint32_t k_leaf_bit = std::uint32_t{1} << 31;
  explicit Link(std::uint32_t value) : value_(value) {}
  std::uint32_t value_;
};

using TreeShape = std::vector<Link>;

/// The deepest a leaf may be below the root: traversals that remember one bit a descent into either
/// tree then need at most 124.
inline constexpr int k_max_depth = 62;

/// One past the last node of a node's subtree.
inline std::uint32_t escape_index(const TreeShape& shape, std::uint32_t node) {
  return shape[node].is_leaf() ? node + 1 : shape[node].index();
}

/// The most siblings that can wait to the right of a path from the root to a leaf: as many as a
/// traversal can leave behind in this tree.
std::size_t sibling_bound(const TreeShape& shape);

/// The most children that a node has; 1 when there is none.
int arity(const TreeShape& shape);

/// A hierarchy of bounding volumes in that order: a volume and one link a node. Empty for an empty
/// mesh; otherwise node 0 is the root.
template <BoundingVolume V>
class Tree {
 public:
  using Volume = V;

  struct Node {
    V volume;
    Link link;
  };

  Tree() = default;
  /// `nodes` are those of the shape, with volumes.
  Tree(std::vector<Node> nodes, const TreeShape& shape)
      : nodes_(std::move(nodes)),
        sibling_bound_(detail::sibling_bound(shape)),
        arity_(detail::arity(shape)) {}

  bool empty() const { return nodes_.empty(); }
  std::uint32_t node_count() const { return static_cast<std::uint32_t>(nodes_.size()); }
  TreeShape shape() const {
    TreeShape shape;
    shape.reserve(nodes_.size());
    for (const Node& node : nodes_) shape.push_back(node.link);
    return shape;
  }
  std::size_t sibling_bound() const { return sibling_bound_; }
  int arity() const { return arity_; }
  std::size_t bytes() const { return nodes_.size() * sizeof(Node); }

  const V& volume(std::uint32_t node) const { return nodes_[node].volume; }
  bool is_leaf(std::uint32_t node) const { return nodes_[node].link.is_leaf(); }
  std::uint32_t triangle(std::uint32_t leaf) const { return nodes_[leaf].link.triangle(); }

  std::uint32_t first_child(std::uint32_t node) const { return node + 1; }
  /// One past the last node of the subtree.
  std::uint32_t escape_index(std::uint32_t node) const {
    const Link link = nodes_[node].link;
    return link.is_leaf() ? node + 1 : link.index();
  }

 private:
  std::vector<Node> nodes_;
  std::size_t sibling_bound_ = 0;
  int arity_ = 1;
};

}  // namespace tandem::detail
