// Joins subtrees from the bottom up: those of a warp in the warp, the others in the memory of the
// device.
//
// Two siblings belong together as soon as both are there. Warps go through one group of 32
// triangles after another, and keep what is left of each group. When that is more than they have
// threads, they join it in the same way. In the end a few subtrees of each warp are left, which
// meet those of other warps in the memory of the device: there, whoever comes later goes on. Nobody
// waits.
//
// `Kernel` says what a subtree is, and has these functions:
//
//   Subtree                    a struct of 32-bit words
//   Arrival                    a number of 32 or 64 bits
//   SharedOfWarp               what a warp shares: among others, room for two subtrees per thread,
//                              `kept`
//   Source, source(place)      what is read early of a triangle
//   triangle_count()           of all trees
//   groups                     that each warp goes through
//   begin(threads, group, source, &own, shared)
//                              makes subtrees of a group's triangles, by all threads of the warp;
//                              returns whether the thread has one
//   join(threads, has_one, &own, shared)
//                              joins the subtrees of the threads that have one, by all threads of
//                              the warp; returns whether the thread still has
//   parent_of(subtree)         a number below 2^31 that it has in common with its sibling alone
//   is_whole(subtree)          whether it is a whole tree
//   leave(subtree)             puts it where siblings of different warps meet, and returns an
//                              arrival other than 0
//   find(subtree, arrival)     the sibling that was left there and has brought that
//   joined(one, other)         writes the parent of two siblings, if that is to be a node, and
//                              returns it
//   arrived                    for each parent, the arrival 0
#pragma once

#include <cstdint>

#include "gpu/kernel.h"
#include "math/bits.h"

namespace tandem::detail {

/// Groups of triangles that each warp goes through, on a device that runs so many threads at once.
/// The more, the fewer subtrees meet in the memory of the device; but all warps are to end at about
/// the same time.
inline std::uint32_t groups_per_warp(std::uint32_t triangle_count, std::uint32_t threads_at_once) {
  constexpr std::uint32_t k_most_groups = 24;
  const auto quotient = [](std::uint32_t a, std::uint32_t b) { return (a + b - 1) / b; };
  const std::uint32_t groups = quotient(triangle_count, k_warp_size);
  const std::uint32_t warps = quotient(threads_at_once, k_warp_size);
  const std::uint32_t rounds = quotient(groups, warps * k_most_groups);
  return quotient(groups, warps * rounds);
}

/// As many threads as go through so many triangles.
inline std::uint32_t joining_threads(std::uint32_t triangle_count, std::uint32_t groups) {
  const std::uint32_t triangles_per_warp = k_warp_size * groups;
  return (triangle_count + triangles_per_warp - 1) / triangles_per_warp * k_warp_size;
}

/// A group of triangles that a warp goes through; the last ones may be empty.
struct JoinGroup {
  std::uint32_t first;
  std::uint32_t count = 0;

  template <class Threads>
  TANDEM_KERNEL JoinGroup(const Threads& threads, std::uint32_t number, std::uint32_t groups,
                          std::uint32_t triangle_count)
      : first((threads.index() / k_warp_size * groups + number) * k_warp_size) {
    if (number >= groups || first >= triangle_count) return;
    count = triangle_count - first;
    if (count > k_warp_size) count = k_warp_size;
  }
};

/// What a block shares.
template <class SharedOfWarp>
struct SharedOfJoin {
  SharedOfWarp warps[k_build_block_size / k_warp_size];
};

/// One for each warp; all its threads call `run`.
template <class Kernel, class Threads>
class SubtreeJoin {
 public:
  using Subtree = typename Kernel::Subtree;
  using Shared = SharedOfJoin<typename Kernel::SharedOfWarp>;

  TANDEM_KERNEL SubtreeJoin(const Kernel& kernel, const Threads& threads, Shared& shared)
      : kernel_(kernel), threads_(threads), shared_(shared.warps[threads.thread() / k_warp_size]) {}

  TANDEM_KERNEL void run() {
    std::uint32_t next_group = 0;
    auto next = source(next_group);
    while (true) {
      const std::uint32_t before = count_;
      const JoinGroup group = group_of(next_group);
      const bool of_kept = count_ > k_warp_size || group.count == 0;
      Subtree own{};
      bool has_one = false;
      if (of_kept) {
        has_one = take_last(&own);
      } else {
        // Read early what the next group needs first.
        const auto from = next;
        next = source(++next_group);
        has_one = kernel_.begin(threads_, group, from, &own, shared_);
      }
      has_one = kernel_.join(threads_, has_one, &own, shared_);
      add(has_one, own);
      if (!of_kept) continue;
      const bool is_last = before <= k_warp_size;
      if (is_last || count_ == before) leave();
      if (is_last) return;
    }
  }

 private:
  using Arrival = typename Kernel::Arrival;

  TANDEM_KERNEL JoinGroup group_of(std::uint32_t number) const {
    return JoinGroup(threads_, number, kernel_.groups, kernel_.triangle_count());
  }

  /// For this thread's triangle of a group; anything if it has none.
  TANDEM_KERNEL auto source(std::uint32_t number) const {
    const JoinGroup group = group_of(number);
    return threads_.lane() < group.count ? kernel_.source(group.first + threads_.lane())
                                         : typename Kernel::Source{};
  }

  TANDEM_KERNEL void add(bool has_one, const Subtree& own) {
    const std::uint32_t all = threads_.ballot(has_one);
    const std::uint32_t before = all & ((std::uint32_t{1} << threads_.lane()) - 1);
    if (has_one) shared_.kept[count_ + count_bits(before)] = own;
    count_ += count_bits(all);
    threads_.sync_warp();
  }

  /// As many as there are threads.
  TANDEM_KERNEL bool take_last(Subtree* own) {
    const std::uint32_t count = count_ < k_warp_size ? count_ : k_warp_size;
    count_ -= count;
    const bool has_one = threads_.lane() < count;
    if (has_one) *own = shared_.kept[count_ + threads_.lane()];
    threads_.sync_warp();
    return has_one;
  }

  /// Joins each subtree with those of other warps, until it waits for one that is still to come.
  TANDEM_KERNEL void leave() {
    for (std::uint32_t i = threads_.lane(); i < count_; i += k_warp_size) {
      join_on_device(shared_.kept[i]);
    }
    count_ = 0;
    threads_.sync_warp();
  }

  TANDEM_KERNEL void join_on_device(Subtree own) const {
    while (!kernel_.is_whole(own)) {
      const Arrival brought = kernel_.leave(own);
      const Arrival found = threads_.arrive(&kernel_.arrived[kernel_.parent_of(own)], brought);
      if (found == 0) return;
      own = kernel_.joined(own, kernel_.find(own, found));
    }
  }

  const Kernel& kernel_;
  const Threads& threads_;
  typename Kernel::SharedOfWarp& shared_;
  std::uint32_t count_ = 0;
};

}  // namespace tandem::detail
