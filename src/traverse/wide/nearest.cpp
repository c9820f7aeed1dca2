#include "traverse/wide/nearest.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>

#include "geometry/distance/triangle_distance.h"
#include "math/power_of_two.h"
#include "traverse/observer.h"
#include "traverse/wide/double_boxes.h"
#include "traverse/wide/frame.h"
#include "traverse/wide/pair.h"

namespace tandem::detail {
namespace {

/// The closest pair so far, and what it says of others.
class Closest {
 public:
  Closest(const NearestQuery& query, double unit)
      : query_(query), unit_(unit), best_(query.known), limit_(query.limit) {
    if (best_.found()) limit_ = best_.distance;
    update();
  }

  const NearestPair& best() const { return best_; }

  /// The closest pair is not farther apart than this, in A's units.
  double limit() const { return limit_ / unit_; }
  /// What is farther apart than this need not be looked at: less than the limit where an error is
  /// allowed.
  double needed() const { return needed_; }
  /// The same, rounded up. It is finite, as what is missing is infinitely far apart.
  float needed_above() const { return needed_above_; }
  /// Whether no more pairs are wanted.
  bool done() const { return limit_ <= query_.enough && best_.found(); }

  /// Two triangles are surely not farther apart than that, in A's units.
  void at_most(double distance) {
    if (distance * unit_ >= limit_) return;
    limit_ = distance * unit_;
    update();
  }

  /// Whether two triangles that are not farther apart than that, in A's units, are close enough.
  bool is_enough(double distance) const { return distance * unit_ <= query_.enough; }

  TwoTriangles triangles_of(std::uint32_t a, std::uint32_t b) const {
    return query_.triangles_of(a, b);
  }

  /// Two triangles are so far apart.
  void consider(const NearestPair& pair) {
    if (!(pair.distance < query_.limit) || !pair.closer_than(best_)) return;
    best_ = pair;
    if (pair.distance < limit_) {
      limit_ = pair.distance;
      update();
    }
  }
  void consider(std::uint32_t a, std::uint32_t b) {
    const TwoTriangles pair = triangles_of(a, b);
    consider({a, b, triangle_distance(pair.a, pair.b).nearest.distance});
  }

 private:
  void update() {
    const double least = (limit_ - query_.absolute_error) / (1 + query_.relative_error);
    needed_ = std::fmax(least, 0) / unit_;
    needed_above_ = static_cast<float>(
        std::fmin(needed_ * (1 + 0x1p-20) + 0x1p-140, std::numeric_limits<float>::max()));
  }

  const NearestQuery& query_;
  double unit_;
  NearestPair best_;
  /// Some two triangles are as close as that, or the caller wants closer ones.
  double limit_;
  double needed_ = 0;
  float needed_above_ = 0;
};

/// Depth first, the closest pairs of children first. Step s takes a few pairs of blocks from its
/// list, those with the least lower bounds, and fills the list of step s + 1; the deepest list that
/// has pairs goes first. So a list is empty when it is filled, and all lists are short. Every pair
/// of triangles that is looked at says how far apart the models are at most; pairs with a larger
/// lower bound are dropped. Lanes compute these bounds in float32. Only pairs of triangles that may
/// be the closest in the end, when bounds have become narrow, are computed as the contract says.
template <class Observer>
class WideNearest {
 public:
  WideNearest(const WideKernels& kernels, const WidePair& trees, const WideFrame& frame,
              Closest& closest, Observer& observer)
      : kernels_(kernels),
        leaves_(kernels.leaves(frame)),
        trees_(trees),
        frame_(frame),
        closest_(closest),
        observer_(observer) {}

  void run() {
    const int steps = trees_.steps();
    lists_[0].a[0] = lists_[0].b[0] = 0;
    lists_[0].bound[0] = 0;
    lists_[0].size = 1;
    for (int step = 0; step >= 0 && !closest_.done();) {
      const std::size_t count = take_closest(lists_[step]);
      if (count == 0) {
        --step;
      } else if (step == steps) {
        visit_leaves(count);
      } else {
        descend(step, count);
        ++step;
      }
    }
    if (!closest_.done()) settle();
  }

 private:
  /// How many pairs of blocks a step takes at a time.
  static constexpr std::size_t k_batch = 4;
  static constexpr std::size_t k_room = k_batch * k_pairs_of_children + k_list_slack;
  /// Where a pair is in a list takes so many bits.
  static constexpr std::uint32_t k_place = 127;
  static_assert(k_room <= k_place + 1);
  static constexpr std::size_t k_waiting_room = 128;
  static constexpr auto k_at_once = static_cast<std::ptrdiff_t>(TriangleColumns::k_room);

  struct List {
    std::size_t size = 0;
    std::array<std::uint32_t, k_room> a;
    std::array<std::uint32_t, k_room> b;
    std::array<float, k_room> bound;

    NearList outlet() { return {{a.data(), b.data()}, bound.data(), 0}; }
  };
  struct Waiting {
    std::uint32_t a;
    std::uint32_t b;
    float lower;
  };

