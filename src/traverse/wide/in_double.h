// The traversal of wide trees that float32 cannot hold together, in double precision.
#pragma once

#include <tandem/sink.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "traverse/wide/double_boxes.h"
#include "traverse/wide/frame.h"
#include "traverse/wide/observer.h"
#include "traverse/wide/pair.h"
#include "tree/wide/tree.h"

namespace tandem::detail {

/// For models whose units differ by more than float32 has room for, or that are too far away: the
/// same trees in the same steps, but boxes alone, one pair at a time, in double precision.
/// Coordinates are A's, as in `WideFrame`.
template <class LeafPair, class Observer>
class InDouble {
 public:
  /// `self`: both trees are the same one, and each two triangles are tested once.
  InDouble(const WidePair& trees, const WideFrame& frame, bool self, LeafPair& leaf_pair,
           Observer& observer)
      : trees_(trees), frame_(frame), self_(self), leaf_pair_(leaf_pair), observer_(observer) {}

  /// Shows every pair, until the sink stops it.
  Flow run() {
    const int steps = trees_.steps();
    stack_[0] = {0, 0, 0, 1};
    std::size_t waiting = 1;
    double done = 0;
    while (waiting != 0) {
      const Pair pair = stack_[--waiting];
      if (pair.step == steps) {
        if (test_leaves(pair) == Flow::stop) return Flow::stop;
        done += pair.share;
        observer_.share_done(done);
        continue;
      }
      const std::size_t first = waiting;
      waiting = descend(pair, waiting);
      observer_.pairs_of_blocks(1, waiting - first);
      if constexpr (TracingObserver<Observer>) {
        observer_.pair_of_blocks(pair.step, pair.a, pair.b);
      }
      if (waiting == first) done += pair.share;
      for (std::size_t i = first; i < waiting; ++i) {
        stack_[i].share = pair.share / static_cast<double>(waiting - first);
      }
    }
    observer_.share_done(1);
    return Flow::go_on;
  }

 private:
  struct Pair {
    std::uint32_t a;
    std::uint32_t b;
    int step;
    double share;
  };

  /// Puts the pairs of children that overlap onto the stack, from `waiting` on; returns how high it
  /// is then. Where one tree waits, the children of the other one are paired with its block.
  std::size_t descend(const Pair& pair, std::size_t waiting) {
    const NodeBlock& block_a = trees_.blocks_a(pair.step)[pair.a];
    const NodeBlock& block_b = trees_.blocks_b(pair.step)[pair.b];
    const Descent descent = trees_.descent(pair.step);
    bool meets[k_block][k_block];
    for (std::uint32_t j = 0; j < k_block; ++j) {
      const CentredBox in_b = moved_box(frame_, child_box(block_b, j));
      for (std::uint32_t i = 0; i < k_block; ++i) {
        meets[i][j] = boxes_overlap(child_box(block_a, i), in_b);
      }
    }
    for (std::uint32_t i = 0; i < k_block; ++i) {
      for (std::uint32_t j = 0; j < k_block; ++j) {
        if (!meets[i][j] || (self_ && pair.a == pair.b && i > j)) continue;
        Pair child{block_a.first_child + i, block_b.first_child + j, pair.step + 1, 0};
        if (descent == Descent::a_alone) {
          child.b = pair.b;
          std::fill_n(meets[i], k_block, false);
        } else if (descent == Descent::b_alone) {
          child.a = pair.a;
          for (auto& row : meets) row[j] = false;
        }
        stack_[waiting++] = child;
      }
    }
    return waiting;
  }

  Flow test_leaves(const Pair& pair) {
    const BoxBlock& box_a = trees_.a.boxes[pair.a];
    std::uint64_t tested = 0;
    Flow flow = Flow::go_on;
    for (std::uint32_t j = 0; j < k_block && flow == Flow::go_on; ++j) {
      const std::uint32_t slot_b = k_block * pair.b + j;
      if (trees_.b.ids[slot_b] == k_no_triangle) continue;
      const CentredBox in_b = moved_box(frame_, triangle_box(trees_.b.boxes[pair.b], j));
      for (std::uint32_t i = 0; i < k_block && flow == Flow::go_on; ++i) {
        const std::uint32_t slot_a = k_block * pair.a + i;
        if (trees_.a.ids[slot_a] == k_no_triangle) continue;
        if (!boxes_overlap(triangle_box(box_a, i), in_b)) continue;
        if (self_ && slot_a >= slot_b) continue;
        const std::uint32_t a = trees_.a.ids[slot_a];
        const std::uint32_t b = trees_.b.ids[slot_b];
        ++tested;
        if constexpr (TracingObserver<Observer>) observer_.pair_of_triangles(a, b);
        if (leaf_pair_.touches(a, b)) flow = leaf_pair_.show(a, b);
      }
    }
    observer_.pairs_of_blocks(1, tested);
    if constexpr (TracingObserver<Observer>) observer_.pair_of_blocks(pair.step, pair.a, pair.b);
    observer_.leaf_overlaps(tested);
    observer_.triangle_tests(tested);
    return flow;
  }

  const WidePair& trees_;
  const WideFrame& frame_;
  const bool self_;
  LeafPair& leaf_pair_;
  Observer& observer_;
  /// Each step leaves at most 15 of its pairs behind when it goes down with one.
  Pair stack_[k_pairs_of_children * (k_max_wide_height + 1)];
};

}  // namespace tandem::detail
