#include "geometry/distance/within.h"

#include "geometry/distance/triangle_distance.h"
#include "geometry/triangle_intersection.h"

namespace tandem::detail {

bool are_within(const Triangle& a, const Triangle& b, double distance) {
  return triangle_distance(a, b).nearest.distance <= distance;
}

TriangleDistance distance_of_triangles(const Triangle& a, const Triangle& b,
                                       double relative_error) {
  const TriangleDistanceAnswer answer = triangle_distance(a, b, relative_error);
  if (answer.stage == DistanceStage::touching) {
    const Vec3d shared = triangle_intersection(a, b).points[0];
    return {.distance = 0, .on_a = shared, .on_b = shared};
  }
  return {.distance = answer.nearest.distance,
          .on_a = answer.nearest.on_p,
          .on_b = answer.nearest.on_q,
          .normal = answer.nearest.direction};
}

}  // namespace tandem::detail
