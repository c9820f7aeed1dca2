// The exact triangle test and distances, for callers who have triangles and not meshes.
#pragma once

#include <tandem/export.h>
#include <tandem/vec.h>

#include <cstdint>

namespace tandem {

/// Three corners. Any three: repeated or collinear corners make it the segment or point that it is.
template <class T>
struct BasicTriangle {
  Vec3<T> corner[3];
};

using TriangleF = BasicTriangle<float>;
using Triangle = BasicTriangle<double>;

/// True when the closed triangles share at least one point. Exact for the coordinates as given:
/// touching counts, coplanar overlap counts, the order of corners and arguments does not matter.
/// Coordinates below 1e-60 in magnitude are taken as 0. Throws `tandem::Error` when one is not
/// finite or exceeds 1e60.
TANDEM_API bool intersects(const Triangle& a, const Triangle& b);

/// What two triangles share: nothing, a point, a segment or a convex polygon.
struct TriangleIntersection {
  static constexpr int k_max_points = 6;

  /// 0: disjoint; 1: a point; 2: a segment; 3 to 6: a convex polygon, corner by corner around it.
  int count = 0;
  Vec3d points[k_max_points];

  /// The points one by one, as in `for (const Vec3d& point : intersection(a, b))`.
  const Vec3d* begin() const { return points; }
  const Vec3d* end() const { return points + count; }
  bool empty() const { return count == 0; }
};

/// The shared set of two triangles. Whether it is empty, and whether the triangles are coplanar, is
/// decided exactly; the points are rounded to double and lie in both triangles up to rounding.
/// Coordinates and errors as for `intersects`. Slower than `intersects`: meant for reporting.
TANDEM_API TriangleIntersection intersection(const Triangle& a, const Triangle& b);

/// How far apart two triangles are, and where they are closest.
struct TriangleDistance {
  double distance = 0;
  /// A point of each; where the triangles touch, one that both share. Of several such pairs of
  /// points, as parallel triangles have them, any one.
  Vec3d on_a;
  Vec3d on_b;
  /// Of length 1, from A's point to B's; zero where they touch.
  Vec3d normal{0, 0, 0};

  friend bool operator==(const TriangleDistance&, const TriangleDistance&) = default;
};

/// How far apart two triangles are: 0 exactly when they share a point, otherwise within 1e-12 of
/// the true distance, relative to it. Coordinates and errors as for `intersects`.
TANDEM_API TriangleDistance distance(const Triangle& a, const Triangle& b);

}  // namespace tandem
