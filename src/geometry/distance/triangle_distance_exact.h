// The closest points of two triangles from exact numbers: the last resort of triangle_distance.h.
//
// For each pair of features (two corners, a corner and an edge, two edges, a corner and a face)
// there is a distance between the points, lines or planes that they lie on. It counts where the
// closest points of these lie within the features, which signs of polynomials tell. All polynomials
// are computed exactly and rounded once, and distances are products, quotients, sums of squares and
// roots of those, so that nothing cancels: they are off by some units of the last place.
//
// Coordinates are 0 or between 1e-60 and 1e60 in magnitude, so that differences are multiples of
// 2^-252, and polynomials of the fourth degree multiples of 2^-1008: nothing underflows.
#pragma once

#include <tandem/triangle.h>

#include <cmath>
#include <limits>

#include "geometry/distance/exact_sum.h"
#include "geometry/expansion.h"
#include "geometry/predicates.h"

namespace tandem::detail {

/// A point of each of two triangles, and the direction from the first to the second, of length 1.
struct TrianglePoints {
  double distance = 0;
  Vec3d on_p;
  Vec3d on_q;
  Vec3d direction;
};

/// to - from, exactly.
struct ExactVector {
  Expansion<2> x;
  Expansion<2> y;
  Expansion<2> z;

  TANDEM_HD ExactVector(const Vec3d& from, const Vec3d& to)
      : x(difference(to.x, from.x)), y(difference(to.y, from.y)), z(difference(to.z, from.z)) {}
};

// Out of line, as all of this is: inlined, the products of expansions would be there a hundred
// times.
[[gnu::noinline]] TANDEM_HD inline double exact_dot(const ExactVector& u, const ExactVector& v) {
  return (u.x * v.x + u.y * v.y + u.z * v.z).estimate();
}
[[gnu::noinline]] TANDEM_HD inline ExactCross exact_cross(const ExactVector& u,
                                                          const ExactVector& v) {
  return {u.y * v.z - u.z * v.y, u.z * v.x - u.x * v.z, u.x * v.y - u.y * v.x};
}
[[gnu::noinline]] TANDEM_HD inline double exact_dot(const ExactCross& u, const ExactVector& v) {
  return (u.x * v.x + u.y * v.y + u.z * v.z).estimate();
}
TANDEM_HD inline Vec3d rounded(const ExactCross& u) {
  return {u.x.estimate(), u.y.estimate(), u.z.estimate()};
}
[[gnu::noinline]] TANDEM_HD inline double exact_dot(const ExactCross& u, const ExactCross& v) {
  ExactSum sum;
  const auto add = [&](const Expansion<16>& x, const Expansion<16>& y) {
    for (int i = 0; i < x.count; ++i) {
      for (int j = 0; j < y.count; ++j) sum.add_product(x.term[i], y.term[j]);
    }
  };
  add(u.x, v.x);
  add(u.y, v.y);
  add(u.z, v.z);
  return sum.value();
}

class ExactNearestPoints {
 public:
  TANDEM_HD ExactNearestPoints(const Triangle& p, const Triangle& q) : p_(p), q_(q) {}

