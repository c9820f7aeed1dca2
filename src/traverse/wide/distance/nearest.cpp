#include "traverse/wide/distance/nearest.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

#include "math/power_of_two.h"
#include "traverse/observer.h"
#include "traverse/wide/distance/closest_pair.h"
#include "traverse/wide/distance/nearest_in_double.h"
#include "traverse/wide/frame.h"
#include "traverse/wide/pair.h"

namespace tandem::detail {
namespace {

/// Depth first, the closest pairs of children first. Step s takes some pairs of blocks from its
/// list, those with the least lower bounds, and fills the list of step s + 1; the deepest list that
/// has pairs goes first. So a list is empty when it is filled, and all lists are short. Every pair
/// of triangles that is looked at says how far apart the models are at most; pairs with a larger
/// lower bound are dropped. Lanes compute these bounds in float32. Only pairs of triangles that may
/// be the closest in the end, when bounds have become narrow, are computed as the contract says.
template <class Observer>
class WideNearest {
 public:
  WideNearest(const WideKernels& kernels, const WidePair& trees, const WideFrame& frame,
              ClosestPair& closest, NearFront* front, Observer& observer)
      : kernels_(kernels),
        leaves_(kernels.leaves(frame)),
        trees_(trees),
        frame_(frame),
        closest_(closest),
        front_(front),
        observer_(observer),
        stride_(std::min(k_room, k_pool / static_cast<std::size_t>(trees.steps() + 1))),
        batch_size_(closest.best().found() ? large_batch() : k_small_batch) {}

  void run() {
    if (front_ != nullptr && front_->covers(closest_.needed_above())) {
      search_from_front();
    } else {
      if (front_ != nullptr && !front_->begin(closest_.needed_above())) front_ = nullptr;
      put({0, 0, 0, 0});
      search(0);
    }
    if (!closest_.done()) settle();
    // A search that ends early leaves what it did not come to nowhere.
    if (front_ != nullptr && !closest_.done()) front_->finish();
  }

 private:
  /// How many pairs of blocks a step takes at a time. Few, until the first triangles have told
  /// about how close the models are, if nothing did before; from then on what a step costs matters
  /// more than what comes first.
  static constexpr std::size_t k_small_batch = 4;
  static constexpr std::size_t k_room = NearList::k_room + k_list_slack;
  static constexpr std::size_t k_largest_batch = NearList::k_room / k_pairs_of_children;
  /// All lists share this much, so that a query needs little stack: those of higher trees are
  /// shorter, and take fewer pairs at a time.
  static constexpr std::size_t k_pool = 8 * k_room;
  static_assert(k_pool / (k_max_wide_height + 1) >=
                k_small_batch * k_pairs_of_children + k_list_slack);
  static constexpr std::size_t k_waiting_room = 128;
  static constexpr auto k_at_once = static_cast<std::ptrdiff_t>(TriangleColumns::k_room);

  /// Pairs of blocks that go next.
  struct Batch {
    PairList pairs = {};
    std::size_t size = 0;
  };
  struct Waiting {
    std::uint32_t a;
    std::uint32_t b;
    float lower;
  };

  /// Searches what the list of some step has, and all lists above it.
  void search(int step) {
    const int steps = trees_.steps();
    bool filled = true;
    while (step >= 0 && !closest_.done()) {
      const Batch batch = filled && closest_.wants_any() && sizes_[step] <= large_batch()
                              ? take_all(step)
                              : take_nearest(step);
      filled = false;
      if (batch.size == 0) {
        --step;
      } else if (step == steps) {
        visit_leaves(batch);
      } else {
        descend(step, batch);
        ++step;
        filled = true;
      }
    }
  }

  /// Searches what the front has that may be closest, as many pairs at a time as lists have room
  /// for.
  void search_from_front() {
    const std::vector<NearFront::Place>& places = front_->take(closest_.needed_above());
    for (std::size_t next = 0; next < places.size() && !closest_.done();) {
      NearList triangles = near();
      for (; next < places.size(); ++next) {
        const NearFront::Place& place = places[next];
        if (place.step <= trees_.steps()) {
          if (sizes_[place.step] + k_list_slack == stride_) break;
          put(place);
        } else {
          if (triangles.size == NearList::k_room) break;
          append(triangles, place);
        }
      }
      judge(triangles);
      search(trees_.steps());
    }
  }

  static void append(NearList& list, const NearFront::Place& place) {
    list.pairs.a[list.size] = place.a;
    list.pairs.b[list.size] = place.b;
    list.bound[list.size++] = place.lower;
  }
  void put(const NearFront::Place& place) {
    NearList pairs = list(place.step);
    append(pairs, place);
    sizes_[place.step] = pairs.size;
  }
  /// Leaves what is too far in a list to the front.
  void leave_far(int step, NearList& list) {
    const float limit = closest_.needed_above();
    std::size_t kept = 0;
    for (std::size_t i = 0; i < list.size; ++i) {
      const NearFront::Place place{list.pairs.a[i], list.pairs.b[i], step, list.bound[i]};
      if (place.lower > limit) {
        front_->leave(place);
        continue;
      }
      list.pairs.a[kept] = place.a;
      list.pairs.b[kept] = place.b;
      list.bound[kept++] = place.lower;
    }
    list.size = kept;
  }
  /// How far kernels look: with a front as far as that knows.
  float reach() const {
    const float needed = closest_.needed_above();
    return front_ == nullptr ? needed : std::max(needed, front_->horizon());
  }
  NearList near() { return {{near_a_.data(), near_b_.data()}, near_bound_.data(), 0}; }

