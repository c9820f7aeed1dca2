// What a search asks for, and how its queues lie in memory.
#pragma once

#include <tandem/batch.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "gpu/waves/counters.h"
#include "gpu/waves/queue.h"
#include "gpu/waves/results.h"

namespace tandem::detail {

/// How much memory a search begins with, and the most that its queues may take; results come on top
/// of that.
struct WaveMemory {
  std::size_t first_entries = std::size_t{1} << 20;
  std::size_t first_results = std::size_t{1} << 20;
  std::size_t most_bytes = std::size_t{8} << 30;
};

/// What launches depend on; equal keys stand for the same launches.
using WaveKey = std::array<std::uint64_t, 12>;

/// What is asked: all pairs, or, with a number for each query in the memory of the device, how many
/// there are, or whether there are any (not 0).
struct WaveQuestion {
  WaveCount* per_query = nullptr;
  bool first_only = false;
};

/// Queries that kernels make, on the device. How many there are is known there alone; those beyond
/// the room are not made.
struct MadeQueries {
  const BatchQuery* queries = nullptr;
  std::uint32_t room = 0;
  const std::uint32_t* count = nullptr;
  /// Of the launches that make them: equal keys stand for the same ones.
  std::array<std::uint64_t, 2> key = {};
};

/// How queries go down: all together in waves, level by level, or a warp each; or whichever is
/// better for so many.
enum class WaveWay : std::uint8_t { best, levels, warps };

/// A queue in the memory for so many entries. The counters are on the device: they are not read.
inline PairQueue queue_in(std::uint32_t* numbers, const WaveRooms& rooms, WaveCounters& counters,
                          int number) {
  constexpr std::size_t k_numbers = PairQueue::k_numbers_per_entry * PairQueue::k_most_parts;
  const std::size_t after_pairs = 2 * k_numbers * rooms.pairs;
  if (number == k_undecided_queue) {
    return {numbers + after_pairs, counters.queue[number], rooms.undecided};
  }
  if (number == k_hard_queue) {
    return {numbers + after_pairs + k_numbers * rooms.undecided, counters.queue[number],
            rooms.hard};
  }
  return {numbers + (number % 2 == 0 ? 0 : k_numbers * rooms.pairs), counters.queue[number],
          rooms.pairs};
}

}  // namespace tandem::detail
