// The kernel with which few queries begin: their frames and their first wave at once.
#pragma once

#include <cstddef>
#include <cstdint>

#include "gpu/kernel.h"
#include "gpu/waves/nodes.h"
#include "gpu/waves/query.h"
#include "gpu/waves/set_up.h"

namespace tandem::detail {

/// `SetUpQueries` and the first `DescendWave`. Each block of threads works for one query and makes
/// its frame for itself, which takes less time than to wait for another kernel.
template <class Tests>
struct StartWaves {
  static constexpr const char* k_phase = "set up";
  using Frame = typename Tests::Frame;
  struct Shared {
    alignas(Frame) std::byte frame[sizeof(Frame)];
    /// Of the block's query.
    int wave;
    typename DescendWave<Tests>::Shared descent;
  };

  SetUpQueries<Frame> set_up;
  DescendWave<Tests> first;
  /// The wave of that.
  int first_wave;

  /// A multiple of what a block has.
  TANDEM_HD std::uint32_t threads_per_query() const {
    return (set_up.pairs_per_start * DescendWave<Tests>::k_most_lanes + k_wave_block_size - 1) /
           k_wave_block_size * k_wave_block_size;
  }

  template <class Threads>
  TANDEM_KERNEL void operator()(const Threads& threads, Shared& shared) const {
    const std::uint32_t query = threads.index() / threads_per_query();
    const std::uint32_t thread = threads.index() % threads_per_query();
    if (query >= set_up.query_count) return;
    Frame& frame = *reinterpret_cast<Frame*>(shared.frame);
    if (threads.thread() == 0) {
      bool other = false;
      shared.wave = set_up.prepare(query, &frame, &other);
      if (thread == 0) set_up.note(threads, query, frame, shared.wave, other, first_wave);
    }
    threads.sync();
    if (shared.wave != first_wave) return;
    first.start(threads, query, thread, frame, shared.descent);
  }
};

}  // namespace tandem::detail
