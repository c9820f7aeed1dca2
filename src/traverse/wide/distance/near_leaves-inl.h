// How far apart pairs of triangles are at least and at most: what searches for distances need.
//
// Distances are in A's units. What kernels call a bound is one whatever was rounded.
#if defined(TANDEM_WIDE_NEAR_LEAVES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TANDEM_WIDE_NEAR_LEAVES_INL
#undef TANDEM_WIDE_NEAR_LEAVES_INL
#else
#define TANDEM_WIDE_NEAR_LEAVES_INL
#endif

#include <hwy/highway.h>

#include <limits>

#include "traverse/wide/distance/lane_numbers-inl.h"
#include "traverse/wide/distance/near_nodes-inl.h"
#include "traverse/wide/kernels.h"
#include "traverse/wide/lanes-inl.h"
#include "traverse/wide/triangles-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tandem::detail::HWY_NAMESPACE {

using LaneFloats = LaneNumber<Group>;

/// The corners of the triangles in one or two pairs of leaves, both in A's frame.
template <bool spread>
struct NearLeaves {
  HWY_INLINE NearLeaves(const WideFrame& frame, const CornerRow* a0, const CornerRow* b0,
                        const CornerRow* a1, const CornerRow* b1) {
    load_leaves(a0, a1, a);
    load_moved(frame, b0, b1, b);
    margin = hn::Set(Side(), frame.leaf_margin);
    a_largest = largest_of(a);
    b_largest = largest_of(b);
    if constexpr (spread) {
      // As for `moving_error`.
      margin = hn::MulAdd(b_largest, hn::Set(Side(), static_cast<float>(22 * 0x1p-24)), margin);
    }
  }

  SideFloats a[3][3];
  SideFloats b[3][3];
  SideFloats a_largest;
  SideFloats b_largest;
  /// B's corners are off by at most that on each axis.
  SideFloats margin;

 private:
  static HWY_INLINE SideFloats largest_of(const SideFloats corner[3][3]) {
    SideFloats result = hn::Abs(corner[0][0]);
    for (int v = 0; v < 3; ++v) {
      for (int k = 0; k < 3; ++k) result = hn::Max(result, hn::Abs(corner[v][k]));
    }
    return result;
  }
};

/// How many directions pairs of triangles are compared along.
inline constexpr int k_directions = 4;

/// The corners of a triangle in each lane, compared along a direction.
struct Support {
  /// `sign` is 1 for the end of the triangle, -1 for its begin.
  HWY_INLINE Support(const Floats direction[3], const Floats corner[3][3], float sign) {
    const Group d;
    const Floats along[3] = {sum_of_products(direction, corner[0]),
                             sum_of_products(direction, corner[1]),
                             sum_of_products(direction, corner[2])};
    const Floats turned = hn::Set(d, sign);
    const auto is_beyond = [&](Floats x, Floats y) TANDEM_LAMBDA {
      return hn::Gt(hn::Mul(turned, x), hn::Mul(turned, y));
    };
    second = is_beyond(along[1], along[0]);
    const Floats of_two = hn::IfThenElse(second, along[1], along[0]);
    third = is_beyond(along[2], of_two);
    value = hn::IfThenElse(third, along[2], of_two);
  }
  /// Its coordinate on an axis.
  HWY_INLINE Floats coordinate(const Floats corner[3][3], int axis) const {
    return hn::IfThenElse(third, corner[2][axis],
                          hn::IfThenElse(second, corner[1][axis], corner[0][axis]));
  }

  Floats value;
  GroupMask second;
  GroupMask third;
};

