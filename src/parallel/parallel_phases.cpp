// Phases one after the other, each shared among threads. Nothing but atomic numbers orders them,
// which the thread sanitizer sees in this file.
#include <algorithm>
#include <atomic>
#include <cstdint>
#include <exception>

#include "parallel/lock.h"
#include "parallel/parallel_for.h"

namespace tandem::detail {

namespace {

/// Phases whose pieces any number of threads share. Each thread that joins stays until all phases
/// are done; one alone does everything, so that none ever waits for one that has not joined.
class Phases {
 public:
  Phases(std::size_t phases, std::size_t grain, FunctionRef<std::size_t(std::size_t)> count,
         FunctionRef<void(std::size_t, std::size_t, std::size_t)> work)
      : phases_(phases), grain_(grain), count_(count), work_(work) {
    begin_phase(0);
  }

  void join() {
    for (std::size_t phase = 0; phase < phases_;) {
      const Ticket ticket = next_.fetch_add(1, std::memory_order_acq_rel);
      phase = static_cast<std::size_t>(ticket / k_pieces);
      if (phase >= phases_) return;
      if (!do_piece(phase, static_cast<std::size_t>(ticket % k_pieces))) wait_for(phase + 1);
    }
  }

  /// When all are done.
  void rethrow() const {
    if (thrown_) std::rethrow_exception(thrown_);
  }

 private:
  /// The phase times `k_pieces` plus a piece. Threads that come too late for a phase take numbers
  /// beyond its last piece; they are fewer than the rest of the numbers.
  using Ticket = std::uint64_t;
  static constexpr Ticket k_pieces = Ticket{1} << 40;

  std::size_t pieces_of(std::size_t phase) const { return (count_(phase) + grain_ - 1) / grain_; }

  /// Skips phases without pieces.
  void begin_phase(std::size_t phase) {
    while (phase < phases_ && pieces_of(phase) == 0) ++phase;
    left_.store(phase < phases_ ? pieces_of(phase) : 0, std::memory_order_relaxed);
    next_.store(phase * k_pieces, std::memory_order_release);
  }

  /// False where the phase has no such piece.
  bool do_piece(std::size_t phase, std::size_t piece) {
    const std::size_t size = count_(phase);
    const std::size_t begin = piece * grain_;
    if (begin >= size) return false;
    try {
      if (!has_thrown_) work_(phase, begin, begin + std::min(grain_, size - begin));
    } catch (...) {
      if (!has_thrown_.exchange(true)) thrown_ = std::current_exception();
    }
    if (left_.fetch_sub(1, std::memory_order_acq_rel) == 1) begin_phase(phase + 1);
    return true;
  }

  void wait_for(std::size_t phase) const {
    // Others need this long for a piece, unless there are fewer processors than threads.
    constexpr int k_patience = 2000;
    for (int i = 0; next_.load(std::memory_order_acquire) < phase * k_pieces; ++i) {
      if (i > k_patience) yield_thread();
    }
  }

  std::size_t phases_;
  std::size_t grain_;
  FunctionRef<std::size_t(std::size_t)> count_;
  FunctionRef<void(std::size_t, std::size_t, std::size_t)> work_;
  /// Apart, as threads write the one all the time and the other when a piece is done.
  alignas(64) std::atomic<Ticket> next_ = 0;
  alignas(64) std::atomic<std::size_t> left_ = 0;
  std::atomic<bool> has_thrown_ = false;
  std::exception_ptr thrown_;
};

}  // namespace

void parallel_phases(
    std::size_t phases, std::size_t grain, int threads,
    FunctionRef<std::size_t(std::size_t phase)> count,
    FunctionRef<void(std::size_t phase, std::size_t begin, std::size_t end)> work) {
  Phases all(phases, std::max<std::size_t>(grain, 1), count, work);
  parallel_for(resolve_thread_count(threads), 1, threads,
               [&](std::size_t, std::size_t) { all.join(); });
  all.rethrow();
}

}  // namespace tandem::detail