  /// The triangles share no point.
  TANDEM_HD TrianglePoints find() {
    for (const Vec3d& on_p : p_.corner) {
      for (const Vec3d& on_q : q_.corner) of_corners(on_p, on_q);
    }
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) {
        of_corner_and_edge<false>(p_.corner[i], q_.corner[j], q_.corner[next(j)]);
        of_corner_and_edge<true>(q_.corner[i], p_.corner[j], p_.corner[next(j)]);
      }
    }
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) {
        of_edges(p_.corner[i], p_.corner[next(i)], q_.corner[j], q_.corner[next(j)]);
      }
    }
    for (int i = 0; i < 3; ++i) {
      of_corner_and_face<false>(p_.corner[i], q_);
      of_corner_and_face<true>(q_.corner[i], p_);
    }
    return best_;
  }

 private:
  TANDEM_HD static int next(int corner) { return corner == 2 ? 0 : corner + 1; }
  TANDEM_HD static Vec3d between(const Vec3d& from, const Vec3d& to, double share) {
    return from + share * (to - from);
  }

  /// `across` points from one to the other, or the other way round where `turned`.
  template <bool swapped = false>
  TANDEM_HD void take(double distance, const Vec3d& on_p, const Vec3d& on_q, const Vec3d& across,
                      bool turned) {
    const Vec3d direction = normalised(across);
    best_ = {distance, swapped ? on_q : on_p, swapped ? on_p : on_q,
             swapped != turned ? -direction : direction};
  }

  TANDEM_HD void of_corners(const Vec3d& p, const Vec3d& q) {
    const double distance = length(q - p);
    if (distance < best_.distance) take(distance, p, q, q - p, false);
  }

  /// `swapped`: the corner is q's.
  template <bool swapped>
  [[gnu::noinline]] TANDEM_HD void of_corner_and_edge(const Vec3d& corner, const Vec3d& from,
                                                      const Vec3d& to) {
    const ExactVector edge(from, to);
    const ExactVector reach(from, corner);
    const double edge_length = length(to - from);
    if (edge_length == 0) return;
    const Vec3d area = rounded(exact_cross(edge, reach));
    const double distance = length(area) / edge_length;
    if (!(distance < best_.distance)) return;
    const double along = exact_dot(edge, reach);
    if (along <= 0 || exact_dot(edge, ExactVector(to, corner)) >= 0) return;
    const double share = along / edge_length / edge_length;
    // e × (e × r) points from the corner to the line; the two factors are at a right angle.
    const Vec3d across = cross(normalised(to - from), normalised(area));
    take<swapped>(distance, corner, between(from, to, share), across, false);
  }

  /// With n = e × f and r from the first corner of e to that of f, the lines are |n·r| / |n| apart,
  /// at the shares n·(r × f) / |n|² of e and n·(r × e) / |n|² of f. They are within the edges where
  /// these are positive, and the same seen from the other ends.
  [[gnu::noinline]] TANDEM_HD void of_edges(const Vec3d& p0, const Vec3d& p1, const Vec3d& q0,
                                            const Vec3d& q1) {
    const ExactVector e(p0, p1);
    const ExactVector f(q0, q1);
    const ExactVector r(p0, q0);
    const ExactCross normal = exact_cross(e, f);
    const double normal_length = length(rounded(normal));
    if (normal_length == 0) return;
    const double volume = exact_dot(normal, r);
    const double distance = std::fabs(volume) / normal_length;
    if (!(distance < best_.distance)) return;
    const double along_p = exact_dot(normal, exact_cross(r, f));
    const double along_q = exact_dot(normal, exact_cross(r, e));
    if (along_p <= 0 || along_q <= 0 ||
        exact_dot(normal, exact_cross(ExactVector(p1, q0), f)) >= 0 ||
        exact_dot(normal, exact_cross(ExactVector(p0, q1), e)) >= 0) {
      return;
    }
    take(distance, between(p0, p1, along_p / normal_length / normal_length),
         between(q0, q1, along_q / normal_length / normal_length), rounded(normal), volume < 0);
  }

  /// `swapped`: the corner is q's.
  template <bool swapped>
  [[gnu::noinline]] TANDEM_HD void of_corner_and_face(const Vec3d& corner, const Triangle& face) {
    const Vec3d* c = face.corner;
    const ExactCross normal = exact_cross(ExactVector(c[0], c[1]), ExactVector(c[0], c[2]));
    const double normal_length = length(rounded(normal));
    if (normal_length == 0) return;
    const ExactVector reach(c[0], corner);
    const double height = exact_dot(normal, reach);
    const double distance = std::fabs(height) / normal_length;
    if (!(distance < best_.distance)) return;
    double weight[3];
    for (int k = 0; k < 3; ++k) {
      const ExactVector edge(c[k], c[next(k)]);
      weight[k] = exact_dot(normal, exact_cross(edge, ExactVector(c[k], corner)));
      if (weight[k] <= 0) return;
    }
    const double sum = weight[0] + weight[1] + weight[2];
    const Vec3d below =
        c[0] + (weight[2] / sum) * (c[1] - c[0]) + (weight[0] / sum) * (c[2] - c[0]);
    take<swapped>(distance, corner, below, rounded(normal), height > 0);
  }

  const Triangle& p_;
  const Triangle& q_;
  TrianglePoints best_{std::numeric_limits<double>::infinity(), {0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
};

/// For triangles that share no point.
[[gnu::noinline]] TANDEM_HD inline TrianglePoints exact_nearest_points(const Triangle& p,
                                                                       const Triangle& q) {
  return ExactNearestPoints(p, q).find();
}

}  // namespace tandem::detail
