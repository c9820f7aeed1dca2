// How far apart two triangles are.
//
// The distance of two triangles is a function of their coordinates alone, the same to the bit for
// every traversal, instruction set and device. It is within 1e-12 of the true distance, relative to
// it, however close the triangles are, however thin, far from the origin or nearly parallel:
//
//   1. in doubles, `nearest_points` finds points of both triangles, w apart. No two points are
//      closer than the gap along w (`gap_along`), so that the distance is between that and |w|.
//      Where the two agree, up to the rounding of both, |w| is the distance. Nothing depends on how
//      well the points were found.
//   2. the same with twice as many digits, from differences that are exact;
//   3. from numbers that are exact before they are rounded once.
//
// Rounding. Let ε be the largest relative error of an operation and M the largest magnitude of the
// corners' coordinates relative to p's first corner. These are off by 1.01 ε M, and edges and
// differences of corners by 4.1 ε M. The vector w is a difference plus two edges times factors from
// 0 to 1: each product is off by 6.1 ε M, and the sums add 2 ε M each, so w is off by 20.3 ε M on
// each axis; where the point is below a corner, the factors may add up to 1 + ε, which makes 22.5.
// So the true distance is at most |w| + 39 ε M. A product of w with a corner is off by
// 4.1 ε M |w|₁ <= 7.1 ε M |w|. The gap is the difference of two, which rounds once more, by
// 3.5 ε M |w|: 17.7 in all. |w|² is off by 3 ε |w|² <= 10.4 ε M |w|, and their difference rounds by
// 7 ε M |w|. So the true distance is at least |w| - (|w|² - gap) / |w| - 36 ε M.
//
// With 80 ε M instead of 39 + 36 there is room for terms in ε² and the few roundings of the root
// and of the test itself.
#pragma once

#include <tandem/triangle.h>

#include <cmath>
#include <cstdint>

#include "geometry/distance/nearest_points.h"
#include "geometry/distance/triangle_distance_exact.h"
#include "geometry/predicates.h"
#include "geometry/triangle_test.h"

namespace tandem::detail {

/// What found the distance: doubles, the exact triangle test, which found that they touch, numbers
/// of twice the length of doubles, or exact ones.
enum class DistanceStage : std::uint8_t { doubles, touching, double_doubles, exact };
inline constexpr int k_distance_stage_count = 4;

struct TriangleDistanceAnswer {
  TrianglePoints nearest;
  DistanceStage stage;
};

/// The result is off from the true distance by at most this share of it.
inline constexpr double k_distance_error = 1e-12;
/// Of that, what steps 1 and 2 use: the rest is for the roundings of the test itself.
inline constexpr double k_judged_error = 0.9e-12;

namespace nearest {

TANDEM_HD inline double relative_to(double x, double origin, double /*kind*/) {
  return x - origin;
}
TANDEM_HD inline DoubleDouble relative_to(double x, double origin, DoubleDouble /*kind*/) {
  return DoubleDouble(two_sum(x, -origin));
}
TANDEM_HD constexpr double rounding_of(double /*kind*/) {
  return k_half_ulp;
}
TANDEM_HD constexpr double rounding_of(const DoubleDouble& /*kind*/) {
  return DoubleDouble::k_relative_error;
}

template <class N>
TANDEM_HD inline Corners<N> corners_from(const Triangle& t, const Vec3d& origin) {
  Corners<N> corners;
  for (int k = 0; k < 3; ++k) {
    for (int axis = 0; axis < 3; ++axis) {
      corners.of[k].of[axis] = relative_to(t.corner[k][axis], origin[axis], N(0.0));
    }
  }
  return corners;
}
/// Steps 1 and 2. False when it is not sure enough.
template <class N>
TANDEM_HD inline bool find(const Triangle& p, const Triangle& q, double tolerance,
                           TrianglePoints* result) {
  const Vec3d& origin = p.corner[0];
  const Corners<N> in_p = corners_from<N>(p, origin);
  const Corners<N> in_q = corners_from<N>(q, origin);
  const JudgedPoints<N> judged = judge_nearest_points(in_p, in_q, rounding_of(N(0.0)), tolerance);
  if (!judged.sure) return false;
  const NearestPoints<N>& best = judged.points;
  const auto distance = static_cast<double>(judged.distance);
  result->distance = distance;
  for (int axis = 0; axis < 3; ++axis) {
    const N on_p = best.on_p.of[axis];
    result->on_p[axis] = origin[axis] + static_cast<double>(on_p);
    result->on_q[axis] = origin[axis] + static_cast<double>(on_p + best.between.of[axis]);
    result->direction[axis] = static_cast<double>(best.between.of[axis]) / distance;
  }
  return true;
}

}  // namespace nearest

/// Step 3 and what comes before it; out of line, as it is long and rarely called.
[[gnu::noinline]] TANDEM_HD inline TriangleDistanceAnswer find_close_distance(const Triangle& p,
                                                                              const Triangle& q) {
  TriangleDistanceAnswer answer{};
  if (test_triangles(p, q).intersects) {
    answer.stage = DistanceStage::touching;
  } else if (nearest::find<DoubleDouble>(p, q, k_judged_error, &answer.nearest)) {
    answer.stage = DistanceStage::double_doubles;
  } else {
    answer.nearest = exact_nearest_points(p, q);
    answer.stage = DistanceStage::exact;
  }
  return answer;
}

/// The distance of two triangles and points of both that are as far apart, up to the rounding of
/// their coordinates. It is 0 exactly when the triangles share a point; then the points mean
/// nothing. The distance may be off by `relative_error` of it, beyond the error that it always has.
/// For coordinates in the range of the predicates (math/transform.h).
TANDEM_HD inline TriangleDistanceAnswer triangle_distance(const Triangle& p, const Triangle& q,
                                                          double relative_error = 0) {
  TriangleDistanceAnswer answer{{}, DistanceStage::doubles};
  // Up to half of it, so that triangles that touch do not pass for triangles that are apart.
  const double tolerance = k_judged_error + (relative_error < 0.5 ? relative_error : 0.5);
  if (nearest::find<double>(p, q, tolerance, &answer.nearest)) return answer;
  return find_close_distance(p, q);
}

}  // namespace tandem::detail
