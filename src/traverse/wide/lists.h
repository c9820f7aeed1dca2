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

/// Where a traversal begins: with the pair of the roots, or with all pairs of their children, where
/// these are few. That spares a step if hardly any pair of them would be told apart.
enum class WideStart { roots, below_roots };

/// One traversal. `leaf_pair` decides what the kernels leave open and passes pairs on: it has
/// `filtered()`, `b_in_a()`, `touches(a, b)` and `show(a, b)`, and where the frame has a distance
/// `within`, that of `leaf_pair`: triangles that are at most so far apart touch.
///
/// Step s takes pairs of blocks from its lists and appends pairs of their children to those of step
/// s + 1. The deepest list goes first: breadth first within a list, depth first between lists. When
/// a list is full, its pairs are followed down to the triangles before the step above goes on. So a
/// query allocates nothing, however many pairs there are.
///
/// With one band, every pair is as good as another, and a step takes whole lists. With two, each
/// step has a list of promising pairs and one of others. Promising pairs go first, few at a time,
/// so that what they lead to comes next.
///
/// A query that finds nothing visits all pairs, in any order, and to sort them costs more each. A
/// query that finds something should soon do so. So where nothing is promising, only at first, and
/// only until nothing overlaps, some of many pairs go at a time and what they lead to is sorted.
/// Later many go at a time, from the deepest list. Where much is close and little touches, as with
/// flush faces, the deepest lists lead nowhere for long: after some dead ends pairs come from the
/// top now and then.
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
        triangles_as_nodes_(steps_ == 1 && leaf_pair.filtered() && frame.within == 0 &&
                            trees.a.triangles != nullptr && trees.b.triangles != nullptr),
        times_few_(std::min(k_times_few, steps_ - 1)),
        stride_(k_pool / static_cast<std::size_t>(bands * (steps_ + 1)) / k_line * k_line) {}

  /// Shows every pair, until the sink stops it.
  Flow run(WideStart start = WideStart::roots) {
    const NodeBlock& root_a = *trees_.blocks_a(0);
    const NodeBlock& root_b = *trees_.blocks_b(0);
    const bool skips_roots = start == WideStart::below_roots && steps_ > 1 &&
                             trees_.descent(0) == Descent::both &&
                             root_a.child_count * root_b.child_count <= k_few_children;
    const std::uint32_t count_a = skips_roots ? root_a.child_count : 1;
    const std::uint32_t count_b = skips_roots ? root_b.child_count : 1;
    below_ = skips_roots ? 1 : 0;
    const Place first{0, below_};
    std::size_t size = 0;
    for (std::uint32_t i = 0; i < count_a; ++i) {
      for (std::uint32_t j = 0; j < count_b; ++j) {
        if (self && i > j) continue;
        pairs_in(first).a[size] = i;
        pairs_in(first).b[size++] = j;
      }
    }
    set_size(first, size);
    share(first) = 1;
    // Observers see the pair of the roots as if all of its children overlapped.
    if (skips_roots) {
      std::uint32_t root[] = {0, 0};
      tell_blocks(observer_, 0, {root, root + 1}, {1, size});
    }
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
      const Batch batch = stuck ? deepest_batch() : next_batch();
      if (batch.place.step < steps_) {
        stuck = !(batch.sorted ? descend<bands>(batch) : descend<1>(batch));
      } else {
        if (test_leaves(batch) == Flow::stop) return Flow::stop;
        stuck = false;
      }
    }
    return Flow::go_on;
  }

  /// How many pairs all lists together have room for, so that a query fits into a small stack.
  static constexpr std::size_t k_pool = 4096;
  static constexpr std::size_t k_candidate_room = 256;
  /// How many indices are in a line of the cache. Every list begins with one: what a kernel writes
  /// across the end of a line takes long to be read, which queries of a few triangles feel.
  static constexpr std::size_t k_line = 16;
  /// From so many unsure pairs of triangles on, another kernel for them pays.
  static constexpr std::size_t k_many_unsure = 8;
  /// From so many on, those that are left are decided in lanes too.
  static constexpr std::size_t k_some_unsure = 3;
  /// Two promising pairs cost hardly more than one.
  static constexpr std::size_t k_two = 2;
  /// Of others so many go, and are sorted, where there are more than these to choose from, so many
  /// times, or as there are steps.
  static constexpr std::size_t k_few = 12;
  static constexpr std::size_t k_choice = 10;
  static constexpr int k_times_few = 3;
  static constexpr std::size_t k_many = 16;
  /// So many pairs of children of the roots are few: often a root has only two.
  static constexpr std::uint32_t k_few_children = 4;
  /// After so many dead ends promising pairs come from the top, and then after so many more.
  static constexpr int k_first_dead_ends = 4;
  static constexpr int k_more_dead_ends = 2;
  /// Of many batches of others, one in so many comes from the top.
  static constexpr unsigned k_from_top = 4;
  static constexpr int k_most_lists = bands * (k_max_wide_height + 1);
  static_assert(k_pool / k_most_lists - k_line >= 2 * k_pairs_of_children + k_list_slack);

  struct Place {
    int band;
    int step;
  };
  /// The last pairs of a list, which are the next to go.
  struct Batch {
    Place place;
    std::size_t size;
    bool sorted;
  };
  template <std::size_t room>
  struct Columns {
    alignas(4 * k_line) std::array<std::uint32_t, room + k_list_slack> a;
    alignas(4 * k_line) std::array<std::uint32_t, room + k_list_slack> b;
    PairList pairs() { return {a.data(), b.data()}; }
  };

  static std::size_t index_of(Place place) {
    return bands * static_cast<std::size_t>(place.step) + static_cast<std::size_t>(place.band);
  }
  std::uint32_t& list_size(Place place) { return sizes_[index_of(place)]; }
  double& share(Place place) { return shares_[Observer::k_wants_shares ? index_of(place) : 0]; }
  /// Each list has a part of the pool, for A's indices and for B's.
  PairList pairs_in(Place place) {
    std::uint32_t* const first = pool_.data() + 2 * stride_ * index_of(place);
    return {first, first + stride_};
  }
  std::size_t room() const { return stride_ - k_list_slack; }

  // Bit s of a band's word says whether its list of step s has pairs.
  void set_size(Place place, std::size_t size) {
    list_size(place) = static_cast<std::uint32_t>(size);
    const std::uint32_t bit = 1U << place.step;
    waiting_[place.band] = size != 0 ? waiting_[place.band] | bit : waiting_[place.band] & ~bit;
  }
  bool done() const {
    std::uint32_t any = 0;
    for (const std::uint32_t steps : waiting_) any |= steps;
    return any == 0;
  }
  static int deepest_of(std::uint32_t steps) { return std::bit_width(steps) - 1; }
  static int top_of(std::uint32_t steps) { return std::countr_zero(steps); }

  Batch batch_of(Place place, std::size_t most, bool sorted) {
    return {place, std::min<std::size_t>(list_size(place), most), sorted};
  }
  /// Of a list below which all lists are empty.
  Batch deepest_batch() {
    Place place{0, deepest_of(waiting_[0])};
    for (int band = 1; band < bands; ++band) {
      const int step = deepest_of(waiting_[band]);
      if (step > place.step) place = {band, step};
    }
    if (bands == 1) return batch_of(place, k_pool, false);
    return place.band == 0 ? batch_of(place, k_two, true) : batch_of(place, k_many, false);
  }
  Batch next_batch() {
    if constexpr (bands == 1) {
      return deepest_batch();
    } else {
      return waiting_[0] != 0 ? next_promising() : next_of_others();
    }
  }
  /// Those that the last ones led to. From a dead end the deepest ones, or those at the top.
  Batch next_promising() {
    int step = below_;
    if ((waiting_[0] >> step & 1) == 0) {
      step = deepest_of(waiting_[0]);
      if (--dead_ends_ == 0) {
        dead_ends_ = k_more_dead_ends;
        step = top_of(waiting_[0]);
      }
    }
    below_ = step + 1;
    return batch_of({0, step}, k_two, true);
  }
  Batch next_of_others() {
    const Place deepest{1, deepest_of(waiting_[1])};
    if (times_few_ > 0 && list_size(deepest) > k_choice) {
      --times_few_;
      return batch_of(deepest, k_few, true);
    }
    if (++times_many_ > k_from_top && times_many_ % k_from_top == 0) {
      const int top = top_of(waiting_[1]);
      below_ = top + 1;
      return batch_of({1, top}, k_few, true);
    }
    return batch_of(deepest, k_many, false);
  }
  /// The pairs of a batch.
  PairList pairs_of(const Batch& batch) {
    return pairs_in(batch.place).from(list_size(batch.place) - batch.size);
  }
  /// Takes the first pairs of the batch away; returns their share.
  double take(const Batch& batch, std::size_t taken) {
    const std::size_t size = list_size(batch.place);
    double part = 0;
    if constexpr (Observer::k_wants_shares) {
      part = share(batch.place) * static_cast<double>(taken) / static_cast<double>(size);
      share(batch.place) -= part;
    }
    const std::size_t left = batch.size - taken;
    if (left != 0) [[unlikely]] {
      const PairList first = pairs_of(batch);
      std::copy_n(first.a + taken, left, first.a);
      std::copy_n(first.b + taken, left, first.b);
    }
    set_size(batch.place, size - taken);
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
  bool descend(const Batch& batch) {
    const int step = batch.place.step;
    const PairList pairs = pairs_of(batch);
    Outlets<outlets> out;
    out.room = room();
    std::size_t before = 0;
    for (int band = 0; band < outlets; ++band) {
      const Place below{band + bands - outlets, step + 1};
      out.list[band] = pairs_in(below);
      out.written[band] = list_size(below);
      before += list_size(below);
    }
    const std::size_t taken = descend_kernel<outlets>(trees_.descent(step))(
        frame_, trees_.blocks_a(step), trees_.blocks_b(step), pairs, batch.size, out);
    if (taken == 0) return false;
    if constexpr (self) {
      for (int band = 0; band < outlets; ++band) {
        const std::size_t first = list_size({band + bands - outlets, step + 1});
        out.written[band] = keep_half<std::less_equal<>>(out.list[band], first, out.written[band]);
      }
    }
    std::size_t written = 0;
    for (int band = 0; band < outlets; ++band) written += out.written[band];
    written -= before;
    tell_blocks(observer_, step, pairs, {taken, written});
    const double part = take(batch, taken);
    if (written == 0) {
      add_done(part);
      times_few_ = 0;
    }
    for (int band = 0; band < outlets; ++band) {
      const Place below{band + bands - outlets, step + 1};
      const std::size_t size = list_size(below);
      if (out.written[band] == size) continue;
      if constexpr (Observer::k_wants_shares) {
        share(below) +=
            part * static_cast<double>(out.written[band] - size) / static_cast<double>(written);
      }
      set_size(below, out.written[band]);
    }
    return true;
  }

  /// Tests triangles of pairs of leaves and shows those that touch.
  Flow test_leaves(const Batch& batch) {
    if constexpr (bands == k_bands && !self) {
      if (batch.size <= k_two && leaf_pair_.filtered()) return test_few_leaves(batch);
    }
    gather_candidates(batch);
    return test_candidates();
  }

  /// A promising pair of leaves often has triangles that touch: no time is lost with lists of
  /// candidates.
  Flow test_few_leaves(const Batch& batch) {
    const PairList pairs = pairs_of(batch);
    const LeafResult result =
        leaves_.until_touch(frame_, trees_.a.boxes, trees_.a.corners, trees_.b.corners, pairs,
                            batch.size, touching_.pairs(), unsure_.pairs());
    const auto tested = static_cast<std::size_t>(std::popcount(result.overlaps));
    tell_blocks(observer_, steps_, pairs.from(batch.size - result.taken), {result.taken, tested});
    observer_.leaf_overlaps(tested);
    if constexpr (TracingObserver<Observer>) list_candidates(result.overlaps, pairs, batch.size);
    if (tested > 0) tell_triangles(observer_, trees_, candidates_.pairs(), tested);
    add_done(take(batch_of(batch.place, result.taken, batch.sorted), result.taken));
    return decide(result);
  }

  /// Those that were tested, for observers that want to know.
  void list_candidates(std::uint32_t overlaps, PairList leaves, std::size_t count) {
    for (std::size_t size = 0; overlaps != 0; overlaps &= overlaps - 1) {
      const auto bit = static_cast<std::uint32_t>(std::countr_zero(overlaps));
      const std::size_t leaf = count - 1 - bit / k_pairs_of_children;
      candidates_.a[size] = k_block * leaves.a[leaf] + bit % k_block;
      candidates_.b[size++] = k_block * leaves.b[leaf] + bit / k_block % k_block;
    }
  }

  /// From pairs of leaves to candidates: pairs of triangles whose boxes overlap, or that are close.
  void gather_candidates(const Batch& batch) {
    const PairList pairs = pairs_of(batch);
    KernelResult result = triangles_as_nodes_
                              ? gather_as_nodes(pairs, batch.size)
                              : gather_(frame_, trees_.a.boxes, trees_.a.corners, trees_.b.corners,
                                        pairs, batch.size, candidates_.pairs(), k_candidate_room);
    if constexpr (self) {
      result.written = keep_half<std::less<>>(candidates_.pairs(), 0, result.written);
    }
    candidate_count_ = result.written;
    tell_blocks(observer_, steps_, pairs, result);
    observer_.leaf_overlaps(result.written);
    add_done(take(batch, result.taken));
  }

  KernelResult gather_as_nodes(PairList pairs, std::size_t count) {
    Outlets<1> out{{candidates_.pairs()}, {0}, k_candidate_room};
    const std::size_t taken = kernels_.descend_in_one.both(frame_, trees_.a.triangles,
                                                           trees_.b.triangles, pairs, count, out);
    return {taken, out.written[0]};
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
    return decide(leaves_.triangles(frame_, trees_.a.corners, trees_.b.corners, candidates_.pairs(),
                                    count, touching_.pairs(), unsure_.pairs()));
  }

  /// Shows the pairs that touch, after the filter.
  Flow decide(FilterResult result) {
    if (show_touching(result.touching) == Flow::stop) return Flow::stop;
    // Many are unsure where faces are flush.
    if (result.unsure >= k_many_unsure) {
      result.unsure = leaves_.drop_apart_in_projection(frame_, trees_.a.corners, trees_.b.corners,
                                                       unsure_.pairs(), result.unsure);
    }
    // A query that stops at the first pair often has it in the first of these.
    if constexpr (bands == 1 && !self) {
      if (result.unsure >= k_some_unsure && kernels_.flush != nullptr && trees_.a.exact &&
          trees_.b.exact) {
        result = kernels_.flush({leaf_pair_.b_in_a(), trees_.a, trees_.b}, trees_.a.corners,
                                trees_.b.corners, unsure_.pairs(), result.unsure, touching_.pairs(),
                                unsure_.pairs());
        if (show_touching(result.touching) == Flow::stop) return Flow::stop;
      }
    }
    return test_exactly(unsure_.pairs(), result.unsure);
  }

  /// Shows pairs that are known to touch.
  Flow show_touching(std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
      if (leaf_pair_.show(trees_.a.ids[touching_.a[i]], trees_.b.ids[touching_.b[i]]) ==
          Flow::stop) {
        return Flow::stop;
      }
    }
    return Flow::go_on;
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
  /// Where models are one block each, most of their boxes overlap. Then it is faster to compare
  /// triangles as nodes, with slabs: no corners are moved, and no edges looked at. The margins are
  /// wider, so this is for candidates that go through the filter.
  bool triangles_as_nodes_;
  /// How many times few others may go yet.
  int times_few_;
  std::size_t stride_;
  double done_ = 0;
  std::size_t candidate_count_ = 0;
  std::array<std::uint32_t, bands> waiting_ = {};
  /// The step below the one that promising pairs were taken from.
  int below_ = 0;
  int dead_ends_ = k_first_dead_ends;
  unsigned times_many_ = 0;
  /// How many pairs each list has, and their share in all work, as if all pairs of a list meant the
  /// same work.
  std::array<std::uint32_t, k_most_lists> sizes_ = {};
  std::array<double, Observer::k_wants_shares ? k_most_lists : 1> shares_ = {};
  alignas(4 * k_line) std::array<std::uint32_t, 2 * k_pool> pool_;
  Columns<k_candidate_room> candidates_;
  Columns<k_candidate_room> touching_;
  Columns<k_candidate_room> unsure_;
  /// How far apart candidates are.
  std::array<float, k_candidate_room + k_list_slack> at_least_;
  std::array<float, k_candidate_room + k_list_slack> at_most_;
};

}  // namespace tandem::detail
