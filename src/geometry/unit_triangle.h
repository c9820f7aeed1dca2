// The triangle test of the collision chip paper (section 3.3): each triangle keeps the matrix that
// maps it onto the unit triangle (0,0) (1,0) (0,1) in the plane z = 0. The edges of the other
// triangle are mapped by the same matrix and intersected with that plane, without a division.
//
// In single precision, as the chip computes. It differs from the exact test by design: it skips
// edges that only touch the plane, so it misses most triangles that touch and all coplanar ones. A
// zero-area triangle has no matrix, and nothing pierces it. When two triangles cross, an edge of at
// least one of them pierces the other, so both directions are tested. Kept to reproduce the paper.
#pragma once

#include <tandem/triangle.h>

namespace tandem::detail {

/// `matrix * (p - origin)` maps the triangle onto the unit triangle. 12 floats; all zero for a
/// zero-area triangle.
struct UnitTriangle {
  float matrix[3][3] = {};
  Vec3f origin;

  TANDEM_HD explicit UnitTriangle(const TriangleF& t) : origin(t.corner[0]) {
    // The inverse of the matrix with the columns e1, e2 and n = e1 × e2.
    const Vec3d e1 = Vec3d(t.corner[1]) - Vec3d(t.corner[0]);
    const Vec3d e2 = Vec3d(t.corner[2]) - Vec3d(t.corner[0]);
    const Vec3d n = cross(e1, e2);
    const double det = dot(n, n);
    if (!(det > 0)) return;
    const Vec3d rows[3] = {cross(e2, n), cross(n, e1), n};
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) matrix[i][j] = static_cast<float>(rows[i][j] / det);
    }
  }

  TANDEM_HD Vec3f map(const Vec3d& p) const {
    const Vec3f d(p - Vec3d(origin));
    return {matrix[0][0] * d.x + matrix[0][1] * d.y + matrix[0][2] * d.z,
            matrix[1][0] * d.x + matrix[1][1] * d.y + matrix[1][2] * d.z,
            matrix[2][0] * d.x + matrix[2][1] * d.y + matrix[2][2] * d.z};
  }

  /// Whether an edge of `t` goes through the triangle.
  TANDEM_HD bool pierced_by(const Triangle& t) const {
    const Vec3f v[3] = {map(t.corner[0]), map(t.corner[1]), map(t.corner[2])};
    return crossed(v[0], v[1]) || crossed(v[1], v[2]) || crossed(v[2], v[0]);
  }

 private:
  /// Condition 4, with all three inequalities reversed when the edge comes from above.
  TANDEM_HD static bool crossed(const Vec3f& p, const Vec3f& q) {
    if ((p.z >= 0 && q.z >= 0) || (p.z <= 0 && q.z <= 0)) return false;
    const float x = p.x * q.z - q.x * p.z;
    const float y = p.y * q.z - q.y * p.z;
    const float z = q.z - p.z;
    return z > 0 ? x >= 0 && y >= 0 && x + y <= z : x <= 0 && y <= 0 && x + y >= z;
  }
};

/// Whether the triangles cross. `p_in_b` and `q_in_a` are the two triangles in each other's frame.
TANDEM_HD inline bool unit_triangles_intersect(const UnitTriangle& unit_p,
                                               const UnitTriangle& unit_q, const Triangle& p_in_b,
                                               const Triangle& q_in_a) {
  return unit_q.pierced_by(p_in_b) || unit_p.pierced_by(q_in_a);
}

}  // namespace tandem::detail
