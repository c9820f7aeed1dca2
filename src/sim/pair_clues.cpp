// Compiled once for each instruction set: Highway includes this file again and again.
#include "sim/pair_clues.h"

#include <algorithm>
#include <bit>

#include "sim/clear_contact.h"
#include "traverse/wide/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sim/pair_clues.cpp"  // NOLINT
#include <hwy/foreach_target.h>
// The targets come first.
#include <hwy/highway.h>

#include "sim/vectors-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tandem::sim {
namespace HWY_NAMESPACE {
namespace {

using I = hn::RebindToSigned<D>;
using Mask = hn::Mask<D>;

/// Squares of distances may be larger by this share: clues may say yes too often, and never no
/// where what comes after them says yes. Rounding is smaller where triangles are no longer than a
/// million margins.
constexpr double k_slack = 1 + 1e-6;

HWY_INLINE V3 min(const V3& a, const V3& b) {
  return {hn::Min(a.x, b.x), hn::Min(a.y, b.y), hn::Min(a.z, b.z)};
}
HWY_INLINE V3 max(const V3& a, const V3& b) {
  return {hn::Max(a.x, b.x), hn::Max(a.y, b.y), hn::Max(a.z, b.z)};
}
HWY_INLINE V largest(const V3& v) {
  return hn::Max(v.x, hn::Max(v.y, v.z));
}

/// A triangle in each lane.
struct Triangles {
  V3 corner[3];
  V3 edge[3];
  V edge_sq[3];
  /// Twice the area along the normal.
  V3 area;
  /// From the lowest to the highest corner along each axis.
  V3 lower;
  V3 upper;
  /// In the low three bits the peaks that belong to it, then the ridges.
  hn::Vec<I> own;
  /// Those that any lane has.
  std::int64_t all_own = 0;

  /// The same one in all lanes.
  HWY_INLINE explicit Triangles(const PlacedTriangle& placed) : all_own(bits_of(placed)) {
    own = hn::Set(I(), all_own);
    for (int k = 0; k < 3; ++k) {
      const Vec3d& from = placed.corner(k);
      corner[k] = {hn::Set(D(), from.x), hn::Set(D(), from.y), hn::Set(D(), from.z)};
    }
    derive();
  }

  /// Those of B of some pairs, and the last one again in the lanes that are left.
  HWY_INLINE Triangles(std::span<const PlacedTriangle> placed, std::span<const PlacedPair> pairs) {
    HWY_ALIGN double numbers[9][k_width];
    HWY_ALIGN std::int64_t owned[k_width];
    for (std::size_t lane = 0; lane < k_width; ++lane) {
      const PlacedTriangle& from = placed[pairs[std::min(lane, pairs.size() - 1)].b];
      for (int k = 0; k < 3; ++k) {
        for (int axis = 0; axis < 3; ++axis) numbers[3 * k + axis][lane] = from.corner(k)[axis];
      }
      owned[lane] = bits_of(from);
      all_own |= owned[lane];
    }
    own = hn::Load(I(), owned);
    for (int k = 0; k < 3; ++k) {
      corner[k] = {hn::Load(D(), numbers[3 * k]), hn::Load(D(), numbers[3 * k + 1]),
                   hn::Load(D(), numbers[3 * k + 2])};
    }
    derive();
  }

  HWY_INLINE bool any_has_peak() const { return (all_own & 7) != 0; }
  HWY_INLINE bool any_has_peak(int k) const { return (all_own >> k & 1) != 0; }
  HWY_INLINE bool any_has_ridge(int k) const { return (all_own >> (3 + k) & 1) != 0; }
  HWY_INLINE Mask has_peak(int k) const { return has(k); }
  HWY_INLINE Mask has_ridge(int k) const { return has(3 + k); }

 private:
  static std::int64_t bits_of(const PlacedTriangle& placed) {
    return placed.own.peaks | placed.own.ridges << 3;
  }

  HWY_INLINE Mask has(int bit) const {
    return hn::RebindMask(D(), hn::TestBit(own, hn::Set(I(), std::int64_t{1} << bit)));
  }

  HWY_INLINE void derive() {
    for (int k = 0; k < 3; ++k) {
      edge[k] = corner[(k + 1) % 3] - corner[k];
      edge_sq[k] = dot(edge[k], edge[k]);
    }
    area = cross(edge[0], corner[2] - corner[0]);
    lower = min(corner[0], min(corner[1], corner[2]));
    upper = max(corner[0], max(corner[1], corner[2]));
  }
};

/// As many pairs as there are lanes.
class Pairs {
 public:
  HWY_INLINE Pairs(const Triangles& a, const Triangles& b, double margin, PairClues* clues)
      : a_(a), b_(b), reach_sq_(hn::Set(D(), margin * margin * k_slack)), clues_(clues) {}