  std::size_t large_batch() const { return (stride_ - k_list_slack) / k_pairs_of_children; }
  NearList list(int step) {
    const std::size_t first = stride_ * static_cast<std::size_t>(step);
    return {{a_.data() + first, b_.data() + first}, bound_.data() + first, sizes_[step]};
  }

  /// A whole list, as it was filled.
  Batch take_all(int step) {
    const NearList pairs = list(step);
    sizes_[step] = 0;
    return {pairs.pairs, pairs.size};
  }

  /// The pairs with the least bounds of a list. Drops those that are too far apart.
  Batch take_nearest(int step) {
    NearList pairs = list(step);
    if (pairs.size == 0) return {};
    if (front_ != nullptr) leave_far(step, pairs);
    const PairList taken{batch_a_.data(), batch_b_.data()};
    const std::size_t count =
        kernels_.take_nearest(pairs, closest_.needed_above(), taken, batch_size_);
    sizes_[step] = pairs.size;
    return {taken, count};
  }

  void descend(int step, const Batch& batch) {
    NearList out = list(step + 1);
    kernels_.descend_near.of(trees_.descent(step))(frame_, trees_.blocks_a(step),
                                                   trees_.blocks_b(step), batch.pairs, batch.size,
                                                   reach(), out);
    sizes_[step + 1] = out.size;
    observer_.pairs_of_blocks(batch.size, out.size);
  }

  void visit_leaves(const Batch& batch) {
    NearList out = near();
    leaves_.near(frame_, trees_.a.corners, trees_.b.corners, batch.pairs, batch.size, reach(), out);
    observer_.pairs_of_blocks(batch.size, out.size);
    judge(out);
  }

  /// Computes how far apart pairs of triangles are, about. Those that may be the closest wait.
  void judge(NearList& out) {
    if (front_ != nullptr) leave_far(trees_.steps() + 1, out);
    if (out.size == 0) return;
    observer_.leaf_overlaps(out.size);
    observer_.triangle_tests(out.size);
    batch_size_ = large_batch();
    std::array<float, k_room> upper;
    leaves_.distances(frame_, trees_.a.corners, trees_.b.corners, out.pairs, out.size,
                      near_bound_.data(), upper.data());
    closest_.at_most(*std::min_element(upper.begin(), upper.begin() + out.size));
    // What is as close as asked for, or touches, ends the search: that is worth knowing at once.
    bool may_be_last = closest_.wants_any();
    for (std::size_t i = 0; i < out.size && !closest_.done(); ++i) {
      if (near_bound_[i] > closest_.limit()) {
        leave({near_a_[i], near_b_[i], near_bound_[i]});
        continue;
      }
      if (closest_.is_enough(upper[i])) {
        closest_.consider(trees_.a.ids[near_a_[i]], trees_.b.ids[near_b_[i]]);
        continue;
      }
      if (waiting_count_ == k_waiting_room) settle();
      waiting_[waiting_count_++] = {near_a_[i], near_b_[i], near_bound_[i]};
      may_be_last = may_be_last || near_bound_[i] == 0;
    }
    if (may_be_last && !closest_.done()) settle();
  }

  /// Computes the distances of the triangles that may be the closest, the most promising first.
  void settle() {
    auto end = waiting_.begin();
    for (std::size_t i = 0; i < waiting_count_; ++i) {
      if (waiting_[i].lower > closest_.limit()) {
        leave(waiting_[i]);
      } else {
        *end++ = waiting_[i];
      }
    }
    std::sort(waiting_.begin(), end,
              [](const Waiting& x, const Waiting& y) { return x.lower < y.lower; });
    for (auto pair = waiting_.begin(); pair != end && !closest_.done();) {
      const auto begin = pair;
      while (pair != end && pair - begin < k_at_once && pair->lower <= closest_.limit()) ++pair;
      if (pair == begin) break;
      compute(std::span(begin, pair));
    }
    for (auto pair = waiting_.begin(); pair != end; ++pair) leave(*pair);
    waiting_count_ = 0;
  }

  /// Leaves two triangles to the front.
  void leave(const Waiting& pair) {
    if (front_ != nullptr) front_->leave({pair.a, pair.b, trees_.steps() + 1, pair.lower});
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
  ClosestPair& closest_;
  NearFront* front_;
  Observer& observer_;
  /// From the beginning of a list to that of the next one.
  std::size_t stride_;
  std::size_t batch_size_;
  /// The lists of all steps, and how many pairs each has.
  std::array<std::uint32_t, k_pool> a_;
  std::array<std::uint32_t, k_pool> b_;
  std::array<float, k_pool> bound_;
  std::array<std::size_t, k_max_wide_height + 1> sizes_ = {};
  std::array<std::uint32_t, k_largest_batch + k_list_slack> batch_a_;
  std::array<std::uint32_t, k_largest_batch + k_list_slack> batch_b_;
  /// Pairs of triangle slots.
  std::array<std::uint32_t, k_room> near_a_;
  std::array<std::uint32_t, k_room> near_b_;
  std::array<float, k_room> near_bound_;
  std::size_t waiting_count_ = 0;
  std::array<Waiting, k_waiting_room> waiting_;
};

}  // namespace

template <class Observer>
NearestPair find_nearest(const WideKernels& kernels, const NearestQuery& query,
                         Observer& observer) {
  const WideFrame frame(query.b_in_a, query.a, query.b);
  const WidePair trees{query.a, query.b};
  ClosestPair closest(query, power_of_two(query.a.exponent));
  if (frame.in_range) {
    WideNearest(kernels, trees, frame, closest, query.front, observer).run();
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
