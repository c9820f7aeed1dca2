// Walks on a device: the library's stackless traversals of two trees (src/traverse/tandem), each
// over a part of what a query has to visit.
#pragma once

#include <tandem/cursor_state.h>
#include <tandem/host_device.h>

#include <cstdint>

#include "gpu/kernel.h"
#include "gpu/stackless/forest.h"
#include "gpu/warp.h"
#include "traverse/tandem/scheduled.h"
#include "traverse/tandem/stackless.h"
#include "traverse/tandem/trail.h"

namespace tandem::detail {

/// The ways to walk: B and A alternately, the level first that is larger on average, and the larger
/// volume first.
struct AlternatingWalks {
  using State = StacklessState;
  TANDEM_HD static auto walk(const WalkTree& a, const WalkTree& b, const State& state) {
    return StacklessWalk<WalkTree, AlternatingOrder>{a, b, AlternatingOrder(), state};
  }
};
struct ScheduledWalks {
  using State = StacklessState;
  TANDEM_HD static auto walk(const WalkTree& a, const WalkTree& b, const State& state) {
    return StacklessWalk<WalkTree, ScheduledOrder>{a, b, ScheduledOrder(a, b), state};
  }
};
struct TrailWalks {
  using State = TrailState;
  TANDEM_HD static auto walk(const WalkTree& a, const WalkTree& b, const State& state) {
    return TrailWalk<WalkTree>(a, b, state);
  }
};

/// A walk that waits to be resumed, in one of many queries: all that is kept of it. It visits the
/// pair of nodes that it began at, and what is below that.
template <class Walks>
struct WaitingWalk {
  std::uint32_t query;
  std::uint32_t first_a;
  std::uint32_t first_b;
  typename Walks::State state;
};

/// A walk that ends with the pairs below one that it began at. Every pair of a node below one and
/// a node below the other that a walk can come to is below the pair of both. As subtrees are
/// ranges of indices, two comparisons tell when the walk has left them.
template <class Walk>
class PartialWalk : public Walk {
 public:
  TANDEM_HD PartialWalk(const Walk& walk, std::uint32_t first_a, std::uint32_t first_b)
      : Walk(walk),
        first_a_(first_a),
        first_b_(first_b),
        count_a_(walk.a.escape_index(first_a) - first_a),
        count_b_(walk.b.escape_index(first_b) - first_b) {}

  TANDEM_HD bool finished() const {
    return Walk::finished() || this->node_a() - first_a_ >= count_a_ ||
           this->node_b() - first_b_ >= count_b_;
  }

 private:
  std::uint32_t first_a_;
  std::uint32_t first_b_;
  std::uint32_t count_a_;
  std::uint32_t count_b_;
};

/// The walk goes on from where it waited.
template <class Walks>
TANDEM_HD auto resume(const WalkTree& a, const WalkTree& b, const WaitingWalk<Walks>& waiting) {
  return PartialWalk(Walks::walk(a, b, waiting.state), waiting.first_a, waiting.first_b);
}

/// What CUDA adds to atomically in 64 bits.
using WalkCount = unsigned long long;

/// Takes places behind a counter for those threads of a warp that want one; all of them call it.
template <class Threads>
TANDEM_KERNEL WalkCount take_place(const Threads& threads, WalkCount* count, bool wants) {
  const std::uint32_t all = threads.ballot(wants);
  WalkCount first = 0;
  if (threads.lane() == 0 && all != 0) {
    first = threads.atomic_add(count, WalkCount{count_bits(all)});
  }
  return threads.shuffle(first, 0) + count_bits(all & lanes_before(threads.lane()));
}

}  // namespace tandem::detail
