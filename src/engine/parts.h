// Queries on several threads: a traversal's parts are shared among them.
#pragma once

#include <atomic>
#include <cstddef>
#include <utility>

#include "engine/leaf_pair.h"
#include "engine/tandem_engine.h"
#include "parallel/lock.h"
#include "parallel/parallel_for.h"
#include "traverse/checked_flow.h"

namespace tandem::detail {

/// Keeps pairs of a part until there are some to show at once.
class PartBuffer {
 public:
  PartBuffer(std::size_t part, PartSink sink) : part_(part), sink_(sink) {}

  Flow operator()(TrianglePair pair) {
    pairs_[size_++] = pair;
    return size_ == k_room ? show() : Flow::go_on;
  }
  Flow show() {
    const std::size_t size = std::exchange(size_, 0);
    return size == 0 ? Flow::go_on : checked(sink_(part_, {pairs_, size}));
  }

 private:
  static constexpr std::size_t k_room = 256;

  std::size_t part_;
  PartSink sink_;
  std::size_t size_ = 0;
  TrianglePair pairs_[k_room];
};

/// Runs all parts, unless the sink stops it: then parts that have begun end at their next pairs.
/// The observer is told of each part, and on the calling thread how many are done.
template <class Parts, class Observer>
Flow run_parts(const Parts& parts, const TriangleTestRequest& triangles, int threads, PartSink sink,
               Observer& observer) {
  const CallingThread caller;
  std::atomic<bool> stopped = false;
  Mutex adding;
  std::size_t done = 0;
  parallel_for(parts.count(), 1, threads, [&](std::size_t part, std::size_t) {
    if (stopped) return;
    Observer of_part = observer.of_part();
    PartBuffer buffer(part, sink);
    const auto keep = [&](TrianglePair pair) { return stopped ? Flow::stop : buffer(pair); };
    LeafPair leaf_pair(triangles, keep, of_part);
    Flow flow = parts.run(part, leaf_pair, of_part);
    if (flow == Flow::go_on) flow = buffer.show();
    if (flow == Flow::stop) stopped = true;
    const std::lock_guard lock(adding);
    observer.add(of_part);
    ++done;
    if (caller.is_here()) {
      observer.share_done(static_cast<double>(done) / static_cast<double>(parts.count()));
    }
  });
  if (stopped) return Flow::stop;
  observer.share_done(1);
  return Flow::go_on;
}

}  // namespace tandem::detail
