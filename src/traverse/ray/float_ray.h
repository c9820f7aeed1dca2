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
struct FloatRay {
  float inverse[3];
  float near_offset[3];
  float far_offset[3];
  float t_min;
};

/// The same for boxes that are given by their centres c and half their sides s, with |c| + s = m.
/// The planes at c - s and c + s are met at (c·i - o·i) ∓ s·|i|, which takes one more rounding: the
/// distance is off by 6.2 roundoffs of m·|i| with the hit's, and by 6.2 of |o·i|. The offsets have
/// no margin here, so that both planes share one. A hit at the distance t is at o + t·d, which is
/// in the box; so |o·i| is at most m·|i| + t. That makes 12.4 roundoffs of m·|i|, for which the
/// boxes of pairs have 13.9 to spare, and 6.2 of t: the end of the interval in which a ray is in a
/// box is compared as if it were `k_farther` times as far away.
struct PairRay {
  float inverse[3];
  float offset[3];
  float t_min;

  /// 16 roundoffs more.
  static constexpr float k_farther = 1 + 0x1p-20F;
};

/// What a ray is multiplied by, and whether all numbers stay in the range in which the bounds above
/// hold.
struct RayInverses {
  float inverse[3];
  /// The largest magnitude of a coordinate of the tree or the origin.
  float size;
  /// Along the axis on which the direction is largest, by which distances of hits are limited.
  float least;
  bool in_range;
  /// Whether the ray runs in a plane across an axis.
  bool in_plane = false;

  TANDEM_HD RayInverses(const ValidRay& ray, float largest_coordinate)
      : size(std::max(largest_coordinate, magnitude(ray.origin))),
        least(std::numeric_limits<float>::infinity()) {
    // Where the direction is zero, the ray is inside a slab everywhere or nowhere. Distances of
    // hits are below 2^42. The inverse is so large that beside the margins a plane must be off by
    // no more than 2^-80 of the size, or 2^-42 of it where that is small, to be beyond them; a
    // plane in which the ray runs is before or behind all hits.
    const float steep = std::min(0x1p124F * quick_inverse(size), 0x1p126F);
    float most = 0;
    for (int axis = 0; axis < 3; ++axis) {
      const float d = ray.direction[axis];
      inverse[axis] = d != 0 ? quick_inverse(d) : steep;
      in_plane = in_plane || d == 0;
      if (d != 0) {
        least = std::min(least, std::fabs(inverse[axis]));
        most = std::max(most, std::fabs(inverse[axis]));
      }
    }
    // Then products of three coordinates, and of coordinates and inverses, do not overflow, and
    // those that underflow are below the floors of the bounds.
    in_range = size > 0x1p-40F && size < 0x1p38F && least > 0x1p-24F && least < 0x1p24F &&
               most < 0x1p60F && size * least > 0x1p-60F && size * least < 0x1p40F;
  }

 private:
  TANDEM_HD static float magnitude(const Vec3f& v) {
    return std::max(std::fabs(v.x), std::max(std::fabs(v.y), std::fabs(v.z)));
  }
};

/// False if numbers could leave the range in which the bounds of `FloatRay` hold; the ray is then
/// traced in double precision instead.
TANDEM_HD inline bool make_float_ray(const ValidRay& ray, float largest_coordinate,
                                     FloatRay* result) {
  constexpr float k_roundoff = 0x1p-24F;
  const RayInverses inverses(ray, largest_coordinate);
  for (int axis = 0; axis < 3; ++axis) {
    const float middle = -ray.origin[axis] * inverses.inverse[axis];
    // What underflows is far less than 2^-120; distances of 2^-84 are below the rounding of m.
    const float margin =
        8 * k_roundoff * std::fabs(middle) + (ray.direction[axis] != 0 ? 0x1p-120F : 0x1p44F);
    result->inverse[axis] = inverses.inverse[axis];
    result->near_offset[axis] = middle - margin;
    result->far_offset[axis] = middle + margin;
  }
  result->t_min = ray.t_min;
  return inverses.in_range;
}

/// The same for boxes of pairs. Along an axis on which the direction is zero, what boxes have to
/// spare, at least 2^-60, times the inverse must be more than all distances of hits: at most twice
/// the size times the least inverse.
TANDEM_HD inline bool make_pair_ray(const ValidRay& ray, float largest_coordinate,
                                    PairRay* result) {
  const RayInverses inverses(ray, largest_coordinate);
  for (int axis = 0; axis < 3; ++axis) {
    result->inverse[axis] = inverses.inverse[axis];
    result->offset[axis] = -ray.origin[axis] * inverses.inverse[axis];
  }
  result->t_min = ray.t_min;
  return inverses.in_range &&
         (!inverses.in_plane || inverses.size * (inverses.size * inverses.least) < 0x1p62F);
}

/// What a ray asks, if it is one that `make_float_ray` or `make_pair_ray` accepts: triangles that
/// float arithmetic rules out are not tested further.
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