/// Lower bounds of the distances of the triangles in group `g` of pair `h` of leaves: the largest
/// gap along a few directions. 0 where there is none, infinite where a triangle is missing.
///
/// The first direction w leads from the middle of one to that of the other, and each is a vector
/// between two points of the triangles. A step goes on from w towards the vector between the
/// corners that are closest along w, as far as w becomes shorter (Gilbert 1966). So w soon is
/// nearly the shortest one, also for long thin triangles whose middles say little. It ends when no
/// pair is left that the limit allows.
///
/// With u = 2^-24 and d the computed direction, whatever it is, products of d with corners are off
/// by 3.1 u |d|₁ <= 5.4 u |d| times the corners' largest magnitude, and differences and quotients
/// by 7 u |d| times the sum of these; corners of B by the margin on each axis.
///
/// Out of line, as several kernels need it and it is long.
template <int g, int h, bool is_spread>
HWY_NOINLINE Floats least_distances(const NearLeaves<is_spread>& leaves, float limit) {
  const Group d;
  Floats a[3][3];
  Floats b[3][3];
  Floats way[3];
  for (int k = 0; k < 3; ++k) {
    for (int v = 0; v < 3; ++v) {
      a[v][k] = repeat<h>(leaves.a[v][k]);
      b[v][k] = spread<g, h>(leaves.b[v][k]);
    }
    const Floats middles = hn::Sub(hn::Add(b[0][k], hn::Add(b[1][k], b[2][k])),
                                   hn::Add(a[0][k], hn::Add(a[1][k], a[2][k])));
    way[k] = hn::Mul(hn::Set(d, 1.0F / 3), middles);
  }
  const Floats sizes = hn::Add(repeat<h>(leaves.a_largest), spread<g, h>(leaves.b_largest));
  const Floats error =
      hn::MulAdd(hn::Set(d, static_cast<float>(16 * 0x1p-24)), sizes,
                 hn::MulAdd(hn::Set(d, 1.8F), spread<g, h>(leaves.margin), hn::Set(d, k_shortest)));
  // The corners of missing triangles are NaN.
  Floats bound = hn::IfThenElse(hn::Le(sizes, sizes), hn::Zero(d),
                                hn::Set(d, std::numeric_limits<float>::infinity()));
  for (int direction = 1;; ++direction) {
    const Support end_of_a(way, a, 1);
    const Support begin_of_b(way, b, -1);
    const Floats gap = hn::Sub(begin_of_b.value, end_of_a.value);
    const Floats length_sq = sum_of_products(way, way);
    // A direction so short that its square underflows says nothing, nor does NaN.
    const GroupMask sure =
        hn::Gt(hn::Max(hn::Abs(way[0]), hn::Max(hn::Abs(way[1]), hn::Abs(way[2]))),
               hn::Set(d, k_shortest));
    const Floats along = hn::Sub(hn::Div(gap, hn::Sqrt(length_sq)), error);
    bound = hn::IfThenElse(hn::And(sure, hn::Gt(along, bound)), along, bound);
    if (direction == k_directions || hn::AllFalse(d, hn::Le(bound, hn::Set(d, limit)))) {
      return bound;
    }
    Floats step[3];
    for (int k = 0; k < 3; ++k) {
      step[k] = hn::Sub(hn::Sub(begin_of_b.coordinate(b, k), end_of_a.coordinate(a, k)), way[k]);
    }
    const Floats share =
        hn::Min(hn::Div(hn::Sub(length_sq, gap), sum_of_products(step, step)), hn::Set(d, 1.0F));
    for (int k = 0; k < 3; ++k) way[k] = hn::MulAdd(share, step[k], way[k]);
  }
}

/// Pairs of leaves: their pairs of triangle slots. Returns how many were taken.
template <bool spread, class Outlet>
HWY_INLINE std::size_t leaves_to(const WideFrame& frame, const CornerRow* rows_a,
                                 const CornerRow* rows_b, PairList in, std::size_t count,
                                 const Outlet& out) {
  const auto rows_of = [](const CornerRow* rows, std::uint32_t leaf)
                           TANDEM_LAMBDA { return rows + std::size_t{k_block} * leaf; };
  const auto room = [&]() TANDEM_LAMBDA { return out.has_room(); };
  const auto fetch = [&](std::uint32_t leaf_a, std::uint32_t leaf_b) TANDEM_LAMBDA {
    fetch_ahead(rows_of(rows_a, leaf_a), k_block * sizeof(CornerRow) + 63);
    fetch_ahead(rows_of(rows_b, leaf_b), k_block * sizeof(CornerRow) + 63);
  };
  const auto test = [&](std::size_t first, std::size_t second) TANDEM_LAMBDA {
    const NearLeaves<spread> leaves(frame, rows_of(rows_a, in.a[first]),
                                    rows_of(rows_b, in.b[first]), rows_of(rows_a, in.a[second]),
                                    rows_of(rows_b, in.b[second]));
    for_each_group([&]<int g>() TANDEM_LAMBDA {
      out.append(least_distances<g, 0>(leaves, out.limit), children_of_a(k_block * in.a[first]),
                 children_of_b<g>(k_block * in.b[first]));
    });
    if constexpr (k_at_once > 1) {
      if (second == first) return;
      for_each_group([&]<int g>() TANDEM_LAMBDA {
        out.append(least_distances<g, 1>(leaves, out.limit), children_of_a(k_block * in.a[second]),
                   children_of_b<g>(k_block * in.b[second]));
      });
    }
  };
  return for_each_pair(in, count, room, fetch, test);
}

