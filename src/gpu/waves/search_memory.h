// The memory of a search in waves. It grows as searches need it, and the next search has it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

#include "gpu/waves/counters.h"
#include "gpu/waves/memory.h"
#include "gpu/waves/queue.h"
#include "gpu/waves/results.h"

namespace tandem::detail {

/// `On` owns the arrays, as `WaveSearch` says.
template <class On>
class SearchMemory {
 public:
  explicit SearchMemory(const WaveMemory& limits) : limits_(limits) {}

  const WaveMemory& limits() const { return limits_; }

  /// What every search needs.
  void reserve_counters(On& on) {
    if (counters_) return;
    counters_.emplace(on.template zeros<WaveCounters>(1));
    summary_.emplace(on.template zeros<WaveSummary>(1));
    report_.emplace(on.template seen_by_host<WaveReport>());
  }
  /// Queues as large as the caller wants them at first, or less where that may not be as much;
  /// without room for `pairs` if warps search. False if they may have no room at all.
  bool reserve_first_queues(On& on, bool pairs) {
    const WaveRooms of_eight(8, 2, 1);
    const std::size_t most = limits_.most_bytes / (of_eight.entries() * k_entry_bytes);
    const std::size_t wanted = limits_.first_entries / PairQueue::k_most_parts;
    const auto room = static_cast<std::uint32_t>(std::min(wanted, 8 * most));
    const WaveRooms first{pairs ? room : 0, room / 4, room / 8};
    return (queues_ && rooms_.hold(first)) || reserve_queues(on, first);
  }
  /// False if that were too much, or nothing.
  bool reserve_queues(On& on, const WaveRooms& needed) {
    const WaveRooms rooms = rooms_.joined(needed);
    if (rooms.entries() == 0 || rooms.entries() * k_entry_bytes > limits_.most_bytes) return false;
    reserve_numbers(on, rooms.entries() * PairQueue::k_numbers_per_entry);
    rooms_ = rooms;
    ++generation_;
    return true;
  }
  /// Memory for all queues.
  void reserve_numbers(On& on, std::size_t count) {
    if (count <= number_room_) return;
    queues_.reset();
    number_room_ = 0;
    queues_.emplace(on.template array<std::uint32_t>(count));
    number_room_ = count;
    ++generation_;
  }
  void reserve_frames(On& on, std::size_t bytes, std::size_t start_count) {
    if (bytes <= frame_bytes_ && start_count <= start_room_) return;
    frames_.reset();
    starts_.reset();
    frame_bytes_ = std::max(bytes, frame_bytes_);
    start_room_ = std::max(start_count, start_room_);
    frames_.emplace(on.template array<std::byte>(frame_bytes_));
    starts_.emplace(on.template array<std::uint32_t>(start_room_));
    ++generation_;
  }
  /// Keeps the first results, `kept` of them.
  void reserve_results(On& on, std::size_t room, std::size_t kept) {
    if (room <= result_room_) return;
    Array<FoundPair> larger = on.template array<FoundPair>(room);
    if (kept > 0) on.copy_now(results_->data(), larger.data(), kept);
    results_.reset();
    results_.emplace(std::move(larger));
    result_room_ = room;
    ++generation_;
  }

  WaveCounters* counters() const { return counters_->data(); }
  WaveSummary* summary() const { return summary_->data(); }
  WaveReport* report() const { return report_->data(); }
  std::uint32_t* starts() const { return starts_->data(); }
  template <class Frame>
  Frame* frames() const {
    return reinterpret_cast<Frame*>(frames_->data());
  }
  std::uint32_t* numbers() const { return queues_->data(); }
  const WaveRooms& rooms() const { return rooms_; }
  PairQueue queue(int number) const {
    return queues_ ? queue_in(numbers(), rooms_, *counters(), number) : PairQueue{};
  }
  /// Null as long as there is no room.
  FoundPair* results() const { return results_ ? results_->data() : nullptr; }
  std::size_t result_room() const { return result_room_; }

  /// Another one whenever some of the memory moves.
  std::uint64_t generation() const { return generation_; }
  std::size_t bytes() const {
    return number_room_ * sizeof(std::uint32_t) + result_room_ * sizeof(FoundPair) + frame_bytes_ +
           start_room_ * sizeof(std::uint32_t) + sizeof(WaveCounters);
  }

  static constexpr std::size_t k_entry_bytes =
      PairQueue::k_numbers_per_entry * sizeof(std::uint32_t);

 private:
  template <class T>
  using Array = decltype(std::declval<On>().template array<T>(0));

  WaveMemory limits_;
  std::optional<Array<WaveCounters>> counters_;
  std::optional<Array<WaveSummary>> summary_;
  std::optional<decltype(std::declval<On>().template seen_by_host<WaveReport>())> report_;
  std::optional<Array<std::byte>> frames_;
  std::optional<Array<std::uint32_t>> starts_;
  std::size_t frame_bytes_ = 0;
  std::size_t start_room_ = 0;
  std::optional<Array<std::uint32_t>> queues_;
  std::size_t number_room_ = 0;
  WaveRooms rooms_;
  std::optional<Array<FoundPair>> results_;
  std::size_t result_room_ = 0;
  std::uint64_t generation_ = 0;
};

}  // namespace tandem::detail
