// The hierarchy of relative oriented boxes: recursion and stacks.
#include "build/fit.h"
#include "query/descent_hierarchy.h"
#include "query/volume_traits.h"
#include "traverse/recursive.h"
#include "traverse/relative_obb_descent.h"
#include "traverse/stack.h"
#include "tree/relative_obb.h"

namespace tandem::detail {
namespace {

class RelativeObbHierarchy final : public DescentHierarchy {
 public:
  RelativeObbHierarchy(const Mesh& mesh, const TreeShape& shape)
      : tree_(relative_obbs(fit_tree<Obb>(mesh, shape))) {}

  Volume volume() const override { return Volume::obb_relative; }
  std::size_t bytes() const override { return tree_.bytes(); }
  int arity() const override { return tree_.arity(); }

  Flow traverse(const Hierarchy& b, const TraversalRequest& request,
                LeafPair<NullObserver>& leaf_pair, NullObserver& observer) const override {
    return run(b, request, leaf_pair, observer);
  }
  Flow traverse(const Hierarchy& b, const TraversalRequest& request,
                LeafPair<CountingObserver>& leaf_pair, CountingObserver& observer) const override {
    return run(b, request, leaf_pair, observer);
  }

 private:
  template <class Observer>
  Flow run(const Hierarchy& b, const TraversalRequest& request, LeafPair<Observer>& leaf_pair,
           Observer& observer) const {
    const RelativeObbDescent descent(tree_, static_cast<const RelativeObbHierarchy&>(b).tree_,
                                     request.b_in_a, observer);
    switch (request.algorithm) {
      case Algorithm::recursive:
        return traverse_recursive(descent, leaf_pair, observer);
      case Algorithm::dynamic_stack:
        return traverse_stack(LargerVolumeFirst(), descent, leaf_pair, observer);
      case Algorithm::alternating_stack:
        return traverse_stack(Alternating(), descent, leaf_pair, observer);
      default:
        refuse();
    }
  }

  Tree<Obb> tree_;
};

}  // namespace

std::unique_ptr<Hierarchy> make_relative_obb_hierarchy(const Mesh& mesh, const TreeShape& shape) {
  return std::make_unique<RelativeObbHierarchy>(mesh, shape);
}

}  // namespace tandem::detail
