// The kernel that searches for the closest triangles: a warp goes down two wide trees, the closest
// pairs first.
#pragma once

#include <tandem/batch.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>

#include "gpu/distance/left_pairs.h"
#include "gpu/distance/query.h"
#include "gpu/distance/warp_share.h"
#include "gpu/kernel.h"
#include "gpu/warp.h"
#include "gpu/waves/models.h"
#include "gpu/waves/nodes.h"
#include "gpu/waves/queue.h"
#include "math/bits.h"
#include "math/power_of_two.h"

namespace tandem::detail {

/// Depth first, the closest pairs first: a warp has a stack of pairs of blocks and of leaves, each
/// with a lower bound of its distance. A step takes two pairs from its top, of the same level. Half
/// of the warp computes the bounds of the 4 x 4 pairs of children of each, and those that may count
/// are put on the stack, the closest on top. Pairs of leaves lead to pairs of triangles in a list,
/// which are looked at when there are enough for all threads. Each of these says how far apart the
/// models are at most; what has a larger lower bound is dropped. Those that may be the closest in
/// the end are left to kernels that compute the contract's distance.
///
/// Levels on the stack grow from top to bottom, and of each level a step leaves at most 30 pairs
/// behind when it goes down with two: so there is always room.
template <class Tests>
struct SearchNearest {
  static constexpr const char* k_phase = "search";
  static constexpr int k_blocks_per_processor = Tests::k_search_blocks;
  using Frame = typename Tests::Frame;
  using Number = typename Tests::Number;

  static constexpr std::uint32_t k_half_warp = k_warp_size / 2;
  static_assert(k_pairs_of_children == k_half_warp);
  static constexpr std::uint32_t k_stack_room = (k_warp_size - 2) * k_max_wide_height + k_warp_size;
  /// Of triangles that wait.
  static constexpr std::uint32_t k_list_room = 2 * k_warp_size;

  using Entry = BoundedPair;
  struct WarpMemory {
    Entry stack[k_stack_room];
    Entry triangles[k_list_room];
    LeftPairs::Memory left;
  };
  struct Shared {
    WarpMemory warps[k_wave_warps];
  };

  WaveModels models;
  const BatchQuery* queries;
  const Frame* frames;
  DistanceQueries state;
  WarpShare share;
  const std::uint32_t* start_steps;
  const std::uint32_t* starts;
  const std::uint32_t* start_count;
  std::uint32_t pairs_per_start;
  /// How many pieces of work warps have taken.
  std::uint32_t* taken_count;
  /// Where warps share queries, one that is not done after so many steps hands over what is left,
  /// as far as there is room, so that no warp has much more to do than others.
  GivenPairs given;
  GivenPairs handed_over;
  std::uint32_t most_steps;
  /// Slots of triangles whose distances are to be computed.
  PairQueue candidates;

  template <class Threads>
  TANDEM_KERNEL void operator()(const Threads& threads, Shared& shared) const {
    const std::uint32_t each = share == WarpShare::split ? pairs_per_start : 1;
    const std::uint32_t count = share == WarpShare::given
                                    ? std::min(load_fresh(given.count), given.room)
                                    : load_fresh(start_count) * each;
    std::uint32_t i = threads.shuffle(take(threads), 0);
    while (i < count) {
      // The next one is asked for long before it is needed.
      const std::uint32_t next = take(threads);
      const std::uint32_t query =
          share == WarpShare::given ? given.pairs[i].query : load_fresh(starts + i / each);
      Warp<Threads> warp(*this, threads, shared.warps[threads.thread() / k_warp_size], query);
      warp.search(i, i % each);
      i = threads.shuffle(next, 0);
    }
  }

 private:
  /// In lane 0.
  template <class Threads>
  TANDEM_KERNEL std::uint32_t take(const Threads& threads) const {
    return threads.lane() == 0 ? threads.atomic_add(taken_count, std::uint32_t{1}) : 0;
  }

  /// A warp that searches a query. All members but `lane_` are the same in all its threads.
  template <class Threads>
  class Warp {
   public:
    TANDEM_KERNEL Warp(const SearchNearest& all, const Threads& threads, WarpMemory& memory,
                       std::uint32_t query)
        : all_(all),
          threads_(threads),
          memory_(memory),
          query_(query),
          lane_(threads.lane()),
          frame_(Tests::load(all.frames + query)),
          asked_(all.queries[query]),
          unit_(power_of_two(all.models.models[asked_.a].tree.exponent)),
          best_(Tests::above(all.state.limit / unit_)),
          left_(memory.left, all.candidates, query) {}

