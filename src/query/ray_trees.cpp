#include "query/ray_trees.h"

#include <cassert>

#include "build/builders.h"
#include "build/fit.h"
#include "build/reinsert.h"
#include "build/wide/rays.h"
#include "tree/validate.h"

namespace tandem::detail {

const Tree<Aabb>& RayTrees::boxes(const Mesh& mesh, const Tree<Aabb>* own) const {
  if (own != nullptr) return *own;
  std::call_once(boxes_once_, [&] { boxes_ = fit_tree<Aabb>(mesh, build_sah(mesh, nullptr)); });
  return boxes_;
}

const RayTree& RayTrees::binary(const Mesh& mesh, const Tree<Aabb>* own) const {
  std::call_once(binary_once_, [&] { binary_ = RayTree(boxes(mesh, own)); });
  return binary_;
}

const NodeKeys& RayTrees::keys(const Mesh& mesh, const Tree<Aabb>* own) const {
  std::call_once(keys_once_, [&] { keys_ = NodeKeys(binary(mesh, own)); });
  return keys_;
}

const TwoPlaneBoxtree<PackedPlanes>& RayTrees::boxtree(const Mesh& mesh,
                                                       const Tree<Aabb>* own) const {
  // Two triangles a leaf: rays have no cheap test between the box of a leaf and its triangles.
  std::call_once(boxtree_once_, [&] {
    boxtree_.emplace(boxes(mesh, own), BoxtreeOptions{.leaf_size = 2, .trim = 0.1});
  });
  return *boxtree_;
}

const WideRayTree& RayTrees::wide(const Mesh& mesh, const Tree<Aabb>* own) const {
  std::call_once(wide_once_, [&] {
    const Tree<Aabb> better = fit_tree<Aabb>(mesh, reinsert(boxes(mesh, own)));
    assert(validate(mesh, better).empty());
    wide_ = build_wide_rays(mesh, better);
  });
  return wide_;
}

}  // namespace tandem::detail
