// Pairs of triangles that float32 leaves open, decided in lanes of doubles on the coordinates that
// the contract promises. Faces that lie on each other give many of them.
#if defined(TANDEM_WIDE_FLUSH_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TANDEM_WIDE_FLUSH_INL
#undef TANDEM_WIDE_FLUSH_INL
#else
#define TANDEM_WIDE_FLUSH_INL
#endif

#include <hwy/highway.h>

#include "math/transform.h"
#include "traverse/wide/contract_frame.h"
#include "traverse/wide/flush/lane_signs-inl.h"
#include "traverse/wide/kernels.h"
#include "traverse/wide/lanes-inl.h"
#include "traverse/wide/triangles-inl.h"

#if HWY_HAVE_FLOAT64 && HWY_NATIVE_FMA
HWY_BEFORE_NAMESPACE();
namespace tandem::detail::HWY_NAMESPACE {

/// From one point to another.
template <class Number>
struct LaneVector {
  HWY_INLINE LaneVector(const Doubles to[3], const Doubles from[3])
      : of{{to[0], from[0]}, {to[1], from[1]}, {to[2], from[2]}} {}

  typename Number::Difference of[3];
};

/// The product of two vectors.
template <class Number>
struct LaneNormal {
  HWY_INLINE LaneNormal(const LaneVector<Number>& x, const LaneVector<Number>& y)
      : of{Number::minor(x.of[1], y.of[2], x.of[2], y.of[1]),
           Number::minor(x.of[2], y.of[0], x.of[0], y.of[2]),
           Number::minor(x.of[0], y.of[1], x.of[1], y.of[0])} {}
  /// Of its product with a third vector.
  HWY_INLINE LaneSigns along(const LaneVector<Number>& d) const {
    return Number::dot(of, d.of).sign();
  }

  Number of[3];
};

/// On which side of the other triangle's plane the corners of a triangle are.
struct LaneSides {
  HWY_INLINE DoubleTruth strictly_one() const {
    return hn::Or(all_of(of[0].positive, of[1].positive, of[2].positive),
                  all_of(of[0].negative, of[1].negative, of[2].negative));
  }
  HWY_INLINE DoubleTruth all_zero() const { return all_of(of[0].zero, of[1].zero, of[2].zero); }
  HWY_INLINE DoubleTruth some_zero() const { return any_of(of[0].zero, of[1].zero, of[2].zero); }
  HWY_INLINE DoubleTruth known() const {
    return all_of(of[0].known(), of[1].known(), of[2].known());
  }

  LaneSigns of[3];
};

/// To the plane with a normal through a point.
template <class Number>
HWY_NOINLINE LaneSides sides_to(const LaneNormal<Number>& normal, const Doubles point[3],
                                const Doubles corner[3][3]) {
  return {{normal.along({corner[0], point}), normal.along({corner[1], point}),
           normal.along({corner[2], point})}};
}

/// As `Wedge` in geometry/triangle_exact.h: which corner is the apex, unless it is the third, and
/// where its side is positive.
struct LaneWedge {
  explicit HWY_INLINE LaneWedge(const LaneSides& sides) {
    const LaneSigns* const s = sides.of;
    DoubleTruth above[3];
    DoubleTruth apart[3];
    for (int k = 0; k < 3; ++k) {
      const LaneSigns& next = s[(k + 1) % 3];
      const LaneSigns& last = s[(k + 2) % 3];
      above[k] = alone(s[k].positive, next.positive, last.positive);
      apart[k] = hn::Or(above[k], alone(s[k].negative, next.negative, last.negative));
    }
    // Elsewhere one corner is in the plane, and the others are on one side of it.
    const DoubleTruth some = any_of(apart[0], apart[1], apart[2]);
    first = hn::Or(apart[0], hn::AndNot(some, s[0].zero));
    second = hn::Or(hn::AndNot(apart[0], apart[1]), hn::AndNot(some, s[1].zero));
    const DoubleTruth of_one = choose(apart[0], above[0], choose(apart[1], above[1], above[2]));
    const DoubleTruth below = any_of(s[0].negative, s[1].negative, s[2].negative);
    up = choose(some, of_one, below);
  }

