// Every traversal over trees of any shape, with a record of the pairs of nodes that it visits.
#pragma once

#include <tandem/tandem.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>
#include <vector>

#include "build/fit.h"
#include "engine/leaf_pair.h"
#include "math/random.h"
#include "traverse/observer.h"
#include "traverse/tandem/descent.h"
#include "traverse/tandem/leaf.h"
#include "traverse/tandem/recursive.h"
#include "traverse/tandem/scheduled.h"
#include "traverse/tandem/stack.h"
#include "traverse/tandem/stackless.h"
#include "traverse/tandem/trail.h"
#include "traverse/tandem/walk.h"
#include "tree/stackless_fields.h"
#include "volume/aabb_overlap.h"

namespace tandem::test {

/// A shape with 1 to `arity` children per node, at random.
class RandomShape {
 public:
  RandomShape(std::size_t triangle_count, int arity, std::uint64_t seed)
      : random_(seed), arity_(arity) {
    std::vector<std::uint32_t> ids(triangle_count);
    for (std::uint32_t i = 0; i < triangle_count; ++i) ids[i] = i;
    for (std::size_t i = triangle_count; i > 1; --i) std::swap(ids[i - 1], ids[random_.below(i)]);
    if (triangle_count > 0) place(ids, 20);
  }

  const detail::TreeShape& shape() const { return shape_; }

 private:
  void place(std::span<const std::uint32_t> ids, int spare_levels) {
    // A leaf may hang below nodes with a single child.
    const bool single = spare_levels > 0 && random_.below(5) == 0;
    if (ids.size() == 1 && !single) {
      shape_.push_back(detail::Link::leaf(ids[0]));
      return;
    }
    const std::size_t node = shape_.size();
    shape_.push_back(detail::Link::inner(0));
    if (single) {
      place(ids, spare_levels - 1);
    } else {
      // Cut into 2 to arity parts; lopsided ones only while levels are to spare.
      std::size_t parts = 2 + random_.below(static_cast<std::uint64_t>(arity_) - 1);
      while (!ids.empty()) {
        parts = std::min(parts, ids.size());
        const std::size_t room = ids.size() - parts + 1;
        const bool lopsided = spare_levels > 0 && random_.below(2) == 0;
        std::size_t part = lopsided ? 1 + random_.below(room) : (ids.size() + parts - 1) / parts;
        if (parts == 1) part = ids.size();
        place(ids.first(part), spare_levels - 1);
        ids = ids.subspan(part);
        --parts;
      }
    }
    shape_[node] = detail::Link::inner(static_cast<std::uint32_t>(shape_.size()));
  }

  detail::Random random_;
  int arity_;
  detail::TreeShape shape_;
};

/// Pairs of nodes in the order in which they were visited, by pre-indexed numbers.
using Visits = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

struct RecordingObserver : detail::NullObserver {
  Visits visits;

  void iteration(std::uint32_t a, std::uint32_t b) { visits.emplace_back(a, b); }
};

struct TraversalRecord {
  std::vector<TrianglePair> pairs;
  Visits visits;
};

/// The rule of a schedule, for the stack traversal: what the scheduled traversal must equal.
struct ScheduledRule {
  detail::ScheduledOrder order;

  template <class Pairs>
  detail::Side choose(const Pairs& pairs, const typename Pairs::Pair& pair) const {
    if (pairs.leaf_a(pair)) return detail::Side::b;
    if (pairs.leaf_b(pair)) return detail::Side::a;
    return order.turn(pairs.level_a(pair), pairs.level_b(pair));
  }
};

/// Two trees as traversals see them, with the overlap test of one query (engine/stored.h).
template <class Test>
struct HarnessTrees {
  using Lean = detail::TreeView<detail::Aabb>;
  using Pre = detail::PreIndexedView<detail::Aabb>;
  using Post = detail::PostIndexedView<detail::Aabb>;

  Lean lean[2];
  Pre pre[2];
  Post post[2];
  Test test;

