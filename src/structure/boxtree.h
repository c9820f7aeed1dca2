// Boxtrees, whatever their layout.
#pragma once

#include <cassert>

#include "build/fit.h"
#include "structure/shape.h"
#include "structure/structures.h"
#include "tree/boxtree.h"
#include "tree/validate_boxtree.h"

namespace tandem::detail {

template <class Boxtree>
Boxtree make_boxtree(const Structures& structures, const Progress& progress) {
  const Mesh& mesh = structures.mesh();
  if (mesh.empty()) return {};
  BuildPlan plan = structures.plan_for(Boxtree::k_name);
  if (plan.boxtree.leaf_size == 0) plan.boxtree.leaf_size = Boxtree::k_usual_leaf_size;
  const Tree<Aabb> boxes = fit_by_merging<Aabb>(mesh, build_shape(mesh, plan, progress));
  Boxtree tree(boxes.view(), plan.boxtree);
  assert(validate(mesh, tree.view()).empty());
  return tree;
}

template <>
struct Recipe<OnePlaneBoxtree> {
  static OnePlaneBoxtree make(const Structures& structures, const Progress& progress) {
    return make_boxtree<OnePlaneBoxtree>(structures, progress);
  }
};

template <class Planes>
struct Recipe<TwoPlaneBoxtree<Planes>> {
  static TwoPlaneBoxtree<Planes> make(const Structures& structures, const Progress& progress) {
    return make_boxtree<TwoPlaneBoxtree<Planes>>(structures, progress);
  }
};

}  // namespace tandem::detail
