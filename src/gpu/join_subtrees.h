// Joins subtrees from the bottom up: those of a warp in the warp, the others in the memory of the
// device.
//
// Two siblings belong together as soon as both are there. Warps go through one group of 32
// triangles after another, wait for nobody, and keep what is left of each group. When that is more
// than they have threads, they join it in the same way. In the end a few subtrees of each warp are
// left, which meet those of other warps in the memory of the device: there, whoever comes later
// goes on.
//
// `Kernel` says what a subtree is, and has these functions:
//
//   Subtree                    a struct of 32-bit words
//   Arrival                    a number of 32 or 64 bits
//   SharedOfWarp               what a warp shares: among others, room for two subtrees per thread,
//                              `kept`
//   join(threads, count, &own, to, shared)
//                              joins subtrees, one for each of the first `count` threads, by all
//                              threads of the warp; returns whether the thread has one that is left
//   parent_of(subtree)         a number below 2^31 that it has in common with its sibling alone
//   is_whole(subtree)          whether it is a whole tree
//   leave(subtree)             puts it where siblings of different warps meet, and returns an
//                              arrival other than 0
//   find(subtree, arrival)     the sibling that was left there and has brought that
//   joined(one, other, to)     writes the parent of two siblings, if that is to be a node, and
//                              returns it
//   arrived                    for each parent, the arrival 0
#pragma once

#include <cstdint>

#include "gpu/kernel.h"
#include "math/bits.h"

namespace tandem::detail {

/// Groups of triangles that each warp goes through.
inline constexpr std::uint32_t k_groups_per_warp = 8;

/// As many threads as go through so many triangles.
inline std::uint32_t joining_threads(std::uint32_t triangle_count) {
  constexpr std::uint32_t k_triangles = k_warp_size * k_groups_per_warp;
  return (triangle_count + k_triangles - 1) / k_triangles * k_warp_size;
}

/// A group of triangles that a warp goes through; the last ones may be empty.
struct JoinGroup {
  std::uint32_t first;
  std::uint32_t count = 0;

  template <class Threads>
  TANDEM_KERNEL JoinGroup(const Threads& threads, std::uint32_t number,
                          std::uint32_t triangle_count)
      : first((threads.index() / k_warp_size * k_groups_per_warp + number) * k_warp_size) {
    if (number >= k_groups_per_warp || first >= triangle_count) return;
    count = triangle_count - first;
    if (count > k_warp_size) count = k_warp_size;
  }
};

/// One for each warp; all its threads call the functions together.
template <class Kernel, class Threads>
class SubtreeJoin {
 public:
  using Subtree = typename Kernel::Subtree;
  using Shared = typename Kernel::SharedOfWarp;

  TANDEM_KERNEL SubtreeJoin(const Kernel& kernel, const Threads& threads, Shared& shared)
      : kernel_(kernel), threads_(threads), shared_(shared), kept_(shared.kept) {}

  /// Keeps what is left of a group; joins what is kept, if that is too much.
  template <class To>
  TANDEM_KERNEL void keep(bool has_one, const Subtree& own, const To& to) {
    add(has_one, own);
    while (count_ > k_warp_size) {
      const std::uint32_t before = count_;
      join_last(k_warp_size, to);
      if (count_ == before) leave(to);
    }
  }

  /// Joins what is kept, and then with what other warps have left.
  template <class To>
  TANDEM_KERNEL void finish(const To& to) {
    join_last(count_, to);
    leave(to);
  }

 private:
  using Arrival = typename Kernel::Arrival;

  TANDEM_KERNEL void add(bool has_one, const Subtree& own) {
    const std::uint32_t all = threads_.ballot(has_one);
    const std::uint32_t before = all & ((std::uint32_t{1} << threads_.lane()) - 1);
    if (has_one) kept_[count_ + count_bits(before)] = own;
    count_ += count_bits(all);
    threads_.sync_warp();
  }

  template <class To>
  TANDEM_KERNEL void join_last(std::uint32_t count, const To& to) {
    count_ -= count;
    Subtree own{};
    if (threads_.lane() < count) own = kept_[count_ + threads_.lane()];
    threads_.sync_warp();
    const bool has_one = kernel_.join(threads_, count, &own, to, shared_);
    add(has_one, own);
  }

  /// Joins each subtree with those of other warps, until it waits for one that is still to come.
  template <class To>
  TANDEM_KERNEL void leave(const To& to) {
    for (std::uint32_t i = threads_.lane(); i < count_; i += k_warp_size) {
      join_on_device(kept_[i], to);
    }
    count_ = 0;
    threads_.sync_warp();
  }

  template <class To>
  TANDEM_KERNEL void join_on_device(Subtree own, const To& to) const {
    while (!kernel_.is_whole(own)) {
      const Arrival brought = kernel_.leave(own);
      const Arrival found = threads_.arrive(&kernel_.arrived[kernel_.parent_of(own)], brought);
      if (found == 0) return;
      own = kernel_.joined(own, kernel_.find(own, found), to);
    }
  }

  const Kernel& kernel_;
  const Threads& threads_;
  Shared& shared_;
  Subtree* kept_;
  std::uint32_t count_ = 0;
};

}  // namespace tandem::detail
