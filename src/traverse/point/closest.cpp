// Compiled once for each instruction set: Highway includes this file again and again.
#include "traverse/point/closest.h"

#include "traverse/wide/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "traverse/point/closest.cpp"  // NOLINT
#include <hwy/foreach_target.h>
// The targets come first.
#include <hwy/highway.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <limits>
#include <type_traits>

#include "traverse/ray/waiting.h"

HWY_BEFORE_NAMESPACE();
namespace tandem::detail {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

constexpr int k_width = WideRayNode::k_width;
static_assert(WideRayBlock::k_width == k_width);

/// What tests in numbers of type T may be off by. Distances are compared with a little more than
/// the reach, which covers a few roundoffs and what `point_distance` may be off by.
template <class T>
struct Precision;
template <>
struct Precision<float> {
  static constexpr float k_roundoff = 0x1p-24F;
  static constexpr float k_more = 1 + 0x1p-19F;
  /// Squares of lengths below this may vanish.
  static constexpr float k_short = 0x1p-60F;
};
template <>
struct Precision<double> {
  static constexpr double k_roundoff = 0x1p-53;
  static constexpr double k_more = 1 + 0x1p-38;
  static constexpr double k_short = 0x1p-400;
};

/// Numbers of type T in lanes, made of floats.
template <class T>
using Lanes = hn::CappedTag<T, k_width>;

HWY_INLINE auto load(Lanes<float> d, const float* from) {
  return hn::Load(d, from);
}
HWY_INLINE auto load(Lanes<double> d, const float* from) {
  return hn::PromoteTo(d, hn::Load(hn::Rebind<float, Lanes<double>>(), from));
}

HWY_INLINE void store_entries(hn::Vec<Lanes<float>> entry, float* HWY_RESTRICT to) {
  hn::Store(entry, Lanes<float>(), to);
}
HWY_INLINE void store_entries(hn::Vec<Lanes<double>> entry, float* HWY_RESTRICT to) {
  const hn::Rebind<float, Lanes<double>> d;
  hn::Store(hn::DemoteTo(d, entry), d, to);
}

template <class D>
HWY_INLINE unsigned bits_of(D d, hn::Mask<D> mask) {
  std::uint8_t bytes[8] = {};
  hn::StoreMaskBits(d, mask, bytes);
  return bytes[0];
}

/// Three coordinates in lanes.
template <class V>
struct Vec3v {
  V x;
  V y;
  V z;
};
template <class V>
HWY_INLINE Vec3v<V> sub(const Vec3v<V>& a, const Vec3v<V>& b) {
  return {hn::Sub(a.x, b.x), hn::Sub(a.y, b.y), hn::Sub(a.z, b.z)};
}
/// a - s·b
template <class V>
HWY_INLINE Vec3v<V> sub_scaled(const Vec3v<V>& a, V s, const Vec3v<V>& b) {
  return {hn::NegMulAdd(s, b.x, a.x), hn::NegMulAdd(s, b.y, a.y), hn::NegMulAdd(s, b.z, a.z)};
}
template <class V>
HWY_INLINE V dot(const Vec3v<V>& a, const Vec3v<V>& b) {
  return hn::MulAdd(a.x, b.x, hn::MulAdd(a.y, b.y, hn::Mul(a.z, b.z)));
}
template <class V>
HWY_INLINE Vec3v<V> cross(const Vec3v<V>& a, const Vec3v<V>& b) {
  return {hn::MulSub(a.y, b.z, hn::Mul(a.z, b.y)), hn::MulSub(a.z, b.x, hn::Mul(a.x, b.z)),
          hn::MulSub(a.x, b.y, hn::Mul(a.y, b.x))};
}
template <class V>
HWY_INLINE V sum_of_magnitudes(const Vec3v<V>& a) {
  return hn::Add(hn::Abs(a.x), hn::Add(hn::Abs(a.y), hn::Abs(a.z)));
}

/// A point as tests in numbers of type T need it: each number in every lane.
template <class T>
struct LanePoint {
  using D = Lanes<T>;
  using V = hn::Vec<D>;

  HWY_INLINE LanePoint(const Vec3d& point, double scale_sq)
      : entry_scale(hn::Set(D(), static_cast<T>(scale_sq))) {
    constexpr T k_infinity = std::numeric_limits<T>::infinity();
    T magnitude = 0;
    T nearest[3];
    for (int axis = 0; axis < 3; ++axis) {
      const auto rounded = static_cast<T>(point[axis]);
      lower[axis] =
          hn::Set(D(), rounded <= point[axis] ? rounded : std::nextafter(rounded, -k_infinity));
      upper[axis] =
          hn::Set(D(), rounded >= point[axis] ? rounded : std::nextafter(rounded, k_infinity));
      nearest[axis] = rounded;
      magnitude += std::fabs(rounded);
    }
    position = {hn::Set(D(), nearest[0]), hn::Set(D(), nearest[1]), hn::Set(D(), nearest[2])};
    size = hn::Set(D(), magnitude);
  }

