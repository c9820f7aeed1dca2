// How far a point is from a triangle, and which point of the triangle is closest.
//
// The distance is off by at most 2^-40 of itself, below 1e-12, and it is 0 exactly when the point
// is in the triangle. Two stages see to that. The first computes in double and proves its answer:
// the point of the triangle that it found is no farther than the distance, and a plane between the
// two is no closer. Where that leaves too much open, because the triangle is a sliver or the point
// is close to it, the second takes its numbers from expansions, each rounded once.
//
// Both are functions of the point and the corners alone: which one answers depends on nothing else.
#pragma once

#include <tandem/triangle.h>

#include <cmath>

#include "geometry/distance/triangle_distance_exact.h"
#include "geometry/predicates.h"

namespace tandem::detail {

struct PointDistance {
  double distance;
  /// On the triangle, up to the rounding of its coordinates.
  Vec3d point;
};

/// The distances of the second stage are off by at most 16 roundoffs, those of the first by this.
inline constexpr double k_point_distance_error = 0x1p-40;

TANDEM_HD inline double smaller_of(double a, double b) {
  return b < a ? b : a;
}

/// Within 0 and the limit; 0 for NaN.
TANDEM_HD inline double clamped(double x, double limit) {
  return x > 0 ? smaller_of(x, limit) : 0;
}

TANDEM_HD inline double sum_of_magnitudes(const Vec3d& v) {
  return std::fabs(v.x) + std::fabs(v.y) + std::fabs(v.z);
}

/// The first stage. False where it cannot prove the bound.
///
/// Let u be the roundoff and S at least the sum of a vector from a corner to the point, and of one
/// or two edges. The vector w from a point of the triangle to the given one is one of those less
/// parts of these, so it is off by at most 3 u S. Let g be any direction, and m the least component
/// along it of the vectors from the corners to the point. No point of the triangle is closer than
/// m, whose rounding is at most 4 u S. So the distance is between m - 4 u S and |w| + 3 u S, and
/// beside 8 u S the roundings of length and division are small.
TANDEM_HD inline bool find_point_distance(const Vec3d& p, const Triangle& t,
                                          PointDistance* result) {
  const Vec3d* const c = t.corner;
  const Vec3d edge_1 = c[1] - c[0];
  const Vec3d edge_2 = c[2] - c[0];
  const Vec3d from[3] = {p - c[0], p - c[1], p - c[2]};

  // Which corner, edge or side of the triangle is closest (Ericson 2005, section 5.1.5): products
  // of the vectors to the point with the edges from corner 0.
  const double along_1[3] = {dot(edge_1, from[0]), dot(edge_1, from[1]), dot(edge_1, from[2])};
  const double along_2[3] = {dot(edge_2, from[0]), dot(edge_2, from[1]), dot(edge_2, from[2])};
  const double weight[3] = {along_1[1] * along_2[2] - along_1[2] * along_2[1],
                            along_1[2] * along_2[0] - along_1[0] * along_2[2],
                            along_1[0] * along_2[1] - along_1[1] * along_2[0]};
  int corner = -1;
  int edge = -1;
  if (along_1[0] <= 0 && along_2[0] <= 0) {
    corner = 0;
  } else if (along_1[1] >= 0 && along_2[1] <= along_1[1]) {
    corner = 1;
  } else if (along_2[2] >= 0 && along_1[2] <= along_2[2]) {
    corner = 2;
  } else if (weight[2] <= 0 && along_1[0] >= 0 && along_1[1] <= 0) {
    edge = 0;
  } else if (weight[1] <= 0 && along_2[0] >= 0 && along_2[2] <= 0) {
    edge = 2;
  } else if (weight[0] <= 0 && along_2[1] >= along_1[1] && along_1[2] >= along_2[2]) {
    edge = 1;
  }

  // The vector from the closest point, and a direction that separates.
  Vec3d w;
  Vec3d direction;
  if (corner >= 0) {
    w = from[corner];
    direction = w;
    result->point = c[corner];
  } else if (edge >= 0) {
    // The same for each triangle at the edge: it begins at the lesser of its ends.
    const int next = edge == 2 ? 0 : edge + 1;
    const bool forward = lexicographic_less(c[edge], c[next]);
    const int begin = forward ? edge : next;
    const Vec3d along = c[forward ? next : edge] - c[begin];
    const double along_sq = length_sq(along);
    const double share = clamped(dot(from[begin], along) / along_sq, 1);
    w = from[begin] - share * along;
    // Once more, as what is left along the edge counts as much as the edge is long.
    direction = w - (dot(w, along) / along_sq) * along;
    result->point = c[begin] + share * along;
  } else {
    const double total = weight[0] + weight[1] + weight[2];
    const double share_1 = clamped(weight[1] / total, 1);
    const double share_2 = clamped(weight[2] / total, 1 - share_1);
    w = (from[0] - share_1 * edge_1) - share_2 * edge_2;
    direction = cross(edge_1, edge_2);
    if (dot(direction, from[0]) < 0) direction = -direction;
    result->point = (c[0] + share_1 * edge_1) + share_2 * edge_2;
  }

  const double distance = length(w);
  const double least = smaller_of(dot(from[0], direction),
                                  smaller_of(dot(from[1], direction), dot(from[2], direction))) /
                       length(direction);
  const double size =
      sum_of_magnitudes(from[0]) + 2 * (sum_of_magnitudes(edge_1) + sum_of_magnitudes(edge_2));
  result->distance = distance;
  // Not so where anything is NaN.
  return (distance - least) + 8 * k_half_ulp * size <= k_point_distance_error * distance;
}

/// From a point to a segment, whose ends are in lexicographic order, off by at most 16 roundoffs.
TANDEM_HD inline PointDistance exact_segment_distance(const Vec3d& p, const Vec3d& a,
                                                      const Vec3d& b) {
  const ExactVector from_a(a, p);
  const ExactVector along(a, b);
  const double after_a = exact_dot(from_a, along);
  if (!(after_a > 0)) return {length(p - a), a};
  if (!(exact_dot(ExactVector(b, p), along) < 0)) return {length(p - b), b};
  const Vec3d edge = b - a;
  const double edge_length = length(edge);
  return {length(rounded(exact_cross(along, from_a))) / edge_length,
          a + (after_a / edge_length / edge_length) * edge};
}

/// The second stage, off by at most 16 roundoffs.
///
/// The point is above the inside of the triangle when its products with the sides are positive. A
/// product that rounding leaves open says that the foot of the perpendicular is closer to a side's
/// line than 32 roundoffs of the point's distance from that line. If the foot is inside, some point
/// of the edges is as close to it, so that the distance from the edges is the same but for squares
/// of roundoffs: then these answer. (In the plane itself no product is open, unless it is 0.)
[[gnu::noinline]] TANDEM_HD inline PointDistance exact_point_distance(const Vec3d& p,
                                                                      const Triangle& t) {
  const Vec3d* const c = t.corner;
  const Vec3d normal = rounded(exact_cross(c[1], c[2], c[0]));
  const double normal_length = length(normal);
  bool inside = normal_length > 0;
  for (int k = 0; inside && k < 3; ++k) {
    const Vec3d side = rounded(exact_cross(c[k == 2 ? 0 : k + 1], p, c[k]));
    inside = dot(normal, side) > 16 * k_half_ulp * normal_length * length(side);
  }
  if (inside) {
    const double height = orient3d_exact(c[0], c[1], c[2], p).estimate() / normal_length;
    return {std::fabs(height), p - (height / normal_length) * normal};
  }
  PointDistance best{};
  for (int k = 0; k < 3; ++k) {
    const Vec3d& a = c[k];
    const Vec3d& b = c[k == 2 ? 0 : k + 1];
    const PointDistance found = lexicographic_less(b, a) ? exact_segment_distance(p, b, a)
                                                         : exact_segment_distance(p, a, b);
    if (k == 0 || found.distance < best.distance) best = found;
  }
  return best;
}

/// Coordinates are zero or between 1e-60 and about 1e60 in magnitude, as in all predicates.
TANDEM_HD inline PointDistance point_distance(const Vec3d& p, const Triangle& t) {
  PointDistance result;
  if (find_point_distance(p, t, &result)) return result;
  return exact_point_distance(p, t);
}

}  // namespace tandem::detail
