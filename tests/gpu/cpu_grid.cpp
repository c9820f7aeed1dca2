#include "gpu/cpu_grid.h"

#include <ucontext.h>

#include <exception>
#include <string>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define TANDEM_TELL_SANITIZER
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define TANDEM_TELL_SANITIZER
#endif
#if defined(TANDEM_TELL_SANITIZER)
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif

namespace tandem::test {
namespace {

constexpr std::size_t k_stack_bytes = std::size_t{256} << 10;

/// The block whose threads run now: contexts begin with a function without arguments.
CpuBlock* running = nullptr;

/// Part of a stack that the address sanitizer is told of before it is used.
struct StackOf {
  const void* bottom = nullptr;
  std::size_t size = 0;
};

// Around a change of stacks: the first before it, on the old one; the second after it, on the new
// one. `mine` keeps what belongs to the old stack; null when it is never used again.
void begin_change([[maybe_unused]] void** mine, [[maybe_unused]] const StackOf& to) {
#if defined(TANDEM_TELL_SANITIZER)
  __sanitizer_start_switch_fiber(mine, to.bottom, to.size);
#endif
}
void end_change([[maybe_unused]] void* mine, [[maybe_unused]] StackOf* from) {
#if defined(TANDEM_TELL_SANITIZER)
  __sanitizer_finish_switch_fiber(mine, from != nullptr ? &from->bottom : nullptr,
                                  from != nullptr ? &from->size : nullptr);
#endif
}

/// The functions that a stack was left in are gone.
void forget_functions([[maybe_unused]] const StackOf& stack) {
#if defined(TANDEM_TELL_SANITIZER)
  ASAN_UNPOISON_MEMORY_REGION(stack.bottom, stack.size);
#endif
}

}  // namespace

struct CpuBlock::Thread {
  std::unique_ptr<std::byte[]> stack;
  ucontext_t context;
  void* sanitizer = nullptr;
  Waits waits = Waits::no;
};

struct CpuBlock::Warp {
  std::uint32_t waiting_count = 0;
  std::uint32_t ended_count = 0;
  Meeting meeting = Meeting::ballot;
  /// What the threads bring to two meetings in turn: all have left one before the next but one.
  std::uint64_t brought[2][detail::k_warp_size] = {};
  std::uint32_t turn = 0;
};

struct CpuBlock::Scheduler {
  ucontext_t context;
  void* sanitizer = nullptr;
  StackOf stack;
  std::exception_ptr thrown;
};

CpuBlock::CpuBlock(std::uint32_t thread_count, std::uint64_t seed)
    : threads_(thread_count),
      warps_(thread_count / detail::k_warp_size),
      random_(seed),
      scheduler_(std::make_unique<Scheduler>()) {
  if (thread_count == 0 || thread_count % detail::k_warp_size != 0) {
    throw KernelFault("a block of " + std::to_string(thread_count) + " threads has no whole warps");
  }
  for (Thread& thread : threads_) {
    thread.stack = std::make_unique_for_overwrite<std::byte[]>(k_stack_bytes);
  }
}

CpuBlock::~CpuBlock() = default;

void CpuBlock::run(const std::function<void(std::uint32_t)>& body) {
  body_ = &body;
  ended_count_ = 0;
  waiting_for_block_ = 0;
  scheduler_->thrown = nullptr;
  ready_.clear();
  for (Warp& warp : warps_) warp = {};
  for (std::uint32_t i = 0; i < threads_.size(); ++i) {
    Thread& thread = threads_[i];
    forget_functions({thread.stack.get(), k_stack_bytes});
    getcontext(&thread.context);
    thread.context.uc_stack.ss_sp = thread.stack.get();
    thread.context.uc_stack.ss_size = k_stack_bytes;
    thread.context.uc_link = nullptr;
    makecontext(&thread.context, &CpuBlock::begin_thread, 0);
    thread.sanitizer = nullptr;
    thread.waits = Waits::no;
    ready_.push_back(i);
  }
  while (ended_count_ < threads_.size()) {
    if (ready_.empty()) {
      throw KernelFault("threads wait for others that have ended or wait for something else");
    }
    std::swap(ready_[random_.below(ready_.size())], ready_.back());
    const std::uint32_t thread = ready_.back();
    ready_.pop_back();
    resume(thread);
    if (scheduler_->thrown) std::rethrow_exception(scheduler_->thrown);
    const std::uint32_t warp = thread / detail::k_warp_size;
    if (warps_[warp].waiting_count == detail::k_warp_size) release_warp(warp);
    if (warps_[warp].waiting_count > 0 && warps_[warp].ended_count > 0) {
      throw KernelFault("threads of a warp wait for others that have ended");
    }
    if (waiting_for_block_ > 0 && waiting_for_block_ + ended_count_ == threads_.size()) {
      release_block();
    }
  }
}

void CpuBlock::begin_thread() {
  CpuBlock& block = *running;
  end_change(nullptr, &block.scheduler_->stack);
  try {
    (*block.body_)(block.current_);
  } catch (...) {
    block.scheduler_->thrown = std::current_exception();
  }
  block.pause(Waits::ended);
}

void CpuBlock::resume(std::uint32_t thread) {
  current_ = thread;
  running = this;
  Thread& to = threads_[thread];
  begin_change(&scheduler_->sanitizer, {to.stack.get(), k_stack_bytes});
  swapcontext(&scheduler_->context, &to.context);
  end_change(scheduler_->sanitizer, nullptr);
}

void CpuBlock::pause(Waits waits) {
  Thread& thread = threads_[current_];
  thread.waits = waits;
  if (waits == Waits::ended) {
    ++ended_count_;
    ++warps_[current_ / detail::k_warp_size].ended_count;
  }
  begin_change(waits == Waits::ended ? nullptr : &thread.sanitizer, scheduler_->stack);
  swapcontext(&thread.context, &scheduler_->context);
  end_change(thread.sanitizer, &scheduler_->stack);
}

void CpuBlock::release_warp(std::uint32_t warp) {
  warps_[warp].waiting_count = 0;
  warps_[warp].turn ^= 1;
  for (std::uint32_t lane = 0; lane < detail::k_warp_size; ++lane) {
    const std::uint32_t thread = warp * detail::k_warp_size + lane;
    threads_[thread].waits = Waits::no;
    ready_.push_back(thread);
  }
}

void CpuBlock::release_block() {
  waiting_for_block_ = 0;
  for (std::uint32_t i = 0; i < threads_.size(); ++i) {
    if (threads_[i].waits != Waits::for_block) continue;
    threads_[i].waits = Waits::no;
    ready_.push_back(i);
  }
}

void CpuBlock::sync() {
  ++waiting_for_block_;
  pause(Waits::for_block);
}

const std::uint64_t* CpuBlock::meet_warp(Meeting meeting, std::uint64_t brought) {
  Warp& warp = warps_[current_ / detail::k_warp_size];
  if (warp.waiting_count > 0 && warp.meeting != meeting) {
    throw KernelFault("threads of a warp wait for different things");
  }
  warp.meeting = meeting;
  const std::uint64_t* const all = warp.brought[warp.turn];
  warp.brought[warp.turn][current_ % detail::k_warp_size] = brought;
  ++warp.waiting_count;
  pause(Waits::for_warp);
  return all;
}

}  // namespace tandem::test