  DoubleTruth first;
  DoubleTruth second;
  DoubleTruth up;
};

/// The apex of a triangle, and the ends of the edges that leave it: the corner before it where the
/// apex is up, the one after it elsewhere; and the other one.
struct LaneApex {
  HWY_INLINE LaneApex(const LaneWedge& wedge, const Doubles corner[3][3]) {
    for (int k = 0; k < 3; ++k) {
      const auto corner_of = [&](int one, int two, int three) TANDEM_LAMBDA {
        return choose(wedge.first, corner[one][k],
                      choose(wedge.second, corner[two][k], corner[three][k]));
      };
      at[k] = corner_of(0, 1, 2);
      const Doubles after = corner_of(1, 2, 0);
      const Doubles before = corner_of(2, 0, 1);
      one[k] = choose(wedge.up, before, after);
      other[k] = choose(wedge.up, after, before);
    }
  }

  Doubles at[3];
  Doubles one[3];
  Doubles other[3];
};

/// Lanes in which triangles surely share a point, and in which they surely do not.
struct LaneVerdict {
  DoubleTruth touching;
  DoubleTruth apart;
};

/// As `crossing_triangles_intersect`, where all sides are known: edges that leave the apices have
/// the volumes that it asks for, with their signs.
template <class Number>
HWY_NOINLINE LaneVerdict judge_crossing(const LaneSides& p_sides, const LaneSides& q_sides,
                                        const Doubles p[3][3], const Doubles q[3][3]) {
  const LaneWedge p_wedge(p_sides);
  const LaneWedge q_wedge(q_sides);
  const LaneApex p_apex(p_wedge, p);
  const LaneApex q_apex(q_wedge, q);
  const LaneVector<Number> between(q_apex.at, p_apex.at);
  const auto order = [&](const Doubles q_end[3], const Doubles p_end[3]) TANDEM_LAMBDA {
    const LaneNormal<Number> normal(LaneVector<Number>(q_end, q_apex.at),
                                    LaneVector<Number>(p_end, p_apex.at));
    return normal.along(between);
  };
  const LaneSigns begin = order(q_apex.one, p_apex.one);
  const LaneSigns end = order(q_apex.other, p_apex.other);
  const DoubleTruth turned = hn::Xor(p_wedge.up, q_wedge.up);
  const DoubleTruth begin_low = choose(turned, begin.positive, begin.negative);
  const DoubleTruth begin_high = choose(turned, begin.negative, begin.positive);
  const DoubleTruth end_low = choose(turned, end.positive, end.negative);
  const DoubleTruth end_high = choose(turned, end.negative, end.positive);
  return {hn::And(hn::Or(begin_high, begin.zero), hn::Or(end_low, end.zero)),
          hn::Or(begin_low, end_high)};
}

/// A point in the plane of two axes.
struct LanePoint {
  Doubles u;
  Doubles v;
};
template <class Number>
struct LaneEdge {
  HWY_INLINE LaneEdge(const LanePoint& to, const LanePoint& from)
      : u(to.u, from.u), v(to.v, from.v) {}