  HWY_INLINE void find() {
    const V size = largest(max(a_.upper, b_.upper) - min(a_.lower, b_.lower));
    const V error = hn::Mul(hn::Mul(hn::Mul(hn::Set(D(), k_clear), size), size), size);
    const V gap = largest(max(a_.lower - b_.upper, b_.lower - a_.upper));
    V heights_of_a[3];
    V heights_of_b[3];
    for (int k = 0; k < 3; ++k) {
      heights_of_b[k] = dot(a_.area, b_.corner[k] - a_.corner[0]);
      heights_of_a[k] = dot(b_.area, a_.corner[k] - b_.corner[0]);
    }
    const Mask is_apart =
        hn::Or(hn::Gt(gap, hn::Zero(D())),
               hn::Or(are_on_one_side(heights_of_a, error), are_on_one_side(heights_of_b, error)));
    for_each_lane(is_apart, [](PairClues& clues) { clues.apart = true; });
    if (b_.any_has_peak()) {
      find_corners_over(b_, heights_of_b, a_, &PairClues::b_over_a);
    }
    if (a_.any_has_peak()) {
      find_corners_over(a_, heights_of_a, b_, &PairClues::a_over_b);
    }
    if (a_.all_own == 0 || b_.all_own == 0) return;
    for (int i = 0; i < 3; ++i) {
      if (a_.any_has_peak(i)) {
        find_near_corner(a_.has_peak(i), a_.corner[i], b_, &PairClues::corners, 3 * i, 1);
        find_near_edges(a_.has_peak(i), a_.corner[i], b_, &PairClues::corners_and_edges, 3 * i, 1);
      }
      if (a_.any_has_ridge(i)) find_edges_near_edge(i);
      if (b_.any_has_peak(i)) {
        find_near_edges(b_.has_peak(i), b_.corner[i], a_, &PairClues::edges_and_corners, i, 3);
      }
    }
  }

 private:
  static HWY_INLINE Mask are_on_one_side(const V (&heights)[3], V error) {
    const V least = hn::Min(heights[0], hn::Min(heights[1], heights[2]));
    const V most = hn::Max(heights[0], hn::Max(heights[1], heights[2]));
    return hn::Or(hn::Gt(least, error), hn::Lt(most, hn::Neg(error)));
  }

  template <class Work>
  HWY_INLINE void for_each_lane(Mask mask, const Work& work) const {
    std::uint8_t bytes[8] = {};
    hn::StoreMaskBits(D(), mask, bytes);
    for (unsigned rest = bytes[0]; rest != 0; rest &= rest - 1) {
      work(clues_[std::countr_zero(rest)]);
    }
  }

  /// Sets a bit in the lanes of the mask.
  HWY_INLINE void note(Mask mask, std::uint16_t PairClues::*clue, int bit) const {
    for_each_lane(mask, [&](PairClues& clues) {
      clues.*clue = static_cast<std::uint16_t>(clues.*clue | 1u << bit);
    });
  }

  /// Peaks whose foot on the plane of a front is in the triangle, and whose height is within the
  /// margin. `heights` are times the length of the front's area.
  HWY_INLINE void find_corners_over(const Triangles& of, const V (&heights)[3],
                                    const Triangles& front, std::uint16_t PairClues::*clue) const {
    const V area_sq = dot(front.area, front.area);
    const V farthest = hn::Mul(reach_sq_, area_sq);
    // Of a point beside an edge, times the length of the area, which is less than the square of
    // the diagonal.
    const V3 sides = front.upper - front.lower;
    const V diagonal_sq = dot(sides, sides);
    const V beside = hn::Mul(hn::Set(D(), -k_beside * k_slack), hn::Mul(diagonal_sq, diagonal_sq));
    Mask is_over[3];
    bool any = false;
    for (int k = 0; k < 3; ++k) {
      is_over[k] = hn::And(of.has_peak(k), hn::Le(hn::Mul(heights[k], heights[k]), farthest));
      any = any || !hn::AllFalse(D(), is_over[k]);
    }
    if (!any) return;
    for (int side = 0; side < 3; ++side) {
      const V3 inward = cross(front.area, front.edge[side]);
      for (int k = 0; k < 3; ++k) {
        const V inside = dot(inward, of.corner[k] - front.corner[side]);
        is_over[k] = hn::And(is_over[k], hn::Ge(inside, beside));
      }
    }
    for (int k = 0; k < 3; ++k) note(is_over[k], clue, k);
  }

