// A ray made ready for tests of boxes in float32: on the lanes of a processor or the threads of a
// device.
#pragma once

#include <tandem/host_device.h>
#include <tandem/sink.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "geometry/ray_triangle.h"

namespace tandem::detail {

/// Along an axis, let o be the origin, i the inverse of the direction, [l, h] the bounds of what a
/// box encloses, and m the larger magnitude of these. The ray meets a plane at p after the distance
/// p·i - o·i. In float, with or without fused instructions, with i off by two roundoffs and the
/// product o·i rounded, that is off by at most 4.01 roundoffs of |p·i| and 5.01 of |o·i|, beside
/// what underflows. A hit in the box is at most (m + |o|)·|i| away, so its float distance is off by
/// at most 1.1 roundoffs of that. That makes 5.2 roundoffs of m·|i|, for which the boxes of the
/// trees have 7.9 to spare, and 6.2 of |o·i|, for which the offsets have a margin of 8. Nothing
/// depends on the size of the whole tree.
///
/// A box may also be given by its centre c and half its side s, with |c| + s = m. The planes at
/// c - s and c + s are then met at (c·i - o·i) ∓ s·|i|, which takes one more rounding: 6.2
/// roundoffs of m·|i| with the hit's.
struct FloatRay {
  float inverse[3];
  float near_offset[3];
  float far_offset[3];
  float t_min;
};

/// False if numbers could leave the range in which the bounds of `FloatRay` hold; the ray is then
/// traced in double precision instead.
TANDEM_HD inline bool make_float_ray(const ValidRay& ray, float largest_coordinate,
                                     FloatRay* result) {
  constexpr float k_roundoff = 0x1p-24F;
  const auto magnitude = [](const Vec3f& v) {
    return std::max(std::fabs(v.x), std::max(std::fabs(v.y), std::fabs(v.z)));
  };
  const float m = std::max(largest_coordinate, magnitude(ray.origin));
  // Where the direction is zero, the ray is inside a slab everywhere or nowhere. Distances of hits
  // are below 2^42. The inverse is so large that beside the margins a plane must be off by no more
  // than 2^-80 of m, or 2^-42 of it where m is small, to be beyond them; a plane in which the ray
  // runs is before or behind all hits.
  const float steep = std::min(0x1p124F * quick_inverse(m), 0x1p126F);
  float least = std::numeric_limits<float>::infinity();
  float most = 0;
  for (int axis = 0; axis < 3; ++axis) {
    const float d = ray.direction[axis];
    const float inverse = d != 0 ? quick_inverse(d) : steep;
    if (d != 0) {
      least = std::min(least, std::fabs(inverse));
      most = std::max(most, std::fabs(inverse));
    }
    const float middle = -ray.origin[axis] * inverse;
    // What underflows is far less than 2^-120; distances of 2^-84 are below the rounding of m.
    const float margin = 8 * k_roundoff * std::fabs(middle) + (d != 0 ? 0x1p-120F : 0x1p44F);
    result->inverse[axis] = inverse;
    result->near_offset[axis] = middle - margin;
    result->far_offset[axis] = middle + margin;
  }
  result->t_min = ray.t_min;
  // Then products of three coordinates, and of coordinates and inverses, do not overflow, and those
  // that underflow are below the floors of the bounds. The least inverse is that along the axis on
  // which the direction is largest, by which distances of hits are limited.
  return m > 0x1p-40F && m < 0x1p38F && least > 0x1p-24F && least < 0x1p24F && most < 0x1p60F &&
         m * least > 0x1p-60F && m * least < 0x1p40F;
}

/// What a ray asks, if it is one that `make_float_ray` accepts: triangles that float arithmetic
/// rules out are not tested further.
template <class Query>
class FloatFiltered {
 public:
  TANDEM_HD explicit FloatFiltered(Query& query) : query_(query) {}

  TANDEM_HD float limit() const { return query_.limit(); }
  TANDEM_HD Flow test(std::uint32_t id, const TriangleF& triangle, std::uint32_t place) {
    if (surely_misses(query_.ray(), triangle, query_.limit())) return Flow::go_on;
    return query_.test(id, triangle, place);
  }

 private:
  Query& query_;
};

}  // namespace tandem::detail
