// Where two touching triangles touch, and which way they are to be pushed apart.
#pragma once

#include <tandem/triangle.h>

namespace tandem::detail {

/// As in `tandem::Contact`.
struct TriangleContact {
  Vec3d points[2];
  Vec3d across[2];
  Vec3d normal;
  double separation = 0;
  bool opposed = true;
};

/// `shared` is what `triangle_intersection(a, b)` gives, and is not empty.
TriangleContact triangle_contact(const Triangle& a, const Triangle& b,
                                 const TriangleIntersection& shared);

}  // namespace tandem::detail