  PairList batch() { return {batch_a_.data(), batch_b_.data()}; }

  /// Moves the pairs with the least bounds from a list to the batch, and drops those that are too
  /// far apart. Returns how many there are.
  std::size_t take_closest(List& list) {
    const float limit = closest_.needed_above();
    std::array<std::uint32_t, k_room> keys;
    std::size_t kept = 0;
    for (std::size_t i = 0; i < list.size; ++i) {
      // Written in any case, which needs no branch.
      const float bound = list.bound[i];
      list.a[kept] = list.a[i];
      list.b[kept] = list.b[i];
      list.bound[kept] = bound;
      // The bits of floats that are not negative have their order. The last ones say which it is.
      keys[kept] =
          (std::bit_cast<std::uint32_t>(bound) & ~k_place) | static_cast<std::uint32_t>(kept);
      kept += bound <= limit ? 1 : 0;
    }
    const std::size_t count = std::min(kept, k_batch);
    for (std::size_t i = 0; i < count; ++i) {
      std::uint32_t key = keys[0];
      for (std::size_t k = 1; k < kept; ++k) key = keys[k] < key ? keys[k] : key;
      const std::size_t least = key & k_place;
      batch_a_[i] = list.a[least];
      batch_b_[i] = list.b[least];
      --kept;
      list.a[least] = list.a[kept];
      list.b[least] = list.b[kept];
      list.bound[least] = list.bound[kept];
      keys[least] = (keys[kept] & ~k_place) | static_cast<std::uint32_t>(least);
    }
    list.size = kept;
    return count;
  }

  void descend(int step, std::size_t count) {
    NearList out = lists_[step + 1].outlet();
    kernels_.descend_near.of(trees_.descent(step))(frame_, trees_.blocks_a(step),
                                                   trees_.blocks_b(step), batch(), count,
                                                   closest_.needed_above(), out);
    lists_[step + 1].size = out.size;
    observer_.pairs_of_blocks(count, out.size);
  }

  void visit_leaves(std::size_t count) {
    NearList out = near_.outlet();
    leaves_.near(frame_, trees_.a.corners, trees_.b.corners, batch(), count,
                 closest_.needed_above(), out);
    observer_.pairs_of_blocks(count, out.size);
    if (out.size == 0) return;
    observer_.leaf_overlaps(out.size);
    observer_.triangle_tests(out.size);
    std::array<float, k_room> upper;
    leaves_.distances(frame_, trees_.a.corners, trees_.b.corners, out.pairs, out.size,
                      near_.bound.data(), upper.data());
    closest_.at_most(*std::min_element(upper.begin(), upper.begin() + out.size));
    for (std::size_t i = 0; i < out.size && !closest_.done(); ++i) {
      if (near_.bound[i] > closest_.limit()) continue;
      if (closest_.is_enough(upper[i])) {
        closest_.consider(trees_.a.ids[near_.a[i]], trees_.b.ids[near_.b[i]]);
        continue;
      }
      if (waiting_count_ == k_waiting_room) settle();
      waiting_[waiting_count_++] = {near_.a[i], near_.b[i], near_.bound[i]};
    }
  }

  /// Computes the distances of the triangles that may be the closest, the most promising first.
  void settle() {
    const auto end =
        std::remove_if(waiting_.begin(), waiting_.begin() + waiting_count_,
                       [&](const Waiting& pair) { return pair.lower > closest_.limit(); });
    std::sort(waiting_.begin(), end,
              [](const Waiting& x, const Waiting& y) { return x.lower < y.lower; });
    for (auto pair = waiting_.begin(); pair != end && !closest_.done();) {
      const auto begin = pair;
      while (pair != end && pair - begin < k_at_once && pair->lower <= closest_.limit()) ++pair;
      if (pair == begin) break;
      compute(std::span(begin, pair));
    }
    waiting_count_ = 0;
  }

  void compute(std::span<const Waiting> pairs) {
    TriangleColumns columns = {};  // of the last ones all columns are read
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      const TwoTriangles two =
          closest_.triangles_of(trees_.a.ids[pairs[i].a], trees_.b.ids[pairs[i].b]);
      for (int k = 0; k < 3; ++k) {
        for (int axis = 0; axis < 3; ++axis) {
          columns.p[k][axis][i] = two.a.corner[k][axis];
          columns.q[k][axis][i] = two.b.corner[k][axis];
        }
      }
    }
    double distances[TriangleColumns::k_room];
    kernels_.exact_distances(columns, pairs.size(), distances);
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      const std::uint32_t a = trees_.a.ids[pairs[i].a];
      const std::uint32_t b = trees_.b.ids[pairs[i].b];
      if (std::isnan(distances[i])) {
        closest_.consider(a, b);
      } else {
        closest_.consider({a, b, distances[i]});
      }
    }
  }

  const WideKernels& kernels_;
  const WideKernels::Leaves& leaves_;
  const WidePair& trees_;
  const WideFrame& frame_;
  Closest& closest_;
  Observer& observer_;
  std::array<List, k_max_wide_height + 1> lists_;
  std::array<std::uint32_t, k_batch + k_list_slack> batch_a_;
  std::array<std::uint32_t, k_batch + k_list_slack> batch_b_;
  /// Pairs of triangle slots.
  List near_;
  std::size_t waiting_count_ = 0;
  std::array<Waiting, k_waiting_room> waiting_;
};

