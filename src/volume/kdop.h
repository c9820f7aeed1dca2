// Discretely oriented polytopes: intervals along k/2 fixed directions.
#pragma once

#include <tandem/pose.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <string_view>
#include <vector>

#include "math/type_list.h"
#include "volume/bounding_volume.h"
#include "volume/margin.h"

namespace tandem::detail {

/// One of the 13 directions of all k-DOPs: the axes, the cube's corners, the cube's edges. It is a
/// function because device code cannot index a global constexpr array.
TANDEM_HD constexpr Vec3<int> dop_direction(int id) {
  constexpr Vec3<int> k_directions[13] = {{1, 0, 0}, {0, 1, 0},  {0, 0, 1},               // axes
                                          {1, 1, 1}, {1, 1, -1}, {1, -1, 1}, {-1, 1, 1},  // corners
                                          {1, 1, 0}, {1, -1, 0}, {1, 0, 1},  {1, 0, -1},
                                          {0, 1, 1}, {0, 1, -1}};  // edges
  return k_directions[id];
}

/// Which of them a k-DOP uses, and what it is called.
template <int K>
struct DopDirections;
template <>
struct DopDirections<6> {
  static constexpr std::string_view k_name = "dop6";
  static constexpr std::string_view k_description = "intervals along 3 directions";
  TANDEM_HD static constexpr std::array<int, 3> ids() { return {0, 1, 2}; }
};
template <>
struct DopDirections<14> {
  static constexpr std::string_view k_name = "dop14";
  static constexpr std::string_view k_description = "intervals along 7 directions";
  TANDEM_HD static constexpr std::array<int, 7> ids() { return {0, 1, 2, 3, 4, 5, 6}; }
};
template <>
struct DopDirections<18> {
  static constexpr std::string_view k_name = "dop18";
  static constexpr std::string_view k_description = "intervals along 9 directions";
  TANDEM_HD static constexpr std::array<int, 9> ids() { return {0, 1, 2, 7, 8, 9, 10, 11, 12}; }
};
template <>
struct DopDirections<24> {
  static constexpr std::string_view k_name = "dop24";
  static constexpr std::string_view k_description = "intervals along 12 directions";
  TANDEM_HD static constexpr std::array<int, 12> ids() {
    return {0, 1, 2, 7, 8, 9, 10, 11, 12, 4, 5, 6};
  }
};
template <>
struct DopDirections<26> {
  static constexpr std::string_view k_name = "dop26";
  static constexpr std::string_view k_description = "intervals along 13 directions";
  TANDEM_HD static constexpr std::array<int, 13> ids() {
    return {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
  }
};

/// 4k bytes.
template <int K>
struct Kdop {
  static constexpr std::string_view k_name = DopDirections<K>::k_name;
  static constexpr std::string_view k_description = DopDirections<K>::k_description;
  static constexpr int k_slab_count = K / 2;
  static constexpr bool k_merges_tightly = true;

  float lower[k_slab_count];
  float upper[k_slab_count];

  TANDEM_HD static constexpr Vec3<int> direction(int slab) {
    return dop_direction(DopDirections<K>::ids()[slab]);
  }

  static Kdop fit(std::span<const Vec3f> points) {
    Kdop dop;
    for (int s = 0; s < k_slab_count; ++s) {
      const Vec3d n(direction(s));
      double low = INFINITY;
      double high = -INFINITY;
      double largest = 0;
      for (const Vec3f& p : points) {
        const double along = dot(n, Vec3d(p));
        low = std::min(low, along);
        high = std::max(high, along);
        largest = std::max(
            {largest, std::fabs(double{p.x}), std::fabs(double{p.y}), std::fabs(double{p.z})});
      }
      // The first three directions are the axes: nothing is rounded along them.
      const double rounding = s < 3 ? 0 : largest * 0x1p-50;
      dop.lower[s] = round_down(low - rounding);
      dop.upper[s] = round_up(high + rounding);
    }
    return dop;
  }

  TANDEM_HD static Kdop merge(const Kdop& a, const Kdop& b) {
    Kdop dop;
    for (int s = 0; s < k_slab_count; ++s) {
      dop.lower[s] = std::min(a.lower[s], b.lower[s]);
      dop.upper[s] = std::max(a.upper[s], b.upper[s]);
    }
    return dop;
  }

  TANDEM_HD bool encloses(const Vec3f& p) const {
    for (int s = 0; s < k_slab_count; ++s) {
      const Vec3d n(direction(s));
      const double along = dot(n, Vec3d(p));
      if (along < lower[s] || along > upper[s]) return false;
    }
    return true;
  }

  /// The volume of the box that the first three slabs make.
  TANDEM_HD double size() const {
    return (double{upper[0]} - lower[0]) * (double{upper[1]} - lower[1]) *
           (double{upper[2]} - lower[2]);
  }

