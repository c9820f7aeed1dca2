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

/// The listener of a search: tells a tracing observer which pairs were visited. Others have none.
template <TracingObserver Observer>
class TracingListener {
 public:
  TracingListener(Observer& observer, const WidePair& trees)
      : observer_(observer),
        trees_(trees),
        listener_{.context = this, .blocks = tell_blocks, .triangles = tell_triangles} {}
  TracingListener(const TracingListener&) = delete;
  TracingListener& operator=(const TracingListener&) = delete;

  const SearchListener* get() const { return &listener_; }

 private:
  static void tell_blocks(void* context, int step, std::uint32_t a, std::uint32_t b) {
    static_cast<TracingListener*>(context)->observer_.pair_of_blocks(step, a, b);
  }
  static void tell_triangles(void* context, std::uint32_t slot_a, std::uint32_t slot_b) {
    const auto& self = *static_cast<TracingListener*>(context);
    self.observer_.pair_of_triangles(self.trees_.a.ids[slot_a], self.trees_.b.ids[slot_b]);
  }

  Observer& observer_;
  const WidePair& trees_;
  SearchListener listener_;
};

}  // namespace tandem::detail
