// Distances of triangles against CGAL's squared distances in rational numbers: 100,000 pairs, and
// two million with TANDEM_EXHAUSTIVE=1.
#include <CGAL/Exact_rational.h>
#include <CGAL/Simple_cartesian.h>
#include <CGAL/squared_distance_3.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <string>

#include "geometry/distance/triangle_distance.h"
#include "oracle/cgal_oracle.h"
#include "support/distance_cases.h"

namespace tandem::test {
namespace {

using Rational = CGAL::Exact_rational;
using Kernel = CGAL::Simple_cartesian<Rational>;
using Point = Kernel::Point_3;
using Segment = Kernel::Segment_3;

/// A triangle as CGAL sees it. Its functions do not take segments and triangles that are none.
struct Parts {
  explicit Parts(const Triangle& t)
      : corner{Point(t.corner[0].x, t.corner[0].y, t.corner[0].z),
               Point(t.corner[1].x, t.corner[1].y, t.corner[1].z),
               Point(t.corner[2].x, t.corner[2].y, t.corner[2].z)},
        has_area(!CGAL::collinear(corner[0], corner[1], corner[2])) {}
  Point corner[3];
  bool has_area;
};

/// The least of the squared distances of edges, and of corners to faces.
Rational squared_distance(const Parts& p, const Parts& q) {
  Rational least = CGAL::squared_distance(p.corner[0], q.corner[0]);
  const auto take = [&](const Rational& x) {
    if (x < least) least = x;
  };
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      const Point& p0 = p.corner[i];
      const Point& p1 = p.corner[(i + 1) % 3];
      const Point& q0 = q.corner[j];
      const Point& q1 = q.corner[(j + 1) % 3];
      if (p0 != p1 && q0 != q1) {
        take(CGAL::squared_distance(Segment(p0, p1), Segment(q0, q1)));
      } else if (p0 != p1) {
        take(CGAL::squared_distance(q0, Segment(p0, p1)));
      } else if (q0 != q1) {
        take(CGAL::squared_distance(p0, Segment(q0, q1)));
      } else {
        take(CGAL::squared_distance(p0, q0));
      }
    }
  }
  const auto of_face = [&](const Parts& face, const Parts& other) {
    if (!face.has_area) return;
    const Kernel::Triangle_3 triangle(face.corner[0], face.corner[1], face.corner[2]);
    for (const Point& corner : other.corner) take(CGAL::squared_distance(corner, triangle));
  };
  of_face(p, q);
  of_face(q, p);
  return least;
}

TEST(DistanceOracle, WithinTheBoundOfCgalsExactDistances) {
  const bool exhaustive = std::getenv("TANDEM_EXHAUSTIVE") != nullptr;
  const int pair_count = exhaustive ? 2'000'000 : 100'000;
  const std::uint64_t seed = 20'260'119;
  DistanceCases cases(seed);
  long stage_count[detail::k_distance_stage_count] = {};
  double worst = 0;
  for (int i = 0; i < pair_count; ++i) {
    const TriangleCase c = cases.next(i % DistanceCases::k_kind_count);
    const detail::TriangleDistanceAnswer answer = detail::triangle_distance(c.p, c.q);
    ++stage_count[static_cast<int>(answer.stage)];
    ASSERT_EQ(answer.nearest.distance == 0, cgal_intersects(c.p, c.q))
        << "seed " << seed << ", pair " << i << ": " << describe(c);
    if (answer.nearest.distance == 0) continue;
    const Rational exact = squared_distance(Parts(c.p), Parts(c.q));
    const Rational found(answer.nearest.distance);
    const double off = CGAL::to_double((found * found - exact) / exact) / 2;
    worst = std::fmax(worst, std::fabs(off));
    ASSERT_LE(std::fabs(off), detail::k_distance_error)
        << "seed " << seed << ", pair " << i << ": " << describe(c);
  }
  for (const long count : stage_count) EXPECT_GT(count, pair_count / 200);
  RecordProperty("pairs", pair_count);
  RecordProperty("worst", std::to_string(worst * 1e15) + "e-15");
}

}  // namespace
}  // namespace tandem::test
