// Distances of triangles as the contract has them, several at a time.
//
// Lanes do what the first step of geometry/distance/triangle_distance.h does, by the same operations
// in the same order, none of them fused: so they have the same bits, and the same pairs are sure.
#if defined(TANDEM_WIDE_EXACT_DISTANCES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TANDEM_WIDE_EXACT_DISTANCES_INL
#undef TANDEM_WIDE_EXACT_DISTANCES_INL
#else
#define TANDEM_WIDE_EXACT_DISTANCES_INL
#endif

#include <hwy/highway.h>

#include <limits>

#include "geometry/distance/triangle_distance.h"
#include "traverse/wide/kernels.h"
#include "traverse/wide/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tandem::detail::HWY_NAMESPACE {
namespace in_doubles {

using Lanes = hn::FixedTag<double, k_lanes / 2>;
using Doubles = hn::Vec<Lanes>;

struct LaneMask {
  hn::Mask<Lanes> mask;
  friend HWY_INLINE LaneMask operator&(const LaneMask& x, const LaneMask& y) {
    return {hn::And(x.mask, y.mask)};
  }
};
struct LaneNumber {
  HWY_INLINE LaneNumber() = default;
  HWY_INLINE LaneNumber(Doubles v) : value(v) {}  // NOLINT(google-explicit-constructor)
  explicit HWY_INLINE LaneNumber(double x) : value(hn::Set(Lanes(), x)) {}
  Doubles value;

  friend HWY_INLINE LaneNumber operator-(const LaneNumber& x) { return hn::Neg(x.value); }
  friend HWY_INLINE LaneNumber operator+(const LaneNumber& x, const LaneNumber& y) {
    return hn::Add(x.value, y.value);
  }
  friend HWY_INLINE LaneNumber operator-(const LaneNumber& x, const LaneNumber& y) {
    return hn::Sub(x.value, y.value);
  }
  friend HWY_INLINE LaneNumber operator*(const LaneNumber& x, const LaneNumber& y) {
    return hn::Mul(x.value, y.value);
  }
  friend HWY_INLINE LaneNumber operator/(const LaneNumber& x, const LaneNumber& y) {
    return hn::Div(x.value, y.value);
  }
  friend HWY_INLINE LaneMask operator<(const LaneNumber& x, const LaneNumber& y) {
    return {hn::Lt(x.value, y.value)};
  }
};
HWY_INLINE LaneNumber choose(const LaneMask& first, const LaneNumber& x, const LaneNumber& y) {
  return hn::IfThenElse(first.mask, x.value, y.value);
}
HWY_INLINE LaneNumber multiply_add(const LaneNumber& x, const LaneNumber& y, const LaneNumber& z) {
  return x * y + z;
}
HWY_INLINE LaneNumber magnitude(const LaneNumber& x) {
  return hn::Abs(x.value);
}
HWY_INLINE LaneNumber square_root(const LaneNumber& x) {
  return hn::Sqrt(x.value);
}

#define TANDEM_NEAREST HWY_INLINE
#include "geometry/distance/nearest_points-inl.h"
#undef TANDEM_NEAREST

}  // namespace in_doubles

void exact_distances(const TriangleColumns& pairs, std::size_t count, double* distances) {
  using in_doubles::LaneNumber;
  const in_doubles::Lanes d;
  for (std::size_t i = 0; i < count; i += hn::Lanes(d)) {
    in_doubles::Corners<LaneNumber> p;
    in_doubles::Corners<LaneNumber> q;
    for (int axis = 0; axis < 3; ++axis) {
      const auto origin = hn::LoadU(d, pairs.p[0][axis] + i);
      for (int k = 0; k < 3; ++k) {
        p.of[k].of[axis] = hn::Sub(hn::LoadU(d, pairs.p[k][axis] + i), origin);
        q.of[k].of[axis] = hn::Sub(hn::LoadU(d, pairs.q[k][axis] + i), origin);
      }
    }
    const auto judged =
        in_doubles::judge_nearest_points(p, q, nearest::rounding_of(0.0), k_judged_error);
    const auto unsure = hn::Set(d, std::numeric_limits<double>::quiet_NaN());
    hn::StoreU(hn::IfThenElse(judged.sure.mask, judged.distance.value, unsure), d, distances + i);
  }
}

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace tandem::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
