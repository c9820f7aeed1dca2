// Joins subtrees from the bottom up: those of a warp in the warp, the others in the memory of the
// device.
//
// Two siblings belong together as soon as both are there. The threads of a warp find theirs by
// votes; one thread of a pair goes on with the parent, and the other writes the parent's node when
// all are joined, so that most threads write at the same time. Warps go through one group of 32
// triangles after another, wait for nobody, and keep what is left of each group. When that is more
// than they have threads, they join it in the same way. In the end a few subtrees of each warp are
// left, which meet those of other warps in the memory of the device: there, whoever comes later
// goes on.
//
// `Kernel` says what a subtree is, and has these functions:
//
//   Subtree                    a struct of 32-bit words
//   parent_of(subtree)         a number below 2^31 that it has in common with its sibling alone
//   is_whole(subtree)          whether it is a whole tree
//   goes_on(subtree, is_lower) whether the thread of this one, rather than that of its sibling,
//                              goes on; `is_lower` is true for one of both
//   joint(one, other)          the parent of two siblings, of which the first one goes on
//   write(one, other, to)      writes that, if it is to be a node
//   leave(subtree)             puts it where siblings of different warps meet
//   find(subtree)              the sibling that was left there; each has a place of its own
//   arrived                    for each parent, 0
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

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

  /// `kept` is memory of the warp, for two subtrees per thread.
  TANDEM_KERNEL SubtreeJoin(const Kernel& kernel, const Threads& threads, Subtree* kept)
      : kernel_(kernel), threads_(threads), kept_(kept) {}

  /// Joins the subtrees of the threads that have one. Returns whether the thread still has.
  template <class To>
  TANDEM_KERNEL bool join(bool has_one, Subtree* own, const To& to) const {
    const std::uint32_t lane = threads_.lane();
    bool writes = false;
    Subtree sibling{};
    while (true) {
      // Numbers that no other thread has stand for none.
      const std::uint32_t parent = has_one ? kernel_.parent_of(*own) : ~lane;
      const std::uint32_t others = threads_.match(parent) & ~(std::uint32_t{1} << lane);
      const bool met = others != 0;
      if (threads_.ballot(met) == 0) break;
      const std::uint32_t other = met ? static_cast<std::uint32_t>(lowest_bit(others)) : lane;
      const Subtree found = shuffled(*own, other);
      if (!met) continue;
      if (kernel_.goes_on(*own, lane < other)) {
        *own = kernel_.joint(*own, found);
        has_one = !kernel_.is_whole(*own);
      } else {
        sibling = found;
        writes = true;
        has_one = false;
      }
    }
    if (writes) kernel_.write(sibling, *own, to);
    return has_one;
  }

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
  TANDEM_KERNEL Subtree shuffled(const Subtree& own, std::uint32_t lane) const {
    constexpr std::size_t k_words = sizeof(Subtree) / sizeof(std::uint32_t);
    std::uint32_t words[k_words];
    std::memcpy(words, &own, sizeof own);
    for (std::uint32_t& word : words) word = threads_.shuffle(word, lane);
    Subtree result;
    std::memcpy(&result, words, sizeof result);
    return result;
  }

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
    bool has_one = threads_.lane() < count;
    if (has_one) own = kept_[count_ + threads_.lane()];
    threads_.sync_warp();
    has_one = join(has_one, &own, to);
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
      kernel_.leave(own);
      std::uint32_t* const place = &kernel_.arrived[kernel_.parent_of(own)];
      if (threads_.arrive(place, std::uint32_t{1}) == 0) return;
      Subtree other = kernel_.find(own);
      if (!kernel_.goes_on(own, true)) {
        const Subtree one = other;
        other = own;
        own = one;
      }
      kernel_.write(own, other, to);
      own = kernel_.joint(own, other);
    }
  }

  const Kernel& kernel_;
  const Threads& threads_;
  Subtree* kept_;
  std::uint32_t count_ = 0;
};

}  // namespace tandem::detail
