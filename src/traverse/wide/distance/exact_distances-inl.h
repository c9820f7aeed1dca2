// Distances of triangles as the contract has them, several at a time.
//
// Lanes do what the first step of geometry/distance/triangle_distance.h does, by the same
// operations in the same order, none of them fused: so they have the same bits, and the same pairs
// are sure.
#if defined(TANDEM_WIDE_EXACT_DISTANCES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TANDEM_WIDE_EXACT_DISTANCES_INL
#undef TANDEM_WIDE_EXACT_DISTANCES_INL
#else
#define TANDEM_WIDE_EXACT_DISTANCES_INL
#endif

#include <hwy/highway.h>

#include <limits>

#include "geometry/distance/triangle_distance.h"
#include "traverse/wide/distance/lane_numbers-inl.h"
#include "traverse/wide/kernels.h"
#include "traverse/wide/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tandem::detail::HWY_NAMESPACE {
#if HWY_HAVE_FLOAT64
using LaneDoubles = LaneNumber<DoubleLanes>;

void exact_distances(const TriangleColumns& pairs, std::size_t count, double* distances) {
  const DoubleLanes d;
  for (std::size_t i = 0; i < count; i += hn::Lanes(d)) {
    Corners<LaneDoubles> p;
    Corners<LaneDoubles> q;
    for (int axis = 0; axis < 3; ++axis) {
      const auto origin = hn::LoadU(d, pairs.p[0][axis] + i);
      for (int k = 0; k < 3; ++k) {
        p.of[k].of[axis] = hn::Sub(hn::LoadU(d, pairs.p[k][axis] + i), origin);
        q.of[k].of[axis] = hn::Sub(hn::LoadU(d, pairs.q[k][axis] + i), origin);
      }
    }
    const auto judged =
        judge_nearest_points(p, q, detail::nearest::rounding_of(0.0), k_judged_error);
    const auto unsure = hn::Set(d, std::numeric_limits<double>::quiet_NaN());
    hn::StoreU(hn::IfThenElse(judged.sure.mask, judged.distance.value, unsure), d, distances + i);
  }
}
#else
/// Without lanes of doubles, as in WebAssembly, all are left to the function that is sure.
inline void exact_distances(const TriangleColumns&, std::size_t count, double* distances) {
  for (std::size_t i = 0; i < count; ++i) distances[i] = std::numeric_limits<double>::quiet_NaN();
}
#endif

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace tandem::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
