// The touching pairs of two wide trees: both are descended at once, with lists of pairs of blocks
// for each step, in SIMD lanes.
#pragma once

#include <tandem/sink.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

#include "math/power_of_two.h"
#include "traverse/wide/frame.h"
#include "traverse/wide/kernels.h"
#include "traverse/wide/observer.h"
#include "traverse/wide/pair.h"

namespace tandem::detail {

/// Of the pairs from `first` to `last`, keeps those in that order; returns where they end.
template <class Order>
std::size_t keep_half(PairList pairs, std::size_t first, std::size_t last) {
  std::size_t end = first;
  for (std::size_t i = first; i < last; ++i) {
    const std::uint32_t a = pairs.a[i];
    const std::uint32_t b = pairs.b[i];
    // Written in any case, which needs no branch.
    pairs.a[end] = a;
    pairs.b[end] = b;
    end += Order()(a, b) ? 1 : 0;
  }
  return end;
}

/// One traversal. `leaf_pair` decides what the kernels leave open and passes pairs on: it has
/// `filtered()`, `touches(a, b)` and `show(a, b)`, and where the frame has a distance
/// `within`, that of `leaf_pair`: triangles that are at most so far apart touch.
///
/// Step s takes pairs of blocks from its lists and appends pairs of their children to those of step
/// s + 1. The deepest list goes first: breadth first within a list, depth first between lists. When
/// a list is full, its pairs are followed down to the triangles before the step above goes on. So a
/// query allocates nothing, however many pairs there are.
///
/// With one band, every pair is as good as another, and a step takes whole lists. With two, each
/// step has a list of promising pairs and one of others, and others wait as long as there are
/// promising ones. A step takes a few pairs at a time, so that what they lead to comes first. What
/// others lead to is not sorted again: where nothing was promising, nothing soon will be, and a
/// query that finds nothing should not take longer than one that asks for all pairs.
///
/// With `self`, both trees are the same one. Then of the pairs (i, j) and (j, i) of blocks, leaves
/// or triangle slots only the one with i < j is kept, and (i, i) of all but slots. The children of
/// a later block come later, so nothing but (i, i) leads to pairs that are dropped. Neighbours,
/// which are most of the candidates, are dropped before the filter where that is sure. What the
/// filter calls touching pierces a triangle strictly inside, so it meets in more than corners and
/// edges.
template <int bands, bool self, class LeafPair, class Observer>
class WideLists {
 public:
  WideLists(const WideKernels& kernels, const WidePair& trees, const WideFrame& frame,
            LeafPair& leaf_pair, Observer& observer)
      : kernels_(kernels),
        leaves_(kernels.leaves(frame)),
        gather_(frame.within > 0 ? leaves_.within : leaves_.boxes),
        trees_(trees),
        frame_(frame),
        leaf_pair_(leaf_pair),
        observer_(observer),
        steps_(trees.steps()),
        stride_(k_pool / static_cast<std::size_t>(bands * (steps_ + 1))) {}

  /// Shows every pair, until the sink stops it.
  Flow run() {
    const Place root{0, 0};
    pairs_in(root).a[0] = 0;
    pairs_in(root).b[0] = 0;
    set_size(root, 1);
    list(root).share = 1;
    const Flow flow = empty_lists();
    if (flow == Flow::go_on) observer_.share_done(1);
    return flow;
  }

  /// Shows every pair below some pairs of blocks of one step, until the sink stops it.
  Flow run_below(int step, std::span<const std::uint32_t> a, std::span<const std::uint32_t> b) {
    const Place place{bands - 1, step};
    for (std::size_t first = 0; first < a.size();) {
      const std::size_t size = std::min(a.size() - first, room());
      std::copy_n(a.data() + first, size, pairs_in(place).a);
      std::copy_n(b.data() + first, size, pairs_in(place).b);
      set_size(place, size);
      if (empty_lists() == Flow::stop) return Flow::stop;
      first += size;
    }
    return Flow::go_on;
  }

 private:
  Flow empty_lists() {
    bool stuck = false;
    while (!done()) {
      const Place place = stuck ? deepest() : most_promising();
      if (place.step < steps_) {
        stuck = !(place.band == bands - 1 ? descend<1>(place) : descend<bands>(place));
      } else {
        gather_candidates(place);
        if (test_candidates() == Flow::stop) return Flow::stop;
        stuck = false;
      }
    }
    return Flow::go_on;
  }

  /// How many pairs all lists together have room for, so that a query fits into a small stack.
  static constexpr std::size_t k_pool = 4096;
  static constexpr std::size_t k_candidate_room = 256;
  /// From so many unsure pairs of triangles on, another kernel for them pays.
  static constexpr std::size_t k_many_unsure = 8;
  static constexpr int k_most_lists = bands * (k_max_wide_height + 1);
  static_assert(k_pool / k_most_lists >= 2 * k_pairs_of_children + k_list_slack);

