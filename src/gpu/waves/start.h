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
/// wait for another kernel: its first thread does, while its last warp finds out which pairs of
/// blocks it takes and has them loaded.
template <class Tests>
struct StartWaves {
  static constexpr const char* k_phase = "set up";
  using Frame = typename Tests::Frame;
  using Wave = DescendWave<Tests>;
  struct Shared {
    Frame frame;
    /// Whether that suits the query, which needs another kind of frame if not.
    bool suits;
    /// In which wave the query starts, which is negative where there is nothing to do.
    int wave;
    WaveEntry pairs[k_wave_block_size / Wave::k_most_lanes];
    typename Wave::Shared descend;
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
    if (threads.thread() == 0) shared.suits = set_up.make_frame(query, &shared.frame);
    if (threads.thread() + k_warp_size >= threads.block_size()) {
      choose_pairs(threads, query, (thread - threads.thread()) / Wave::k_most_lanes, shared.pairs);
      if (threads.lane() == 0) shared.wave = set_up.start_wave(query);
    }
    threads.sync();
    const int wave = shared.suits ? shared.wave : -1;
    first.start(threads, wave == first_wave, shared.pairs[threads.thread() / Wave::k_most_lanes],
                shared.frame, shared.descend);
    // The query's first thread keeps what others will need.
    const bool keeps = thread == 0;
    if (keeps && wave >= 0) set_up.frames[query] = shared.frame;
    set_up.note(threads, query, keeps, keeps && wave > first_wave ? wave : -1,
                keeps && shared.wave >= 0 && !shared.suits);
  }

 private:
  /// The pairs of blocks that this block of threads takes, the first of which has a number among
  /// those of the query. All threads of a warp call it.
  template <class Threads>
  TANDEM_KERNEL void choose_pairs(const Threads& threads, std::uint32_t query, std::uint32_t number,
                                  WaveEntry* pairs) const {
    const std::uint32_t count = threads.block_size() / Wave::k_most_lanes;
    for (std::uint32_t i = threads.lane() / 2; i < count; i += k_warp_size / 2) {
      const WaveEntry pair = first.start_pair(query, number + i);
      if (threads.lane() % 2 == 0) {
        pairs[i] = pair;
        first.load_early(pair.query, pair.a);
      } else {
        first.load_early(pair.query, pair.b);
      }
    }
  }
};

}  // namespace tandem::detail
