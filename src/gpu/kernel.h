// Kernels: work for the threads of a device.
//
// A kernel is a struct of plain data, its arguments, with a type `Shared` for the memory that the
// threads of a block share, and a function `operator()(threads, shared)` that each thread runs. It
// may have a number `k_blocks_per_processor`, of blocks that are to run on a processor at once, and
// `k_block_size`, of the threads that a block has at most (a builder's; else
// `k_build_block_size`); with `k_full_blocks`, blocks have no fewer. It is compiled twice: for CUDA
// devices (src/cuda/launch.h), and for an executor on the CPU, which runs it in the tests
// (tests/gpu/cpu_grid.h). Either gives it an object `threads`:
//
//   index()                    the number of this thread in the grid; thread_count() is how many
//   thread(), block()          its number in its block, and that of the block; block_size() is how
//                              many threads a block has
//   lane()                     its number in its warp of 32 threads
//   active()                   the threads of the warp that take this very step together, as bits;
//                              on the executor this thread alone
//   sync()                     waits for all threads of the block
//   sync_warp()                waits for all threads of the warp; each then sees what others wrote
//   ballot(condition)          which threads of the warp meet a condition, as bits
//   match(number)              which threads of the warp bring the same number of 32 bits, as bits
//   shuffle(value, lane)       the value of another thread of the warp
//   atomic_add(address, value) adds, and returns what was there before; so do the next three
//   atomic_max(address, value) keeps the larger one
//   arrive(address, value)     puts a value there, for one that comes later: whoever finds it sees
//                              all that this thread has written or seen before
//   arrive_in_block(...)       the same among the threads of a block
//   publish(address, value)    puts a number of 64 bits there for the host, which may see it before
//                              or after others that this thread has written
//   arrive_and_count(address)  adds one to a number; who adds later sees all that those before have
//                              written or seen; returns the number before
//
// All threads of a warp call `ballot`, `match`, `shuffle` and `sync_warp` together, and none of
// them may have ended; all threads of a block that have not ended call `sync`. The executor finds
// kernels that break this.
#pragma once

#include <cstdint>

#if defined(__CUDACC__)
#define TANDEM_KERNEL __device__
#else
#define TANDEM_KERNEL
#endif

namespace tandem::detail {

inline constexpr std::uint32_t k_warp_size = 32;

/// Kernels that build trees run in blocks of at most so many threads, for which they share memory,
/// unless they say otherwise.
inline constexpr std::uint32_t k_build_block_size = 128;

template <class Kernel>
inline constexpr std::uint32_t k_block_size_of = [] {
  if constexpr (requires { Kernel::k_block_size; }) {
    return Kernel::k_block_size;
  } else {
    return k_build_block_size;
  }
}();

/// For kernels whose blocks share nothing.
struct NothingShared {};

}  // namespace tandem::detail
