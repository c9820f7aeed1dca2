#include <tandem/error.h>
#include <tandem/relation.h>
#include <tandem/triangle.h>

#include <cmath>

#include "geometry/distance/within.h"
#include "geometry/triangle_intersection.h"
#include "geometry/triangle_relation.h"
#include "geometry/triangle_test.h"
#include "math/transform.h"

namespace tandem {
namespace {

Triangle checked(const Triangle& t) {
  Triangle result;
  for (int i = 0; i < 3; ++i) {
    for (int axis = 0; axis < 3; ++axis) {
      if (!(std::fabs(t.corner[i][axis]) <= detail::k_largest_coordinate)) {
        throw Error("a triangle's corner has a coordinate that is not finite or exceeds 1e60");
      }
    }
    result.corner[i] = detail::flush_tiny(t.corner[i]);
  }
  return result;
}

}  // namespace

bool intersects(const Triangle& a, const Triangle& b) {
  return detail::test_triangles(checked(a), checked(b)).intersects;
}

TriangleIntersection intersection(const Triangle& a, const Triangle& b) {
  return detail::triangle_intersection(checked(a), checked(b));
}

TriangleDistance distance(const Triangle& a, const Triangle& b) {
  return detail::distance_of_triangles(checked(a), checked(b));
}

Meeting meeting(const Triangle& a, const Triangle& b) {
  return detail::relate_triangles(checked(a), checked(b)).meeting;
}

}  // namespace tandem