  /// Bits are `first` and so many `step` more.
  HWY_INLINE void find_near_corner(Mask has_corner, const V3& corner, const Triangles& other,
                                   std::uint16_t PairClues::*clue, int first, int step) const {
    for (int k = 0; k < 3; ++k) {
      if (!other.any_has_peak(k)) continue;
      const V3 way = other.corner[k] - corner;
      const Mask is_near =
          hn::And(hn::And(has_corner, other.has_peak(k)), hn::Le(dot(way, way), reach_sq_));
      note(is_near, clue, first + step * k);
    }
  }

  HWY_INLINE void find_near_edges(Mask has_corner, const V3& corner, const Triangles& other,
                                  std::uint16_t PairClues::*clue, int first, int step) const {
    for (int k = 0; k < 3; ++k) {
      if (!other.any_has_ridge(k)) continue;
      const V3& along = other.edge[k];
      const V3 way = corner - other.corner[k];
      const V share = dot(way, along);
      const Mask is_beside =
          hn::And(hn::And(has_corner, other.has_ridge(k)),
                  hn::And(hn::Gt(share, hn::Zero(D())), hn::Lt(share, other.edge_sq[k])));
      if (hn::AllFalse(D(), is_beside)) continue;
      const V3 across = cross(way, along);
      note(hn::And(is_beside, hn::Le(dot(across, across), hn::Mul(reach_sq_, other.edge_sq[k]))),
           clue, first + step * k);
    }
  }

  /// Ridges that are closest to that of A inside both.
  HWY_INLINE void find_edges_near_edge(int i) const {
    const V3& u = a_.edge[i];
    const V uu = a_.edge_sq[i];
    const V zero = hn::Zero(D());
    for (int k = 0; k < 3; ++k) {
      if (!b_.any_has_ridge(k)) continue;
      const V3& v = b_.edge[k];
      const V vv = b_.edge_sq[k];
      const V uv = dot(u, v);
      const V across = hn::Sub(hn::Mul(uu, vv), hn::Mul(uv, uv));
      const V3 between = a_.corner[i] - b_.corner[k];
      const V bu = dot(between, u);
      const V bv = dot(between, v);
      const V on_u = hn::Sub(hn::Mul(uv, bv), hn::Mul(vv, bu));
      const V on_v = hn::Sub(hn::Mul(uu, bv), hn::Mul(uv, bu));
      const Mask is_inside = hn::And(hn::And(hn::Gt(on_u, zero), hn::Lt(on_u, across)),
                                     hn::And(hn::Gt(on_v, zero), hn::Lt(on_v, across)));
      const Mask exists = hn::And(a_.has_ridge(i), b_.has_ridge(k));
      const Mask is_beside = hn::And(exists, is_inside);
      if (hn::AllFalse(D(), is_beside)) continue;
      const V volume = dot(between, cross(u, v));
      note(hn::And(is_beside, hn::Le(hn::Mul(volume, volume), hn::Mul(reach_sq_, across))),
           &PairClues::edges, 3 * i + k);
    }
  }

  const Triangles& a_;
  const Triangles& b_;
  V reach_sq_;
  PairClues* clues_;
};

}  // namespace

void find_clues_of_target(std::span<const PlacedTriangle> of_a,
                          std::span<const PlacedTriangle> of_b, std::span<const PlacedPair> pairs,
                          double margin, std::span<PairClues> clues) {
  // Pairs of the same triangle of A follow each other.
  for (std::size_t first = 0; first < pairs.size();) {
    std::size_t last = first + 1;
    while (last < pairs.size() && last - first < k_width && pairs[last].a == pairs[first].a) ++last;
    const auto group = pairs.subspan(first, last - first);
    const Triangles a(of_a[group.front().a]);
    const Triangles b(of_b, group);
    PairClues found[k_width] = {};
    Pairs(a, b, margin, found).find();
    std::copy_n(found, group.size(), clues.data() + first);
    first = last;
  }
}

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace tandem::sim
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tandem::sim {

HWY_EXPORT(find_clues_of_target);

void find_clues(std::span<const PlacedTriangle> of_a, std::span<const PlacedTriangle> of_b,
                std::span<const PlacedPair> pairs, double margin, std::span<PairClues> clues) {
  HWY_DYNAMIC_DISPATCH(find_clues_of_target)(of_a, of_b, pairs, margin, clues);
}

}  // namespace tandem::sim
#endif  // HWY_ONCE
