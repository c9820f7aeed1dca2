// The closest two triangles of two wide trees that float32 has no room for.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "traverse/wide/distance/closest_pair.h"
#include "traverse/wide/double_boxes.h"
#include "traverse/wide/frame.h"
#include "traverse/wide/pair.h"

namespace tandem::detail {

/// The closest pair where float32 has no room for both models: boxes alone, one pair at a time.
template <class Observer>
class NearestInDouble {
 public:
  NearestInDouble(const WidePair& trees, const FrameInDouble& frame, ClosestPair& closest,
                  Observer& observer)
      : trees_(trees), frame_(frame), closest_(closest), observer_(observer) {}

  void run() {
    stack_[0] = {0, 0, 0, 0};
    std::size_t waiting = 1;
    while (waiting != 0 && !closest_.done()) {
      const Pair pair = stack_[--waiting];
      if (pair.bound > closest_.needed()) continue;
      if (pair.step == trees_.steps()) {
        visit_leaves(pair);
        continue;
      }
      const std::size_t first = waiting;
      waiting = descend(pair, waiting);
      observer_.pairs_of_blocks(1, waiting - first);
      std::sort(stack_ + first, stack_ + waiting,
                [](const Pair& x, const Pair& y) { return x.bound > y.bound; });
    }
  }

 private:
  struct Pair {
    std::uint32_t a;
    std::uint32_t b;
    int step;
    double bound;
  };

  std::size_t descend(const Pair& pair, std::size_t waiting) {
    const NodeBlock& block_a = trees_.blocks_a(pair.step)[pair.a];
    const NodeBlock& block_b = trees_.blocks_b(pair.step)[pair.b];
    const Descent descent = trees_.descent(pair.step);
    double least_of_a[k_block];
    double least_of_b[k_block];
    std::fill_n(least_of_a, k_block, std::numeric_limits<double>::infinity());
    std::fill_n(least_of_b, k_block, std::numeric_limits<double>::infinity());
    const auto push = [&](std::uint32_t a, std::uint32_t b, double bound) {
      if (bound <= closest_.needed() && bound < std::numeric_limits<double>::infinity()) {
        stack_[waiting++] = {a, b, pair.step + 1, bound};
      }
    };
    for (std::uint32_t j = 0; j < k_block; ++j) {
      const CentredBox in_b = moved_box(frame_, child_box(block_b, j));
      for (std::uint32_t i = 0; i < k_block; ++i) {
        const double bound = box_gap(child_box(block_a, i), in_b);
        // Not so for NaN, of children that are missing.
        if (bound < least_of_a[i]) least_of_a[i] = bound;
        if (bound < least_of_b[j]) least_of_b[j] = bound;
        if (descent == Descent::both) {
          push(block_a.first_child + i, block_b.first_child + j, bound);
        }
      }
    }
    for (std::uint32_t i = 0; i < k_block; ++i) {
      if (descent == Descent::a_alone) push(block_a.first_child + i, pair.b, least_of_a[i]);
      if (descent == Descent::b_alone) push(pair.a, block_b.first_child + i, least_of_b[i]);
    }
    return waiting;
  }

  void visit_leaves(const Pair& pair) {
    std::uint64_t tested = 0;
    for (std::uint32_t j = 0; j < k_block; ++j) {
      const std::uint32_t b = trees_.b.ids[k_block * pair.b + j];
      if (b == k_no_triangle) continue;
      const CentredBox in_b = moved_box(frame_, triangle_box(trees_.b.boxes[pair.b], j));
      for (std::uint32_t i = 0; i < k_block; ++i) {
        const std::uint32_t a = trees_.a.ids[k_block * pair.a + i];
        if (a == k_no_triangle) continue;
        if (box_gap(triangle_box(trees_.a.boxes[pair.a], i), in_b) > closest_.needed()) continue;
        ++tested;
        closest_.consider(a, b);
      }
    }
    observer_.pairs_of_blocks(1, tested);
    observer_.leaf_overlaps(tested);
    observer_.triangle_tests(tested);
  }

  const WidePair& trees_;
  const FrameInDouble& frame_;
  ClosestPair& closest_;
  Observer& observer_;
  /// Each step leaves at most 15 of its pairs behind when it goes down with one.
  Pair stack_[k_pairs_of_children * (k_max_wide_height + 1)];
};

}  // namespace tandem::detail
