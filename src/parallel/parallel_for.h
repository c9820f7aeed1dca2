// Threads: this room is the one place in which the library and its program start them. It uses the
// public headers and no other room. Built on oneTBB where that was found; without it all work runs
// on the calling thread. A shared library exports what tandem::sim uses.
#pragma once

#include <tandem/export.h>
#include <tandem/sink.h>

#include <cstddef>

namespace tandem::detail {

/// The number of threads that `threads` stands for: itself, or as many as the machine has for 0; at
/// least 1. Throws `tandem::Error` for a negative number.
std::size_t resolve_thread_count(int threads);

/// Calls `work(begin, end)` for pieces that together cover 0 to `count` - 1, each index once. All
/// pieces have `grain` indices (a grain of 0 counts as 1), except the last one, which may have
/// fewer: they are the same for every number of threads. No piece is begun before another one in
/// particular.
///
/// At most `threads` threads work, and no more than the machine has: the calling thread is one of
/// them, 0 stands for as many as the machine has, and with 1 nothing but the calling thread is
/// used. Where the system has no more threads to give, those that there are do all the work. Throws
/// `tandem::Error` for a negative number. Returns when all pieces are done. When
/// `work` throws, pieces that have not begun may be left out, and the caller gets the exception, or
/// one of them if there are several. `work` may call this function itself: then the threads of the
/// outer call share the pieces of the inner one too, whatever number that asks for beyond 1.
TANDEM_API void parallel_for(std::size_t count, std::size_t grain, int threads,
                             FunctionRef<void(std::size_t begin, std::size_t end)> work);

/// Calls `work(phase, begin, end)` for pieces of up to `grain` indices that together cover 0 to
/// `count(phase)` - 1, for phases 0 to `phases` - 1, one after the other: all pieces of a phase are
/// done before one of the next begins. Threads and exceptions are as above, but threads that have
/// nothing to do wait without sleeping, so that phases of a few microseconds are worth sharing.
TANDEM_API void parallel_phases(
    std::size_t phases, std::size_t grain, int threads,
    FunctionRef<std::size_t(std::size_t phase)> count,
    FunctionRef<void(std::size_t phase, std::size_t begin, std::size_t end)> work);

/// Calls `work`, in which all calls of the above have the same threads. They need not be gathered
/// anew for each of them, which takes about as long as 100 µs of work.
void with_threads(int threads, FunctionRef<void()> work);

}  // namespace tandem::detail
