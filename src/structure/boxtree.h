// Boxtrees, whatever their layout.
#pragma once

#include <cassert>

#include "build/fit.h"
#include "build/shape_cost.h"
#include "structure/shape.h"
#include "structure/structures.h"
#include "tree/boxtree.h"
#include "tree/boxtree_shape.h"
#include "tree/validate_boxtree.h"

namespace tandem::detail {

/// The boxtree of a shape; none for an empty mesh.
template <class Boxtree>
Boxtree fit_boxtree(const Structures& structures, const TreeShape& shape) {
  const Mesh& mesh = structures.mesh();
  if (mesh.empty()) return {};
  BoxtreeOptions options = structures.plan_for(Boxtree::k_name).boxtree;
  if (options.leaf_size == 0) options.leaf_size = Boxtree::k_usual_leaf_size;
  const Tree<Aabb> boxes = fit_by_merging<Aabb>(mesh, shape);
  Boxtree tree(boxes.view(), options);
  assert(validate(mesh, tree.view()).empty());
  return tree;
}

template <class Boxtree>
Boxtree make_boxtree(const Structures& structures, const Progress& progress) {
  const BuildPlan plan = structures.plan_for(Boxtree::k_name);
  return fit_boxtree<Boxtree>(structures, build_shape(structures.mesh(), plan, progress));
}

/// As `Refit` has it.
template <class Boxtree>
struct RefitBoxtree {
  static Boxtree refit(const Boxtree& older, const Structures& now) {
    if (now.mesh().empty()) return {};
    return fit_boxtree<Boxtree>(now, shape_of_boxtree(older.view()));
  }
  static double cost(const Boxtree& tree, const Mesh& mesh) {
    return mesh.empty() ? 0 : shape_cost(mesh, shape_of_boxtree(tree.view()));
  }
};

template <>
struct Refit<OnePlaneBoxtree> : RefitBoxtree<OnePlaneBoxtree> {};
template <class Planes>
struct Refit<TwoPlaneBoxtree<Planes>> : RefitBoxtree<TwoPlaneBoxtree<Planes>> {};

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
