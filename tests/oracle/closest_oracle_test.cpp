// Distances of points from triangles, and from meshes, against CGAL's in rational numbers.
// TANDEM_EXHAUSTIVE=1 compares two million points instead of 100,000.
#include <CGAL/Exact_rational.h>
#include <CGAL/Simple_cartesian.h>
#include <CGAL/squared_distance_3.h>
#include <gtest/gtest.h>
#include <tandem/tandem.h>

#include <cstdio>
#include <cstdlib>
#include <string>

#include "geometry/distance/point_triangle.h"
#include "math/transform.h"
#include "support/collide_cases.h"
#include "support/point_cases.h"
#include "support/triangle_cases.h"

namespace tandem::test {
namespace {

using Rational = CGAL::Exact_rational;
using Exact = CGAL::Simple_cartesian<Rational>;

Exact::Point_3 point_of(const Vec3d& v) {
  return {Rational(v.x), Rational(v.y), Rational(v.z)};
}

/// The squared distance, without any rounding.
Rational squared_distance(const Vec3d& p, const Triangle& t) {
  const Exact::Point_3 c[3] = {point_of(t.corner[0]), point_of(t.corner[1]), point_of(t.corner[2])};
  const Exact::Point_3 point = point_of(p);
  if (!CGAL::collinear(c[0], c[1], c[2])) {
    return CGAL::squared_distance(point, Exact::Triangle_3(c[0], c[1], c[2]));
  }
  Rational least = CGAL::squared_distance(point, c[0]);
  for (int k = 0; k < 3; ++k) {
    const Exact::Segment_3 edge(c[k], c[(k + 1) % 3]);
    if (!edge.is_degenerate()) least = std::min(least, CGAL::squared_distance(point, edge));
  }
  return least;
}

/// Whether d is within 1e-12 of the root, relative to it.
bool is_root(double d, const Rational& square) {
  const Rational exact_sq = Rational(d) * Rational(d);
  const Rational below = Rational(1) - Rational(1e-12);
  const Rational above = Rational(1) + Rational(1e-12);
  return below * below * square <= exact_sq && exact_sq <= above * above * square;
}

std::string describe(const Vec3d& p, const Triangle& t) {
  std::string text;
  for (const Vec3d& v : {p, t.corner[0], t.corner[1], t.corner[2]}) {
    char line[128];
    std::snprintf(line, sizeof line, "\n  %a %a %a", v.x, v.y, v.z);
    text += line;
  }
  return text;
}

TEST(ClosestOracle, DistancesFromTrianglesAreThoseOfCgal) {
  const bool exhaustive = std::getenv("TANDEM_EXHAUSTIVE") != nullptr;
  const int count = exhaustive ? 2'000'000 : 100'000;
  const std::uint64_t seed = 20'261'118;
  TriangleCases cases(seed);
  detail::Random random(seed);
  int proven_count = 0;
  int zero_count = 0;
  for (int i = 0; i < count; ++i) {
    const TriangleCase c = cases.next(i % TriangleCases::k_kind_count);
    const int corner = static_cast<int>(random.below(3));
    // A corner of the other triangle, or a point that is nearly on this one.
    Vec3d p = c.q.corner[corner];
    if (i % 3 == 0) {
      const double share = random.uniform();
      p = detail::flush_tiny(c.p.corner[corner] +
                             share * (c.p.corner[(corner + 1) % 3] - c.p.corner[corner]));
    }
    const detail::PointDistance found = detail::point_distance(p, c.p);
    const Rational square = squared_distance(p, c.p);
    ASSERT_TRUE(is_root(found.distance, square))
        << found.distance << ", seed " << seed << ", " << c.kind << " " << i << describe(p, c.p);
    ASSERT_TRUE(is_root(detail::exact_point_distance(p, c.p).distance, square))
        << "second stage, seed " << seed << ", " << c.kind << " " << i << describe(p, c.p);
    zero_count += found.distance == 0 ? 1 : 0;
    detail::PointDistance ignored;
    proven_count += detail::find_point_distance(p, c.p, &ignored) ? 1 : 0;
  }
  // Worth something only if it reaches both stages and the surface.
  EXPECT_GT(proven_count, count / 10);
  EXPECT_LT(proven_count, count - count / 10);
  EXPECT_GT(zero_count, count / 50);
}

TEST(ClosestOracle, DistancesFromMeshesAreThoseOfCgal) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const CollideCase c = CollideCases(seed).next();
    if (c.a.empty()) continue;
    const Model model(c.a);
    PointCases points(c.a, seed);
    for (int i = 0; i < 10; ++i) {
      const Vec3d p = points.next();
      Rational least(-1);
      for (std::uint32_t id = 0; id < c.a.triangle_count(); ++id) {
        const Rational square = squared_distance(p, detail::widen(c.a.triangle(id)));
        if (id == 0 || square < least) least = square;
      }
      const ClosestPoint found = closest_point(model, p);
      ASSERT_TRUE(is_root(found.distance, least)) << c.name << ", point " << i;
      // The point is where it is said to be.
      const double apart = length(found.point - p);
      const double size = std::fabs(p.x) + std::fabs(p.y) + std::fabs(p.z) + found.distance;
      ASSERT_NEAR(apart, found.distance, 1e-12 * found.distance + 1e-14 * size)
          << c.name << ", point " << i;
    }
  }
}

}  // namespace
}  // namespace tandem::test