    /// Piece of work `item`, the start `number` of its query.
    TANDEM_KERNEL void search(std::uint32_t item, std::uint32_t number) {
      threads_.sync_warp();
      if (!begin(item, number)) return;
      threads_.sync_warp();
      std::uint32_t steps_left = all_.most_steps;
      while (true) {
        if (shares() && !look_at_others()) return;
        if (triangle_count_ >= k_enough ||
            (triangle_count_ > 0 && (stack_size_ == 0 || steps_left == 0))) {
          if (!look_at_triangles()) return;
        } else if (steps_left == 0 && stack_size_ > 1) {
          hand_over();
          steps_left = k_no_limit;
        } else if (stack_size_ > 0) {
          step();
          if (steps_left > 0) --steps_left;
        } else {
          break;
        }
        threads_.sync_warp();
      }
      left_.finish(threads_, best_);
    }

   private:
    /// So many triangles are looked at as soon as there are as many.
    static constexpr std::uint32_t k_enough = 24;
    static constexpr std::uint32_t k_no_limit = 0xffffffff;

    /// Whether other warps search the same query.
    TANDEM_KERNEL bool shares() const {
      return all_.share == WarpShare::split || all_.share == WarpShare::given;
    }

    /// Puts the first pair on the stack. False where there is none.
    TANDEM_KERNEL bool begin(std::uint32_t item, std::uint32_t number) {
      const WaveModel& a = all_.models.models[asked_.a];
      const WaveModel& b = all_.models.models[asked_.b];
      Entry entry{a.root_block, b.root_block, static_cast<std::uint32_t>(frame_.levels.steps()), 0};
      if (all_.share == WarpShare::touching) {
        if (load_fresh(all_.state.upper + query_) != k_touching) return false;
        best_ = 0;
      } else if (all_.share == WarpShare::given) {
        const GivenPair& from = all_.given.pairs[item];
        entry = {from.a, from.b, from.steps, from.bound};
      } else if (all_.share == WarpShare::split) {
        entry.steps = load_fresh(all_.start_steps + query_);
        const LevelBlocks of_a(a.tree, static_cast<int>(entry.steps));
        const LevelBlocks of_b(b.tree, static_cast<int>(entry.steps));
        if (number >= of_a.count * of_b.count) return false;
        entry.a += of_a.first + number / of_b.count;
        entry.b += of_b.first + number % of_b.count;
      }
      if (lane_ == 0) memory_.stack[0] = entry;
      stack_size_ = 1;
      return true;
    }

    /// What other warps know of the query. False when nothing more is to be known.
    TANDEM_KERNEL bool look_at_others() {
      // One thread looks: others may see what has come later.
      const Closeness known =
          threads_.shuffle(lane_ == 0 ? load_fresh(all_.state.upper + query_) : 0, 0);
      if (known == k_touching) return false;
      if (known != 0) lower_best(Tests::above(distance_of(known) / unit_));
      return true;
    }
    TANDEM_KERNEL void lower_best(Number upper) { best_ = upper < best_ ? upper : best_; }

    /// Takes two pairs from the stack, or one.
    TANDEM_KERNEL void step() {
      const std::uint32_t looked = stack_size_ < k_warp_size ? stack_size_ : k_warp_size;
      Entry entry{};
      bool counts = false;
      if (lane_ < looked) {
        entry = memory_.stack[stack_size_ - 1 - lane_];
        counts = entry.bound <= best_;
      }
      const std::uint32_t alive = threads_.ballot(counts);
      if (alive == 0) {
        stack_size_ -= looked;
        return;
      }
      const auto first = static_cast<std::uint32_t>(lowest_bit(alive));
      const std::uint32_t steps = threads_.shuffle(entry.steps, first);
      const std::uint32_t others =
          threads_.ballot(counts && entry.steps == steps) & ~(std::uint32_t{1} << first);
      const std::uint32_t second =
          others != 0 ? static_cast<std::uint32_t>(lowest_bit(others)) : first;
      const bool there = lane_ < k_half_warp || second != first;
      const std::uint32_t own = lane_ < k_half_warp ? first : second;
      const std::uint32_t a = threads_.shuffle(entry.a, own);
      const std::uint32_t b = threads_.shuffle(entry.b, own);
      stack_size_ -= second + 1;
      if (steps == 0) {
        list_triangles(there, a, b);
      } else {
        descend(there, a, b, steps);
      }
    }

