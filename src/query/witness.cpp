// Witnesses: what a caller keeps of earlier queries between two models that move.
//
// Models that touch often still touch in the same triangles; models that are apart stay apart until
// they have moved as far as they were apart. How far that was, the boxes of the whole models say
// where they are apart. Elsewhere a search finds it out that tells boxes apart only when they are
// farther apart than some distance: that of a few steps as long as the last ones. When it succeeds,
// it is the answer to this query too, and the next search looks a little farther ahead. When it
// fails, two boxes are closer than that, a usual query has to answer, and the next search looks
// half as far ahead.
#include <tandem/query.h>

#include <algorithm>
#include <utility>

#include "geometry/triangle_test.h"
#include "math/transform.h"
#include "query/find_engine.h"
#include "query/model_access.h"
#include "structure/wide.h"
#include "traverse/observer.h"
#include "traverse/wide/clearance.h"
#include "traverse/wide/roots.h"

namespace tandem {
namespace {

using detail::structures_of;

/// How many queries a clearance is meant to answer.
constexpr int k_least_ahead = 3;
constexpr int k_most_ahead = 4096;
/// How many usual queries come between searches where models are so close that those fail.
constexpr int k_patience = 16;

bool is_wide(const Model& model) {
  return structures_of(model).own().structure == detail::WideTree::k_name;
}

const detail::WideTreeView& wide_view(const Model& model) {
  return structures_of(model).get<detail::WideStructure>().view();
}

/// Whether models are surely farther apart than that. Adds its work to the statistics if they are
/// wanted.
bool surely_farther(const Model& a, const Model& b, const Pose& b_in_a, double distance,
                    const QueryOptions& options, Statistics& statistics) {
  const auto search = [&](auto& observer) {
    return detail::surely_farther(detail::wide_kernels(), wide_view(a), wide_view(b), b_in_a,
                                  distance, observer);
  };
  if (!options.statistics) {
    detail::NullObserver observer;
    return search(observer);
  }
  const Progress none;
  detail::CountingObserver observer(none);
  const bool farther = search(observer);
  statistics += observer.statistics();
  return farther;
}

}  // namespace

std::optional<TrianglePair> Witness::find_touching(const Model& a, const Model& b,
                                                   const Pose& b_in_a, Statistics& statistics) {
  // Of models that have come apart meanwhile, only the latest pair is worth a test.
  const int count = a_ == 0 ? count_ : std::min(count_, 1);
  for (int i = 0; i < count; ++i) {
    const TrianglePair pair = pairs_[i];
    if (pair.a >= a.mesh().triangle_count() || pair.b >= b.mesh().triangle_count()) continue;
    ++statistics.triangle_tests;
    const Triangle moved = detail::transform_triangle(b_in_a, b.mesh().triangle(pair.b));
    if (detail::test_triangles(detail::widen(a.mesh().triangle(pair.a)), moved).intersects) {
      ++statistics.triangle_overlaps;
      return pair;
    }
  }
  return std::nullopt;
}

bool Witness::is_surely_apart(const Model& a, const Model& b, const Pose& b_in_a,
                              const QueryOptions& options, Statistics& statistics) {
  if (a_ == 0 || a_ != structures_of(a).identity() || b_ != structures_of(b).identity()) {
    return false;
  }
  const double move = detail::farthest_move(wide_view(b).root, b_in_a_, b_in_a);
  ++steps_;
  if (move <= clearance_) return true;
  const double step = move / static_cast<double>(steps_);
  b_in_a_ = b_in_a;
  steps_ = 0;
  clearance_ = detail::largest_gap(wide_view(a), wide_view(b), b_in_a);
  if (clearance_ > 0) return true;
  if (patience_ > 0) {
    --patience_;
    return false;
  }
  const double wanted = step * steps_ahead_;
  if (surely_farther(a, b, b_in_a, wanted, options, statistics)) {
    clearance_ = wanted;
    steps_ahead_ = std::min(steps_ahead_ + steps_ahead_ / 5 + 1, k_most_ahead);
    return true;
  }
  if (steps_ahead_ <= k_least_ahead) patience_ = k_patience;
  steps_ahead_ = std::max(steps_ahead_ / 2, k_least_ahead);
  return false;
}

void Witness::remember_touching(TrianglePair pair) {
  // The pair goes to the front; those before its old place, or all of them, move back by one.
  TrianglePair* const end = pairs_ + count_;
  TrianglePair* place = std::find(pairs_, end, pair);
  if (place == end) {
    if (count_ < k_room) ++count_;
    place = pairs_ + count_ - 1;
  }
  std::move_backward(pairs_, place, place + 1);
  pairs_[0] = pair;
  a_ = b_ = 0;
}

void Witness::remember_apart(const Model& a, const Model& b, const Pose& b_in_a) {
  a_ = structures_of(a).identity();
  b_ = structures_of(b).identity();
  b_in_a_ = b_in_a;
  clearance_ = 0;
  steps_ = 0;
}

IntersectsResult intersects(const Model& a, const Model& b, const Pose& b_in_a, Witness& witness,
                            const QueryOptions& options) {
  const bool exact = detail::triangle_test_of(options.engine) == detail::TriangleTestKind::exact;
  const bool has_clearance = options.engine == Engine{} && is_wide(a) && is_wide(b);
  Statistics statistics;
  IntersectsResult result;
  if (has_clearance && witness.is_surely_apart(a, b, b_in_a, options, statistics)) {
    if (options.progress) options.progress(1);
  } else {
    if (exact) result.pair = witness.find_touching(a, b, b_in_a, statistics);
    if (!result.pair) result = intersects(a, b, b_in_a, options);
    if (result.pair) {
      witness.remember_touching(*result.pair);
    } else if (has_clearance) {
      witness.remember_apart(a, b, b_in_a);
    }
  }
  if (options.statistics) result.statistics += statistics;
  return result;
}

}  // namespace tandem
