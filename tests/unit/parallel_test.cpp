// parallel_for: nothing, one piece, many pieces; exceptions; calls within calls; no threads.
#include "parallel/parallel_for.h"

#include <dlfcn.h>
#include <gtest/gtest.h>
#include <pthread.h>
#include <tandem/error.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <limits>
#include <mutex>
#include <set>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

// Sanitizers have a pthread_create of their own, which must not be replaced.
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define TANDEM_TEST_SANITIZED
#endif
#endif
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) && \
    !defined(TANDEM_TEST_SANITIZED)
#define TANDEM_TEST_WITHOUT_THREADS
#endif

#ifdef TANDEM_TEST_WITHOUT_THREADS

namespace {
std::atomic<bool> no_more_threads = false;
}

/// Stands in for that of the C library: a system that has no threads to give.
extern "C" int pthread_create(pthread_t* thread, const pthread_attr_t* attributes,
                              void* (*routine)(void*), void* argument) noexcept {
  if (no_more_threads) return EAGAIN;
  static const auto k_create =
      reinterpret_cast<decltype(&pthread_create)>(dlsym(RTLD_NEXT, "pthread_create"));
  return k_create(thread, attributes, routine, argument);
}

#endif

namespace tandem {
namespace {

using detail::parallel_for;
using detail::resolve_thread_count;

using Pieces = std::set<std::pair<std::size_t, std::size_t>>;

// The pieces for which the work was called; fails when one comes twice.
Pieces pieces_of(std::size_t count, std::size_t grain, int threads) {
  Pieces pieces;
  std::mutex mutex;
  parallel_for(count, grain, threads, [&](std::size_t begin, std::size_t end) {
    const std::lock_guard lock(mutex);
    EXPECT_TRUE(pieces.emplace(begin, end).second) << begin << " to " << end;
  });
  return pieces;
}

TEST(ParallelFor, NothingToDoCallsNothing) {
  for (const int threads : {0, 1, 2, 7}) {
    for (const std::size_t grain : {0, 1, 100}) EXPECT_TRUE(pieces_of(0, grain, threads).empty());
  }
}

TEST(ParallelFor, EveryIndexOnceInPiecesThatDoNotDependOnThreads) {
  for (const std::size_t count : {1, 2, 3, 63, 64, 65, 1000}) {
    for (const std::size_t grain : {0, 1, 2, 7, 64, 999, 1000, 5000}) {
      Pieces expected;
      const std::size_t step = std::max<std::size_t>(grain, 1);
      for (std::size_t begin = 0; begin < count; begin += step) {
        expected.emplace(begin, std::min(begin + step, count));
      }
      for (const int threads : {0, 1, 2, 3, 8}) {
        EXPECT_EQ(pieces_of(count, grain, threads), expected)
            << count << " items, grain " << grain << ", " << threads << " threads";
      }
    }
  }
}

TEST(ParallelFor, TheLargestGrainIsOnePiece) {
  constexpr std::size_t k_most = std::numeric_limits<std::size_t>::max();
  EXPECT_EQ(pieces_of(10, k_most, 0), (Pieces{{0, 10}}));
  EXPECT_EQ(pieces_of(k_most, k_most, 2), (Pieces{{0, k_most}}));
  EXPECT_EQ(pieces_of(k_most, k_most - 1, 2), (Pieces{{0, k_most - 1}, {k_most - 1, k_most}}));
}

TEST(ParallelFor, ResultsArePlainlyVisibleAfterwards) {
  std::vector<std::size_t> squares(10'000);
  parallel_for(squares.size(), 16, 4, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) squares[i] = i * i;
  });
  for (std::size_t i = 0; i < squares.size(); ++i) ASSERT_EQ(squares[i], i * i);
}

TEST(ParallelFor, OneThreadIsTheCallersAndTakesThePiecesInOrder) {
  const std::thread::id caller = std::this_thread::get_id();
  std::vector<std::size_t> begins;
  parallel_for(100, 10, 1, [&](std::size_t begin, std::size_t) {
    EXPECT_EQ(std::this_thread::get_id(), caller);
    begins.push_back(begin);
  });
  EXPECT_EQ(begins, (std::vector<std::size_t>{0, 10, 20, 30, 40, 50, 60, 70, 80, 90}));
}

TEST(ParallelFor, NoMoreThreadsThanAskedFor) {
  for (const int threads : {1, 2, 3}) {
    std::set<std::thread::id> seen;
    std::mutex mutex;
    parallel_for(2000, 1, threads, [&](std::size_t, std::size_t) {
      const std::lock_guard lock(mutex);
      seen.insert(std::this_thread::get_id());
    });
    EXPECT_LE(seen.size(), static_cast<std::size_t>(threads));
  }
}

TEST(WithThreads, CallsWithinShareItsThreadsAndNoMore) {
  for (const int threads : {1, 2, 3}) {
    const std::thread::id caller = std::this_thread::get_id();
    std::set<std::thread::id> seen;
    std::mutex mutex;
    std::atomic<int> pieces = 0;
    detail::with_threads(threads, [&] {
      EXPECT_EQ(std::this_thread::get_id(), caller);
      for (int i = 0; i < 20; ++i) {
        parallel_for(10, 1, threads, [&](std::size_t, std::size_t) {
          parallel_for(10, 1, 8, [&](std::size_t, std::size_t) {
            ++pieces;
            const std::lock_guard lock(mutex);
            seen.insert(std::this_thread::get_id());
          });
        });
      }
      // One thread is the caller's, here too.
      parallel_for(10, 1, 1, [&](std::size_t, std::size_t) {
        EXPECT_EQ(std::this_thread::get_id(), caller);
      });
    });
    EXPECT_EQ(pieces, 2000);
    // Where nothing was shared, the calls within have threads of their own.
    if (threads > 1) {
      EXPECT_LE(seen.size(), static_cast<std::size_t>(threads));
    }
  }
}

TEST(WithThreads, ExceptionsAndWrongNumbersReachTheCaller) {
  for (const int threads : {0, 1, 2}) {
    EXPECT_THROW(detail::with_threads(threads, [] { throw std::runtime_error("no luck"); }),
                 std::runtime_error);
  }
  EXPECT_THROW(detail::with_threads(-1, [] {}), Error);
}

TEST(ParallelFor, ExceptionsReachTheCaller) {
  for (const int threads : {0, 1, 2, 5}) {
    const auto fails_at = [&](std::size_t failing) {
      parallel_for(500, 3, threads, [&](std::size_t begin, std::size_t end) {
        if (begin <= failing && failing < end) throw std::runtime_error("no luck");
      });
    };
    for (const std::size_t failing : {0, 250, 499}) {
      EXPECT_THROW(fails_at(failing), std::runtime_error) << failing << ", " << threads;
    }
    EXPECT_NO_THROW(fails_at(500));
    const auto all_fail = [&] {
      parallel_for(500, 1, threads, [](std::size_t, std::size_t) { throw Error("all of them"); });
    };
    EXPECT_THROW(all_fail(), Error);
  }
}

TEST(ParallelFor, WorkMayCallItAgain) {
  for (const int outer : {0, 1, 2, 4}) {
    for (const int inner : {0, 1, 3}) {
      std::atomic<std::size_t> sum = 0;
      parallel_for(20, 2, outer, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
          parallel_for(30, 4, inner,
                       [&](std::size_t first, std::size_t last) { sum += last - first; });
        }
      });
      EXPECT_EQ(sum, 600U) << outer << " and " << inner << " threads";
    }
  }
}

