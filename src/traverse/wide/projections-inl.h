// Pairs of triangles that are nearly in one plane: whether they are apart in a projection. Flush
// faces give many of them, and float32 never knows on which side of each other they are.
#if defined(TANDEM_WIDE_PROJECTIONS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TANDEM_WIDE_PROJECTIONS_INL
#undef TANDEM_WIDE_PROJECTIONS_INL
#else
#define TANDEM_WIDE_PROJECTIONS_INL
#endif

#include <hwy/highway.h>

#include "traverse/wide/lanes-inl.h"
#include "traverse/wide/triangles-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tandem::detail::HWY_NAMESPACE {

/// A point, or a difference of points, in the plane of two axes.
struct PlanePoint {
  Floats u;
  Floats v;
};

HWY_INLINE PlanePoint operator-(const PlanePoint& x, const PlanePoint& y) {
  return {hn::Sub(x.u, y.u), hn::Sub(x.v, y.v)};
}
HWY_INLINE Floats cross(const PlanePoint& x, const PlanePoint& y) {
  return hn::MulSub(x.u, y.v, hn::Mul(x.v, y.u));
}

/// From the least to the greatest of some numbers.
struct Span {
  Floats low;
  Floats high;

  HWY_INLINE Span(Floats x, Floats y) : low(hn::Min(x, y)), high(hn::Max(x, y)) {}
  HWY_INLINE Span(Floats x, Floats y, Floats z)
      : low(hn::Min(x, hn::Min(y, z))), high(hn::Max(x, hn::Max(y, z))) {}
};
HWY_INLINE Floats gap(const Span& x, const Span& y) {
  return hn::Max(hn::Sub(x.low, y.high), hn::Sub(y.low, x.high));
}

/// Where the triangles, projected along the axis that is nearest to A's normal, are surely apart
/// across an edge of one of them.
///
/// Corners are those of `judge`, relative to A's first one: at most S each, the larger of La and
/// Lb, and off by at most e = delta + u S with u = 2^-24. An edge d is at most 2 S and off by
/// 2 e + 2 u S. A product in d x c is off by 4 e S + 4 u S² with its own rounding, d x c by
/// 8 e S + 12 u S², and a gap by 16 e S + 32 u S², which is 16 delta S + 48 u S².
template <bool spread>
HWY_INLINE GroupMask apart_in_projection(const WideFrame& frame, const Floats p[3][3],
                                         const Floats q[3][3]) {
  using Corners = RelativeCorners<spread>;
  const Corners corners(frame, p, q);
  Floats normal[3];
  cross(corners.a1, corners.a2, normal);
  for (Floats& x : normal) x = hn::Abs(x);
  const GroupMask along_x = hn::Gt(normal[0], hn::Max(normal[1], normal[2]));
  const GroupMask along_z = hn::AndNot(along_x, hn::Ge(normal[2], normal[1]));
  const auto project = [&](const Floats corner[3]) TANDEM_LAMBDA {
    return PlanePoint{hn::IfThenElse(along_x, corner[1], corner[0]),
                      hn::IfThenElse(along_z, corner[1], corner[2])};
  };
  const PlanePoint a1 = project(corners.a1);
  const PlanePoint a2 = project(corners.a2);
  const PlanePoint b[3] = {project(corners.b[0]), project(corners.b[1]), project(corners.b[2])};
  const Floats zero = hn::Zero(Group());

  // Across A's edges; each has two corners of A at one height.
  const auto across_a = [&](const PlanePoint& edge, Floats one, Floats other) TANDEM_LAMBDA {
    return gap(Span(one, other), Span(cross(edge, b[0]), cross(edge, b[1]), cross(edge, b[2])));
  };
  const PlanePoint a12 = a2 - a1;
  Floats largest_gap = across_a(a1, zero, cross(a1, a2));
  largest_gap = hn::Max(largest_gap, across_a(a2, zero, cross(a2, a1)));
  largest_gap = hn::Max(largest_gap, across_a(a12, zero, cross(a12, a1)));
  // Across B's.
  for (int e = 0; e < 3; ++e) {
    const PlanePoint edge = b[(e + 1) % 3] - b[e];
    const Span in_b(cross(edge, b[e]), cross(edge, b[(e + 2) % 3]));
    const Span in_a(zero, cross(edge, a1), cross(edge, a2));
    largest_gap = hn::Max(largest_gap, gap(in_a, in_b));
  }
  const Floats size = hn::Max(corners.la, corners.lb);
  const Floats error = hn::MulAdd(Corners::constant(80 * 0x1p-24), size,
                                  hn::Mul(Corners::constant(20), corners.delta));
  // Products may underflow below this: then nothing is sure.
  return hn::Gt(largest_gap, hn::MulAdd(error, size, Corners::constant(0x1p-100)));
}

template <bool spread>
std::size_t drop_apart_in_projection(const WideFrame& frame, const CornerRow* a, const CornerRow* b,
                                     PairList pairs, std::size_t count) {
  return drop_pairs(a, b, pairs, count,
                    [&](const Floats p[3][3], const Floats q[3][3])
                        TANDEM_LAMBDA { return apart_in_projection<spread>(frame, p, q); });
}

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace tandem::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
