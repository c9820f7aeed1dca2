// Trees with a volume stored at each node, and the layouts made of them.
#pragma once

#include <cassert>

#include "build/fit.h"
#include "build/shape_cost.h"
#include "structure/shape.h"
#include "structure/structures.h"
#include "tree/relative_obb.h"
#include "tree/stackless_fields.h"
#include "tree/tree.h"
#include "tree/validate.h"

namespace tandem::detail {

template <BoundingVolume V>
struct Recipe<Tree<V>> {
  static Tree<V> make(const Structures& structures, const Progress& progress) {
    const Mesh& mesh = structures.mesh();
    Tree<V> tree = fit_tree<V>(mesh, build_shape(mesh, structures.plan_for(V::k_name), progress));
    assert(validate(mesh, tree).empty());
    return tree;
  }
};

template <BoundingVolume V>
struct Refit<Tree<V>> {
  static Tree<V> refit(const Tree<V>& older, const Structures& now) {
    Tree<V> tree = fit_tree<V>(now.mesh(), shape_of(older.view()));
    assert(validate(now.mesh(), tree).empty());
    return tree;
  }
  static double cost(const Tree<V>& tree, const Mesh& mesh) {
    return shape_cost(mesh, shape_of(tree.view()));
  }
};

template <BoundingVolume V>
struct Recipe<PreIndexedTree<V>> {
  static PreIndexedTree<V> make(const Structures& structures, const Progress& progress) {
    return PreIndexedTree<V>(structures.get<Tree<V>>(progress).view());
  }
};

template <BoundingVolume V>
struct Recipe<PostIndexedTree<V>> {
  static PostIndexedTree<V> make(const Structures& structures, const Progress& progress) {
    return PostIndexedTree<V>(structures.get<Tree<V>>(progress).view());
  }
};

template <>
struct Recipe<RelativeObbTree> {
  static RelativeObbTree make(const Structures& structures, const Progress& progress) {
    const Mesh& mesh = structures.mesh();
    const BuildPlan plan = structures.plan_for(RelativeObbTree::k_name);
    return RelativeObbTree(fit_tree<Obb>(mesh, build_shape(mesh, plan, progress)).view());
  }
};

template <>
struct Refit<RelativeObbTree> {
  static RelativeObbTree refit(const RelativeObbTree& older, const Structures& now) {
    return RelativeObbTree(fit_tree<Obb>(now.mesh(), shape_of(older.view())).view());
  }
  static double cost(const RelativeObbTree& tree, const Mesh& mesh) {
    return shape_cost(mesh, shape_of(tree.view()));
  }
};

}  // namespace tandem::detail
