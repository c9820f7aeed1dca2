#include "structure/rays.h"

#include <string_view>

#include "build/builders.h"
#include "build/fit.h"
#include "build/ray_pairs.h"
#include "build/wide/rays.h"
#include "build/wide/refit.h"
#include "structure/boxtree.h"
#include "structure/stored.h"

namespace tandem::detail {

BinaryBoxes Recipe<BinaryBoxes>::make(const Structures& structures, const Progress& progress) {
  const TreeView<Aabb> boxes = structures.get<Tree<Aabb>>(progress).view();
  // A node has at least two children, so with an arity of at most 2 each has exactly two.
  if (boxes.arity() <= 2) return BinaryBoxes(boxes);
  const Mesh& mesh = structures.mesh();
  return BinaryBoxes(fit_tree<Aabb>(mesh, SahBuilder::build(mesh, progress)));
}

RayTree Recipe<RayTree>::make(const Structures& structures, const Progress& progress) {
  return RayTree(structures.get<BinaryBoxes>(progress).view());
}

NodeKeys Recipe<NodeKeys>::make(const Structures& structures, const Progress& progress) {
  return NodeKeys(structures.get<RayTree>(progress).view());
}

RayPairTree Recipe<RayPairTree>::make(const Structures& structures, const Progress& progress) {
  const std::string_view builder = structures.plan_for(RayPairTree::k_name).builder;
  return build_ray_pairs(structures.mesh(), builder, 0, progress);
}

RayBoxtree Recipe<RayBoxtree>::make(const Structures& structures, const Progress& progress) {
  using Boxtree = RayBoxtree::Boxtree;
  if (structures.own().structure == Boxtree::k_name || structures.mesh().empty()) {
    return RayBoxtree(structures.get<Boxtree>(progress).view());
  }
  return RayBoxtree(Boxtree(structures.get<BinaryBoxes>(progress).view(), {.leaf_size = 2}));
}

WideRayTree Recipe<WideRayTree>::make(const Structures& structures, const Progress& progress) {
  const std::string_view builder = structures.plan_for(WideRayTree::k_name).builder;
  return build_wide_rays(structures.mesh(), builder, 0, progress);
}

RayPairTree Refit<RayPairTree>::refit(const RayPairTree& older, const Structures& now) {
  return refit_ray_pairs(older, now.mesh());
}

double Refit<RayPairTree>::cost(const RayPairTree& tree, const Mesh&) {
  return pair_cost(tree);
}

WideRayTree Refit<WideRayTree>::refit(const WideRayTree& older, const Structures& now) {
  return refit_wide_rays(older, now.mesh());
}

double Refit<WideRayTree>::cost(const WideRayTree& tree, const Mesh&) {
  return wide_cost(tree);
}

}  // namespace tandem::detail
