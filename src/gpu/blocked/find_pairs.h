// Finds touching triangles by blocked hierarchies: all steps in order (figure 5 of the paper).
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "gpu/blocked/kernels.h"
#include "gpu/growing_array.h"

namespace tandem::detail {

/// The memory of flags and of their sums.
template <class On, class Flags>
class FlagMemory {
 public:
  /// So many flags, of which nothing is set or known.
  Flags flags(On& on, std::uint32_t flag_count) {
    const std::size_t count = std::size_t{Flags::word_count(flag_count)} + 1;
    words_.make_room(on, count);
    sums_.make_room(on, count);
    return {words_.data(), sums_.data()};
  }
  std::size_t bytes() const { return words_.bytes() + sums_.bytes(); }

 private:
  GrowingArray<On, typename Flags::Word> words_;
  GrowingArray<On, std::uint32_t> sums_;
};

/// The memory of queries, kept for the next: it grows to what the largest one has needed.
template <class On, class Flags>
struct BlockedMemory {
  GrowingArray<On, BlockedFrame> frames;
  /// Of this level and of the next.
  GrowingArray<On, BlockPair> pairs[2];
  GrowingArray<On, LeafCandidate> candidates;
  GrowingArray<On, FoundPair> found;
  FlagMemory<On, Flags> inner;
  FlagMemory<On, Flags> leaves;
  FlagMemory<On, BitFlags> touching;

  std::size_t bytes() const {
    return frames.bytes() + pairs[0].bytes() + pairs[1].bytes() + candidates.bytes() +
           found.bytes() + inner.bytes() + leaves.bytes() + touching.bytes();
  }
};

/// The steps of a query, for profiles.
enum class BlockedStep : std::uint8_t { begin, boxes, sums, collect, triangles };

/// Runs the steps and nothing else. Others also measure them: `items` are what a step goes through,
/// `bytes` what it reads and writes.
struct UnmeasuredSteps {
  template <class Work>
  void run(BlockedStep, int /*level*/, std::uint64_t /*items*/, std::uint64_t /*bytes*/,
           const Work& work) {
    work();
  }
};

/// `On` is as in gpu/build.h and gpu/growing_array.h, with
///
///   on.sums_before(words, to, count, number_of)    sums of what `number_of(word)` says
///   on.read(pointers)                              waits, and returns the numbers there
///
/// V is the volume of the nodes, Flags how flags of pairs of nodes are stored, Test the triangle
/// test.
template <class On, class V, class Flags, class Test, class Steps = UnmeasuredSteps>
class BlockedFinder {
 public:
  /// What is flagged at once is limited, so that no number of flags exceeds 32 bits and their
  /// memory stays small: pairs of blocks, and sixteen times as many pairs of triangles.
  static constexpr std::uint32_t k_most_at_once = std::uint32_t{1} << 22;

  /// `most_at_once` may be less than that, for tests; 0 stands for it.
  BlockedFinder(On& on, const BlockedForestView& forest, BlockedMemory<On, Flags>& memory,
                std::uint32_t most_at_once = 0, Steps steps = {})
      : on_(on),
        scene_{forest, nullptr, nullptr},
        memory_(memory),
        most_at_once_(most_at_once == 0 ? k_most_at_once : std::min(most_at_once, k_most_at_once)),
        steps_(steps) {}

  /// All pairs of queries on the device. They are there until the memory is used again.
  cuda::FoundPairs find(const BatchQuery* queries, std::uint32_t query_count) {
    if (query_count == 0) return {};
    begin(queries, query_count);
    std::size_t pair_count = query_count;
    int level = 0;
    for (; pair_count > 0; ++level) {
      pair_count = test_level(level, pair_count);
      now_ = 1 - now_;
    }
    const std::uint64_t found_count = test_triangles(level);
    return {memory_.found.data(), found_count};
  }

 private:
  void begin(const BatchQuery* queries, std::uint32_t count) {
    memory_.frames.make_room(on_, count);
    memory_.pairs[now_].make_room(on_, count);
    scene_.queries = queries;
    scene_.frames = memory_.frames.data();
    candidate_count_ = 0;
    const std::uint64_t bytes =
        sizeof(BatchQuery) + 2 * sizeof(BlockedRoot) + sizeof(BlockedFrame) + sizeof(BlockPair);
    steps_.run(BlockedStep::begin, 0, count, count * bytes, [&] {
      on_.launch(BeginQueries{scene_.forest, queries, count, memory_.frames.data(),
                              memory_.pairs[now_].data()},
                 count);
    });
  }