TEST(ParallelFor, SeveralCallersAtOnce) {
  std::atomic<std::size_t> sum = 0;
  {
    std::vector<std::jthread> callers;
    for (int i = 0; i < 4; ++i) {
      callers.emplace_back([&] {
        parallel_for(1000, 10, 2, [&](std::size_t begin, std::size_t end) { sum += end - begin; });
      });
    }
  }
  EXPECT_EQ(sum, 4000U);
}

#ifdef TANDEM_TEST_WITHOUT_THREADS

TEST(ParallelFor, WithoutMoreThreadsTheCallerDoesTheWork) {
  // Alone in its process, as under ctest, this is where the first thread would be made.
  no_more_threads = true;
  for (const int threads : {2, 3, 0}) {
    std::set<std::thread::id> seen;
    std::mutex mutex;
    std::vector<int> times(3000);
    parallel_for(times.size(), 1, threads, [&](std::size_t begin, std::size_t end) {
      const std::lock_guard lock(mutex);
      seen.insert(std::this_thread::get_id());
      for (std::size_t i = begin; i < end; ++i) ++times[i];
    });
    EXPECT_EQ(times, std::vector<int>(times.size(), 1)) << threads;
    EXPECT_GE(seen.size(), 1U);
    // What the work throws is still the caller's.
    const auto fails = [&] {
      parallel_for(500, 1, threads, [](std::size_t, std::size_t) { throw Error("no luck"); });
    };
    EXPECT_THROW(fails(), Error);
  }
  no_more_threads = false;
}

