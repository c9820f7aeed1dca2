// The executor of kernels: threads meet as on a device, and kernels that would fail there do here.
#include "gpu/cpu_grid.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <numeric>
#include <set>
#include <vector>

namespace tandem::test {
namespace {

constexpr LaunchSize k_size{3, 96};
constexpr std::uint32_t k_count = k_size.blocks * k_size.threads;

/// Each thread writes its number.
struct Numbers {
  using Shared = detail::NothingShared;
  std::uint32_t* to;

  template <class Threads>
  void operator()(const Threads& threads, Shared&) const {
    EXPECT_EQ(threads.index(), threads.block() * k_size.threads + threads.thread());
    EXPECT_EQ(threads.lane(), threads.thread() % 32);
    EXPECT_EQ(threads.thread_count(), k_count);
    to[threads.index()] = threads.index();
  }
};

TEST(CpuGrid, EveryThreadRunsOnce) {
  std::vector<std::uint32_t> expected(k_count);
  std::iota(expected.begin(), expected.end(), 0U);
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    std::vector<std::uint32_t> numbers(k_count, 999);
    launch_on_cpu(Numbers{numbers.data()}, k_size, seed);
    EXPECT_EQ(numbers, expected) << "seed " << seed;
  }
}

/// The sums of all numbers of a block up to each thread's, by doubling steps.
struct RunningSums {
  struct Shared {
    std::uint32_t sums[k_size.threads];
  };
  std::uint32_t* numbers;
  /// Without one of the meetings, a thread may read before another has written.
  bool forgets_to_meet;

  template <class Threads>
  void operator()(const Threads& threads, Shared& shared) const {
    const std::uint32_t thread = threads.thread();
    shared.sums[thread] = numbers[threads.index()];
    for (std::uint32_t step = 1; step < k_size.threads; step *= 2) {
      threads.sync();
      const std::uint32_t before = thread >= step ? shared.sums[thread - step] : 0;
      if (!forgets_to_meet) threads.sync();
      shared.sums[thread] += before;
    }
    numbers[threads.index()] = shared.sums[thread];
  }
};

TEST(CpuGrid, ThreadsOfABlockMeetAndShareMemory) {
  std::vector<std::uint32_t> numbers(k_count);
  std::iota(numbers.begin(), numbers.end(), 1U);
  std::vector<std::uint32_t> expected = numbers;
  for (std::uint32_t block = 0; block < k_size.blocks; ++block) {
    const auto begin = expected.begin() + block * k_size.threads;
    std::partial_sum(begin, begin + k_size.threads, begin);
  }
  int wrong_count = 0;
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    std::vector<std::uint32_t> sums = numbers;
    launch_on_cpu(RunningSums{sums.data(), false}, k_size, seed);
    EXPECT_EQ(sums, expected) << "seed " << seed;
    sums = numbers;
    launch_on_cpu(RunningSums{sums.data(), true}, k_size, seed);
    wrong_count += sums != expected ? 1 : 0;
  }
  EXPECT_GT(wrong_count, 5) << "a missing meeting does not show";
}

/// Each warp gives numbers to those of its threads that want one, with one addition.
struct Tickets {
  using Shared = detail::NothingShared;
  const std::uint8_t* wants;
  std::uint32_t* next;
  std::uint32_t* tickets;

  template <class Threads>
  void operator()(const Threads& threads, Shared&) const {
    const std::uint32_t all = threads.ballot(wants[threads.index()] != 0);
    std::uint32_t first = 0;
    if (threads.lane() == 5) {
      first = threads.atomic_add(next, static_cast<std::uint32_t>(std::popcount(all)));
    }
    first = threads.shuffle(first, 5);
    const std::uint32_t below = all & ((1U << threads.lane()) - 1);
    if (wants[threads.index()] != 0) {
      tickets[threads.index()] = first + static_cast<std::uint32_t>(std::popcount(below));
    }
  }
};

TEST(CpuGrid, ThreadsOfAWarpVoteAndExchangeValues) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    detail::Random random(seed);
    std::vector<std::uint8_t> wants(k_count);
    for (std::uint8_t& each : wants) each = static_cast<std::uint8_t>(random.below(2));
    std::uint32_t next = 0;
    std::vector<std::uint32_t> tickets(k_count);
    launch_on_cpu(Tickets{wants.data(), &next, tickets.data()}, k_size, seed);
    std::set<std::uint32_t> given;
    for (std::uint32_t i = 0; i < k_count; ++i) {
      if (wants[i] == 0) continue;
      EXPECT_TRUE(given.insert(tickets[i]).second) << "seed " << seed;
    }
    EXPECT_EQ(given.size(), next) << "seed " << seed;
    ASSERT_FALSE(given.empty()) << "seed " << seed;
    EXPECT_EQ(*given.rbegin() + 1, next) << "seed " << seed;
  }
}

/// Which threads of a warp have the same number.
struct Matches {
  using Shared = detail::NothingShared;
  const std::uint32_t* numbers;
  std::uint32_t* found;

  template <class Threads>
  void operator()(const Threads& threads, Shared&) const {
    found[threads.index()] = threads.match(numbers[threads.index()]);
  }
};

