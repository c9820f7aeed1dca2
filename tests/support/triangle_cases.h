// Pairs of triangles that are hard on a triangle test, from a seed: used by the oracle tests, the
// CUDA test and the benchmark, so it needs nothing but the standard library.
#pragma once

#include <tandem/pose.h>
#include <tandem/triangle.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <string>
#include <utility>

#include "math/random.h"
#include "math/transform.h"

namespace tandem::test {

struct TriangleCase {
  Triangle p;
  Triangle q;
  const char* kind;
};

/// For failure messages: the kind and all corners.
inline std::string describe(const TriangleCase& c) {
  std::string text = c.kind;
  for (const Triangle* t : {&c.p, &c.q}) {
    for (const Vec3d& v : t->corner) {
      char line[128];
      std::snprintf(line, sizeof line, "\n  %a %a %a", v.x, v.y, v.z);
      text += line;
    }
  }
  return text;
}

/// Calls `visit(p, q)` with the corners of both triangles in all 36 orders.
template <class Visit>
void in_all_orders(const TriangleCase& c, const Visit& visit) {
  static constexpr int k_order[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2},
                                        {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
  for (const auto& p_order : k_order) {
    for (const auto& q_order : k_order) {
      Triangle p;
      Triangle q;
      for (int k = 0; k < 3; ++k) {
        p.corner[k] = c.p.corner[p_order[k]];
        q.corner[k] = c.q.corner[q_order[k]];
      }
      visit(p, q);
    }
  }
}

class TriangleCases {
 public:
  static constexpr int k_kind_count = 21;

  explicit TriangleCases(std::uint64_t seed) : random_(seed) {}

  TriangleCase next() { return next(static_cast<int>(random_.next() % k_kind_count)); }

  TriangleCase next(int kind) {
    TriangleCase c = make(kind);
    shuffle(&c.p);
    shuffle(&c.q);
    if (coin()) std::swap(c.p, c.q);
    flush(&c.p);
    flush(&c.q);
    return c;
  }

 private:
  TriangleCase make(int kind) {
    static constexpr TriangleCase (TriangleCases::*k_makers[k_kind_count])() = {
        &TriangleCases::random_pair,    &TriangleCases::far_from_origin,
        &TriangleCases::small_integers, &TriangleCases::coplanar,
        &TriangleCases::touching,       &TriangleCases::shared_feature,
        &TriangleCases::needles,        &TriangleCases::zero_area,
        &TriangleCases::one_ulp_away,   &TriangleCases::rounded_touch,
        &TriangleCases::wild_exponents, &TriangleCases::turned,
        &TriangleCases::shared_corner,  &TriangleCases::shared_edge,
        &TriangleCases::equal,          &TriangleCases::flush_faces,
        &TriangleCases::float_touch,    &TriangleCases::float_segments,
        &TriangleCases::quarter_turned, &TriangleCases::edge_of_a_grid,
        &TriangleCases::end_of_range,
    };
    return (this->*k_makers[kind])();
  }

  bool coin() { return (random_.next() >> 40 & 1) != 0; }
  int integer(int low, int high) {
    return low +
           static_cast<int>((random_.next() >> 20) % static_cast<std::uint64_t>(high - low + 1));
  }
  double log_uniform(double low, double high) {
    return std::exp(random_.uniform(std::log(low), std::log(high)));
  }
  Vec3d in_cube(double size) {
    return {random_.uniform(-size, size), random_.uniform(-size, size),
            random_.uniform(-size, size)};
  }
  Vec3d lattice(int reach) {
    return {double(integer(-reach, reach)), double(integer(-reach, reach)),
            double(integer(-reach, reach))};
  }

  template <class Make>
  static Triangle triangle_of(Make make) {
    Triangle t;
    for (Vec3d& c : t.corner) c = make();
    return t;
  }

  void shuffle(Triangle* t) {
    for (int i = 2; i > 0; --i) std::swap(t->corner[i], t->corner[integer(0, i)]);
  }
  static void flush(Triangle* t) {
    for (Vec3d& c : t->corner) c = detail::flush_tiny(c);
  }
  static void scale(TriangleCase* c, double factor) {
    for (Vec3d& v : c->p.corner) v = factor * v;
    for (Vec3d& v : c->q.corner) v = factor * v;
  }
  /// A power of two between about 1e-30 and 1e30: scaling by it is exact.
  double exact_scale() { return std::ldexp(1.0, integer(-100, 100)); }

  TriangleCase random_pair() {
    const double size = log_uniform(1e-30, 1e30);
    const double other = coin() ? size : size * log_uniform(1e-3, 1e3);
    const auto single = [](const Vec3d& v) { return Vec3d(Vec3f(v)); };
    return {triangle_of([&] { return single(in_cube(size)); }),
            triangle_of([&] { return coin() ? single(in_cube(other)) : in_cube(other); }),
            "random"};
  }

  TriangleCase far_from_origin() {
    const double size = log_uniform(1e-10, 1e10);
    const Vec3d offset = in_cube(size * log_uniform(1, 1e9));
    const auto corner = [&] { return offset + in_cube(size); };
    return {triangle_of(corner), triangle_of(corner), "far from the origin"};
  }

  TriangleCase small_integers() {
    const int reach = integer(1, 4);
    TriangleCase c{triangle_of([&] { return lattice(reach); }),
                   triangle_of([&] { return lattice(reach); }), "small integers"};
    scale(&c, exact_scale());
    return c;
  }

  TriangleCase coplanar() {
    const Vec3d u = lattice(4);
    const Vec3d v = lattice(4);
    const Vec3d origin = lattice(9);
    const int reach = integer(1, 40);
    const auto corner = [&] {
      return origin + (double(integer(-reach, reach)) * u + double(integer(-reach, reach)) * v);
    };
    TriangleCase c{triangle_of(corner), triangle_of(corner), "coplanar"};
    scale(&c, exact_scale());
    return c;
  }

  /// A point of the triangle with dyadic weights: exact for integer corners.
  Vec3d dyadic_point(const Triangle& t) {
    int first = integer(0, 8);
    int second = integer(0, 8 - first);
    if (integer(0, 2) == 0) second = 8 - first;  // on an edge
    return (first / 8.0) * t.corner[0] + (second / 8.0) * t.corner[1] +
           ((8 - first - second) / 8.0) * t.corner[2];
  }

  TriangleCase touching() {
    TriangleCase c{triangle_of([&] { return lattice(50); }), {}, "touching"};
    c.q = triangle_of([&] { return lattice(50); });
    c.q.corner[0] = dyadic_point(c.p);
    // Either one corner touches, or an edge has the touching point inside it, or both lie on p.
    if (coin()) c.q.corner[1] = 2.0 * c.q.corner[0] - c.q.corner[2];
    if (integer(0, 3) == 0) c.q.corner[1] = dyadic_point(c.p);
    scale(&c, exact_scale());
    return c;
  }

  TriangleCase shared_feature() {
    const double size = log_uniform(1e-20, 1e20);
    TriangleCase c{triangle_of([&] { return in_cube(size); }),
                   triangle_of([&] { return in_cube(size); }), "shared feature"};
    const int shared = integer(1, 3);
    for (int i = 0; i < shared; ++i) c.q.corner[i] = c.p.corner[i];
    return c;
  }

  TriangleCase needles() {
    const double size = log_uniform(1e-10, 1e10);
    const auto needle = [&] {
      Triangle t = triangle_of([&] { return in_cube(size); });
      const double along = random_.uniform(-0.2, 1.2);
      t.corner[2] = t.corner[0] + along * (t.corner[1] - t.corner[0]) +
                    in_cube(size * log_uniform(1e-18, 1e-2));
      return t;
    };
    TriangleCase c{needle(), coin() ? needle() : triangle_of([&] { return in_cube(size); }),
                   "needle"};
    if (coin()) c.q.corner[0] = c.p.corner[0] + 0.3 * (c.p.corner[1] - c.p.corner[0]);
    return c;
  }

  TriangleCase zero_area() {
    TriangleCase c = integer(0, 2) == 0 ? touching() : small_integers();
    const auto flatten = [&](Triangle* t) {
      switch (integer(0, 3)) {
        case 0:
          t->corner[2] = t->corner[0];
          break;
        case 1:
          t->corner[1] = t->corner[2] = t->corner[0];
          break;
        case 2:
          t->corner[2] = t->corner[0] + 0.5 * (t->corner[1] - t->corner[0]);
          break;
        default:
          t->corner[2] = t->corner[0] + 2.0 * (t->corner[1] - t->corner[0]);
          break;
      }
    };
    flatten(&c.q);
    if (coin()) flatten(&c.p);
    c.kind = "zero area";
    return c;
  }

  TriangleCase one_ulp_away() {
    TriangleCase c = make(integer(2, 7));
    const int changes = integer(1, 3);
    for (int i = 0; i < changes; ++i) {
      Vec3d& corner = (coin() ? c.p : c.q).corner[integer(0, 2)];
      double& x = corner[integer(0, 2)];
      x = std::nextafter(x, coin() ? INFINITY : -INFINITY);
    }
    c.kind = "one ulp away";
    return c;
  }

  TriangleCase rounded_touch() {
    const double size = log_uniform(1e-15, 1e15);
    TriangleCase c{triangle_of([&] { return in_cube(size); }),
                   triangle_of([&] { return in_cube(size); }), "rounded touch"};
    const int corners = integer(1, 3);
    for (int i = 0; i < corners; ++i) {
      const double s = random_.uniform();
      const double t = random_.uniform() * (1 - s);
      c.q.corner[i] = s * c.p.corner[0] + t * c.p.corner[1] + (1 - s - t) * c.p.corner[2];
    }
    return c;
  }

  TriangleCase wild_exponents() {
    const auto wild = [&] {
      const double x = integer(0, 5) == 0 ? 0.0 : log_uniform(1e-59, 9e59);
      return coin() ? x : -x;
    };
    const auto corner = [&] { return Vec3d{wild(), wild(), wild()}; };
    TriangleCase c{triangle_of(corner), triangle_of(corner), "wild exponents"};
    if (coin()) c.q.corner[0] = c.p.corner[0];
    return c;
  }

  /// Triangles with integer coordinates, one of them moved by a pose as queries do.
  TriangleCase turned() {
    TriangleCase c = coin() ? small_integers() : touching();
    const double size = std::fabs(c.p.corner[0].x) + 1e-20;
    if (size > 1e30) return c;
    const Pose pose = Pose::from_axis_angle(in_cube(1), random_.uniform(-4, 4), in_cube(size));
    for (Vec3d& v : c.q.corner) v = detail::transform_point(pose, Vec3f(v));
    c.kind = "turned";
    return c;
  }

  // Kinds with the 24 bits of float32 coordinates, as flush faces of CAD models have them.

  Vec3d single_in_cube(double size) { return Vec3d(Vec3f(in_cube(size))); }
  TriangleCase singles(const char* kind) {
    const double size = log_uniform(1e-20, 1e20);
    return {triangle_of([&] { return single_in_cube(size); }),
            triangle_of([&] { return single_in_cube(size); }), kind};
  }

  TriangleCase shared_corner() {
    TriangleCase c = singles("shared corner");
    c.q.corner[0] = c.p.corner[0];
    return c;
  }

  TriangleCase shared_edge() {
    TriangleCase c = singles("shared edge");
    c.q.corner[0] = c.p.corner[0];
    c.q.corner[1] = c.p.corner[1];
    return c;
  }

  TriangleCase equal() {
    TriangleCase c = singles("equal");
    c.q = c.p;
    return c;
  }

  /// In one plane that is not a coordinate plane, or one ulp off it.
  TriangleCase flush_faces() {
    const int reach = 1 << integer(10, 20);
    const double slope[2] = {double(integer(-4, 4)), double(integer(-4, 4))};
    const int axis = integer(0, 2);
    const auto corner = [&] {
      const double u = integer(-reach, reach);
      const double v = integer(-reach, reach);
      const double w[5] = {u, v, slope[0] * u + slope[1] * v, u, v};
      return Vec3d{w[axis], w[axis + 1], w[axis + 2]};
    };
    TriangleCase c{triangle_of(corner), triangle_of(corner), "flush faces"};
    if (integer(0, 9) == 0) c.q.corner[0].z += 1;
    scale(&c, exact_scale());
    return c;
  }

  /// The corners of p are multiples of 8, so that the points where they touch are integers.
  TriangleCase float_touch() {
    const int reach = 1 << 20;
    const auto corner = [&] { return lattice(reach); };
    TriangleCase c{triangle_of([&] { return 8.0 * corner(); }),
                   triangle_of([&] { return 8.0 * corner(); }), "float touch"};
    const Vec3d touch = dyadic_point(c.p);
    c.q.corner[0] = touch;
    if (coin()) {
      // Inside an edge of q.
      const Vec3d away = corner();
      c.q.corner[0] = touch + away;
      c.q.corner[1] = touch - away;
    } else if (coin()) {
      c.q.corner[1] = dyadic_point(c.p);
    }
    scale(&c, exact_scale());
    return c;
  }

  /// Zero-area triangles that touch a triangle or each other.
  TriangleCase float_segments() {
    TriangleCase c = float_touch();
    const double size = std::fabs(c.q.corner[1].x);
    const auto flatten = [&](Triangle* t) {
      switch (integer(0, 2)) {
        case 0:
          t->corner[1] = t->corner[2] = t->corner[0];
          break;
        case 1:
          t->corner[2] = coin() ? t->corner[0] : t->corner[1];
          break;
        default:
          t->corner[2] = t->corner[0] + 2.0 * (t->corner[1] - t->corner[0]);
          break;
      }
    };
    flatten(&c.q);
    if (integer(0, 2) == 0) {
      // A segment of p's through q's first corner.
      const Vec3d away = single_in_cube(size);
      c.p.corner[0] = c.q.corner[0] + away;
      c.p.corner[1] = c.q.corner[0] - away;
      c.p.corner[2] = c.p.corner[coin() ? 0 : 1];
    } else if (coin()) {
      flatten(&c.p);
    }
    c.kind = "float segments";
    return c;
  }

  /// As queries move float32 triangles by quarter turns, onto a triangle that they touch.
  TriangleCase quarter_turned() {
    TriangleCase c{
        {}, triangle_of([&] { return Vec3d(Vec3f(8.0 * lattice(1 << 20))); }), "quarter turned"};
    const double offset[3] = {double(integer(-4096, 4096)), double(integer(-4096, 4096)),
                              double(integer(-4096, 4096))};
    double rows[16] = {};
    rows[15] = 1;
    const int turn = integer(0, 2);
    const bool odd = coin();
    for (int k = 0; k < 3; ++k) {
      const double sign = k == 0 && odd ? -1 : 1;
      rows[4 * k + (k + turn) % 3] = sign;
      rows[4 * k + 3] = offset[k];
    }
    if (odd) {
      // Mirrored so far: another mirror makes it a rotation.
      for (int k = 0; k < 3; ++k) rows[4 + k] = -rows[4 + k];
    }
    const Pose pose = Pose::from_matrix(rows);
    for (Vec3d& v : c.q.corner) v = detail::transform_point(pose, Vec3f(v));
    c.p = triangle_of([&] { return lattice(1 << 23); });
    c.p.corner[0] = dyadic_point(c.q);
    if (coin()) c.p.corner[1] = 2.0 * c.p.corner[0] - c.p.corner[2];
    return c;
  }

  /// Differences with about as many bits as the grids of `geometry/grid_signs.h` hold.
  TriangleCase edge_of_a_grid() {
    static constexpr int k_bits[3] = {36, 63, 122};
    const int bits = k_bits[integer(0, 2)] + integer(-3, 1);
    const bool full = integer(0, 3) == 0;
    const auto coordinate = [&] {
      double x = integer(-2, 2);
      if (coin()) x = std::ldexp(double(integer(1, 3)), bits - integer(0, 2));
      if (full && coin()) x = std::nextafter(x, 0.0);
      return coin() ? x : -x;
    };
    const auto corner = [&] { return Vec3d{coordinate(), coordinate(), coordinate()}; };
    TriangleCase c{triangle_of(corner), triangle_of(corner), "edge of a grid"};
    if (coin()) {
      // In a plane through a diagonal.
      for (Triangle* t : {&c.p, &c.q}) {
        for (Vec3d& v : t->corner) v.z = v.x;
      }
    }
    scale(&c, std::ldexp(1.0, integer(-40, 40)));
    return c;
  }

  /// The smallest and largest coordinates that there are, and those of the smallest floats.
  TriangleCase end_of_range() {
    const int reach = integer(1, 4);
    TriangleCase c{triangle_of([&] { return lattice(reach); }),
                   triangle_of([&] { return lattice(reach); }), "end of the range"};
    static constexpr int k_exponents[3] = {-199, 197, -149};
    scale(&c, std::ldexp(1.0, k_exponents[integer(0, 2)]));
    for (Triangle* t : {&c.p, &c.q}) {
      Vec3d& corner = t->corner[integer(0, 2)];
      double& x = corner[integer(0, 2)];
      switch (integer(0, 3)) {
        case 0:
          x = std::nextafter(x, 0.0);
          break;
        case 1:
          x = 1e-310;  // taken as 0
          break;
        case 2:
          x = coin() ? 1e60 : -1e-60;
          break;
        default:
          break;
      }
    }
    return c;
  }

  detail::Random random_;
};

}  // namespace tandem::test