#endif

TEST(ParallelFor, NegativeThreadCountsAreRefused) {
  const auto refused = [](int threads) {
    try {
      parallel_for(0, 1, threads, [](std::size_t, std::size_t) {});
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(refused(-3), "the number of threads is at least 0, not -3");
  EXPECT_EQ(refused(1), "");
  EXPECT_THROW(resolve_thread_count(-1), Error);
  EXPECT_GE(resolve_thread_count(0), 1U);
  EXPECT_EQ(resolve_thread_count(5), 5U);
}

/// Each index once, and no piece of a phase before all of the phase before; phases may be empty.
TEST(ParallelPhases, ComeOneAfterTheOther) {
  for (const int threads : {1, 2, 3, 8}) {
    for (const std::size_t grain : {0, 1, 7, 100}) {
      const auto count = [](std::size_t phase) { return phase % 5 == 3 ? 0 : 1 + 13 * phase % 50; };
      constexpr std::size_t k_phases = 300;
      std::vector<std::vector<int>> done(k_phases);
      for (std::size_t phase = 0; phase < k_phases; ++phase) done[phase].resize(count(phase));
      std::atomic<int> wrong = 0;
      detail::parallel_phases(k_phases, grain, threads, count,
                              [&](std::size_t phase, std::size_t begin, std::size_t end) {
                                // No locks: what threads wrote in the phase before must be there.
                                if (phase > 0) {
                                  for (const int times : done[phase - 1])
                                    wrong += times == 1 ? 0 : 1;
                                }
                                for (std::size_t i = begin; i < end; ++i) ++done[phase][i];
                              });
      EXPECT_EQ(wrong, 0) << threads << " threads, grain " << grain;
      for (const int times : done.back()) EXPECT_EQ(times, 1);
    }
  }
  detail::parallel_phases(
      0, 1, 4, [](std::size_t) { return std::size_t{1}; },
      [](std::size_t, std::size_t, std::size_t) { FAIL(); });
  detail::parallel_phases(
      9, 1, 4, [](std::size_t) { return std::size_t{0}; },
      [](std::size_t, std::size_t, std::size_t) { FAIL(); });
}

TEST(ParallelPhases, PassOnAnExceptionAndBeginNothingAfterIt) {
  for (const int threads : {1, 4}) {
    std::atomic<std::size_t> latest = 0;
    const auto run = [&] {
      detail::parallel_phases(
          50, 1, threads, [](std::size_t) { return std::size_t{8}; },
          [&](std::size_t phase, std::size_t begin, std::size_t) {
            latest = std::max(latest.load(), phase);
            if (phase == 20 && begin == 3) throw std::runtime_error("phase 20");
          });
    };
    EXPECT_THROW(run(), std::runtime_error);
    EXPECT_EQ(latest, 20u) << threads << " threads";
  }
}

}  // namespace
}  // namespace tandem
