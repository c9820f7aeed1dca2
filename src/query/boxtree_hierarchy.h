// The hierarchy of one boxtree layout: the traversals that go down, with every overlap test of
// restricted boxes.
#pragma once

#include <cassert>
#include <memory>
#include <type_traits>

#include "build/fit.h"
#include "query/descent_hierarchy.h"
#include "query/volume_traits.h"
#include "traverse/boxtree_descent.h"
#include "traverse/list.h"
#include "traverse/one_level_up.h"
#include "traverse/recursive.h"
#include "traverse/stack.h"
#include "tree/boxtree.h"
#include "tree/validate_boxtree.h"
#include "volume/restricted_overlap.h"

namespace tandem::detail {

template <class Boxtree>
class BoxtreeHierarchy final : public DescentHierarchy {
 public:
  BoxtreeHierarchy(const BuildOptions& options, const Mesh& mesh, const TreeShape& shape)
      : volume_(options.volume), arity_(detail::arity(shape)) {
    if (shape.empty()) return;
    tree_ = std::make_unique<const Boxtree>(
        fit_by_merging<Aabb>(mesh, shape),
        BoxtreeOptions{options.parallel_planes, options.leaf_size, options.trim});
    assert(validate(mesh, *tree_).empty());
  }

  Volume volume() const override { return volume_; }
  std::size_t bytes() const override { return tree_ ? tree_->bytes() : 0; }
  int arity() const override { return arity_; }
  const TwoPlaneBoxtree<PackedPlanes>* packed_boxtree() const override {
    if constexpr (std::is_same_v<Boxtree, TwoPlaneBoxtree<PackedPlanes>>) return tree_.get();
    return nullptr;
  }

  Flow traverse(const Hierarchy& b, const TraversalRequest& request,
                LeafPair<NullObserver>& leaf_pair, NullObserver& observer) const override {
    return run(peer(b), request, leaf_pair, observer);
  }
  Flow traverse(const Hierarchy& b, const TraversalRequest& request,
                LeafPair<CountingObserver>& leaf_pair, CountingObserver& observer) const override {
    return run(peer(b), request, leaf_pair, observer);
  }

 private:
  static const BoxtreeHierarchy& peer(const Hierarchy& b) {
    return static_cast<const BoxtreeHierarchy&>(b);
  }

  template <class Observer>
  Flow run(const BoxtreeHierarchy& b, const TraversalRequest& request,
           LeafPair<Observer>& leaf_pair, Observer& observer) const {
    const auto with = [&](const auto& test) {
      return run_with(BoxtreeDescent(*tree_, *b.tree_, test, observer), request.algorithm,
                      leaf_pair, observer);
    };
    const Pose& pose = request.b_in_a;
    const Aabb& root_a = tree_->root_box();
    const Aabb& root_b = b.tree_->root_box();
    switch (request.overlap) {
      case Overlap::realigned:
        return with(RestrictedAlignment<>(pose, root_a, root_b));
      case Overlap::lookup:
        return with(RestrictedLookup<>(pose, root_a, root_b));
      case Overlap::fifteen_axes:
        return with(RestrictedSat<>(pose, root_a, root_b));
      case Overlap::automatic:
      case Overlap::six_axes:
        break;
    }
    return with(RestrictedSatLite<>(pose, root_a, root_b));
  }

  template <class Descent, class Observer>
  static Flow run_with(const Descent& descent, Algorithm algorithm, LeafPair<Observer>& leaf_pair,
                       Observer& observer) {
    switch (algorithm) {
      case Algorithm::recursive:
        return traverse_recursive(descent, leaf_pair, observer);
      case Algorithm::dynamic_stack:
        return traverse_stack(LargerVolumeFirst(), descent, leaf_pair, observer);
      case Algorithm::alternating_stack:
        return traverse_stack(Alternating(), descent, leaf_pair, observer);
      case Algorithm::one_level_up:
        return traverse_one_level_up(descent, leaf_pair, observer);
      case Algorithm::list:
        return traverse_list(descent, leaf_pair, observer, 0);
      case Algorithm::automatic:
      case Algorithm::list_pairs:
        return traverse_list(descent, leaf_pair, observer, 1);
      case Algorithm::list_fours:
        return traverse_list(descent, leaf_pair, observer, 2);
      default:
        DescentHierarchy::refuse();
    }
  }

  Volume volume_;
  int arity_;
  /// None for an empty mesh.
  std::unique_ptr<const Boxtree> tree_;
};

template <class Boxtree>
std::unique_ptr<Hierarchy> make_boxtree_hierarchy(const BuildOptions& options, const Mesh& mesh,
                                                  const TreeShape& shape) {
  return std::make_unique<BoxtreeHierarchy<Boxtree>>(options, mesh, shape);
}

}  // namespace tandem::detail
