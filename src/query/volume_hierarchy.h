// The hierarchy of one volume: its trees, and every traversal with every overlap test of that
// volume. Each volume instantiates it in a file of its own.
#pragma once

#include <tandem/error.h>

#include <cassert>
#include <limits>
#include <mutex>
#include <optional>
#include <string>
#include <type_traits>

#include "build/fit.h"
#include "query/hierarchy.h"
#include "query/volume_traits.h"
#include "traverse/descent.h"
#include "traverse/leaf.h"
#include "traverse/list.h"
#include "traverse/one_level_up.h"
#include "traverse/recursive.h"
#include "traverse/scheduled.h"
#include "traverse/stack.h"
#include "traverse/stackless.h"
#include "traverse/trail.h"
#include "traverse/walk.h"
#include "tree/stackless_fields.h"
#include "tree/validate.h"

namespace tandem::detail {

template <class V>
class VolumeHierarchy final : public Hierarchy {
 public:
  VolumeHierarchy(const Mesh& mesh, const TreeShape& shape) : tree_(fit_tree<V>(mesh, shape)) {
    assert(validate(mesh, tree_).empty());
  }

  Volume volume() const override { return VolumeTraits<V>::k_volume; }
  std::size_t bytes() const override { return tree_.bytes(); }
  int arity() const override { return tree_.arity(); }
  const Tree<Aabb>* binary_boxes() const override {
    if constexpr (std::is_same_v<V, Aabb>) {
      // A node has at least two children, so with an arity of 2 or less each has two.
      if (tree_.arity() <= 2) return &tree_;
    }
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
  Flow advance(const Hierarchy& b, const TraversalRequest& request,
               LeafPair<NullObserver>& leaf_pair, StacklessState& state,
               std::uint64_t& budget) const override {
    return resume(peer(b), request, leaf_pair, state, budget);
  }
  Flow advance(const Hierarchy& b, const TraversalRequest& request,
               LeafPair<NullObserver>& leaf_pair, TrailState& state,
               std::uint64_t& budget) const override {
    return resume(peer(b), request, leaf_pair, state, budget);
  }

  bool can_be_at(const Hierarchy& b, Algorithm algorithm,
                 const StacklessState& state) const override {
    return with_order(peer(b), algorithm, [&](const auto& x, const auto& y, const auto& order) {
      return detail::can_be_at(x, y, order, state);
    });
  }
  bool can_be_at(const Hierarchy& b, Algorithm, const TrailState& state) const override {
    return detail::can_be_at(pre_indexed(), peer(b).pre_indexed(), state);
  }

 private:
  static const VolumeHierarchy& peer(const Hierarchy& b) {
    return static_cast<const VolumeHierarchy&>(b);
  }

  // What some traversals need beside the lean tree, made when first asked for, once, whichever
  // thread asks.
  const PreIndexedTree<V>& pre_indexed() const {
    std::call_once(pre_indexed_once_, [this] { pre_indexed_.emplace(tree_); });
    return *pre_indexed_;
  }
  const PostIndexedTree<V>& post_indexed() const {
    std::call_once(post_indexed_once_, [this] { post_indexed_.emplace(tree_); });
    return *post_indexed_;
  }

  template <class Observer>
  Flow run(const VolumeHierarchy& b, const TraversalRequest& request, LeafPair<Observer>& leaf_pair,
           Observer& observer) const {
    return VolumeTraits<V>::with_overlap(
        request, tree_.volume(0), b.tree_.volume(0), [&](const auto& overlap) {
          return run_with(b, request.algorithm, overlap, leaf_pair, observer);
        });
  }

  template <class Overlap, class Observer>
  Flow run_with(const VolumeHierarchy& b, Algorithm algorithm, const Overlap& overlap,
                LeafPair<Observer>& leaf_pair, Observer& observer) const {
    std::uint64_t budget = std::numeric_limits<std::uint64_t>::max();
    const auto to_the_end = [&](auto walk, const auto& x, const auto& y) {
      return detail::advance(walk, x, y, overlap, leaf_pair, observer, budget);
    };
    const auto stack = [&](const auto& rule) {
      return traverse_stack(rule, PairDescent(pre_indexed(), b.pre_indexed(), overlap, observer),
                            leaf_pair, observer);
    };
    const NodeDescent by_node(tree_, b.tree_, overlap, observer);
    switch (algorithm) {
      case Algorithm::automatic:
      case Algorithm::recursive:
        return traverse_recursive(PairDescent(tree_, b.tree_, overlap, observer), leaf_pair,
                                  observer);
      case Algorithm::leaf:
        return traverse_leaf(tree_, b.tree_, overlap, leaf_pair, observer);
      case Algorithm::one_level_up:
        return traverse_one_level_up(by_node, leaf_pair, observer);
      case Algorithm::list:
        return traverse_list(by_node, leaf_pair, observer, 0);
      case Algorithm::list_pairs:
        return traverse_list(by_node, leaf_pair, observer, 1);
      case Algorithm::list_fours:
        return traverse_list(by_node, leaf_pair, observer, 2);
      case Algorithm::dynamic_stack:
        return stack(LargerVolumeFirst());
      case Algorithm::alternating_stack:
        return stack(Alternating());
      case Algorithm::stackless:
      case Algorithm::stackless_post:
      case Algorithm::scheduled:
        return with_walk(b, algorithm, StacklessState(), to_the_end);
      case Algorithm::trail:
        return with_walk(b, algorithm, TrailState(), to_the_end);
      case Algorithm::brute_force:
        break;
    }
    throw Error("there is no traversal with the number " +
                std::to_string(static_cast<int>(algorithm)));
  }

  template <class State>
  Flow resume(const VolumeHierarchy& b, const TraversalRequest& request,
              LeafPair<NullObserver>& leaf_pair, State& state, std::uint64_t& budget) const {
    NullObserver observer;
    return VolumeTraits<V>::with_overlap(
        request, tree_.volume(0), b.tree_.volume(0), [&](const auto& overlap) {
          return with_walk(
              b, request.algorithm, state, [&](auto walk, const auto& x, const auto& y) {
                const Flow flow = detail::advance(walk, x, y, overlap, leaf_pair, observer, budget);
                state = walk.state();
                return flow;
              });
        });
  }

  /// Calls `use(tree_a, tree_b, order)` with the layout and the order of a stackless algorithm.
  template <class Use>
  auto with_order(const VolumeHierarchy& b, Algorithm algorithm, Use use) const {
    const AlternatingOrder by_turns;
    if (algorithm == Algorithm::stackless_post) {
      return use(post_indexed(), b.post_indexed(), by_turns);
    }
    if (algorithm == Algorithm::scheduled) {
      const ScheduledOrder by_size(pre_indexed().mean_sizes(), b.pre_indexed().mean_sizes());
      return use(pre_indexed(), b.pre_indexed(), by_size);
    }
    return use(pre_indexed(), b.pre_indexed(), by_turns);
  }

  /// Calls `use(walk, tree_a, tree_b)` with the walk of a resumable algorithm, at `state`.
  template <class Use>
  Flow with_walk(const VolumeHierarchy& b, Algorithm algorithm, const StacklessState& state,
                 Use use) const {
    return with_order(b, algorithm, [&](const auto& x, const auto& y, const auto& order) {
      return use(StacklessWalk(x, y, order, state), x, y);
    });
  }
  template <class Use>
  Flow with_walk(const VolumeHierarchy& b, Algorithm, const TrailState& state, Use use) const {
    return use(TrailWalk(pre_indexed(), b.pre_indexed(), state), pre_indexed(), b.pre_indexed());
  }

  Tree<V> tree_;
  mutable std::once_flag pre_indexed_once_;
  mutable std::once_flag post_indexed_once_;
  mutable std::optional<PreIndexedTree<V>> pre_indexed_;
  mutable std::optional<PostIndexedTree<V>> post_indexed_;
};

template <class V>
std::unique_ptr<Hierarchy> make_volume_hierarchy(const Mesh& mesh, const TreeShape& shape) {
  return std::make_unique<VolumeHierarchy<V>>(mesh, shape);
}

}  // namespace tandem::detail