  /// The point is between these.
  V lower[3];
  V upper[3];
  Vec3v<V> position;
  /// The sum of the coordinates' magnitudes.
  V size;
  /// Brings squares of distances into the range of floats.
  V entry_scale;
};

/// Which boxes may be as close as a limit, as bits; it is given by its square. Stores the squares
/// of the distances, scaled.
///
/// The box encloses what it should, the point is between its bounds, and a difference is rounded
/// relative to itself: so the squares are off by no more than seven roundoffs of themselves.
template <class T>
HWY_INLINE unsigned test_boxes(const WideRayNode& node, const LanePoint<T>& point, T limit_sq,
                               float* HWY_RESTRICT entries) {
  const Lanes<T> d;
  unsigned bits = 0;
  for (std::size_t i = 0; i < k_width; i += hn::Lanes(d)) {
    auto sum = hn::Zero(d);
    for (int axis = 0; axis < 3; ++axis) {
      const auto lower = load(d, &node.bound[axis][i]);
      const auto upper = load(d, &node.bound[axis + 3][i]);
      const auto gap =
          hn::Max(hn::Max(hn::Sub(lower, point.upper[axis]), hn::Sub(point.lower[axis], upper)),
                  hn::Zero(d));
      sum = hn::MulAdd(gap, gap, sum);
    }
    store_entries(std::is_same_v<T, float> ? sum : hn::Mul(sum, point.entry_scale), entries + i);
    bits |= bits_of(d, hn::Le(sum, hn::Set(d, limit_sq))) << i;
  }
  return bits & ((1U << node.child_count) - 1);
}

/// Which triangles may be as close as a limit, as bits.
///
/// Let u be the roundoff, and r the sum of the magnitudes of the point, of the vector from a corner
/// to it, and of two edges. The distance from an edge is off by at most 14 u r: the point was
/// rounded, which counts once as it is and once for the place on the edge, the vectors are off by 2
/// and 3 roundoffs, and the place by 4 more. The point is not over the inside of the triangle where
/// it is surely beyond an edge. Otherwise the distance from the plane counts, which is never too
/// much: its numerator is off by at most 16 u r l², where l is the sum of the edges' magnitudes,
/// and the volume over an edge by 16 u r l³. Lengths whose squares may vanish count as short.
template <class T>
HWY_INLINE unsigned test_triangles(const WideRayBlock& block, const LanePoint<T>& point, T limit,
                                   T* HWY_RESTRICT distances) {
  using P = Precision<T>;
  using V = typename LanePoint<T>::V;
  const Lanes<T> d;
  unsigned bits = 0;
  for (std::size_t i = 0; i < k_width; i += hn::Lanes(d)) {
    const auto corner = [&](int k) HWY_ATTR {
      return Vec3v<V>{load(d, &block.corner[0][k][i]), load(d, &block.corner[1][k][i]),
                      load(d, &block.corner[2][k][i])};
    };
    const Vec3v<V> corners[3] = {corner(0), corner(1), corner(2)};
    const Vec3v<V> edges[3] = {sub(corners[1], corners[0]), sub(corners[2], corners[1]),
                               sub(corners[0], corners[2])};
    const Vec3v<V> from_first = sub(point.position, corners[0]);
    const V sides = hn::Add(sum_of_magnitudes(edges[0]), sum_of_magnitudes(edges[2]));
    const V reach = hn::Add(point.size, hn::Add(sum_of_magnitudes(from_first), sides));
    const V error = hn::Mul(reach, hn::Set(d, 16 * P::k_roundoff));
    const V area_error = hn::Mul(error, hn::Mul(sides, sides));
    const Vec3v<V> normal = cross(edges[2], edges[0]);

    // The distance from each edge, and whether the point may be on the inner side of it.
    const V shortest_sq = hn::Set(d, P::k_short * P::k_short);
    const V least_volume = hn::Neg(hn::MulAdd(area_error, sides, shortest_sq));
    V edge_sq = hn::Zero(d);
    hn::Mask<Lanes<T>> inside = hn::Ge(hn::Zero(d), least_volume);
    for (int k = 0; k < 3; ++k) {
      const Vec3v<V> from = k == 0 ? from_first : sub(point.position, corners[k]);
      const V length_sq = hn::Add(dot(edges[k], edges[k]), shortest_sq);
      const V place =
          hn::Min(hn::Max(hn::Div(dot(from, edges[k]), length_sq), hn::Zero(d)), hn::Set(d, T{1}));
      const Vec3v<V> gap = sub_scaled(from, place, edges[k]);
      const V gap_sq = dot(gap, gap);
      edge_sq = k == 0 ? gap_sq : hn::Min(edge_sq, gap_sq);
      inside = hn::And(inside, hn::Ge(dot(cross(edges[k], from), normal), least_volume));
    }
    const V height =
        hn::Div(hn::Max(hn::Sub(hn::Abs(dot(normal, from_first)), area_error), hn::Zero(d)),
                hn::MulAdd(sides, hn::Mul(sides, hn::Set(d, 16 * P::k_roundoff)),
                           hn::Sqrt(hn::Add(dot(normal, normal), hn::Set(d, P::k_short)))));
    const V distance =
        hn::Sub(hn::IfThenElse(inside, hn::Min(height, hn::Sqrt(edge_sq)), hn::Sqrt(edge_sq)),
                hn::Add(error, hn::Set(d, P::k_short)));
    hn::Store(distance, d, distances + i);
    bits |= bits_of(d, hn::Le(distance, hn::Set(d, limit))) << i;
  }
  return bits & ((1U << block.count) - 1);
}

/// Not inlined, so that the loop keeps its registers.
HWY_NOINLINE void test_exactly(const WideRayBlock& block, int lane, ClosestSearch& search) {
  search.test(block.id[lane], block.triangle(lane));
}

/// How far a search still reaches, in numbers of type T.
template <class T>
struct Reach {
  HWY_INLINE void set(double reach, double scale_sq) {
    // Beyond the largest number, everything is within reach. Rounding up is in `k_more`.
    constexpr double k_most = std::numeric_limits<T>::max();
    constexpr double k_more = Precision<T>::k_more;
    distance = static_cast<T>(std::min(reach * k_more, k_most));
    distance_sq = static_cast<T>(std::min(reach * reach * (k_more * k_more), k_most));
    const double scaled = reach * reach * scale_sq * (1 + 0x1p-18);
    entry = static_cast<float>(std::min(scaled + 0x1p-120, 0x1p127));
  }