  /// The largest magnitude of a coordinate.
  TANDEM_HD double largest_coordinate() const {
    double largest = 0;
    for (int s = 0; s < 3; ++s) {
      largest =
          std::fmax(largest, std::fmax(std::fabs(double{lower[s]}), std::fabs(double{upper[s]})));
    }
    return largest;
  }
};

static_assert(BoundingVolume<Kdop<24>>);

/// A direction as the weighted sum of three of the 2·count directions ±n of a k-DOP. No weight is
/// negative.
struct DopCorrespondence {
  /// 0 to count - 1: +n of that slab; from count on: -n.
  int plane[3];
  double weight[3];
  /// Bounds the difference between the sum and the direction, which is due to rounding: the sum of
  /// the magnitudes of its coordinates.
  double residual;
};

/// The cones between neighbouring directions of a k-DOP. Together they cover all directions.
class DopCones {
 public:
  explicit DopCones(std::span<const int> direction_ids);

  /// The cone that contains a direction, and the weights in it.
  DopCorrespondence find(const Vec3d& direction) const;

 private:
  struct Cone {
    int plane[3];
    Vec3d normal[3];
    /// weight[l] = inverse[l] · direction
    Vec3d inverse[3];
  };
  std::vector<Cone> cones_;
};

/// The tumbled transform d' = C d + c of the collision chip paper (equations 1 to 3), set up once
/// per query with the rounding margin in c; then interval tests. 7k operations for each pair, 6k of
/// them for B's DOP alone. It is set up on the host, and then usable on a device.
template <int K, class Real = double>
class KdopOverlap {
 public:
  static constexpr int k_slab_count = K / 2;
  struct Tumbled {
    Real lower[k_slab_count];
    Real upper[k_slab_count];
  };
  static constexpr std::string_view k_name = "intervals";
  static constexpr std::string_view k_description = "intervals along all directions of the DOP";
  static constexpr bool k_tumbles = true;
  /// The immediate check of the triangles is faster (section 3.3).
  static constexpr bool k_tests_leaves = false;

  KdopOverlap(const Pose& b_in_a, const Kdop<K>& a_root, const Kdop<K>& b_root) {
    const QueryMargin margin(b_in_a, a_root, b_root);
    static const DopCones cones(DopDirections<K>::ids());
    for (int s = 0; s < k_slab_count; ++s) {
      const Vec3<int> n = Kdop<K>::direction(s);
      // A's direction in B's frame is Rᵀn.
      Vec3d in_b{0, 0, 0};
      double offset = 0;
      for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) in_b[j] += b_in_a.rotation(i, j) * n[i];
        offset += n[i] * b_in_a.translation()[i];
      }
      const DopCorrespondence c = cones.find(in_b);
      Row& row = rows_[s];
      for (int l = 0; l < 3; ++l) {
        // The upper bound takes upper bounds along +n and negated lower bounds along -n; the lower
        // bound takes the opposite ones.
        const bool negated = c.plane[l] >= k_slab_count;
        row.slab[l] = negated ? c.plane[l] - k_slab_count : c.plane[l];
        row.negated[l] = negated;
        row.weight[l] = negated ? -c.weight[l] : c.weight[l];
      }
      const double error = 4 * margin.rounding() + c.residual * b_root.largest_coordinate();
      row.lower_offset = offset - error;
      row.upper_offset = offset + error;
    }
  }

  TANDEM_HD Tumbled tumble(const Kdop<K>& b) const {
    Tumbled result;
    for (int s = 0; s < k_slab_count; ++s) {
      const Row& row = rows_[s];
      Real low = row.lower_offset;
      Real high = row.upper_offset;
      for (int l = 0; l < 3; ++l) {
        const int slab = row.slab[l];
        low = low + row.weight[l] * Real(row.negated[l] ? b.upper[slab] : b.lower[slab]);
        high = high + row.weight[l] * Real(row.negated[l] ? b.lower[slab] : b.upper[slab]);
      }
      result.lower[s] = low;
      result.upper[s] = high;
    }
    return result;
  }

  TANDEM_HD bool operator()(const Kdop<K>& a, const Tumbled& b) const {
    for (int s = 0; s < k_slab_count; ++s) {
      if (b.lower[s] > Real(a.upper[s]) || b.upper[s] < Real(a.lower[s])) return false;
    }
    return true;
  }

 private:
  struct Row {
    Real weight[3];
    int slab[3];
    bool negated[3];
    Real lower_offset;
    Real upper_offset;
  };
  Row rows_[k_slab_count];
};

static_assert(OverlapTest<KdopOverlap<24>, Kdop<24>>);

template <int K>
struct OverlapTestsOf<Kdop<K>> {
  using Types = TypeList<KdopOverlap<K>>;
};

}  // namespace tandem::detail