    /// Leaves what may count on the stack to other warps. What has no room there stays.
    TANDEM_KERNEL void hand_over() {
      std::uint32_t kept = 0;
      for (std::uint32_t first = 0; first < stack_size_; first += k_warp_size) {
        Entry entry{};
        bool counts = false;
        if (first + lane_ < stack_size_) {
          entry = memory_.stack[first + lane_];
          counts = entry.bound <= best_;
        }
        const std::uint32_t all = threads_.ballot(counts);
        std::uint32_t place = 0;
        if (lane_ == 0 && all != 0) {
          place = threads_.atomic_add(all_.handed_over.count, count_bits(all));
        }
        place = threads_.shuffle(place, 0) + count_bits(all & before());
        const bool fits = counts && place < all_.handed_over.room;
        if (fits) {
          all_.handed_over.pairs[place] = {query_, entry.a, entry.b, entry.steps, entry.bound};
        }
        const std::uint32_t stay = threads_.ballot(counts && !fits);
        threads_.sync_warp();
        if (counts && !fits) memory_.stack[kept + count_bits(stay & before())] = entry;
        kept += count_bits(stay);
        threads_.sync_warp();
      }
      stack_size_ = kept;
    }

    TANDEM_KERNEL std::uint32_t child_of_a() const { return lane_ / k_block % k_block; }
    TANDEM_KERNEL std::uint32_t child_of_b() const { return lane_ % k_block; }

    /// From pairs of blocks to pairs of their children.
    TANDEM_KERNEL void descend(bool there, std::uint32_t a, std::uint32_t b, std::uint32_t steps) {
      const std::uint32_t i = child_of_a();
      const std::uint32_t j = child_of_b();
      constexpr float k_missing = std::numeric_limits<float>::infinity();
      float bound = k_missing;
      const Descent descent = frame_.levels.descent(static_cast<int>(steps));
      Entry child{a, b, steps - 1, 0};
      if (there) {
        const HalfBlock& block_a = all_.models.blocks[a];
        const HalfBlock& block_b = all_.models.blocks[b];
        if (i < block_a.child_count && j < block_b.child_count) {
          bound =
              Tests::children(frame_, block_a, static_cast<int>(i), block_b, static_cast<int>(j));
        }
        if (descent != Descent::b_alone) child.a = block_a.first_child + i;
        if (descent != Descent::a_alone) child.b = block_b.first_child + j;
      }
      // Where one tree waits, each child of the other counts once, as far as the closest child of
      // the waiting block.
      if (descent == Descent::a_alone) bound = least_of(bound, 1, j == 0);
      if (descent == Descent::b_alone) bound = least_of(bound, k_block, i == 0);
      push_in_order(child, bound);
    }
    /// The least bound of four lanes, in one of them.
    TANDEM_KERNEL float least_of(float bound, std::uint32_t stride, bool keeps) const {
      for (std::uint32_t step = stride; step <= 2 * stride; step *= 2) {
        const float other = threads_.shuffle(bound, lane_ ^ step);
        bound = other < bound ? other : bound;
      }
      return keeps ? bound : std::numeric_limits<float>::infinity();
    }

    /// Puts the pairs of all lanes that may count on the stack, the closest on top.
    TANDEM_KERNEL void push_in_order(const Entry& entry, float bound) {
      const bool counts = bound <= best_;
      const std::uint32_t all = threads_.ballot(counts);
      // How many are closer. Bits of numbers that are not negative have their order.
      const auto key = std::bit_cast<std::uint32_t>(bound);
      std::uint32_t closer = 0;
      for (std::uint32_t left = all; left != 0; left &= left - 1) {
        const auto other = static_cast<std::uint32_t>(lowest_bit(left));
        const std::uint32_t its = threads_.shuffle(key, other);
        closer += its < key || (its == key && other < lane_) ? 1 : 0;
      }
      const std::uint32_t count = count_bits(all);
      // All have read what was on the stack.
      threads_.sync_warp();
      if (counts) {
        memory_.stack[stack_size_ + count - 1 - closer] = {entry.a, entry.b, entry.steps, bound};
      }
      stack_size_ += count;
    }

