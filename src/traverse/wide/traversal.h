// Both wide trees descended at once, a list of pairs of blocks a level, in SIMD lanes.
#pragma once

#include <tandem/query.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "traverse/wide/frame.h"
#include "traverse/wide/kernels.h"
#include "traverse/wide/pair.h"
#include "traverse/wide/search.h"
#include "tree/wide/tree.h"

namespace tandem::detail {

/// One traversal. `leaf_pair` decides what the kernels leave open and passes pairs on: it has
/// `filtered()`, `touches(a, b)` and `show(a, b)`.
///
/// Step s takes pairs of blocks from list s and appends pairs of their children to list s + 1. A list has room for some hundred pairs. When it is full, those are
/// followed down to the triangles first: breadth first within a list, depth first between them. So a
/// query allocates nothing, however many pairs there are.
template <class LeafPair, class Observer>
class WideTraversal {
 public:
  WideTraversal(const WideKernels& kernels, const WidePair& trees, const WideFrame& frame,
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
    return end_of(follow(0));
  }

  /// Every pair that a search has not come to.
  Flow rest_of(const WideSearch& search) {
    for (std::size_t i = 0; i < search.group_count; ++i) {
      const SearchGroup& group = search.groups[i];
      List& list = lists_[group.step];
      if (list.empty()) list.begin = list.end = 0;
      list.share += 1.0 / static_cast<double>(search.group_count);
      for (const std::uint32_t key : group.key) {
        if (key == SearchGroup::k_absent) continue;
        list.a[list.end] = group.child_a(key);
        list.b[list.end++] = group.child_b(key);
      }
      if (list.end + 16 > k_room && follow(steps_) == Flow::stop) return Flow::stop;
    }
    return end_of(follow(steps_));
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
  struct List : Columns<k_room> {
    std::size_t begin = 0;
    std::size_t end = 0;
    bool empty() const { return begin == end; }
    std::size_t size() const { return end - begin; }
    /// What these pairs are of all work, as if each in a list meant as much as the others.
    double share = 0;
    /// Takes some pairs' part of it.
    double take(std::size_t count) {
      const double part = share * static_cast<double>(count) / static_cast<double>(size());
      share -= part;
      return part;
    }
    PairList rest() { return {this->a.data() + begin, this->b.data() + begin}; }
  };

  Flow end_of(Flow flow) {
    if (flow == Flow::go_on) observer_.share_done(1);
    return flow;
  }

  /// Takes up what is in the lists from this step upwards.
  Flow follow(int step) {
    while (step >= 0) {
      List& list = lists_[step];
      if (list.empty()) {
        --step;
      } else if (step == steps_) {
        const std::size_t taken = gather(list.rest(), list.size());
        finish(list.take(taken));
        list.begin += taken;
        if (judge() == Flow::stop) return Flow::stop;
      } else {
        const KernelResult result = descend(step, list.rest(), list.size());
        fill(step + 1, list.take(result.taken), result.taken, result.written);
        list.begin += result.taken;
        ++step;
      }
    }
    return Flow::go_on;
  }

  /// From pairs of a list to the next list, which is empty, as far as that has room.
  KernelResult descend(int step, PairList pairs, std::size_t count) {
    const auto kernel = trees_.a_waits(step)   ? kernels_.descend_b
                        : trees_.b_waits(step) ? kernels_.descend_a
                                               : kernels_.descend;
    return kernel(frame_, trees_.blocks_a(step), trees_.blocks_b(step), pairs, count,
                  lists_[step + 1].pairs(), k_room);
  }

  /// The list has been filled with what overlaps below `taken` pairs of the one before.
  void fill(int step, double share, std::size_t taken, std::size_t written) {
    List& list = lists_[step];
    list.begin = 0;
    list.end = written;
    list.share = share;
    observer_.pairs_of_blocks(taken, written);
    if (written == 0) finish(share);
  }

  /// The candidates of pairs of leaves, as far as there is room. Returns how many it took.
  std::size_t gather(PairList leaves, std::size_t count) {
    const PairList out{candidates_.a.data() + candidate_count_,
                       candidates_.b.data() + candidate_count_};
    const KernelResult result =
        kernels_.boxes(frame_, trees_.a.boxes.data(), trees_.b.corners.data(), leaves, count, out,
                       k_candidate_room - candidate_count_);
    candidate_count_ += result.written;
    observer_.pairs_of_blocks(result.taken, result.written);
    observer_.leaf_overlaps(result.written);
    return result.taken;
  }

  /// Tests the candidates and shows those that touch.
  Flow judge() {
    const std::size_t count = candidate_count_;
    candidate_count_ = 0;
    if (count == 0) return Flow::go_on;
    observer_.triangle_tests(count);
    if (!leaf_pair_.filtered()) return decide(candidates_.pairs(), count);
    const WideKernels::Split split =
        kernels_.triangles(frame_, trees_.a.corners.data(), trees_.b.corners.data(),
                           candidates_.pairs(), count, touching_.pairs(), unsure_.pairs());
    for (std::size_t i = 0; i < split.touching; ++i) {
      if (leaf_pair_.show(trees_.a.ids[touching_.a[i]], trees_.b.ids[touching_.b[i]]) ==
          Flow::stop) {
        return Flow::stop;
      }
    }
    return decide(unsure_.pairs(), split.unsure);
  }

  Flow decide(PairList slots, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint32_t a = trees_.a.ids[slots.a[i]];
      const std::uint32_t b = trees_.b.ids[slots.b[i]];
      if (leaf_pair_.touches(a, b) && leaf_pair_.show(a, b) == Flow::stop) return Flow::stop;
    }
    return Flow::go_on;
  }

