// The kernel with which few queries end: leaves, triangles and doubles at once.
#pragma once

#include <tandem/batch.h>

#include <cstdint>

#include "gpu/kernel.h"
#include "gpu/warp.h"
#include "gpu/waves/counters.h"
#include "gpu/waves/exact.h"
#include "gpu/waves/leaves.h"
#include "gpu/waves/nodes.h"
#include "gpu/waves/queue.h"
#include "gpu/waves/results.h"

namespace tandem::detail {

/// Pairs that a warp has left undecided, as in `LeftBox`, until it decides them itself. The queue
/// only counts them.
class DecidedBox {
 public:
  using Memory = LeftBox::Memory;

  TANDEM_KERNEL DecidedBox(Memory& memory, WarpDoubles& doubles, const PairQueue& queue,
                           std::uint32_t part)
      : memory_(memory), doubles_(doubles), queue_(queue), part_(part) {}

  template <class Threads>
  TANDEM_KERNEL void add(const Threads& threads, bool left, const WaveEntry& pair) {
    memory_.add(threads, left, pair, &kept_,
                [&](std::uint32_t number) { decide(threads, number); });
  }
  template <class Threads>
  TANDEM_KERNEL void finish(const Threads& threads) {
    memory_.finish(threads, kept_, [&](std::uint32_t number) { decide(threads, number); });
  }

 private:
  template <class Threads>
  TANDEM_KERNEL void decide(const Threads& threads, std::uint32_t number) {
    if (threads.lane() == 0) threads.atomic_add(queue_.count(part_), number);
    for (std::uint32_t first = 0; first < number; first += k_warp_size) {
      const std::uint32_t i = first + threads.lane();
      doubles_.decide(threads, i < number, i < number ? memory_.items[i] : WaveEntry{});
    }
  }

  Memory& memory_;
  WarpDoubles& doubles_;
  const PairQueue& queue_;
  std::uint32_t part_;
  std::uint32_t kept_ = 0;
};

/// `TestLeaves` and `DecideInDouble`, where few pairs are left for doubles: each warp decides its
/// own, which takes less time than to wait for another kernel.
template <class Tests>
struct FinishFewLeaves {
  static constexpr const char* k_phase = "leaves";
  static constexpr int k_blocks_per_processor = 4;
  using Leaves = TestLeaves<Tests, true>;
  struct WarpMemory {
    typename Leaves::WarpMemory leaves;
    WarpDoubles::Memory doubles;
  };
  struct Shared {
    WarpMemory warps[k_wave_warps];
    bool last;
  };

  Leaves leaves;
  const BatchQuery* queries;
  PairQueue hard;
  FinishWaves end;

  template <class Threads>
  TANDEM_KERNEL void operator()(const Threads& threads, Shared& shared) const {
    WarpMemory& memory = shared.warps[threads.thread() / k_warp_size];
    FoundBox found(memory.leaves.found, leaves.results);
    WarpDoubles doubles(threads, memory.doubles, leaves.models, queries, leaves.results, hard,
                        found);
    DecidedBox left(memory.leaves.left, doubles, leaves.undecided,
                    QueueShare(threads, leaves.in.part_count).out_part);
    leaves.run(threads, memory.leaves, found, left);
    left.finish(threads);
    doubles.finish(threads);
    found.finish(threads);
    end.end_block(threads, shared.last, false);
  }
};

}  // namespace tandem::detail
