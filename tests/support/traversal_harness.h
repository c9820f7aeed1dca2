// Every traversal over trees of any shape, with a record of the pairs of nodes that it takes up.
#pragma once

#include <tandem/tandem.h>

#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "build/fit.h"
#include "math/random.h"
#include "query/leaf_pair.h"
#include "traverse/descent.h"
#include "traverse/leaf.h"
#include "traverse/observer.h"
#include "traverse/recursive.h"
#include "traverse/scheduled.h"
#include "traverse/stack.h"
#include "traverse/stackless.h"
#include "traverse/trail.h"
#include "traverse/walk.h"
#include "tree/stackless_fields.h"
#include "volume/aabb_overlap.h"

namespace tandem::test {

/// A shape with 1 to `arity` children a node, at random; `depth` bounds it.
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

/// Pairs of nodes in the order in which they were taken up, by pre-indexed numbers.
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
        pre_a_(tree_a_),
        pre_b_(tree_b_),
        post_a_(tree_a_),
        post_b_(tree_b_),
        order_(pre_a_.mean_sizes(), pre_b_.mean_sizes()) {}

  const detail::PreIndexedTree<detail::Aabb>& pre_a() const { return pre_a_; }
  const detail::PostIndexedTree<detail::Aabb>& post_a() const { return post_a_; }

  TraversalRecord recursive() const {
    return record([&](const auto& overlap, auto& leaf_pair, auto& observer) {
      traverse_recursive(detail::PairDescent(tree_a_, tree_b_, overlap, observer), leaf_pair,
                         observer);
    });
  }
  TraversalRecord leaf() const {
    return record([&](auto&&... with) { traverse_leaf(tree_a_, tree_b_, with...); });
  }
  TraversalRecord dynamic_stack() const { return stack(detail::LargerVolumeFirst()); }
  TraversalRecord alternating_stack() const { return stack(detail::Alternating()); }
  TraversalRecord scheduled_stack() const { return stack(ScheduledRule{order_}); }
  TraversalRecord stackless() const {
    return walk(pre_a_, pre_b_, [&](const auto& a, const auto& b) {
      return detail::StacklessWalk(a, b, alternating_, StacklessState());
    });
  }
  TraversalRecord scheduled() const {
    return walk(pre_a_, pre_b_, [&](const auto& a, const auto& b) {
      return detail::StacklessWalk(a, b, order_, StacklessState());
    });
  }
  TraversalRecord trail() const {
    return walk(pre_a_, pre_b_,
                [](const auto& a, const auto& b) { return detail::TrailWalk(a, b, TrailState()); });
  }
  TraversalRecord stackless_post() const {
    TraversalRecord result = walk(post_a_, post_b_, [&](const auto& a, const auto& b) {
      return detail::StacklessWalk(a, b, alternating_, StacklessState());
    });
    for (auto& [a, b] : result.visits) {
      a = post_a_.pre_index(a);
      b = post_b_.pre_index(b);
    }
    return result;
  }

 private:
  template <class Rule>
  TraversalRecord stack(const Rule& rule) const {
    return record([&](const auto& overlap, auto& leaf_pair, auto& observer) {
      traverse_stack(rule, detail::PairDescent(pre_a_, pre_b_, overlap, observer), leaf_pair,
                     observer);
    });
  }

  /// A walk needs trees that are not empty, so it is made when that is sure.
  template <class Tree, class MakeWalk>
  TraversalRecord walk(const Tree& a, const Tree& b, MakeWalk make_walk) const {
    return record([&](auto&&... with) {
      auto walk = make_walk(a, b);
      std::uint64_t budget = std::numeric_limits<std::uint64_t>::max();
      advance(walk, a, b, with..., budget);
    });
  }

  /// Runs one traversal with the overlap test that the pose asks for.
  template <class Traverse>
  TraversalRecord record(Traverse traverse) const {
    TraversalRecord result;
    if (tree_a_.empty() || tree_b_.empty()) return result;
    RecordingObserver observer;
    const auto append = [&](TrianglePair pair) {
      result.pairs.push_back(pair);
      return Flow::go_on;
    };
    detail::LeafPair leaf_pair({mesh_a_, mesh_b_, b_in_a_}, append, observer);
    if (b_in_a_.is_translation()) {
      const detail::AlignedAabbOverlap overlap(b_in_a_, tree_a_.volume(0), tree_b_.volume(0));
      traverse(overlap, leaf_pair, observer);
    } else {
      const detail::FifteenAxisAabbOverlap<> overlap(b_in_a_, tree_a_.volume(0), tree_b_.volume(0));
      traverse(overlap, leaf_pair, observer);
    }
    result.visits = std::move(observer.visits);
    std::sort(result.pairs.begin(), result.pairs.end());
    return result;
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
  detail::AlternatingOrder alternating_;
  detail::ScheduledOrder order_;
};

}  // namespace tandem::test
