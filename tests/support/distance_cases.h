// Pairs of triangles whose distance is hard to compute, from a seed: nearly touching, nearly
// parallel, thin, without area, far from the origin.
#pragma once

#include <cmath>
#include <cstdint>

#include "math/random.h"
#include "math/transform.h"
#include "support/triangle_cases.h"

namespace tandem::test {

class DistanceCases {
 public:
  static constexpr int k_kind_count = 6;

  explicit DistanceCases(std::uint64_t seed) : random_(seed), touching_(seed + 1) {}

  TriangleCase next(int kind) {
    TriangleCase c = make(kind);
    for (Triangle* t : {&c.p, &c.q}) {
      for (Vec3d& v : t->corner) v = detail::flush_tiny(v);
    }
    return c;
  }

 private:
  TriangleCase make(int kind) {
    switch (kind) {
      case 0:
        return nearly_touching();
      case 1:
        return parallel_faces();
      case 2:
        return parallel_edges();
      case 3:
        return far_apart();
      case 4:
        return slivers();
      default:
        return touching_.next();
    }
  }

  double magnitude(double low, double high) {
    return std::exp(random_.uniform(std::log(low), std::log(high)));
  }
  Vec3d vector(double size) {
    return {random_.uniform(-size, size), random_.uniform(-size, size),
            random_.uniform(-size, size)};
  }
  Triangle triangle(double size) { return {{vector(size), vector(size), vector(size)}}; }

  /// A pair of the triangle test, one of which is moved by a little or by much.
  TriangleCase nearly_touching() {
    TriangleCase c = touching_.next();
    double size = 0;
    for (const Vec3d& v : c.p.corner) size = std::fmax(size, length(v - c.p.corner[0]));
    if (!(size > 1e-40 && size < 1e40)) size = 1;
    const Vec3d move = vector(size * magnitude(1e-18, 10));
    for (Vec3d& v : c.q.corner) v += move;
    for (Vec3d& v : c.q.corner) {
      for (int k = 0; k < 3; ++k) v[k] = std::fmax(-1e60, std::fmin(v[k], 1e60));
    }
    c.kind = "nearly touching";
    return c;
  }

  /// The same triangle or another one of its plane, moved and tilted by little.
  TriangleCase parallel_faces() {
    const double size = magnitude(1e-10, 1e10);
    TriangleCase c{triangle(size), {}, "nearly parallel faces"};
    const Vec3d u = c.p.corner[1] - c.p.corner[0];
    const Vec3d v = c.p.corner[2] - c.p.corner[0];
    const Vec3d move = vector(size * magnitude(1e-16, 1));
    const double tilt = random_.below(3) == 0 ? 0 : size * magnitude(1e-20, 1e-3);
    for (Vec3d& corner : c.q.corner) {
      corner = c.p.corner[0] + random_.uniform(-1, 2) * u + random_.uniform(-1, 2) * v + move +
               vector(tilt);
    }
    return c;
  }

  /// One edge of each along the same direction, up to little, and close.
  TriangleCase parallel_edges() {
    const double size = magnitude(1e-10, 1e10);
    const Vec3d along = vector(size);
    const Vec3d off = vector(size * magnitude(1e-16, 1));
    const double tilt = random_.below(3) == 0 ? 0 : size * magnitude(1e-20, 1e-3);
    TriangleCase c{triangle(size), triangle(size), "nearly parallel edges"};
    c.p.corner[1] = c.p.corner[0] + along;
    c.q.corner[0] = c.p.corner[0] + off + random_.uniform(-2, 2) * along;
    c.q.corner[1] = c.q.corner[0] + random_.uniform(0.1, 2) * along + vector(tilt);
    return c;
  }

  TriangleCase far_apart() {
    const double size = magnitude(1e-20, 1e20);
    TriangleCase c{triangle(size), triangle(size * magnitude(1e-6, 1e6)), "far apart"};
    const Vec3d move = vector(size * magnitude(1, 1e12));
    const Vec3d origin = vector(size * magnitude(1, 1e12));
    for (Vec3d& v : c.p.corner) v += origin;
    for (Vec3d& v : c.q.corner) v += origin + move;
    return c;
  }

  /// Thin triangles, some of them so thin that rounding takes their area.
  TriangleCase slivers() {
    const double size = magnitude(1e-10, 1e10);
    TriangleCase c{triangle(size), triangle(size), "slivers"};
    for (Triangle* t : {&c.p, &c.q}) {
      t->corner[2] = t->corner[0] + random_.uniform() * (t->corner[1] - t->corner[0]) +
                     vector(size * magnitude(1e-20, 1e-3));
    }
    if (random_.below(2) == 0) {
      const Vec3d move = c.p.corner[0] - c.q.corner[0] + vector(size * magnitude(1e-12, 1));
      for (Vec3d& v : c.q.corner) v += move;
    }
    return c;
  }

  detail::Random random_;
  TriangleCases touching_;
};

}  // namespace tandem::test
