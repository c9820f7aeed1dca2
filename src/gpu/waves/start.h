// The kernel with which few queries begin: their frames and their first wave at once.
#pragma once

#include <cstdint>

#include "gpu/kernel.h"
#include "gpu/waves/nodes.h"
#include "gpu/waves/query.h"
#include "gpu/waves/set_up.h"

namespace tandem::detail {

/// `SetUpQueries` and the first `DescendWave`. Eight threads take each pair of blocks that a query
/// starts with. Each block of threads makes the frame for itself, which takes less time than to
/// wait for another kernel.
template <class Tests>
struct StartWaves {
  static constexpr const char* k_phase = "set up";
  using Frame = typename Tests::Frame;
  using Wave = DescendWave<Tests>;
  struct Shared {
    Frame frame;
    /// Whether the block's query starts with the first wave.
    bool starts;
    typename Wave::Shared wave;
  };

  SetUpQueries<Frame> set_up;
  Wave first;
  /// The number of that.
  int first_wave;

  /// A multiple of what a block has.
  TANDEM_HD std::uint32_t threads_per_query() const {
    return Wave::k_most_lanes * set_up.pairs_per_start;
  }

  template <class Threads>
  TANDEM_KERNEL void operator()(const Threads& threads, Shared& shared) const {
    const std::uint32_t query = threads.index() / threads_per_query();
    const std::uint32_t thread = threads.index() % threads_per_query();
    int wave = -1;
    bool other = false;
    if (threads.thread() == 0) {
      wave = set_up.prepare(query, &shared.frame, &other);
      shared.starts = wave == first_wave;
    }
    // The query's first thread keeps what others will need.
    const bool keeps = thread == 0;
    if (keeps && wave >= 0) set_up.frames[query] = shared.frame;
    set_up.note(threads, query, keeps, keeps && wave > first_wave ? wave : -1, keeps && other);
    threads.sync();
    first.start(threads, shared.starts, query, thread / Wave::k_most_lanes, shared.frame,
                shared.wave);
  }
};

}  // namespace tandem::detail