    /// From pairs of leaves to pairs of their triangles.
    TANDEM_KERNEL void list_triangles(bool there, std::uint32_t a, std::uint32_t b) {
      Entry slots{k_block * a + child_of_a(), k_block * b + child_of_b(), 0, 0};
      bool counts = false;
      if (there) {
        const WaveTriangle p = load_constant(all_.models.triangles + slots.a);
        const WaveTriangle q = load_constant(all_.models.triangles + slots.b);
        if (p.id != k_no_triangle && q.id != k_no_triangle) {
          slots.bound = Tests::triangles(frame_, all_.models, asked_, p, q);
          counts = slots.bound <= best_;
        }
      }
      const std::uint32_t all = threads_.ballot(counts);
      if (counts) memory_.triangles[triangle_count_ + count_bits(all & before())] = slots;
      triangle_count_ += count_bits(all);
    }
    TANDEM_KERNEL std::uint32_t before() const { return lanes_before(lane_); }

    /// Looks at up to 32 pairs of triangles. False when nothing more is to be known.
    TANDEM_KERNEL bool look_at_triangles() {
      const std::uint32_t taken = triangle_count_ < k_warp_size ? triangle_count_ : k_warp_size;
      constexpr Number k_far = std::numeric_limits<Number>::infinity();
      PairBounds<Number> bounds{k_far, k_far};
      WaveEntry slots{query_, 0, 0};
      TrianglePair ids;
      bool touches = false;
      if (lane_ < taken) {
        const Entry entry = memory_.triangles[triangle_count_ - 1 - lane_];
        slots.a = entry.a;
        slots.b = entry.b;
        if (entry.bound <= best_) {
          const WaveTriangle p = load_constant(all_.models.triangles + slots.a);
          const WaveTriangle q = load_constant(all_.models.triangles + slots.b);
          bounds = Tests::distance(frame_, all_.models, asked_, slots, p, q);
          ids = {p.id, q.id};
          if (bounds.lower == 0) touches = Tests::touch(frame_, all_.models, asked_, slots, p, q);
        }
      }
      triangle_count_ -= taken;
      if (threads_.ballot(touches) != 0) {
        settle(touches, ids, slots);
        return false;
      }
      const Number known = best_;
      const Number upper = least_upper(bounds.upper);
      lower_best(upper);
      if (static_cast<double>(upper) * unit_ <= all_.state.enough) {
        if (lane_ == 0) {
          all_.state.any[query_] = 1;
          threads_.atomic_max(all_.state.upper + query_, k_touching);
        }
        return false;
      }
      if (best_ < known && lane_ == 0 && shares()) {
        threads_.atomic_max(all_.state.upper + query_,
                            closeness_of(static_cast<double>(best_) * unit_));
      }
      left_.add(threads_, bounds.lower <= best_, {slots.a, slots.b, 0, Tests::below(bounds.lower)},
                best_);
      return true;
    }
    TANDEM_KERNEL Number least_upper(Number upper) const {
      for (std::uint32_t stride = k_warp_size / 2; stride > 0; stride /= 2) {
        const Number other = threads_.shuffle(upper, lane_ ^ stride);
        upper = other < upper ? other : upper;
      }
      return upper;
    }

    /// Some lanes have triangles that touch: nothing is closer.
    TANDEM_KERNEL void settle(bool touches, const TrianglePair& ids, const WaveEntry& slots) {
      const Closeness own = touches ? closeness_of(ids) : 0;
      Closeness first = own;
      for (std::uint32_t stride = k_warp_size / 2; stride > 0; stride /= 2) {
        const Closeness other = threads_.shuffle(first, lane_ ^ stride);
        first = other > first ? other : first;
      }
      if (!touches || own != first) return;
      threads_.atomic_max(all_.state.upper + query_, k_touching);
      if (all_.state.any != nullptr) {
        all_.state.any[query_] = 1;
      } else if (!shares()) {
        all_.state.results[query_] = {.distance = 0, .pair = ids};
        all_.state.touching[query_] = {slots.a, slots.b};
      }
    }

    const SearchNearest& all_;
    const Threads& threads_;
    WarpMemory& memory_;
    std::uint32_t query_;
    std::uint32_t lane_;
    decltype(Tests::load(nullptr)) frame_;
    const BatchQuery& asked_;
    /// Of A.
    double unit_;
    /// The models are at most so far apart, in A's units, or the caller wants closer ones.
    Number best_;
    LeftPairs left_;
    std::uint32_t stack_size_ = 0;
    std::uint32_t triangle_count_ = 0;
  };
};

}  // namespace tandem::detail
