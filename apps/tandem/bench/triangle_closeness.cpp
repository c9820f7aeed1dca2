#include "bench/triangle_closeness.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tandem::cli {

namespace {

Vec3d edge(const Triangle& t, int i) {
  return t.corner[(i + 1) % 3] - t.corner[i];
}

Vec3d normal_of(const Triangle& t) {
  return cross(edge(t, 0), edge(t, 1));
}

double point_to_segment(const Vec3d& p, const Vec3d& a, const Vec3d& b) {
  const Vec3d ab = b - a;
  const double ab_sq = length_sq(ab);
  const double s = ab_sq > 0 ? std::clamp(dot(p - a, ab) / ab_sq, 0.0, 1.0) : 0;
  return length(p - (a + s * ab));
}

double segment_to_segment(const Vec3d& a, const Vec3d& b, const Vec3d& c, const Vec3d& d) {
  double best = std::min({point_to_segment(a, c, d), point_to_segment(b, c, d),
                          point_to_segment(c, a, b), point_to_segment(d, a, b)});
  // Where the lines come closest, when that is inside both.
  const Vec3d u = b - a;
  const Vec3d v = d - c;
  const Vec3d w = a - c;
  const double determinant = dot(u, u) * dot(v, v) - dot(u, v) * dot(u, v);
  if (determinant > 0) {
    const double s = (dot(u, v) * dot(v, w) - dot(v, v) * dot(u, w)) / determinant;
    const double t = (dot(u, u) * dot(v, w) - dot(u, v) * dot(u, w)) / determinant;
    if (s >= 0 && s <= 1 && t >= 0 && t <= 1) {
      best = std::min(best, length((a + s * u) - (c + t * v)));
    }
  }
  return best;
}

double point_to_face(const Vec3d& p, const Triangle& t) {
  const Vec3d normal = normal_of(t);
  const double size = length(normal);
  if (!(size > 0)) return std::numeric_limits<double>::infinity();
  for (int i = 0; i < 3; ++i) {
    if (dot(cross(normal, edge(t, i)), p - t.corner[i]) < 0) {
      return std::numeric_limits<double>::infinity();
    }
  }
  return std::fabs(dot(normal, p - t.corner[0])) / size;
}

/// The overlap of both projections onto a direction.
double overlap_along(const Vec3d& direction, const Triangle& p, const Triangle& q) {
  const double size = length(direction);
  if (!(size > 0)) return std::numeric_limits<double>::infinity();
  const auto projection = [&](const Triangle& t) {
    return std::minmax({dot(direction, t.corner[0]) / size, dot(direction, t.corner[1]) / size,
                        dot(direction, t.corner[2]) / size});
  };
  const auto [p_low, p_high] = projection(p);
  const auto [q_low, q_high] = projection(q);
  return std::min(p_high - q_low, q_high - p_low);
}

}  // namespace

double triangle_distance(const Triangle& p, const Triangle& q) {
  double best = std::numeric_limits<double>::infinity();
  for (int i = 0; i < 3; ++i) {
    best = std::min({best, point_to_face(p.corner[i], q), point_to_face(q.corner[i], p)});
    for (int j = 0; j < 3; ++j) {
      best = std::min(best, segment_to_segment(p.corner[i], p.corner[(i + 1) % 3], q.corner[j],
                                               q.corner[(j + 1) % 3]));
    }
  }
  return best;
}

double overlap_depth(const Triangle& p, const Triangle& q) {
  const Vec3d p_normal = normal_of(p);
  const Vec3d q_normal = normal_of(q);
  double best = std::min(overlap_along(p_normal, p, q), overlap_along(q_normal, p, q));
  for (int i = 0; i < 3; ++i) {
    best = std::min({best, overlap_along(cross(p_normal, edge(p, i)), p, q),
                     overlap_along(cross(q_normal, edge(q, i)), p, q)});
    for (int j = 0; j < 3; ++j) {
      best = std::min(best, overlap_along(cross(edge(p, i), edge(q, j)), p, q));
    }
  }
  return std::max(0.0, best);
}

}  // namespace tandem::cli