TEST(CpuGrid, ThreadsOfAWarpFindThoseWithTheSameNumber) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    detail::Random random(seed);
    std::vector<std::uint32_t> numbers(k_count);
    for (std::uint32_t& each : numbers) each = static_cast<std::uint32_t>(random.below(9));
    std::vector<std::uint32_t> found(k_count);
    launch_on_cpu(Matches{numbers.data(), found.data()}, k_size, seed);
    for (std::uint32_t i = 0; i < k_count; ++i) {
      std::uint32_t expected = 0;
      for (std::uint32_t lane = 0; lane < 32; ++lane) {
        if (numbers[i / 32 * 32 + lane] == numbers[i]) expected |= 1U << lane;
      }
      ASSERT_EQ(found[i], expected) << "seed " << seed << ", thread " << i;
    }
  }
}

/// Each thread writes a number that its neighbour in the warp then reads.
struct Neighbours {
  struct Shared {
    std::uint32_t numbers[k_size.threads];
  };
  std::uint32_t* found;
  /// Without the meeting, a thread may read before its neighbour has written.
  bool forgets_to_meet;

  template <class Threads>
  void operator()(const Threads& threads, Shared& shared) const {
    EXPECT_EQ(threads.block_size(), k_size.threads);
    const std::uint32_t thread = threads.thread();
    shared.numbers[thread] = threads.index();
    if (!forgets_to_meet) threads.sync_warp();
    found[threads.index()] = shared.numbers[thread ^ 1];
  }
};

TEST(CpuGrid, ThreadsOfAWarpMeetAndShareMemory) {
  int wrong_count = 0;
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    std::vector<std::uint32_t> expected(k_count);
    for (std::uint32_t i = 0; i < k_count; ++i) expected[i] = i ^ 1;
    std::vector<std::uint32_t> found(k_count);
    launch_on_cpu(Neighbours{found.data(), false}, k_size, seed);
    EXPECT_EQ(found, expected) << "seed " << seed;
    launch_on_cpu(Neighbours{found.data(), true}, k_size, seed);
    wrong_count += found != expected ? 1 : 0;
  }
  EXPECT_EQ(wrong_count, 10) << "a missing meeting does not show";
}

/// Two threads come to each place, of one block or of two. The second of them adds what both bring.
struct Pairs {
  struct Shared {
    std::uint32_t places[k_size.threads];
  };
  bool in_block;
  std::uint32_t* places;
  std::uint32_t* sums;

  template <class Threads>
  void operator()(const Threads& threads, Shared& shared) const {
    shared.places[threads.thread()] = 0;
    threads.sync();
    const std::uint32_t index = threads.index();
    const std::uint32_t place =
        in_block ? threads.thread() / 2 : std::min(index, k_count - 1 - index);
    const std::uint32_t other = in_block ? threads.arrive_in_block(&shared.places[place], index + 1)
                                         : threads.arrive(&places[place], index + 1);
    if (other != 0) sums[in_block ? index / 2 : place] = other - 1 + index;
  }
};

TEST(CpuGrid, OfTwoThreadsTheSecondFindsTheFirst) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    for (const bool in_block : {false, true}) {
      std::vector<std::uint32_t> places(k_count);
      std::vector<std::uint32_t> sums(k_count / 2);
      launch_on_cpu(Pairs{in_block, places.data(), sums.data()}, k_size, seed);
      for (std::uint32_t i = 0; i < sums.size(); ++i) {
        EXPECT_EQ(sums[i], in_block ? 4 * i + 1 : k_count - 1) << "seed " << seed;
      }
    }
  }
}

enum class Mistake { thread_ends, votes_and_shuffles, votes_and_meets, meets_elsewhere, throws };

struct Mistaken {
  using Shared = detail::NothingShared;
  Mistake mistake;

  template <class Threads>
  void operator()(const Threads& threads, Shared&) const {
    const bool odd = threads.lane() % 2 == 1;
    switch (mistake) {
      case Mistake::thread_ends:
        if (!odd) threads.ballot(true);
        break;
      case Mistake::votes_and_shuffles:
        odd ? threads.ballot(true) : threads.shuffle(1U, 0);
        break;
      case Mistake::votes_and_meets:
        odd ? threads.sync_warp() : static_cast<void>(threads.ballot(true));
        break;
      case Mistake::meets_elsewhere:
        odd ? threads.sync() : static_cast<void>(threads.ballot(true));
        break;
      case Mistake::throws:
        if (threads.index() == 40) throw std::out_of_range("thread 40");
    }
  }
};

TEST(CpuGrid, KernelsThatADeviceWouldHangOnAreFound) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    for (const Mistake mistake : {Mistake::thread_ends, Mistake::votes_and_shuffles,
                                  Mistake::votes_and_meets, Mistake::meets_elsewhere}) {
      EXPECT_THROW(launch_on_cpu(Mistaken{mistake}, k_size, seed), KernelFault)
          << static_cast<int>(mistake) << ", seed " << seed;
    }
    EXPECT_THROW(launch_on_cpu(Mistaken{Mistake::throws}, k_size, seed), std::out_of_range);
  }
  EXPECT_THROW(launch_on_cpu(Mistaken{Mistake::throws}, {1, 33}, 1), KernelFault);
}

}  // namespace
}  // namespace tandem::test
