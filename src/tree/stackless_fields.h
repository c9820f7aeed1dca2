// The fields that stackless traversals need beside the lean nodes (stackless tandem paper, sections
// 3, 7 and 8), and the two layouts that have them.
#pragma once

#include <cstdint>
#include <vector>

#include "tree/tree.h"

namespace tandem::detail {

/// Beside each node, in an array of their own. Of a node's children the last is its right child,
/// all others are left children; the root counts as a left child.
///
///   escape index        a left child's next sibling; a right child inherits its parent's
///   right-child level   how many right children there are in a row upwards, the node included:
///                       0 for a left child
///
///            0 (level 0)              node               0  1  2  3  4  5  6
///          ┌─┴──┐                     escape index       7  4  3  4  7  6  7
///          1    4                     right-child level  0  0  0  1  1  0  2
///         ┌┴┐  ┌┴┐                    parent             -  0  1  1  0  4  4
///         2 3  5 6
struct StacklessFields {
  std::uint32_t escape_index;
  std::uint32_t parent;
  std::uint8_t level;
  std::uint8_t right_child_level;
};

/// For a pre-order shape. O(n).
std::vector<StacklessFields> stackless_fields(const TreeShape& shape);

/// What traversals see of both layouts; nodes and fields are in the layout's own order.
template <BoundingVolume V>
struct FieldedView : NodesView<V> {
  const StacklessFields* fields;

  TANDEM_HD std::uint32_t escape_index(std::uint32_t node) const {
    return fields[node].escape_index;
  }
  TANDEM_HD std::uint32_t parent(std::uint32_t node) const { return fields[node].parent; }
  TANDEM_HD int level(std::uint32_t node) const { return fields[node].level; }
  TANDEM_HD int right_child_level(std::uint32_t node) const {
    return fields[node].right_child_level;
  }
  TANDEM_HD bool is_left_child(std::uint32_t node) const {
    return fields[node].right_child_level == 0;
  }
};

/// Pre-indexed: a left-most child follows its parent; the way up along right children is link by
/// link.
template <BoundingVolume V>
struct PreIndexedView : FieldedView<V> {
  /// The mean size of the volumes at each level, root first.
  const double* mean_sizes;
  int level_count;

  TANDEM_HD std::uint32_t first_child(std::uint32_t node) const { return node + 1; }
  /// The node `levels` up, when all nodes below it on the way are right children.
  TANDEM_HD std::uint32_t up_along_right(std::uint32_t node, int levels) const {
    for (; levels > 0; --levels) node = this->parent(node);
    return node;
  }
};

/// Post-indexed (section 8.3): the right child follows its parent, so the way up along right
/// children is a subtraction. Nodes link to their left-most child.
template <BoundingVolume V>
struct PostIndexedView : FieldedView<V> {
  TANDEM_HD std::uint32_t first_child(std::uint32_t node) const {
    return this->nodes[node].link.index();
  }
  TANDEM_HD std::uint32_t up_along_right(std::uint32_t node, int levels) const {
    return node - static_cast<std::uint32_t>(levels);
  }
};

/// The fields beside a lean tree, which it refers to.
template <BoundingVolume V>
class PreIndexedTree {
 public:
  using View = PreIndexedView<V>;

  /// The nodes of `tree` must outlive it.
  explicit PreIndexedTree(const TreeView<V>& tree)
      : tree_(tree), fields_(stackless_fields(shape_of(tree))) {
    std::vector<std::uint32_t> counts;
    for (std::uint32_t node = 0; node < tree_.node_count(); ++node) {
      const std::size_t level = fields_[node].level;
      if (level >= counts.size()) {
        mean_sizes_.resize(level + 1);
        counts.resize(level + 1);
      }
      mean_sizes_[level] += tree_.volume(node).size();
      ++counts[level];
    }
    for (std::size_t level = 0; level < counts.size(); ++level) mean_sizes_[level] /= counts[level];
  }

  View view() const {
    return {{{tree_}, fields_.data()}, mean_sizes_.data(), static_cast<int>(mean_sizes_.size())};
  }
  std::size_t bytes() const {
    return fields_.size() * sizeof(StacklessFields) + mean_sizes_.size() * sizeof(double);
  }

 private:
  TreeView<V> tree_;
  std::vector<StacklessFields> fields_;
  std::vector<double> mean_sizes_;
};

/// Post-indexed position by position: which pre-indexed node stands there.
std::vector<std::uint32_t> post_indexed_order(const TreeShape& shape);

/// A copy of a tree in post-indexed order, with its fields.
template <BoundingVolume V>
class PostIndexedTree {
 public:
  using View = PostIndexedView<V>;

  explicit PostIndexedTree(const TreeView<V>& tree)
      : siblings_(tree.siblings), most_children_(tree.most_children) {
    const TreeShape shape = shape_of(tree);
    pre_index_ = post_indexed_order(shape);
    const auto end = static_cast<std::uint32_t>(shape.size());
    std::vector<std::uint32_t> post_index(shape.size() + 1, end);
    for (std::uint32_t post = 0; post < end; ++post) post_index[pre_index_[post]] = post;
    const std::vector<StacklessFields> pre_fields = stackless_fields(shape);
    for (const std::uint32_t pre : pre_index_) {
      StacklessFields fields = pre_fields[pre];
      fields.escape_index = post_index[fields.escape_index];
      fields.parent = post_index[fields.parent];
      fields_.push_back(fields);
      const Link link = shape[pre];
      nodes_.push_back(
          {tree.volume(pre), link.is_leaf() ? link : Link::inner(post_index[pre + 1])});
    }
  }

  View view() const {
    return {{{nodes_.data(), static_cast<std::uint32_t>(nodes_.size()), siblings_, most_children_},
             fields_.data()}};
  }
  std::size_t bytes() const {
    return nodes_.size() * (sizeof(TreeNode<V>) + sizeof(StacklessFields) + sizeof(std::uint32_t));
  }

  /// The node's place in the pre-indexed layout.
  std::uint32_t pre_index(std::uint32_t node) const { return pre_index_[node]; }

 private:
  std::vector<TreeNode<V>> nodes_;
  std::vector<StacklessFields> fields_;
  std::vector<std::uint32_t> pre_index_;
  std::uint32_t siblings_;
  int most_children_;
};

}  // namespace tandem::detail
