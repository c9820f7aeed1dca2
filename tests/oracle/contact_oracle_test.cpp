// Contacts of hard pairs of triangles against their definition in rational numbers.
#include <CGAL/Exact_rational.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdlib>
#include <string>

#include "geometry/triangle_contact.h"
#include "geometry/triangle_intersection.h"
#include "support/triangle_cases.h"

namespace tandem {
namespace {

using Rational = CGAL::Exact_rational;
using RationalVector = std::array<Rational, 3>;

RationalVector difference(const Vec3d& a, const Vec3d& b) {
  return {Rational(a.x) - Rational(b.x), Rational(a.y) - Rational(b.y),
          Rational(a.z) - Rational(b.z)};
}
Rational dot(const RationalVector& a, const RationalVector& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
RationalVector cross(const RationalVector& a, const RationalVector& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

/// A plane, and how deep a corner of the other triangle lies behind it at most.
struct Behind {
  Behind(const Triangle& plane, const Triangle& other)
      : normal(cross(difference(plane.corner[1], plane.corner[0]),
                     difference(plane.corner[2], plane.corner[0]))),
        normal_sq(dot(normal, normal)),
        depth_sq(0) {
    if (normal_sq == 0) return;
    Rational lowest = 0;
    for (const Vec3d& corner : other.corner) {
      const Rational height = dot(normal, difference(corner, plane.corner[0]));
      if (height < lowest) lowest = height;
    }
    depth_sq = lowest * lowest / normal_sq;
  }
  bool exists() const { return normal_sq != 0; }

  RationalVector normal;
  Rational normal_sq;
  Rational depth_sq;
};

/// Whether they differ by at most that share of the second.
bool close(const Rational& found, const Rational& exact, double share) {
  const Rational off = found < exact ? exact - found : found - exact;
  return off <= Rational(share) * exact;
}

/// Whether the vector is that normal, of length 1, up to rounding.
bool is_unit_normal(const Vec3d& found, const RationalVector& normal, const Rational& normal_sq,
                    int sign) {
  const RationalVector unit = difference(found, Vec3d{0, 0, 0});
  const RationalVector off = cross(unit, normal);
  return sign * dot(unit, normal) > 0 && close(dot(unit, unit), 1, 1e-15) &&
         dot(off, off) <= Rational(1e-30) * normal_sq;
}

TEST(ContactOracle, SeparationAndNormalAreThoseOfTheDefinition) {
  constexpr std::uint64_t k_seed = 77;
  const bool exhaustive = std::getenv("TANDEM_EXHAUSTIVE") != nullptr;
  const int count = exhaustive ? 1'000'000 : 20'000;
  test::TriangleCases cases(k_seed);
  int touching = 0;
  int deep = 0;
  for (int i = 0; i < count; ++i) {
    const test::TriangleCase c = cases.next();
    const TriangleIntersection shared = detail::triangle_intersection(c.p, c.q);
    if (shared.empty()) continue;
    ++touching;
    SCOPED_TRACE("seed " + std::to_string(k_seed) + ", case " + std::to_string(i) + ", " + c.kind);
    const detail::TriangleContact found = detail::triangle_contact(c.p, c.q, shared);
    const Behind of_a(c.p, c.q);
    const Behind of_b(c.q, c.p);
    if (!of_a.exists() && !of_b.exists()) {
      EXPECT_EQ(found.separation, 0);
      continue;
    }
    const bool by_a = of_a.exists() && (!of_b.exists() || of_a.depth_sq <= of_b.depth_sq);
    const Rational& depth_sq = by_a ? of_a.depth_sq : of_b.depth_sq;
    const Rational separation(found.separation);
    ASSERT_TRUE(close(separation * separation, depth_sq, 1e-14)) << found.separation;
    ASSERT_LE(found.separation, 0);
    deep += found.separation < 0;
    // Where the depths are equal up to rounding, the normal is A's.
    const bool equal = of_a.exists() && of_b.exists() && close(of_a.depth_sq, of_b.depth_sq, 1e-15);
    const bool near_equal =
        !equal && of_a.exists() && of_b.exists() && close(of_a.depth_sq, of_b.depth_sq, 1e-14);
    const bool fits_a = is_unit_normal(found.normal, of_a.normal, of_a.normal_sq, 1);
    const bool fits_b = is_unit_normal(found.normal, of_b.normal, of_b.normal_sq, -1);
    ASSERT_TRUE(near_equal ? fits_a || fits_b : by_a || equal ? fits_a : fits_b);
  }
  EXPECT_GT(touching, count / 4);
  EXPECT_GT(deep, count / 10);
}

}  // namespace
}  // namespace tandem
