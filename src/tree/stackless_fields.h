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

/// What both layouts offer to the traversals.
template <BoundingVolume V>
class FieldedTree {
 public:
  using Volume = V;

  bool empty() const { return fields_.empty(); }
  std::uint32_t node_count() const { return static_cast<std::uint32_t>(fields_.size()); }
  std::uint32_t escape_index(std::uint32_t node) const { return fields_[node].escape_index; }
  std::uint32_t parent(std::uint32_t node) const { return fields_[node].parent; }
  int level(std::uint32_t node) const { return fields_[node].level; }
  int right_child_level(std::uint32_t node) const { return fields_[node].right_child_level; }
  bool is_left_child(std::uint32_t node) const { return fields_[node].right_child_level == 0; }

  /// The mean size of the volumes at each level, root first.
  const std::vector<double>& mean_sizes() const { return mean_sizes_; }

 protected:
  FieldedTree() = default;
  explicit FieldedTree(std::vector<StacklessFields> fields) : fields_(std::move(fields)) {}

  template <class Sizes>
  void measure_levels(Sizes size_of) {
    std::vector<std::uint32_t> counts;
    for (std::uint32_t i = 0; i < node_count(); ++i) {
      const std::size_t level = fields_[i].level;
      if (level >= mean_sizes_.size()) {
        mean_sizes_.resize(level + 1);
        counts.resize(level + 1);
      }
      mean_sizes_[level] += size_of(i);
      ++counts[level];
    }
    for (std::size_t level = 0; level < counts.size(); ++level) mean_sizes_[level] /= counts[level];
  }

  std::vector<StacklessFields> fields_;
  std::vector<double> mean_sizes_;
};

/// Pre-indexed: the lean tree with its fields beside it. A left-most child follows its parent; the
/// way up along right children is link by link.
template <BoundingVolume V>
class PreIndexedTree : public FieldedTree<V> {
 public:
  /// Refers to `tree`, which must outlive it.
  explicit PreIndexedTree(const Tree<V>& tree)
      : FieldedTree<V>(stackless_fields(tree.shape())), tree_(&tree) {
    this->measure_levels([&](std::uint32_t node) { return tree.volume(node).size(); });
  }

  const V& volume(std::uint32_t node) const { return tree_->volume(node); }
  bool is_leaf(std::uint32_t node) const { return tree_->is_leaf(node); }
  std::uint32_t triangle(std::uint32_t leaf) const { return tree_->triangle(leaf); }
  std::uint32_t first_child(std::uint32_t node) const { return tree_->first_child(node); }
  std::size_t sibling_bound() const { return tree_->sibling_bound(); }

  /// The node `levels` up, when all nodes below it on the way are right children.
  std::uint32_t up_along_right(std::uint32_t node, int levels) const {
    for (; levels > 0; --levels) node = this->parent(node);
    return node;
  }

 private:
  const Tree<V>* tree_;
};

/// Post-indexed (section 8.3): the right child follows its parent, so the way up along right
/// children is a subtraction. Nodes link to their left-most child.
template <BoundingVolume V>
class PostIndexedTree : public FieldedTree<V> {
 public:
  explicit PostIndexedTree(const Tree<V>& tree);

  const V& volume(std::uint32_t node) const { return nodes_[node].volume; }
  bool is_leaf(std::uint32_t node) const { return nodes_[node].link.is_leaf(); }
  std::uint32_t triangle(std::uint32_t leaf) const { return nodes_[leaf].link.triangle(); }
  std::uint32_t first_child(std::uint32_t node) const { return nodes_[node].link.index(); }
  std::uint32_t up_along_right(std::uint32_t node, int levels) const {
    return node - static_cast<std::uint32_t>(levels);
  }

  /// The node's place in the pre-indexed layout.
  std::uint32_t pre_index(std::uint32_t node) const { return pre_index_[node]; }

 private:
  struct Node {
    V volume;
    Link link;
  };
  std::vector<Node> nodes_;
  std::vector<std::uint32_t> pre_index_;
};

/// Post-indexed position by position: which pre-indexed node stands there.
std::vector<std::uint32_t> post_indexed_order(const TreeShape& shape);

template <BoundingVolume V>
PostIndexedTree<V>::PostIndexedTree(const Tree<V>& tree) {
  const TreeShape shape = tree.shape();
  pre_index_ = post_indexed_order(shape);
  const auto end = static_cast<std::uint32_t>(shape.size());
  std::vector<std::uint32_t> post_index(shape.size() + 1, end);
  for (std::uint32_t post = 0; post < end; ++post) post_index[pre_index_[post]] = post;
  const std::vector<StacklessFields> pre_fields = stackless_fields(shape);
  for (std::uint32_t pre : pre_index_) {
    StacklessFields fields = pre_fields[pre];
    fields.escape_index = post_index[fields.escape_index];
    fields.parent = post_index[fields.parent];
    this->fields_.push_back(fields);
    const Link link = shape[pre];
    nodes_.push_back({tree.volume(pre), link.is_leaf() ? link : Link::inner(post_index[pre + 1])});
  }
  this->measure_levels([&](std::uint32_t node) { return nodes_[node].volume.size(); });
}

}  // namespace tandem::detail
