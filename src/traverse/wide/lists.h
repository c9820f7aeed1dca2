// All touching pairs of two wide trees: both are descended at once, with one list of pairs of
// blocks per step, in SIMD lanes.
#pragma once

#include <tandem/sink.h>

#include <array>
#include <cstddef>
#include <cstdint>

#include "traverse/wide/frame.h"
#include "traverse/wide/kernels.h"
#include "traverse/wide/observer.h"
#include "traverse/wide/pair.h"
#include "traverse/wide/search.h"

namespace tandem::detail {

/// One traversal. `leaf_pair` decides what the kernels leave open and passes pairs on: it has
/// `filtered()`, `touches(a, b)` and `show(a, b)`.
///
/// Step s takes pairs of blocks from list s and appends pairs of their children to list s + 1. A
/// list has room for some hundred pairs. When it is full, its pairs are followed down to the
/// triangles before the step goes on: breadth first within a list, depth first between lists. So a
/// query allocates nothing, however many pairs there are.
template <class LeafPair, class Observer>
class WideLists {
 public:
  WideLists(const WideKernels& kernels, const WidePair& trees, const WideFrame& frame,
            LeafPair& leaf_pair, Observer& observer)
      : kernels_(kernels),
        trees_(trees),
        frame_(frame),
        leaf_pair_(leaf_pair),
        observer_(observer),
        steps_(trees.steps()) {}

  /// Every pair, until the sink stops it.
  Flow all() {
    List& root = lists_[0];
    root.a[0] = 0;
    root.b[0] = 0;
    root.end = 1;
    root.share = 1;
    return finish(follow(0));
  }

  /// Every pair that a search has not visited.
  Flow rest_of(const WideSearch& search) {
    for (std::size_t i = 0; i < search.group_count; ++i) {
      const SearchGroup& group = search.groups[i];
      List& list = lists_[group.step];
      if (list.empty()) list.begin = list.end = 0;
      list.share += 1.0 / static_cast<double>(search.group_count);
      for (const std::uint32_t key : group.key) {
        if (key == SearchKey::k_absent) continue;
        list.a[list.end] = group.index_a(key);
        list.b[list.end++] = group.index_b(key);
      }
      if (list.end + SearchGroup::k_children > k_room && follow(steps_) == Flow::stop) {
        return Flow::stop;
      }
    }
    return finish(follow(steps_));
  }

 private:
  static constexpr std::size_t k_room = 512;
  static constexpr std::size_t k_candidate_room = 1024;

  template <std::size_t room>
  struct Columns {
    std::array<std::uint32_t, room + k_list_slack> a;
    std::array<std::uint32_t, room + k_list_slack> b;
    PairList pairs() { return {a.data(), b.data()}; }
  };
  /// The pairs from `begin` to `end` wait.
  struct List : Columns<k_room> {
    std::size_t begin = 0;
    std::size_t end = 0;
    bool empty() const { return begin == end; }
    std::size_t size() const { return end - begin; }
    PairList waiting() { return this->pairs().from(begin); }

    /// The share of these pairs in all work, as if all pairs of a list meant the same work.
    double share = 0;
    /// Takes the first pairs away; returns their share.
    double take(std::size_t count) {
      const double part = share * static_cast<double>(count) / static_cast<double>(size());
      share -= part;
      begin += count;
      return part;
    }
  };

  /// Empties the lists from this step upwards, and all lists that they fill.
  Flow follow(int step) {
    while (step >= 0) {
      if (lists_[step].empty()) {
        --step;
      } else if (step < steps_) {
        descend(step);
        ++step;
      } else {
        gather_candidates();
        if (test_candidates() == Flow::stop) return Flow::stop;
      }
    }
    return Flow::go_on;
  }

  /// From the pairs of a list to the next list, which is empty, as far as that has room.
  void descend(int step) {
    List& list = lists_[step];
    List& next = lists_[step + 1];
    const PairList pairs = list.waiting();
    WideKernels::Descend* const kernel = kernels_.descend_in(trees_.descent(step));
    const KernelResult result = kernel(frame_, trees_.blocks_a(step), trees_.blocks_b(step), pairs,
                                       list.size(), next.pairs(), k_room);
    next.begin = 0;
    next.end = result.written;
    next.share = list.take(result.taken);
    tell_blocks(observer_, step, pairs, result);
    if (next.empty()) add_done(next.share);
  }

  /// From pairs of leaves to candidates: pairs of triangles whose boxes overlap.
  void gather_candidates() {
    List& leaves = lists_[steps_];
    const PairList pairs = leaves.waiting();
    const KernelResult result =
        kernels_.boxes(frame_, trees_.a.boxes, trees_.b.corners, pairs, leaves.size(),
                       candidates_.pairs(), k_candidate_room);
    candidate_count_ = result.written;
    tell_blocks(observer_, steps_, pairs, result);
    observer_.leaf_overlaps(result.written);
    add_done(leaves.take(result.taken));
  }

  /// Tests the candidates and shows those that touch.
  Flow test_candidates() {
    const std::size_t count = candidate_count_;
    if (count == 0) return Flow::go_on;
    tell_triangles(observer_, trees_, candidates_.pairs(), count);
    if (!leaf_pair_.filtered()) return test_exactly(candidates_.pairs(), count);
    const FilterResult result =
        kernels_.triangles(frame_, trees_.a.corners, trees_.b.corners, candidates_.pairs(), count,
                           touching_.pairs(), unsure_.pairs());
    for (std::size_t i = 0; i < result.touching; ++i) {
      if (leaf_pair_.show(trees_.a.ids[touching_.a[i]], trees_.b.ids[touching_.b[i]]) ==
          Flow::stop) {
        return Flow::stop;
      }
    }
    return test_exactly(unsure_.pairs(), result.unsure);
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
  Flow finish(Flow flow) {
    if (flow == Flow::go_on) observer_.share_done(1);
    return flow;
  }

  const WideKernels& kernels_;
  const WidePair& trees_;
  const WideFrame& frame_;
  LeafPair& leaf_pair_;
  Observer& observer_;
  int steps_;
  double done_ = 0;
  std::array<List, k_max_wide_height + 1> lists_;
  Columns<k_candidate_room> candidates_;
  Columns<k_candidate_room> touching_;
  Columns<k_candidate_room> unsure_;
  std::size_t candidate_count_ = 0;
};

}  // namespace tandem::detail
