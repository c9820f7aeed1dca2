// Restricted boxtrees (restricted boxtree paper, section 3.1): how they are made. What traversals
// see of them is in tree/boxtree_view.h.
#pragma once

#include <tandem/engine.h>

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "tree/boxtree_view.h"
#include "tree/tree.h"
#include "volume/aabb.h"

namespace tandem::detail {

/// The most triangles that a leaf may hold.
inline constexpr int k_max_leaf_size = 64;

/// One plane per node.
class OnePlaneBoxtree {
 public:
  using View = OnePlaneView;
  static constexpr std::string_view k_name = "boxtree";
  static constexpr std::string_view k_description = "restricted box, one plane per node";
  static constexpr std::size_t k_bytes_per_node = sizeof(OnePlaneView::StoredNode);
  static constexpr int k_usual_leaf_size = 1;
  static constexpr bool k_binary = false;

  /// That of an empty mesh.
  OnePlaneBoxtree() = default;
  /// Makes it from a tree of tight boxes, which is not empty.
  OnePlaneBoxtree(const TreeView<Aabb>& source, const BoxtreeOptions& options);

  View view() const { return {nodes_.data(), root_box_, sibling_bound_, arity_}; }
  std::size_t bytes() const { return nodes_.size() * k_bytes_per_node; }

 private:
  void place(const TreeView<Aabb>& source, const BoxtreeOptions& options, std::uint32_t from,
             View::Node node, const RestrictedBox<>& box);

  Aabb root_box_{};
  std::vector<View::StoredNode> nodes_;
  std::uint32_t sibling_bound_ = 0;
  int arity_ = 1;
};

/// Two planes per node.
template <class Planes>
class TwoPlaneBoxtree {
 public:
  using View = TwoPlaneView<Planes>;
  static constexpr std::string_view k_name = Planes::k_name;
  static constexpr std::string_view k_description = Planes::k_description;
  static constexpr std::size_t k_bytes_per_node = Planes::k_pair_words * sizeof(std::uint32_t) / 2;
  static constexpr int k_usual_leaf_size = Planes::k_usual_leaf_size;
  static constexpr bool k_binary = true;

  /// That of an empty mesh.
  TwoPlaneBoxtree() = default;
  /// Makes it from a binary tree of tight boxes, which is not empty.
  TwoPlaneBoxtree(const TreeView<Aabb>& source, const BoxtreeOptions& options);

  View view() const { return {words_.data(), root_box_, root_is_leaf_, sibling_bound_, 2}; }
  std::size_t bytes() const { return words_.size() * sizeof(std::uint32_t); }

 private:
  /// Pairs of cuts that trim one box.
  static constexpr int k_max_trims = 3;

  /// Whether what is below a node becomes one leaf.
  static bool fits_leaf(const TreeView<Aabb>& source, const BoxtreeOptions& options,
                        std::uint32_t node);
  void place(const TreeView<Aabb>& source, const BoxtreeOptions& options, std::uint32_t from,
             const RestrictedBox<>& box);

  Aabb root_box_{};
  bool root_is_leaf_ = false;
  std::vector<std::uint32_t> words_;
  std::uint32_t sibling_bound_ = 0;
};

extern template class TwoPlaneBoxtree<FloatPlanes>;
extern template class TwoPlaneBoxtree<PackedPlanes>;

}  // namespace tandem::detail