  typename Number::Difference u;
  typename Number::Difference v;
};

template <class Number>
HWY_INLINE LaneSigns area(const LaneEdge<Number>& x, const LaneEdge<Number>& y) {
  return Number::minor(x.u, y.v, x.v, y.u).sign();
}

/// As `judge_in_one_plane` in geometry/error_free.h, where q is in the plane of p.
template <class Number>
HWY_NOINLINE LaneVerdict judge_in_one_plane(const LaneNormal<Number>& normal, const Doubles p[3][3],
                                            const Doubles q[3][3]) {
  using Edge = LaneEdge<Number>;
  const Doubles x = magnitude(normal.of[0].nearest());
  const Doubles y = magnitude(normal.of[1].nearest());
  const Doubles z = magnitude(normal.of[2].nearest());
  const DoubleTruth along_x = hn::Sub(hn::Max(y, z), x);
  const DoubleTruth along_y = hn::Sub(hn::Max(x, z), y);
  const auto project = [&](const Doubles corner[3]) TANDEM_LAMBDA {
    return LanePoint{choose(along_x, corner[1], corner[0]),
                     choose(hn::Or(along_x, along_y), corner[2], corner[1])};
  };
  const LanePoint a[3] = {project(p[0]), project(p[1]), project(p[2])};
  const LanePoint b[3] = {project(q[0]), project(q[1]), project(q[2])};
  const Edge a_edge[3] = {{a[1], a[0]}, {a[2], a[1]}, {a[0], a[2]}};
  const Edge b_edge[3] = {{b[1], b[0]}, {b[2], b[1]}, {b[0], b[2]}};
  const LaneSigns a_area = area(a_edge[0], a_edge[1]);
  const LaneSigns b_area = area(b_edge[0], b_edge[1]);
  const DoubleTruth has_area =
      hn::And(hn::Or(a_area.positive, a_area.negative), hn::Or(b_area.positive, b_area.negative));
  DoubleTruth apart = hn::Zero(DoubleLanes());
  DoubleTruth touching = has_area;
  for (int i = 0; i < 3; ++i) {
    // Of the other triangle's corners, along an edge of each.
    LaneSigns of_b[3];
    LaneSigns of_a[3];
    for (int j = 0; j < 3; ++j) {
      of_b[j] = area(a_edge[i], Edge(b[j], a[i]));
      of_a[j] = area(b_edge[i], Edge(a[j], b[i]));
    }
    const auto judge = [&](const LaneSigns& whole, const LaneSigns side[3]) TANDEM_LAMBDA {
      const DoubleTruth up = all_of(side[0].positive, side[1].positive, side[2].positive);
      const DoubleTruth down = all_of(side[0].negative, side[1].negative, side[2].negative);
      const DoubleTruth some_up = any_of(side[0].positive, side[1].positive, side[2].positive);
      const DoubleTruth some_down = any_of(side[0].negative, side[1].negative, side[2].negative);
      const DoubleTruth some_on = any_of(side[0].zero, side[1].zero, side[2].zero);
      apart = hn::Or(apart, choose(whole.positive, down, up));
      touching = hn::And(touching, hn::Or(choose(whole.positive, some_up, some_down), some_on));
    };
    judge(a_area, of_b);
    judge(b_area, of_a);
  }
  return {touching, hn::And(apart, has_area)};
}

/// Whether a corner of one is a corner of the other.
HWY_INLINE DoubleTruth share_corner(const Doubles p[3][3], const Doubles q[3][3]) {
  DoubleTruth result = hn::Zero(DoubleLanes());
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      Doubles distance = hn::Zero(DoubleLanes());
      for (int k = 0; k < 3; ++k) {
        distance = hn::Max(distance, magnitude(hn::Sub(p[i][k], q[j][k])));
      }
      result = hn::Or(result, is_zero(distance));
    }
  }
  return result;
}

/// As `triangles_intersect_exact`, but lanes in which a sign is needed that is not sure are left
/// open, and so are those in which a triangle has no area.
template <class Number>
HWY_INLINE LaneVerdict judge_flush(const Doubles p[3][3], const Doubles q[3][3]) {
  using Vector = LaneVector<Number>;
  const LaneNormal<Number> p_normal(Vector(p[1], p[0]), Vector(p[2], p[0]));
  const LaneSides q_sides = sides_to(p_normal, p[0], q);
  DoubleTruth apart = q_sides.strictly_one();
  DoubleTruth touching = hn::Zero(DoubleLanes());
  if (!is_nowhere(q_sides.some_zero())) touching = share_corner(p, q);
  if (is_everywhere(hn::Or(apart, touching))) return {touching, apart};
  const LaneNormal<Number> q_normal(Vector(q[1], q[0]), Vector(q[2], q[0]));
  const LaneSides p_sides = sides_to(q_normal, q[0], p);
  apart = hn::Or(apart, p_sides.strictly_one());
  const auto take = [&](const LaneVerdict& verdict, DoubleTruth where) TANDEM_LAMBDA {
    touching = or_both(touching, where, verdict.touching);
    apart = or_both(apart, where, verdict.apart);
  };
  // Where not all sides are zero, both triangles have an area.
  const DoubleTruth open = hn::Not(hn::Or(apart, touching));
  const DoubleTruth q_flat = hn::And(open, q_sides.all_zero());
  const DoubleTruth crossing =
      alone(all_of(open, q_sides.known(), p_sides.known()), q_flat, p_sides.all_zero());
  if (!is_nowhere(crossing)) take(judge_crossing<Number>(p_sides, q_sides, p, q), crossing);
  if (!is_nowhere(q_flat)) take(judge_in_one_plane(p_normal, p, q), q_flat);
  return {touching, apart};
}

/// From stored coordinates to those of the contract, a half of a group at a time.
class ContractCorners {
 public:
  explicit HWY_INLINE ContractCorners(const ContractFrame& frame) : frame_(frame) {}