  /// How many pairs a step takes at a time. Two promising pairs cost hardly more than one. Others
  /// are many, and any of them may lead to a touching pair.
  static constexpr std::size_t batch_limit(int band) {
    if (bands == 1) return k_pool;
    return band == 0 ? 2 : 16;
  }

  struct Place {
    int band;
    int step;
  };
  struct List {
    std::size_t size = 0;
    /// The share of these pairs in all work, as if all pairs of a list meant the same work.
    double share = 0;
  };
  template <std::size_t room>
  struct Columns {
    std::array<std::uint32_t, room + k_list_slack> a;
    std::array<std::uint32_t, room + k_list_slack> b;
    PairList pairs() { return {a.data(), b.data()}; }
  };

  static std::size_t index_of(Place place) {
    return bands * static_cast<std::size_t>(place.step) + static_cast<std::size_t>(place.band);
  }
  List& list(Place place) { return lists_[index_of(place)]; }
  /// Each list has a part of the pool, for A's indices and for B's.
  PairList pairs_in(Place place) {
    std::uint32_t* const first = pool_.data() + 2 * stride_ * index_of(place);
    return {first, first + stride_};
  }
  std::size_t room() const { return stride_ - k_list_slack; }

  // Bit s of a band's word says whether its list of step s has pairs.
  void set_size(Place place, std::size_t size) {
    list(place).size = size;
    const std::uint32_t bit = 1U << place.step;
    waiting_[place.band] = size != 0 ? waiting_[place.band] | bit : waiting_[place.band] & ~bit;
  }
  bool done() const {
    std::uint32_t any = 0;
    for (const std::uint32_t steps : waiting_) any |= steps;
    return any == 0;
  }
  static int deepest_of(std::uint32_t steps) { return std::bit_width(steps) - 1; }
  Place most_promising() const {
    int band = 0;
    while (waiting_[band] == 0) ++band;
    return {band, deepest_of(waiting_[band])};
  }
  /// A list below which all lists are empty.
  Place deepest() const {
    Place place{0, -1};
    for (int band = 0; band < bands; ++band) {
      const int step = deepest_of(waiting_[band]);
      if (step > place.step) place = {band, step};
    }
    return place;
  }

  /// The last pairs of a list, which are the next to go.
  std::size_t batch_size(Place place) {
    return std::min(list(place).size, batch_limit(place.band));
  }
  PairList batch(Place place) { return pairs_in(place).from(list(place).size - batch_size(place)); }
  /// Takes the first pairs of the batch away; returns their share.
  double take(Place place, std::size_t taken) {
    List& from = list(place);
    double part = 0;
    if constexpr (Observer::k_wants_shares) {
      part = from.share * static_cast<double>(taken) / static_cast<double>(from.size);
      from.share -= part;
    }
    const std::size_t left = batch_size(place) - taken;
    if (left != 0) {
      const PairList first = batch(place);
      std::copy_n(first.a + taken, left, first.a);
      std::copy_n(first.b + taken, left, first.b);
    }
    set_size(place, from.size - taken);
    return part;
  }

  template <int outlets>
  WideKernels::Descend<outlets>* descend_kernel(Descent descent) const {
    if constexpr (outlets == 1) {
      if (frame_.within > 0) return kernels_.descend_within.of(descent);
    }
    return kernels_.template descend<outlets>(descent);
  }

  /// From a batch of pairs to the last lists of the next step, as many as there are outlets, as far
  /// as those have room. Returns false when they have none.
  template <int outlets>
  bool descend(Place place) {
    const int step = place.step;
    const PairList pairs = batch(place);
    Outlets<outlets> out;
    out.room = room();
    std::size_t before = 0;
    for (int band = 0; band < outlets; ++band) {
      const Place below{band + bands - outlets, step + 1};
      out.list[band] = pairs_in(below);
      out.written[band] = list(below).size;
      before += list(below).size;
    }
    const std::size_t taken = descend_kernel<outlets>(trees_.descent(step))(
        frame_, trees_.blocks_a(step), trees_.blocks_b(step), pairs, batch_size(place), out);
    if (taken == 0) return false;
    if constexpr (self) {
      for (int band = 0; band < outlets; ++band) {
        const std::size_t first = list({band + bands - outlets, step + 1}).size;
        out.written[band] = keep_half<std::less_equal<>>(out.list[band], first, out.written[band]);
      }
    }
    std::size_t written = 0;
    for (int band = 0; band < outlets; ++band) written += out.written[band];
    written -= before;
    tell_blocks(observer_, step, pairs, {taken, written});
    const double share = take(place, taken);
    if (written == 0) add_done(share);
    for (int band = 0; band < outlets; ++band) {
      const Place below{band + bands - outlets, step + 1};
      List& next = list(below);
      if (out.written[band] == next.size) continue;
      if constexpr (Observer::k_wants_shares) {
        next.share += share * static_cast<double>(out.written[band] - next.size) /
                      static_cast<double>(written);
      }
      set_size(below, out.written[band]);
    }
    return true;
  }