/// The same where float32 has no room for both models: boxes alone, one pair at a time.
template <class Observer>
class NearestInDouble {
 public:
  NearestInDouble(const WidePair& trees, const FrameInDouble& frame, Closest& closest,
                  Observer& observer)
      : trees_(trees), frame_(frame), closest_(closest), observer_(observer) {}

  void run() {
    stack_[0] = {0, 0, 0, 0};
    std::size_t waiting = 1;
    while (waiting != 0 && !closest_.done()) {
      const Pair pair = stack_[--waiting];
      if (pair.bound > closest_.needed()) continue;
      if (pair.step == trees_.steps()) {
        visit_leaves(pair);
        continue;
      }
      const std::size_t first = waiting;
      waiting = descend(pair, waiting);
      observer_.pairs_of_blocks(1, waiting - first);
      std::sort(stack_ + first, stack_ + waiting,
                [](const Pair& x, const Pair& y) { return x.bound > y.bound; });
    }
  }

 private:
  struct Pair {
    std::uint32_t a;
    std::uint32_t b;
    int step;
    double bound;
  };

  std::size_t descend(const Pair& pair, std::size_t waiting) {
    const NodeBlock& block_a = trees_.blocks_a(pair.step)[pair.a];
    const NodeBlock& block_b = trees_.blocks_b(pair.step)[pair.b];
    const Descent descent = trees_.descent(pair.step);
    double least_of_a[k_block];
    double least_of_b[k_block];
    std::fill_n(least_of_a, k_block, std::numeric_limits<double>::infinity());
    std::fill_n(least_of_b, k_block, std::numeric_limits<double>::infinity());
    const auto push = [&](std::uint32_t a, std::uint32_t b, double bound) {
      if (bound <= closest_.needed() && bound < std::numeric_limits<double>::infinity()) {
        stack_[waiting++] = {a, b, pair.step + 1, bound};
      }
    };
    for (std::uint32_t j = 0; j < k_block; ++j) {
      const CentredBox in_b = moved_box(frame_, child_box(block_b, j));
      for (std::uint32_t i = 0; i < k_block; ++i) {
        const double bound = box_gap(child_box(block_a, i), in_b);
        // Not so for NaN, of children that are missing.
        if (bound < least_of_a[i]) least_of_a[i] = bound;
        if (bound < least_of_b[j]) least_of_b[j] = bound;
        if (descent == Descent::both) {
          push(block_a.first_child + i, block_b.first_child + j, bound);
        }
      }
    }
    for (std::uint32_t i = 0; i < k_block; ++i) {
      if (descent == Descent::a_alone) push(block_a.first_child + i, pair.b, least_of_a[i]);
      if (descent == Descent::b_alone) push(pair.a, block_b.first_child + i, least_of_b[i]);
    }
    return waiting;
  }

  void visit_leaves(const Pair& pair) {
    std::uint64_t tested = 0;
    for (std::uint32_t j = 0; j < k_block; ++j) {
      const std::uint32_t b = trees_.b.ids[k_block * pair.b + j];
      if (b == k_no_triangle) continue;
      const CentredBox in_b = moved_box(frame_, triangle_box(trees_.b.boxes[pair.b], j));
      for (std::uint32_t i = 0; i < k_block; ++i) {
        const std::uint32_t a = trees_.a.ids[k_block * pair.a + i];
        if (a == k_no_triangle) continue;
        if (box_gap(triangle_box(trees_.a.boxes[pair.a], i), in_b) > closest_.needed()) continue;
        ++tested;
        closest_.consider(a, b);
      }
    }
    observer_.pairs_of_blocks(1, tested);
    observer_.leaf_overlaps(tested);
    observer_.triangle_tests(tested);
  }

  const WidePair& trees_;
  const FrameInDouble& frame_;
  Closest& closest_;
  Observer& observer_;
  /// Each step leaves at most 15 of its pairs behind when it goes down with one.
  Pair stack_[k_pairs_of_children * (k_max_wide_height + 1)];
};

}  // namespace

template <class Observer>
NearestPair find_nearest(const WideKernels& kernels, const NearestQuery& query,
                         Observer& observer) {
  const WideFrame frame(query.b_in_a, query.a, query.b);
  const WidePair trees{query.a, query.b};
  Closest closest(query, power_of_two(query.a.exponent));
  if (frame.in_range) {
    WideNearest(kernels, trees, frame, closest, observer).run();
  } else {
    NearestInDouble(trees, frame, closest, observer).run();
  }
  return closest.best();
}

template NearestPair find_nearest(const WideKernels& kernels, const NearestQuery& query,
                                  NullObserver& observer);
template NearestPair find_nearest(const WideKernels& kernels, const NearestQuery& query,
                                  CountingObserver& observer);

}  // namespace tandem::detail
