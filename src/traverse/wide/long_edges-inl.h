// Long thin triangles: whether those of two leaves are apart along the product of their longest
// edges.
#if defined(TANDEM_WIDE_LONG_EDGES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TANDEM_WIDE_LONG_EDGES_INL
#undef TANDEM_WIDE_LONG_EDGES_INL
#else
#define TANDEM_WIDE_LONG_EDGES_INL
#endif

#include <hwy/highway.h>

#include "traverse/wide/lanes-inl.h"
#include "traverse/wide/nodes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tandem::detail::HWY_NAMESPACE {

HWY_INLINE Floats dot(const Floats x[3], const Floats y[3]) {
  return hn::MulAdd(x[0], y[0], hn::MulAdd(x[1], y[1], hn::Mul(x[2], y[2])));
}
HWY_INLINE void cross(const Floats x[3], const Floats y[3], Floats result[3]) {
  result[0] = hn::MulSub(x[1], y[2], hn::Mul(x[2], y[1]));
  result[1] = hn::MulSub(x[2], y[0], hn::Mul(x[0], y[2]));
  result[2] = hn::MulSub(x[0], y[1], hn::Mul(x[1], y[0]));
}
HWY_INLINE Floats largest(const Floats v[3]) {
  return larger_magnitude(v[0], larger_magnitude(v[1], v[2]));
}

/// Calls `body` for each group of each pair that is computed at once.
template <class Body>
HWY_INLINE void for_each_pair_and_group(const Body& body) {
  for_each_group([&]<int g>() TANDEM_LAMBDA { body.template operator()<g, 0>(); });
  if constexpr (k_at_once > 1) {
    for_each_group([&]<int g>() TANDEM_LAMBDA { body.template operator()<g, 1>(); });
  }
}

/// Three quarters of the pairs of triangles of two leaves. With half of them, ordinary meshes pay
/// more for the test, and sheets of metal gain no more.
inline constexpr std::size_t k_many_overlaps = k_pairs_of_children * 3 / 4;

/// Triangles by their longest edges, those of a leaf side by side.
struct LongEdges {
  explicit HWY_INLINE LongEdges(const SideFloats corner[3][3]) {
    SideFloats length_sq[3];
    for (int v = 0; v < 3; ++v) {
      SideFloats side[3];
      for (int k = 0; k < 3; ++k) side[k] = hn::Sub(corner[(v + 1) % 3][k], corner[v][k]);
      length_sq[v] = product(side, side);
    }
    const auto second = hn::Gt(length_sq[1], length_sq[0]);
    const auto third = hn::Gt(length_sq[2], hn::Max(length_sq[0], length_sq[1]));
    size = hn::Zero(Side());
    for (int k = 0; k < 3; ++k) {
      const auto choose = [&](int v) TANDEM_LAMBDA {
        return hn::IfThenElse(third, corner[(v + 2) % 3][k],
                              hn::IfThenElse(second, corner[(v + 1) % 3][k], corner[v][k]));
      };
      start[k] = choose(0);
      edge[k] = hn::Sub(choose(1), start[k]);
      apex[k] = hn::Sub(choose(2), start[k]);
      size = hn::Max(size, hn::Max(hn::Abs(edge[k]), hn::Abs(apex[k])));
    }
  }

  /// Where the edge begins, and from there to its end and to the third corner.
  SideFloats start[3];
  SideFloats edge[3];
  SideFloats apex[3];
  /// The largest magnitude in both.
  SideFloats size;
};

/// Whether triangles are apart along the product of their longest edges. Long thin triangles whose
/// boxes overlap mostly are. Corners of B are off by at most `margin` on each axis.
///
/// Any vector n will do, so its own rounding matters only where the edges are taken to have no
/// extent along it. Let u = 2^-24, La and Lb the sizes of the triangles and Ld the largest
/// magnitude in d, from one edge's start to the other's. A component of n = a x b is at most
/// 2 La Lb and off by 4 u La Lb, so the edge of A, which is off by one rounding, reaches
/// 18 u La Lb La along it. A product of n with a difference of corners v is off by 6 u La Lb |v|
/// for the rounding of v and by 16 u La Lb |v| for its own ones, and the two sums after it by
/// 12 u La Lb (La + Lb + Ld). Together these are at most 52 u La Lb (La + Lb + Ld).
///
/// Frames in range have La + Lb + Ld below 2^43 and 6 La Lb (La + Lb + Ld) below 2^128, so nothing
/// overflows, and what underflows is at most 2^-149 in a component of n, which is 2^-102 in a gap.
template <int g, int h>
HWY_INLINE GroupMask apart_across_edges(const LongEdges& a, const LongEdges& b, SideFloats margin) {
  Floats edge_a[3];
  Floats edge_b[3];
  Floats apex_a[3];
  Floats apex_b[3];
  Floats between[3];
  for (int k = 0; k < 3; ++k) {
    edge_a[k] = repeat<h>(a.edge[k]);
    edge_b[k] = spread<g, h>(b.edge[k]);
    apex_a[k] = repeat<h>(a.apex[k]);
    apex_b[k] = spread<g, h>(b.apex[k]);
    between[k] = hn::Sub(spread<g, h>(b.start[k]), repeat<h>(a.start[k]));
  }
  Floats n[3];
  cross(edge_a, edge_b, n);
  const Floats zero = hn::Zero(Group());
  const Floats a_height = dot(n, apex_a);
  const Floats b_height = dot(n, apex_b);
  const Floats b_start = dot(n, between);
  const Floats gap =
      hn::Max(hn::Sub(hn::Add(b_start, hn::Min(zero, b_height)), hn::Max(zero, a_height)),
              hn::Sub(hn::Min(zero, a_height), hn::Add(b_start, hn::Max(zero, b_height))));
  const Floats la = repeat<h>(a.size);
  const Floats lb = spread<g, h>(b.size);
  const Floats sizes = hn::Add(la, hn::Add(lb, largest(between)));
  const Floats n_sum = hn::Add(hn::Abs(n[0]), hn::Add(hn::Abs(n[1]), hn::Abs(n[2])));
  const Floats rounding =
      hn::MulAdd(hn::Mul(hn::Set(Group(), static_cast<float>(80 * 0x1p-24)), hn::Mul(la, lb)),
                 sizes, hn::Set(Group(), static_cast<float>(0x1p-100)));
  return hn::Gt(gap, hn::MulAdd(n_sum, spread<g, h>(margin), rounding));
}

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace tandem::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
