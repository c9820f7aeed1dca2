// The trees that rays are traced through, made when a query first asks for one.
#pragma once

#include <tandem/mesh.h>

#include <mutex>
#include <optional>

#include "tree/boxtree.h"
#include "tree/node_keys.h"
#include "tree/ray_tree.h"
#include "tree/tree.h"
#include "tree/wide/ray_tree.h"
#include "volume/aabb.h"

namespace tandem::detail {

/// Each is made once, whichever thread asks; others that need it wait for it. `own` is the model's
/// hierarchy when it is a binary one of boxes; otherwise one is built for the rays.
class RayTrees {
 public:
  const RayTree& binary(const Mesh& mesh, const Tree<Aabb>* own) const;
  const NodeKeys& keys(const Mesh& mesh, const Tree<Aabb>* own) const;
  const TwoPlaneBoxtree<PackedPlanes>& boxtree(const Mesh& mesh, const Tree<Aabb>* own) const;
  const WideRayTree& wide(const Mesh& mesh, const Tree<Aabb>* own) const;

 private:
  const Tree<Aabb>& boxes(const Mesh& mesh, const Tree<Aabb>* own) const;

  mutable std::once_flag boxes_once_;
  mutable std::once_flag binary_once_;
  mutable std::once_flag keys_once_;
  mutable std::once_flag boxtree_once_;
  mutable std::once_flag wide_once_;
  mutable Tree<Aabb> boxes_;
  mutable RayTree binary_;
  mutable NodeKeys keys_;
  mutable std::optional<TwoPlaneBoxtree<PackedPlanes>> boxtree_;
  mutable WideRayTree wide_;
};

}  // namespace tandem::detail