  T distance;
  T distance_sq;
  /// The same for squares that were scaled and rounded to float.
  float entry;
};

template <class T>
HWY_INLINE void search_tree(WideRayTreeView tree, double scale_sq, ClosestSearch& search) {
  const LanePoint<T> point(search.point(), scale_sq);
  Reach<T> reach;
  reach.set(search.reach(), scale_sq);
  Waiting stack[k_most_waiting];
  Waiting* top = stack;
  alignas(64) float entries[k_width];
  alignas(64) T distances[k_width];
  std::uint32_t child = 0;
  while (true) {
    // Go down through the nodes, always into the closest child.
    while (!WideRayTreeView::is_leaf(child)) {
      const WideRayNode& node = tree.node(child);
      const unsigned bits = test_boxes(node, point, reach.distance_sq, entries);
      if (bits == 0) break;
      child = take_closest(tree, node, bits, entries, top);
    }
    if (WideRayTreeView::is_leaf(child)) {
      const WideRayBlock& block = tree.block(child);
      unsigned bits = test_triangles(block, point, reach.distance, distances);
      while (bits != 0) {
        // The closest first, so that it rules out others.
        int closest = std::countr_zero(bits);
        for (unsigned others = bits & (bits - 1); others != 0; others &= others - 1) {
          const int lane = std::countr_zero(others);
          if (distances[lane] < distances[closest]) closest = lane;
        }
        bits &= ~(1U << closest);
        if (!(distances[closest] <= reach.distance)) break;
        test_exactly(block, closest, search);
        reach.set(search.reach(), scale_sq);
      }
    }
    do {
      if (top == stack) return;
      --top;
    } while (entry_of(*top) > reach.entry);
    child = child_of(*top);
  }
}

double largest_of(const Vec3d& v) {
  return std::max(std::fabs(v.x), std::max(std::fabs(v.y), std::fabs(v.z)));
}

}  // namespace

HWY_FLATTEN void find_closest_on_target(const WideRayTreeView& tree, const ClosestBatch& batch) {
  // Floats do while products of four lengths and squares of short ones stay in range, and while the
  // point is not so far away that its rounding hides the mesh.
  const double size = tree.largest_coordinate;
  const bool fits_floats = size > 0x1p-12 && size < 0x1p22;
  ClosestSearch last({0, 0, 0}, batch.limit);
  for (std::size_t i = 0; i < batch.points.size(); ++i) {
    const Vec3d point = flush_tiny(batch.points[i]);
    const double far = std::max(largest_of(point), size);
    ClosestSearch search(point, batch.limit);
    search.begin_with(last);
    if (fits_floats && far <= 16 * size) {
      search_tree<float>(tree, 1, search);
    } else {
      search_tree<double>(tree, 1 / (far * far), search);
    }
    batch.results[i] = search.best();
    last = search;
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace tandem::detail
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tandem::detail {

HWY_EXPORT(find_closest_on_target);

void find_closest(const WideRayTreeView& tree, const ClosestBatch& batch) {
  HWY_DYNAMIC_DISPATCH(find_closest_on_target)(tree, batch);
}

}  // namespace tandem::detail
#endif  // HWY_ONCE