template <bool spread>
void leaves_near(const WideFrame& frame, const CornerRow* rows_a, const CornerRow* rows_b,
                 PairList in, std::size_t count, float limit, NearList& out) {
  leaves_to<spread>(frame, rows_a, rows_b, in, count, NearOutlet{out, limit});
}

template <bool spread>
KernelResult leaves_within(const WideFrame& frame, const BoxBlock*, const CornerRow* rows_a,
                           const CornerRow* rows_b, PairList in, std::size_t count, PairList out,
                           std::size_t room) {
  std::size_t written = 0;
  const std::size_t taken =
      leaves_to<spread>(frame, rows_a, rows_b, in, count,
                        WithinOutlet{out, written, room, static_cast<float>(frame.within)});
  return {taken, written};
}

/// How far apart pairs of triangles are, at least and at most.
///
/// The points that `nearest_points` finds are w apart, so the distance is at most |w|, and at least
/// the gap along w over |w|, but for errors. Let u = 2^-24, M the largest magnitude of a corner
/// relative to A's first one, and δ as in `RelativeCorners`: B's corners are off by δ, A's by
/// u M. So the true distance is off by 1.74 (δ + u M) from that of the triangles that the lanes
/// see. On those, w is off by 17 u M on each axis, 30 u M in all, from the vector between two of
/// their points (geometry/distance/triangle_distance.h has the sums; here corners are exact), and
/// |w| by 3 u |w|, which is 11 u M at most. The gap is the difference of two products, each off
/// by 3.1 u M |w|₁: 10.8 u M |w|, and 3.5 u M |w| for the difference; over |w| that rounds thrice
/// more, by 11 u M. Each is less than 2 δ + 64 u M. What underflows is at most some 2^-147 in a
/// product, so where |w| is at least 2^-60, it is covered by adding that.
template <bool spread>
void distances(const WideFrame& frame, const CornerRow* a, const CornerRow* b, PairList in,
               std::size_t count, float* lower, float* upper) {
  fill_up(in, count);
  for (std::size_t i = 0; i < count; i += k_lanes) {
    Floats p[3][3];
    Floats q[3][3];
    load_triangles(a, in.a + i, p);
    load_triangles(b, in.b + i, q);
    const RelativeCorners<spread> relative(frame, p, q);
    Corners<LaneFloats> in_a;
    Corners<LaneFloats> in_b;
    for (int k = 0; k < 3; ++k) {
      in_a.of[0].of[k] = LaneFloats(0.0);
      in_a.of[1].of[k] = relative.a1[k];
      in_a.of[2].of[k] = relative.a2[k];
      for (int v = 0; v < 3; ++v) in_b.of[v].of[k] = relative.b[v][k];
    }
    const NearestPoints<LaneFloats> best = nearest_points(in_a, in_b);
    const Floats gap = gap_along(best.between, in_a, in_b).value;
    const Floats distance = hn::Sqrt(best.distance_sq.value);
    const Floats largest = hn::Max(relative.la, relative.lb);
    const Floats error = hn::MulAdd(hn::Set(Group(), 2.0F), relative.delta,
                                    hn::MulAdd(hn::Set(Group(), static_cast<float>(64 * 0x1p-24)),
                                               largest, hn::Set(Group(), k_shortest)));
    // Nothing is sure where w is so short that its square underflows.
    const Floats least = hn::Sub(hn::Div(gap, distance), error);
    const GroupMask sure =
        hn::And(hn::Gt(least, hn::Zero(Group())), hn::Gt(distance, hn::Set(Group(), k_shortest)));
    hn::StoreU(hn::IfThenElseZero(sure, least), Group(), lower + i);
    hn::StoreU(hn::Add(distance, error), Group(), upper + i);
  }
}

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace tandem::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
