// The structures that rays are traced through.
#pragma once

#include <cstddef>
#include <optional>

#include "structure/structures.h"
#include "tree/boxtree.h"
#include "tree/node_keys.h"
#include "tree/ray_pairs.h"
#include "tree/ray_tree.h"
#include "tree/tree.h"
#include "tree/wide/ray_tree.h"
#include "volume/aabb.h"

namespace tandem::detail {

/// A binary tree of boxes: the model's own when it is one, otherwise one that is built for the
/// rays.
class BinaryBoxes {
 public:
  explicit BinaryBoxes(const TreeView<Aabb>& shared) : view_(shared) {}
  explicit BinaryBoxes(Tree<Aabb> tree) : tree_(std::move(tree)), view_(tree_.view()) {}

  TreeView<Aabb> view() const { return view_; }
  std::size_t bytes() const { return tree_.bytes(); }

 private:
  Tree<Aabb> tree_;
  TreeView<Aabb> view_;
};

/// A packed boxtree: the model's own when it is one, otherwise one with two triangles per leaf.
/// (Rays have no cheap test between the box of a leaf and its triangles.)
class RayBoxtree {
 public:
  using Boxtree = TwoPlaneBoxtree<PackedPlanes>;
  using View = Boxtree::View;

  explicit RayBoxtree(const View& shared) : view_(shared) {}
  explicit RayBoxtree(Boxtree tree) : tree_(std::move(tree)), view_(tree_.view()) {}

  View view() const { return view_; }
  std::size_t bytes() const { return tree_.bytes(); }

 private:
  Boxtree tree_;
  View view_;
};

template <>
struct Recipe<BinaryBoxes> {
  static BinaryBoxes make(const Structures& structures, const Progress& progress);
};
template <>
struct Recipe<RayTree> {
  static RayTree make(const Structures& structures, const Progress& progress);
};
template <>
struct Recipe<NodeKeys> {
  static NodeKeys make(const Structures& structures, const Progress& progress);
};
template <>
struct Recipe<RayPairTree> {
  static RayPairTree make(const Structures& structures, const Progress& progress);
};
template <>
struct Recipe<RayBoxtree> {
  static RayBoxtree make(const Structures& structures, const Progress& progress);
};
template <>
struct Recipe<WideRayTree> {
  static WideRayTree make(const Structures& structures, const Progress& progress);
};

template <>
struct Refit<RayPairTree> {
  static RayPairTree refit(const RayPairTree& older, const Structures& now);
  static double cost(const RayPairTree& tree, const Mesh& mesh);
};
template <>
struct Refit<WideRayTree> {
  static WideRayTree refit(const WideRayTree& older, const Structures& now);
  static double cost(const WideRayTree& tree, const Mesh& mesh);
};

}  // namespace tandem::detail
