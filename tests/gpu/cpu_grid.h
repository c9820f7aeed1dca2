// Runs kernels (src/gpu/kernel.h) on the CPU, for tests: every thread of a block is a fiber.
// Between two points at which threads meet, they run one after the other in a random order, so that
// what depends on the order shows.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <vector>

#include "gpu/kernel.h"
#include "math/random.h"

namespace tandem::test {

/// A kernel that a device would hang on, or give any answer for.
class KernelFault : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

struct LaunchSize {
  std::uint32_t blocks;
  /// Of each block: a multiple of 32.
  std::uint32_t threads;
};

/// The threads of one block, one after the other.
class CpuBlock {
 public:
  CpuBlock(std::uint32_t thread_count, std::uint64_t seed);
  ~CpuBlock();
  CpuBlock(const CpuBlock&) = delete;
  CpuBlock& operator=(const CpuBlock&) = delete;

  /// Calls `body(i)` for each thread, until all have returned. Throws what a body throws, or a
  /// `KernelFault`.
  void run(const std::function<void(std::uint32_t)>& body);

  // For the thread that runs.

  void sync();
  enum class Meeting : std::uint8_t { ballot, match, shuffle, sync };
  /// Waits for the other threads of the warp; what each of the 32 has brought.
  const std::uint64_t* meet_warp(Meeting meeting, std::uint64_t brought);
  std::uint32_t current() const { return current_; }

 private:
  struct Thread;
  struct Warp;
  enum class Waits : std::uint8_t { no, for_warp, for_block, ended };

  static void begin_thread();
  void resume(std::uint32_t thread);
  void pause(Waits waits);
  void release_warp(std::uint32_t warp);
  void release_block();

  std::vector<Thread> threads_;
  std::vector<Warp> warps_;
  std::vector<std::uint32_t> ready_;
  std::uint32_t current_ = 0;
  std::uint32_t ended_count_ = 0;
  std::uint32_t waiting_for_block_ = 0;
  const std::function<void(std::uint32_t)>* body_ = nullptr;
  detail::Random random_;
  struct Scheduler;
  std::unique_ptr<Scheduler> scheduler_;
};

/// What a kernel's body sees.
class CpuThreads {
 public:
  CpuThreads(CpuBlock& threads, const LaunchSize& size, std::uint32_t block, std::uint32_t thread)
      : meetings_(threads), size_(size), block_(block), thread_(thread) {}

  std::uint32_t thread() const { return thread_; }
  std::uint32_t block() const { return block_; }
  std::uint32_t block_size() const { return size_.threads; }
  std::uint32_t lane() const { return thread_ % detail::k_warp_size; }
  std::uint32_t active() const { return 1U << lane(); }
  std::uint32_t index() const { return block_ * size_.threads + thread_; }
  std::uint32_t thread_count() const { return size_.blocks * size_.threads; }

  void sync() const { meetings_.sync(); }
  void sync_warp() const { meetings_.meet_warp(CpuBlock::Meeting::sync, 0); }
  std::uint32_t ballot(bool condition) const {
    const std::uint64_t* const all =
        meetings_.meet_warp(CpuBlock::Meeting::ballot, condition ? 1 : 0);
    std::uint32_t bits = 0;
    for (std::uint32_t i = 0; i < detail::k_warp_size; ++i) {
      bits |= static_cast<std::uint32_t>(all[i]) << i;
    }
    return bits;
  }
  std::uint32_t match(std::uint32_t number) const {
    const std::uint64_t* const all = meetings_.meet_warp(CpuBlock::Meeting::match, number);
    std::uint32_t bits = 0;
    for (std::uint32_t i = 0; i < detail::k_warp_size; ++i) {
      bits |= static_cast<std::uint32_t>(all[i] == number) << i;
    }
    return bits;
  }
  template <class T>
  T shuffle(T value, std::uint32_t lane) const {
    static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= sizeof(std::uint64_t));
    std::uint64_t brought = 0;
    std::memcpy(&brought, &value, sizeof value);
    const std::uint64_t* const all = meetings_.meet_warp(CpuBlock::Meeting::shuffle, brought);
    std::memcpy(&value, &all[lane % detail::k_warp_size], sizeof value);
    return value;
  }
  template <class T>
  T atomic_add(T* address, T value) const {
    return std::exchange(*address, static_cast<T>(*address + value));
  }
  template <class T>
  T atomic_max(T* address, T value) const {
    return std::exchange(*address, std::max(*address, value));
  }
  /// One thread runs at a time, and each sees what others have written.
  template <class T>
  T arrive(T* address, T value) const {
    return std::exchange(*address, value);
  }
  std::uint32_t arrive_and_count(std::uint32_t* address) const { return (*address)++; }
  static void publish(unsigned long long* address, unsigned long long value) { *address = value; }
  template <class T>
  T arrive_in_block(T* address, T value) const {
    return std::exchange(*address, value);
  }

 private:
  CpuBlock& meetings_;
  LaunchSize size_;
  std::uint32_t block_;
  std::uint32_t thread_;
};

/// Runs a kernel to its end. The blocks come in a random order too.
template <class Kernel>
void launch_on_cpu(const Kernel& kernel, const LaunchSize& size, std::uint64_t seed) {
  using Shared = typename Kernel::Shared;
  static_assert(std::is_trivially_copyable_v<Kernel> && std::is_trivially_copyable_v<Shared>);
  detail::Random random(seed);
  std::vector<std::uint32_t> order(size.blocks);
  for (std::uint32_t i = 0; i < size.blocks; ++i) {
    const auto place = static_cast<std::uint32_t>(random.below(i + 1));
    order[i] = order[place];
    order[place] = i;
  }
  CpuBlock threads(size.threads, random.next());
  for (const std::uint32_t block : order) {
    // What nobody has written holds no zeros.
    Shared shared;
    std::memset(static_cast<void*>(&shared), 0xcd, sizeof shared);
    threads.run(
        [&](std::uint32_t thread) { kernel(CpuThreads(threads, size, block, thread), shared); });
  }
}

}  // namespace tandem::test
