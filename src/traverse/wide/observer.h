// What the wide traversal tells its observer.
//
// Every observer is told how many pairs were visited: `pairs_of_blocks`, `leaf_overlaps` and
// `triangle_tests`. One that is a `TracingObserver` is also told which.
#pragma once

#include <cstddef>
#include <cstdint>

#include "traverse/wide/kernels.h"
#include "traverse/wide/pair.h"

namespace tandem::detail {

/// `pair_of_blocks(step, a, b)`: a step looks at this pair, blocks of the levels that `WidePair`
/// gives for the step, or leaves after the last step. `pair_of_triangles(a, b)`: these triangles
/// are tested, by their ids in the meshes.
template <class Observer>
concept TracingObserver = requires(Observer& observer, int step, std::uint32_t index) {
  observer.pair_of_blocks(step, index, index);
  observer.pair_of_triangles(index, index);
};

/// A kernel took pairs of blocks or leaves from a list.
template <class Observer>
void tell_blocks(Observer& observer, int step, PairList pairs, const KernelResult& result) {
  observer.pairs_of_blocks(result.taken, result.written);
  if constexpr (TracingObserver<Observer>) {
    for (std::size_t i = 0; i < result.taken; ++i) {
      observer.pair_of_blocks(step, pairs.a[i], pairs.b[i]);
    }
  }
}

/// Pairs of triangles, given by their slots, are tested.
template <class Observer>
void tell_triangles(Observer& observer, const WidePair& trees, PairList slots, std::size_t count) {
  observer.triangle_tests(count);
  if constexpr (TracingObserver<Observer>) {
    for (std::size_t i = 0; i < count; ++i) {
      observer.pair_of_triangles(trees.a.ids[slots.a[i]], trees.b.ids[slots.b[i]]);
    }
  }
}

}  // namespace tandem::detail
