// Queues of pairs between kernels.
#pragma once

#include <tandem/host_device.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "gpu/kernel.h"
#include "gpu/warp.h"

namespace tandem::detail {

/// Two blocks, leaves or triangle slots of a query's models.
struct WaveEntry {
  std::uint32_t query;
  std::uint32_t a;
  std::uint32_t b;
};

/// In several parts, each with a counter of its own: warps that append to one counter would wait
/// for each other. A counter goes on where its part has no more room, so that it tells how much
/// would have been needed.
struct PairQueue {
  /// The most parts of a queue. Counters are in cache lines of their own.
  static constexpr std::uint32_t k_most_parts = 16;
  static constexpr std::uint32_t k_count_stride = 32;
  static constexpr std::size_t k_numbers_per_entry = 3;

  /// Part i has its queries at 3 i part_room, then its a, then its b.
  std::uint32_t* numbers = nullptr;
  std::uint32_t* counts = nullptr;
  std::uint32_t part_room = 0;
  std::uint32_t part_count = k_most_parts;

  TANDEM_KERNEL std::uint32_t* count(std::uint32_t part) const {
    return counts + std::size_t{k_count_stride} * part;
  }
  /// How many entries of a part are there to read.
  TANDEM_KERNEL std::uint32_t size(std::uint32_t part) const {
    return std::min(load_fresh(count(part)), part_room);
  }
  TANDEM_KERNEL WaveEntry load(std::uint32_t part, std::uint32_t place) const {
    const std::uint32_t* const from = first(part) + place;
    return {load_fresh(from), load_fresh(from + part_room),
            load_fresh(from + std::size_t{2} * part_room)};
  }
  /// An entry that may not be there: for threads that do not wait until they know.
  TANDEM_KERNEL WaveEntry load_early(std::uint32_t part, std::uint32_t place) const {
    return place < part_room ? load(part, place) : WaveEntry{};
  }
  /// Does nothing where there is no room.
  TANDEM_KERNEL void store(std::uint32_t part, std::uint32_t place, const WaveEntry& entry) const {
    if (place >= part_room) return;
    std::uint32_t* const to = first(part) + place;
    to[0] = entry.query;
    to[part_room] = entry.a;
    to[std::size_t{2} * part_room] = entry.b;
  }
  /// Takes places for the threads of a warp in a part; all of them call it. The first place.
  template <class Threads>
  TANDEM_KERNEL std::uint32_t take_places(const Threads& threads, std::uint32_t part,
                                          std::uint32_t number) const {
    std::uint32_t place = 0;
    if (threads.lane() == 0) place = threads.atomic_add(count(part), number);
    return threads.shuffle(place, 0);
  }

 private:
  TANDEM_KERNEL std::uint32_t* first(std::uint32_t part) const {
    return numbers + k_numbers_per_entry * part_room * part;
  }
};

/// How the threads of a grid share the parts of a queue: each block reads one part, together with
/// others, and its warps append to different parts. The number of blocks is a multiple of that of
/// parts.
struct QueueShare {
  std::uint32_t part;
  /// Of all blocks that read the part: the place of this one, and how many threads they have.
  std::uint32_t block;
  std::uint32_t thread_count;
  std::uint32_t out_part;

  template <class Threads>
  TANDEM_KERNEL QueueShare(const Threads& threads, std::uint32_t part_count)
      : part(threads.block() % part_count),
        block(threads.block() / part_count),
        thread_count(threads.thread_count() / part_count),
        out_part((threads.index() / k_warp_size) % part_count) {}
};

/// What a warp is to append to a queue, kept until it is worth an atomic operation. The number that
/// is kept is the same in all lanes.
template <class Item, std::uint32_t k_room>
struct WarpOutbox {
  Item items[k_room];

  /// All threads of the warp call it; `flush(count)` is called with what is kept when there may be
  /// no more room.
  template <class Threads, class Flush>
  TANDEM_KERNEL void add(const Threads& threads, bool keeps, const Item& item, std::uint32_t* kept,
                         const Flush& flush) {
    const std::uint32_t all = threads.ballot(keeps);
    if (all == 0) return;
    if (keeps) items[*kept + count_bits(all & lanes_before(threads.lane()))] = item;
    *kept += count_bits(all);
    if (*kept + k_warp_size <= k_room) return;
    threads.sync_warp();
    flush(*kept);
    threads.sync_warp();
    *kept = 0;
  }
  /// At the end.
  template <class Threads, class Flush>
  TANDEM_KERNEL void finish(const Threads& threads, std::uint32_t kept, const Flush& flush) {
    if (kept == 0) return;
    threads.sync_warp();
    flush(kept);
  }
};

}  // namespace tandem::detail