  void finish(double share) {
    done_ += share;
    observer_.share_done(done_);
  }

  const WideKernels& kernels_;
  WidePair trees_;
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

/// For models that float32 cannot hold together, because their sizes differ by more than a million or
/// because they are too far away: the triangles of the larger one that come near the smaller one, each
/// against all of the smaller one's.
template <class LeafPair, class Observer>
Flow traverse_in_double(const WideTree& a, const WideTree& b, const WideFrame& frame,
                        LeafPair& leaf_pair, Observer& observer) {
  // The smaller model's box in the coordinates of the larger one, in double precision.
  const bool b_is_small = b.exponent < a.exponent;
  const WideTree& large = b_is_small ? a : b;
  const WideTree& small = b_is_small ? b : a;
  double centre[3];
  double half[3];
  if (b_is_small) {
    for (int i = 0; i < 3; ++i) {
      centre[i] = frame.exact_translation[i];
      half[i] = frame.position_error;
      for (int j = 0; j < 3; ++j) half[i] += std::fabs(frame.exact_matrix[i][j]) * b.extent[j];
    }
  } else {
    // The inverse of a nearly rigid motion: its transpose, off by some millionths.
    const double scale_sq = std::ldexp(1.0, 2 * (b.exponent - a.exponent));
    for (int j = 0; j < 3; ++j) {
      centre[j] = 0;
      half[j] = 0;
      for (int i = 0; i < 3; ++i) {
        const double entry = frame.exact_matrix[i][j] / scale_sq;
        centre[j] -= entry * frame.exact_translation[i];
        half[j] +=
            std::fabs(entry) * (a.extent[i] + frame.position_error +
                                1e-5 * (a.extent[i] + std::fabs(frame.exact_translation[i])));
      }
      for (const double move : frame.exact_translation) {
        half[j] += 1e-5 * std::fabs(move) / std::sqrt(scale_sq);
      }
    }
  }
  for (int k = 0; k < 3; ++k) half[k] = half[k] * 1.00001 + 0x1p-40 * std::fabs(centre[k]);

  for (std::uint32_t leaf = 0; leaf < large.boxes.size(); ++leaf) {
    const BoxBlock& box = large.boxes[leaf];
    for (std::uint32_t lane = 0; lane < k_block; ++lane) {
      bool meets = large.ids[k_block * leaf + lane] != k_no_triangle;
      for (int k = 0; k < 3; ++k) {
        meets = meets && box.lower[k][lane] <= centre[k] + half[k] &&
                centre[k] - half[k] <= box.upper[k][lane];
      }
      if (!meets) continue;
      for (const std::uint32_t other : small.ids) {
        if (other == k_no_triangle) continue;
        observer.triangle_tests(1);
        const std::uint32_t one = large.ids[k_block * leaf + lane];
        const std::uint32_t id_a = b_is_small ? one : other;
        const std::uint32_t id_b = b_is_small ? other : one;
        if (leaf_pair.touches(id_a, id_b) && leaf_pair.show(id_a, id_b) == Flow::stop) {
          return Flow::stop;
        }
      }
    }
    observer.share_done((leaf + 1.0) / static_cast<double>(large.boxes.size()));
  }
  return Flow::go_on;
}

/// One pair as soon as possible. A search that takes long goes on with lists, which are faster a pair.
template <class LeafPair, class Observer>
Flow search_wide(const WideKernels& kernels, const WidePair& trees, const WideFrame& frame,
                 LeafPair& leaf_pair, Observer& observer) {
  WideSearch search(trees);
  Flow flow = Flow::go_on;
  while (flow == Flow::go_on && kernels.search(frame, search)) {
    const auto show = [&](std::uint32_t slot_a, std::uint32_t slot_b, bool sure) {
      const std::uint32_t a = trees.a.ids[slot_a];
      const std::uint32_t b = trees.b.ids[slot_b];
      if (flow == Flow::go_on && (sure || leaf_pair.touches(a, b))) flow = leaf_pair.show(a, b);
    };
    for (std::size_t i = 0; i < search.touching_count; ++i) {
      show(search.touching_a[i], search.touching_b[i], true);
    }
    for (std::size_t i = 0; i < search.unsure_count; ++i) {
      show(search.unsure_a[i], search.unsure_b[i], false);
    }
  }
  observer.pairs_of_blocks(search.blocks, search.overlaps);
  observer.leaf_overlaps(search.candidates);
  observer.triangle_tests(search.candidates);
  if (flow == Flow::stop) return flow;
  if (search.exhausted) {
    observer.share_done(1);
    return flow;
  }
  return WideTraversal<LeafPair, Observer>(kernels, trees, frame, leaf_pair, observer)
      .rest_of(search);
}

/// All pairs, or one pair as soon as possible.
template <class LeafPair, class Observer>
Flow traverse_wide(const WideKernels& kernels, const WideTree& a, const WideTree& b,
                   const Pose& b_in_a, bool first_pair, LeafPair& leaf_pair, Observer& observer) {
  if (a.empty() || b.empty()) return Flow::go_on;
  const WideFrame frame(b_in_a, a, b);
  if (frame.apart) {
    observer.share_done(1);
    return Flow::go_on;
  }
  if (!frame.similar) return traverse_in_double(a, b, frame, leaf_pair, observer);
  const WidePair trees{a, b};
  // The search has the filter built in, which is for the exact test alone.
  if (first_pair && leaf_pair.filtered()) {
    return search_wide(kernels, trees, frame, leaf_pair, observer);
  }
  return WideTraversal<LeafPair, Observer>(kernels, trees, frame, leaf_pair, observer).all();
}

}  // namespace tandem::detail