  const Test& overlap() const { return test; }
  Lean lean_a() const { return lean[0]; }
  Lean lean_b() const { return lean[1]; }
  Pre pre_indexed_a() const { return pre[0]; }
  Pre pre_indexed_b() const { return pre[1]; }
  Post post_indexed_a() const { return post[0]; }
  Post post_indexed_b() const { return post[1]; }
  template <class Observer>
  auto pairs(Observer& observer) const {
    return detail::PairDescent(lean[0], lean[1], test, observer);
  }
  template <class Observer>
  auto levelled_pairs(Observer& observer) const {
    return detail::PairDescent(pre[0], pre[1], test, observer);
  }
};

/// The scheduled order with a stack.
struct ScheduledStack {
  template <class Trees, class LeafPair, class Observer>
  static Flow run(const Trees& trees, LeafPair& leaf_pair, Observer& observer) {
    const ScheduledRule rule{{trees.pre_indexed_a(), trees.pre_indexed_b()}};
    return detail::traverse_stack(rule, trees.levelled_pairs(observer), leaf_pair, observer);
  }
};

/// Two trees and a pose, and every traversal over them.
class TraversalHarness {
 public:
  TraversalHarness(const Mesh& a, const detail::TreeShape& shape_a, const Mesh& b,
                   const detail::TreeShape& shape_b, const Pose& b_in_a)
      : mesh_a_(a),
        mesh_b_(b),
        b_in_a_(b_in_a),
        tree_a_(detail::fit_by_merging<detail::Aabb>(a, shape_a)),
        tree_b_(detail::fit_by_merging<detail::Aabb>(b, shape_b)),
        pre_a_(tree_a_.view()),
        pre_b_(tree_b_.view()),
        post_a_(tree_a_.view()),
        post_b_(tree_b_.view()) {}

  /// What the traversal T finds, and the pairs of nodes that it visits, by pre-indexed numbers.
  template <class T>
  TraversalRecord record() const {
    TraversalRecord result;
    if (mesh_a_.empty() || mesh_b_.empty()) return result;
    if (b_in_a_.is_translation()) {
      run<T, detail::AlignedAabbOverlap>(result);
    } else {
      run<T, detail::FifteenAxisAabbOverlap<>>(result);
    }
    if constexpr (std::is_same_v<T, detail::StacklessPost>) {
      for (auto& [a, b] : result.visits) {
        a = post_a_.pre_index(a);
        b = post_b_.pre_index(b);
      }
    }
    std::sort(result.pairs.begin(), result.pairs.end());
    return result;
  }

 private:
  template <class T, class Test>
  void run(TraversalRecord& result) const {
    const HarnessTrees<Test> trees{
        {tree_a_.view(), tree_b_.view()},
        {pre_a_.view(), pre_b_.view()},
        {post_a_.view(), post_b_.view()},
        Test(b_in_a_, tree_a_.view().volume(0), tree_b_.view().volume(0))};
    RecordingObserver observer;
    const auto append = [&](TrianglePair pair) {
      result.pairs.push_back(pair);
      return Flow::go_on;
    };
    detail::LeafPair leaf_pair({mesh_a_, mesh_b_, b_in_a_}, append, observer);
    if constexpr (detail::Resumable<T>) {
      auto walk = T::walk(trees, typename T::State());
      std::uint64_t budget = std::numeric_limits<std::uint64_t>::max();
      advance(walk, trees.overlap(), leaf_pair, observer, budget);
    } else {
      T::run(trees, leaf_pair, observer);
    }
    result.visits = std::move(observer.visits);
  }

  const Mesh& mesh_a_;
  const Mesh& mesh_b_;
  Pose b_in_a_;
  detail::Tree<detail::Aabb> tree_a_;
  detail::Tree<detail::Aabb> tree_b_;
  detail::PreIndexedTree<detail::Aabb> pre_a_;
  detail::PreIndexedTree<detail::Aabb> pre_b_;
  detail::PostIndexedTree<detail::Aabb> post_a_;
  detail::PostIndexedTree<detail::Aabb> post_b_;
};

}  // namespace tandem::test
