// The hierarchy in memory: pre-order arrays.
//
// The tree room holds memory layouts. Each has an owner, which builders fill, and a view: a plain
// struct of pointers and counts whose functions run on host and device. Traversals take views.
#pragma once

#include <tandem/host_device.h>

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

  TANDEM_HD bool is_leaf() const { return (value_ & k_leaf_bit) != 0; }
  /// Of a leaf.
  TANDEM_HD std::uint32_t triangle() const { return value_ & ~k_leaf_bit; }
  /// Of an inner node: the escape index in pre-order layouts.
  TANDEM_HD std::uint32_t index() const { return value_; }

 private:
  static constexpr std::uint32_t k_leaf_bit = std::uint32_t{1} << 31;
  explicit Link(std::uint32_t value) : value_(value) {}
  std::uint32_t value_;
};

using TreeShape = std::vector<Link>;

/// The deepest a leaf may be below the root: traversals that remember one bit per descent into
/// either tree then need at most 124.
inline constexpr int k_max_depth = 62;

/// One past the last node of a node's subtree.
inline std::uint32_t escape_index(const TreeShape& shape, std::uint32_t node) {
  return shape[node].is_leaf() ? node + 1 : shape[node].index();
}

/// The most siblings that can wait to the right of a path from the root to a leaf: as many as a
/// traversal can leave behind in this tree.
std::uint32_t sibling_bound(const TreeShape& shape);

/// The most children that a node has; 1 when there is none.
int arity(const TreeShape& shape);

/// A node of a tree with stored volumes.
template <BoundingVolume V>
struct TreeNode {
  V volume;
  Link link;
};

/// What traversals see of nodes with stored volumes, in whatever order they stand.
template <BoundingVolume V>
struct NodesView {
  using Volume = V;

  const TreeNode<V>* nodes;
  std::uint32_t count;
  /// See `detail::sibling_bound` and `detail::arity`.
  std::uint32_t siblings;
  int most_children;

  TANDEM_HD bool empty() const { return count == 0; }
  TANDEM_HD std::uint32_t node_count() const { return count; }
  TANDEM_HD std::uint32_t sibling_bound() const { return siblings; }
  TANDEM_HD int arity() const { return most_children; }

  TANDEM_HD const V& volume(std::uint32_t node) const { return nodes[node].volume; }
  TANDEM_HD bool is_leaf(std::uint32_t node) const { return nodes[node].link.is_leaf(); }
  TANDEM_HD std::uint32_t triangle(std::uint32_t leaf) const { return nodes[leaf].link.triangle(); }
};

/// What traversals see of a `Tree`.
template <BoundingVolume V>
struct TreeView : NodesView<V> {
  TANDEM_HD std::uint32_t first_child(std::uint32_t node) const { return node + 1; }
  /// One past the last node of the subtree.
  TANDEM_HD std::uint32_t escape_index(std::uint32_t node) const {
    const Link link = this->nodes[node].link;
    return link.is_leaf() ? node + 1 : link.index();
  }
};

template <BoundingVolume V>
TreeShape shape_of(const TreeView<V>& tree) {
  TreeShape shape;
  shape.reserve(tree.count);
  for (std::uint32_t node = 0; node < tree.count; ++node) shape.push_back(tree.nodes[node].link);
  return shape;
}

/// A hierarchy of bounding volumes in that order: one volume and one link per node. Empty for an
/// empty mesh; otherwise node 0 is the root.
template <BoundingVolume V>
class Tree {
 public:
  using Node = TreeNode<V>;
  using View = TreeView<V>;

  Tree() = default;
  /// `nodes` are those of the shape, with volumes.
  Tree(std::vector<Node> nodes, const TreeShape& shape)
      : nodes_(std::move(nodes)),
        sibling_bound_(detail::sibling_bound(shape)),
        arity_(detail::arity(shape)) {}

  View view() const {
    return {{nodes_.data(), static_cast<std::uint32_t>(nodes_.size()), sibling_bound_, arity_}};
  }
  std::size_t bytes() const { return nodes_.size() * sizeof(Node); }

 private:
  std::vector<Node> nodes_;
  std::uint32_t sibling_bound_ = 0;
  int arity_ = 1;
};

}  // namespace tandem::detail