  /// From pairs of leaves to candidates: pairs of triangles whose boxes overlap, or that are close.
  void gather_candidates(Place place) {
    const PairList pairs = batch(place);
    KernelResult result = gather_(frame_, trees_.a.boxes, trees_.a.corners, trees_.b.corners, pairs,
                                  batch_size(place), candidates_.pairs(), k_candidate_room);
    if constexpr (self) {
      result.written = keep_half<std::less<>>(candidates_.pairs(), 0, result.written);
    }
    candidate_count_ = result.written;
    tell_blocks(observer_, steps_, pairs, result);
    observer_.leaf_overlaps(result.written);
    add_done(take(place, result.taken));
  }

  /// Tests the candidates and shows those that touch.
  Flow test_candidates() {
    std::size_t count = candidate_count_;
    if (count == 0) return Flow::go_on;
    tell_triangles(observer_, trees_, candidates_.pairs(), count);
    if constexpr (self) {
      // Float32 holds all multiples of 2^-149, which coordinates of meshes are, and larger units.
      const bool exact = trees_.a.exponent <= 0;
      count = kernels_.neighbours(trees_.a.corners, exact, candidates_.pairs(), count);
      if (count == 0) return Flow::go_on;
    }
    if (!leaf_pair_.filtered()) return test_exactly(candidates_.pairs(), count);
    if (frame_.within > 0) return test_distances(count);
    FilterResult result =
        leaves_.triangles(frame_, trees_.a.corners, trees_.b.corners, candidates_.pairs(), count,
                          touching_.pairs(), unsure_.pairs());
    for (std::size_t i = 0; i < result.touching; ++i) {
      if (leaf_pair_.show(trees_.a.ids[touching_.a[i]], trees_.b.ids[touching_.b[i]]) ==
          Flow::stop) {
        return Flow::stop;
      }
    }
    // Many are unsure where faces are flush.
    if (result.unsure >= k_many_unsure) {
      result.unsure = leaves_.drop_apart_in_projection(frame_, trees_.a.corners, trees_.b.corners,
                                                       unsure_.pairs(), result.unsure);
    }
    return test_exactly(unsure_.pairs(), result.unsure);
  }

  /// Shows the candidates that are close enough.
  Flow test_distances(std::size_t count) {
    leaves_.distances(frame_, trees_.a.corners, trees_.b.corners, candidates_.pairs(), count,
                      at_least_.data(), at_most_.data());
    const double within = leaf_pair_.within() * power_of_two(-trees_.a.exponent);
    for (std::size_t i = 0; i < count; ++i) {
      if (at_least_[i] > within) continue;
      const std::uint32_t a = trees_.a.ids[candidates_.a[i]];
      const std::uint32_t b = trees_.b.ids[candidates_.b[i]];
      const bool close = at_most_[i] <= within || leaf_pair_.touches(a, b);
      if (close && leaf_pair_.show(a, b) == Flow::stop) return Flow::stop;
    }
    return Flow::go_on;
  }

  Flow test_exactly(PairList slots, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint32_t a = trees_.a.ids[slots.a[i]];
      const std::uint32_t b = trees_.b.ids[slots.b[i]];
      if (leaf_pair_.touches(a, b) && leaf_pair_.show(a, b) == Flow::stop) return Flow::stop;
    }
    return Flow::go_on;
  }

  void add_done(double share) {
    done_ += share;
    observer_.share_done(done_);
  }

  const WideKernels& kernels_;
  const WideKernels::Leaves& leaves_;
  decltype(WideKernels::Leaves::boxes) gather_;
  const WidePair& trees_;
  const WideFrame& frame_;
  LeafPair& leaf_pair_;
  Observer& observer_;
  int steps_;
  std::size_t stride_;
  double done_ = 0;
  std::size_t candidate_count_ = 0;
  std::array<std::uint32_t, bands> waiting_ = {};
  std::array<List, k_most_lists> lists_;
  std::array<std::uint32_t, 2 * k_pool> pool_;
  Columns<k_candidate_room> candidates_;
  Columns<k_candidate_room> touching_;
  Columns<k_candidate_room> unsure_;
  /// How far apart candidates are.
  std::array<float, k_candidate_room + k_list_slack> at_least_;
  std::array<float, k_candidate_room + k_list_slack> at_most_;
};

}  // namespace tandem::detail
