// Kernels: work for the threads of a device.
//
// A kernel is a struct of plain data, its arguments, with a type `Shared` for the memory that the
// threads of a block share, and a function `operator()(threads, shared)` that each thread runs. It
// may have a number `k_blocks_per_processor`, of blocks that are to run on a processor at once. It
// is compiled twice: for CUDA devices (src/cuda/launch.h), and for an executor on the CPU, which
// runs it in the tests (tests/gpu/cpu_grid.h). Either gives it an object `threads`:
//
//   index()                    the number of this thread in the grid; thread_count() is how many
//   thread(), block()          its number in its block, and that of the block
//   lane()                     its number in its warp of 32 threads
//   sync()                     waits for all threads of the block
//   ballot(condition)          which threads of the warp meet a condition, as bits
//   shuffle(value, lane)       the value of another thread of the warp
//   atomic_add(address, value) adds, and returns what was there before; so do the next two
//   atomic_max(address, value) keeps the larger one
//   exchange(address, value)   puts a value there
//   fence()                    other threads see what was written before it no later than what is
//                              written after it
//
// All threads of a warp call `ballot` and `shuffle` together, and none of them may have ended; all
// threads of a block that have not ended call `sync`. The executor finds kernels that break this.
#pragma once

#include <cstdint>

#if defined(__CUDACC__)
#define TANDEM_KERNEL __device__
#else
#define TANDEM_KERNEL
#endif

namespace tandem::detail {

inline constexpr std::uint32_t k_warp_size = 32;

/// For kernels whose blocks share nothing.
struct NothingShared {};

}  // namespace tandem::detail