  /// Tests the pairs of blocks of a level. Returns how many there are for the next, which are then
  /// in the other array.
  std::size_t test_level(int level, std::size_t pair_count) {
    std::size_t next_count = 0;
    for (std::size_t first = 0; first < pair_count; first += most_at_once_) {
      const auto count =
          static_cast<std::uint32_t>(std::min<std::size_t>(most_at_once_, pair_count - first));
      const BlockPair* const pairs = memory_.pairs[now_].data() + first;
      const std::uint32_t flag_count = count * k_pairs_in_blocks;
      const Flags inner = memory_.inner.flags(on_, flag_count);
      const Flags leaves = memory_.leaves.flags(on_, flag_count);
      const std::uint64_t word_bytes = bytes_of<Flags>(flag_count);
      // Each pair of blocks is read whole, with the frame of its query.
      constexpr std::uint64_t k_pair_bytes =
          sizeof(BlockPair) + sizeof(BlockedFrame) +
          2 * std::uint64_t{k_blocked_nodes} * V::k_quads * sizeof(NodeQuad);
      steps_.run(BlockedStep::boxes, level, count, count * k_pair_bytes + 2 * word_bytes, [&] {
        on_.launch(TestBlocks<V, Flags>{scene_, pairs, count, inner, leaves},
                   flag_count + k_warp_size);
      });
      const std::array<std::uint32_t, 2> more =
          add_up(level, std::array{inner, leaves}, flag_count);
      memory_.pairs[1 - now_].make_room(on_, next_count + more[0], next_count);
      memory_.candidates.make_room(on_, candidate_count_ + more[1], candidate_count_);
      // Of each flag its word, and of those that are set the sum, the pair and the two links.
      constexpr std::uint64_t k_set_bytes =
          sizeof(std::uint32_t) + 2 * sizeof(BlockPair) + 4 * sizeof(std::uint64_t);
      if (more[0] > 0) {
        BlockPair* const to = memory_.pairs[1 - now_].data() + next_count;
        steps_.run(BlockedStep::collect, level, more[0], word_bytes + more[0] * k_set_bytes, [&] {
          on_.launch(CollectPairs<V, Flags, BlockPair>{scene_, pairs, count, inner, to},
                     flag_count);
        });
      }
      if (more[1] > 0) {
        LeafCandidate* const to = memory_.candidates.data() + candidate_count_;
        steps_.run(BlockedStep::collect, level, more[1], word_bytes + more[1] * k_set_bytes, [&] {
          on_.launch(CollectPairs<V, Flags, LeafCandidate>{scene_, pairs, count, leaves, to},
                     flag_count);
        });
      }
      next_count += more[0];
      candidate_count_ += more[1];
    }
    return next_count;
  }

  /// Tests all pairs of triangles. Returns how many touch.
  std::uint64_t test_triangles(int level) {
    const std::size_t most = std::size_t{most_at_once_} * k_pairs_in_blocks;
    std::size_t found_count = 0;
    for (std::size_t first = 0; first < candidate_count_; first += most) {
      const auto count = static_cast<std::uint32_t>(std::min(most, candidate_count_ - first));
      const LeafCandidate* const candidates = memory_.candidates.data() + first;
      const BitFlags touching = memory_.touching.flags(on_, count);
      const std::uint64_t word_bytes = bytes_of<BitFlags>(count);
      constexpr std::uint64_t k_bytes =
          sizeof(LeafCandidate) + sizeof(BatchQuery) + 2 * sizeof(BlockedTriangle);
      steps_.run(BlockedStep::triangles, level, count, count * k_bytes + word_bytes, [&] {
        on_.launch(TestBlockedLeaves<Test>{scene_, candidates, count, touching},
                   count + k_warp_size);
      });
      const std::uint32_t more = add_up(level, std::array{touching}, count)[0];
      if (more == 0) continue;
      memory_.found.make_room(on_, found_count + more, found_count);
      FoundPair* const to = memory_.found.data() + found_count;
      const std::uint64_t set_bytes = sizeof(std::uint32_t) + sizeof(LeafCandidate) +
                                      2 * sizeof(std::uint32_t) + sizeof(FoundPair);
      steps_.run(BlockedStep::collect, level, more, word_bytes + more * set_bytes, [&] {
        on_.launch(CollectFound{scene_, candidates, count, touching, to}, count);
      });
      found_count += more;
    }
    return found_count;
  }

  template <class Array>
  static std::uint64_t bytes_of(std::uint32_t flag_count) {
    return sizeof(typename Array::Word) * std::uint64_t{Array::word_count(flag_count)};
  }

  /// The prefix sums of one or two arrays of flags; returns how many are set.
  template <class Array, std::size_t count>
  std::array<std::uint32_t, count> add_up(int level, const std::array<Array, count>& arrays,
                                          std::uint32_t flag_count) {
    const std::uint32_t words = Array::word_count(flag_count);
    std::array<const std::uint32_t*, count> totals;
    const std::uint64_t bytes =
        count * (bytes_of<Array>(flag_count) + std::uint64_t{words} * sizeof(std::uint32_t));
    steps_.run(BlockedStep::sums, level, count * std::uint64_t{words}, bytes, [&] {
      for (std::size_t i = 0; i < count; ++i) {
        on_.sums_before(arrays[i].words, arrays[i].sums, words + 1, FlagCount());
        totals[i] = arrays[i].sums + words;
      }
    });
    return on_.read(totals);
  }

  On& on_;
  BlockedScene scene_;
  BlockedMemory<On, Flags>& memory_;
  std::uint32_t most_at_once_;
  Steps steps_;
  /// Which array has the pairs of this level.
  int now_ = 0;
  std::size_t candidate_count_ = 0;
};

}  // namespace tandem::detail