  HWY_INLINE void set(const Floats p[3][3], const Floats q[3][3]) {
    for (int v = 0; v < 3; ++v) {
      for (int k = 0; k < 3; ++k) {
        hn::Store(p[v][k], Group(), p_[v][k]);
        hn::Store(q[v][k], Group(), q_[v][k]);
      }
    }
  }
  HWY_INLINE void get(std::size_t half, Doubles p[3][3], Doubles q[3][3]) const {
    const std::size_t first = half * k_double_lanes;
    const Doubles tiny = constant(k_smallest_coordinate);
    for (int v = 0; v < 3; ++v) {
      Doubles in_b[3];
      for (int k = 0; k < 3; ++k) {
        p[v][k] = restored(p_[v][k] + first, frame_.a, k);
        in_b[k] = restored(q_[v][k] + first, frame_.b, k);
      }
      // As `transform_point`.
      for (int k = 0; k < 3; ++k) {
        const Vec3d& row = frame_.rows[k];
        const Doubles moved = hn::MulAdd(
            constant(row.x), in_b[0],
            hn::MulAdd(constant(row.y), in_b[1],
                       hn::MulAdd(constant(row.z), in_b[2], constant(frame_.translation[k]))));
        q[v][k] = hn::IfThenZeroElse(hn::Lt(hn::Abs(moved), tiny), moved);
      }
    }
  }

 private:
  /// Nothing is rounded, as the mesh has that number.
  static HWY_INLINE Doubles restored(const float* values, const ContractFrame::Units& units,
                                     int axis) {
    const DoubleLanes d;
    const auto stored = hn::Load(hn::Rebind<float, DoubleLanes>(), values);
    return hn::MulAdd(hn::PromoteTo(d, stored), constant(units.unit), constant(units.origin[axis]));
  }

  const ContractFrame& frame_;
  HWY_ALIGN float p_[3][3][k_lanes];
  HWY_ALIGN float q_[3][3][k_lanes];
};

/// Fewer pairs are left to scalar code.
inline constexpr std::size_t k_worth_tracking = 4;

/// Sorts pairs into those that surely touch, behind those that there are already, and those that
/// are left open, which it returns the number of. It is not inlined, nor are the functions of
/// crossing and coplanar triangles, so that not all of them are on the stack, which may be small.
template <class Number>
HWY_NOINLINE std::size_t judge_all(const ContractFrame& frame, const CornerRow* a,
                                   const CornerRow* b, PairList in, std::size_t count,
                                   PairList touching, std::size_t& touching_count,
                                   PairList unsure) {
  const GroupIndex d;
  std::size_t unsure_count = 0;
  fill_up(in, count);
  ContractCorners corners(frame);
  for (std::size_t i = 0; i < count; i += k_lanes) {
    Floats stored_p[3][3];
    Floats stored_q[3][3];
    load_triangles(a, in.a + i, stored_p);
    load_triangles(b, in.b + i, stored_q);
    corners.set(stored_p, stored_q);
    unsigned touching_lanes = 0;
    unsigned sure_lanes = 0;
    for (std::size_t half = 0; half < 2 && i + half * k_double_lanes < count; ++half) {
      Doubles p[3][3];
      Doubles q[3][3];
      corners.get(half, p, q);
      const LaneVerdict verdict = judge_flush<Number>(p, q);
      touching_lanes |= bits_of(verdict.touching) << half * k_double_lanes;
      sure_lanes |= bits_of(hn::Or(verdict.touching, verdict.apart)) << half * k_double_lanes;
    }
    const auto in_list = hn::RebindMask(Group(), hn::FirstN(d, count - i));
    const Indices slots_a = hn::LoadU(d, in.a + i);
    const Indices slots_b = hn::LoadU(d, in.b + i);
    append(hn::And(in_list, mask_of(touching_lanes)), slots_a, slots_b, touching, touching_count);
    append(hn::AndNot(mask_of(sure_lanes), in_list), slots_a, slots_b, unsure, unsure_count);
  }
  return unsure_count;
}

FilterResult flush(const ContractFrame& frame, const CornerRow* a, const CornerRow* b, PairList in,
                   std::size_t count, PairList touching, PairList unsure) {
  FilterResult result{0, 0};
  result.unsure = judge_all<Rounded>(frame, a, b, in, count, touching, result.touching, unsure);
  if (result.unsure >= k_worth_tracking) {
    result.unsure =
        judge_all<Tracked>(frame, a, b, unsure, result.unsure, touching, result.touching, unsure);
  }
  return result;
}

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace tandem::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#else
namespace tandem::detail::HWY_NAMESPACE {
inline constexpr decltype(WideKernels::flush) flush = nullptr;
// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace tandem::detail::HWY_NAMESPACE
#endif
#endif
