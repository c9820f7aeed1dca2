#include "parallel/parallel_for.h"

#include <tandem/error.h>

#include <algorithm>
#include <atomic>
#include <string>
#include <utility>
#include <vector>

#include "parallel/lock.h"

#ifdef TANDEM_HAS_TBB
#include <tbb/blocked_range.h>
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/partitioner.h>
#include <tbb/task_arena.h>
#endif
#ifdef TANDEM_SANITIZE_THREAD
#include <sanitizer/tsan_interface.h>

// What TBB itself clears and copies, in memory that it hands from thread to thread. The sanitizer's
// own library looks for this function, so it must see it.
extern "C" __attribute__((visibility("default"))) const char* __tsan_default_suppressions() {
  return "called_from_lib:libtbb.so\n";
}
#endif

namespace tandem::detail {

namespace {

#ifdef TANDEM_HAS_TBB

// The thread sanitizer does not see how TBB's threads wait for each other, as Debian's TBB is not
// built with it. These say it: what came before all pieces happened before each piece, and each
// piece before what comes after all. Pieces remain unordered among each other. Empty otherwise.
class PieceOrder {
 public:
  PieceOrder() { release(&begun_); }
  ~PieceOrder() { acquire(&done_); }
  PieceOrder(const PieceOrder&) = delete;
  PieceOrder& operator=(const PieceOrder&) = delete;

  // Lives as long as a piece.
  class Piece {
   public:
    explicit Piece(PieceOrder& order) : order_(order) { acquire(&order_.begun_); }
    ~Piece() { release(&order_.done_); }
    Piece(const Piece&) = delete;
    Piece& operator=(const Piece&) = delete;

   private:
    PieceOrder& order_;
  };

 private:
#ifdef TANDEM_SANITIZE_THREAD
  static void acquire(char* what) {
    __tsan_acquire(what);
  }
  static void release(char* what) {
    __tsan_release(what);
  }
#else
  static void acquire(char*) {}
  static void release(char*) {}
#endif
  char begun_ = 0;
  char done_ = 0;
};

// Whether this thread works for one of our arenas. What it shares with others then stays there.
thread_local bool is_in_arena = false;

class InArena {
 public:
  InArena() : before_(std::exchange(is_in_arena, true)) {}
  ~InArena() { is_in_arena = before_; }
  InArena(const InArena&) = delete;
  InArena& operator=(const InArena&) = delete;

 private:
  bool before_;
};

// TBB warns on standard error when an arena asks for more threads than it will ever have.
int arena_size(std::size_t thread_count) {
  const std::size_t most =
      tbb::global_control::active_value(tbb::global_control::max_allowed_parallelism);
  return static_cast<int>(std::min(thread_count, most));
}

// Does the pieces on several threads, those of the arena that the calling thread is in if it is in
// one, and marks those that have begun. False when the system has no
// threads to give: then all that have begun are done, and the others are left. An exception of the
// work reaches the caller.
bool on_threads(int thread_count, std::vector<unsigned char>& begun,
                FunctionRef<void(std::size_t piece)> do_piece) {
  std::atomic<bool> work_has_thrown = false;
  PieceOrder order;
  const auto do_all = [&] {
    const auto do_range = [&](const tbb::blocked_range<std::size_t>& range) {
      const InArena in_arena;
      for (std::size_t piece = range.begin(); piece < range.end(); ++piece) {
        const PieceOrder::Piece ordered(order);
        begun[piece] = 1;
        try {
          do_piece(piece);
        } catch (...) {
          work_has_thrown = true;
          throw;
        }
      }
    };
    // Pieces may take very different times: each is a task of its own.
    tbb::parallel_for(tbb::blocked_range<std::size_t>(0, begun.size(), 1), do_range,
                      tbb::simple_partitioner());
  };
  try {
    if (is_in_arena) {
      do_all();
    } else {
      tbb::task_arena arena(thread_count);
      arena.execute(do_all);
    }
  } catch (...) {
    if (work_has_thrown) throw;
    return false;
  }
  return true;
}

#endif

}  // namespace

std::size_t resolve_thread_count(int threads) {
  if (threads < 0) {
    throw Error("the number of threads is at least 0, not " + std::to_string(threads));
  }
  if (threads > 0) return static_cast<std::size_t>(threads);
  return std::max(1U, hardware_threads());
}

void parallel_for(std::size_t count, std::size_t grain, int threads,
                  FunctionRef<void(std::size_t begin, std::size_t end)> work) {
  grain = std::max<std::size_t>(grain, 1);
  const std::size_t piece_count = count / grain + (count % grain == 0 ? 0 : 1);
  [[maybe_unused]] const std::size_t thread_count =
      std::min(resolve_thread_count(threads), piece_count);
  const auto do_piece = [&](std::size_t piece) {
    const std::size_t begin = piece * grain;
    work(begin, begin + std::min(grain, count - begin));
  };
#ifdef TANDEM_HAS_TBB
  if (thread_count > 1) {
    // One byte each: no two threads write the same one.
    std::vector<unsigned char> begun(piece_count);
    if (on_threads(arena_size(thread_count), begun, do_piece)) return;
    for (std::size_t piece = 0; piece < piece_count; ++piece) {
      if (begun[piece] == 0) do_piece(piece);
    }
    return;
  }
#endif
  for (std::size_t piece = 0; piece < piece_count; ++piece) do_piece(piece);
}

void with_threads([[maybe_unused]] int threads, FunctionRef<void()> work) {
#ifdef TANDEM_HAS_TBB
  const std::size_t thread_count = resolve_thread_count(threads);
  if (thread_count > 1 && !is_in_arena) {
    tbb::task_arena arena(arena_size(thread_count));
    arena.execute([&] {
      const InArena in_arena;
      work();
    });
    return;
  }
#else
  resolve_thread_count(threads);
#endif
  work();
}

}  // namespace tandem::detail
