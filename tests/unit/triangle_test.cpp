// The exact triangle test and the shape of the intersection, in named cases. The fixed triangle P
// is (0,0,0) (4,0,0) (0,4,0); the name of each case says where Q is.
#include <gtest/gtest.h>
#include <tandem/error.h>
#include <tandem/triangle.h>

#include <cmath>
#include <limits>

#include "geometry/degenerate.h"
#include "geometry/triangle_exact.h"
#include "support/triangle_cases.h"

namespace tandem {
namespace {

const Triangle k_p{{{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}};

Triangle triangle(Vec3d a, Vec3d b, Vec3d c) {
  return {{a, b, c}};
}

struct NamedCase {
  const char* name;
  Triangle q;
  /// The number of points of the intersection; 0: disjoint.
  int point_count;
};

const NamedCase k_cases[] = {
    // General position.
    {"pierced by two edges", triangle({1, 1, -1}, {1, 1, 1}, {5, 5, 1}), 2},
    {"pierces at one edge", triangle({1, 1, -1}, {2, 1, -1}, {1.5, 1, 2}), 2},
    {"beside", triangle({5, 5, -1}, {5, 5, 1}, {6, 6, 1}), 0},
    {"above", triangle({1, 1, 1}, {2, 1, 1}, {1, 2, 2}), 0},
    {"planes cross beyond the triangle", triangle({3, 3, -1}, {3, 3, 1}, {9, 9, 1}), 0},
    // Touching.
    {"corner on the inside", triangle({1, 1, 0}, {1, 2, 3}, {2, 1, 3}), 1},
    {"corner on an edge", triangle({2, 0, 0}, {2, -1, 3}, {3, -1, 3}), 1},
    {"corner on a corner", triangle({4, 0, 0}, {5, 0, 3}, {5, 1, 3}), 1},
    {"edge crosses edge", triangle({2, 0, -1}, {2, 0, 1}, {2, -3, 0}), 1},
    {"edge through a corner", triangle({0, 0, -1}, {0, 0, 1}, {-3, -3, 0}), 1},
    {"edge lies on the inside", triangle({1, 1, 0}, {2, 1, 0}, {1, 1, 3}), 2},
    {"edge in the plane, sticking out", triangle({1, 1, 0}, {9, 1, 0}, {1, 1, 3}), 2},
    {"edge in the plane, all across", triangle({-5, 1, 0}, {9, 1, 0}, {1, 1, 3}), 2},
    {"edge in the plane, missing", triangle({5, 5, 0}, {9, 5, 0}, {5, 5, 3}), 0},
    {"edge in the plane, at a corner", triangle({-3, 3, 0}, {3, -3, 0}, {0, 0, 3}), 1},
    {"shared edge", triangle({0, 0, 0}, {4, 0, 0}, {0, 0, 5}), 2},
    {"edge along part of an edge", triangle({1, 0, 0}, {9, 0, 0}, {1, -1, 5}), 2},
    {"edges on one line, end to end", triangle({4, 0, 0}, {9, 0, 0}, {5, -1, 5}), 1},
    {"edges on one line, apart", triangle({5, 0, 0}, {9, 0, 0}, {5, -1, 5}), 0},
    // Coplanar.
    {"same triangle", k_p, 3},
    {"same triangle, turned over", triangle({0, 0, 0}, {0, 4, 0}, {4, 0, 0}), 3},
    {"coplanar, inside", triangle({1, 1, 0}, {2, 1, 0}, {1, 2, 0}), 3},
    {"coplanar, around", triangle({-9, -9, 0}, {30, -9, 0}, {-9, 30, 0}), 3},
    {"coplanar, star of David", triangle({3, 3, 0}, {-1, 3, 0}, {3, -1, 0}), 6},
    {"coplanar, corner cut off", triangle({1, -1, 0}, {-1, 1, 0}, {-1, -1, 0}), 1},
    {"coplanar, overlap at a corner", triangle({2, -1, 0}, {-1, 2, 0}, {-1, -1, 0}), 3},
    {"coplanar, shared edge outside", triangle({0, 0, 0}, {4, 0, 0}, {0, -4, 0}), 2},
    {"coplanar, corner to corner", triangle({4, 0, 0}, {8, 0, 0}, {8, 4, 0}), 1},
    {"coplanar, apart", triangle({5, 5, 0}, {8, 5, 0}, {8, 8, 0}), 0},
    {"coplanar, boxes overlap", triangle({3, 3, 0}, {3.5, 3, 0}, {3, 3.5, 0}), 0},
    {"parallel planes", triangle({0, 0, 1}, {4, 0, 1}, {0, 4, 1}), 0},
    // Zero area: segments.
    {"segment through the inside", triangle({1, 1, -1}, {1, 1, 1}, {1, 1, 3}), 1},
    {"segment ends on the inside", triangle({1, 1, 0}, {1, 1, 1}, {1, 1, 3}), 1},
    {"segment through an edge", triangle({2, 0, -1}, {2, 0, 1}, {2, 0, 1}), 1},
    {"segment in the plane, inside", triangle({1, 1, 0}, {2, 1, 0}, {1.5, 1, 0}), 2},
    {"segment in the plane, across", triangle({-1, 1, 0}, {9, 1, 0}, {0, 1, 0}), 2},
    {"segment on an edge", triangle({-1, 0, 0}, {9, 0, 0}, {0, 0, 0}), 2},
    {"segment short of the plane", triangle({1, 1, 1}, {1, 1, 2}, {1, 1, 3}), 0},
    {"segment beside", triangle({3, 3, -1}, {3, 3, 1}, {3, 3, 0}), 0},
    // Zero area: points.
    {"point on the inside", triangle({1, 1, 0}, {1, 1, 0}, {1, 1, 0}), 1},
    {"point on an edge", triangle({2, 2, 0}, {2, 2, 0}, {2, 2, 0}), 1},
    {"point on a corner", triangle({0, 4, 0}, {0, 4, 0}, {0, 4, 0}), 1},
    {"point above", triangle({1, 1, 1e-30}, {1, 1, 1e-30}, {1, 1, 1e-30}), 0},
    {"point beside", triangle({2, 2.5, 0}, {2, 2.5, 0}, {2, 2.5, 0}), 0},
};

TEST(TriangleTest, NamedCases) {
  for (const NamedCase& c : k_cases) {
    EXPECT_EQ(intersects(k_p, c.q), c.point_count > 0) << c.name;
    EXPECT_EQ(intersects(c.q, k_p), c.point_count > 0) << c.name;
    EXPECT_EQ(intersection(k_p, c.q).count, c.point_count) << c.name;
    EXPECT_EQ(intersection(c.q, k_p).count, c.point_count) << c.name;
  }
}

TEST(TriangleTest, SegmentsAndPointsAmongThemselves) {
  const auto segment = [](Vec3d a, Vec3d b) { return triangle(a, b, a); };
  const Triangle x = segment({-1, 0, 0}, {1, 0, 0});
  EXPECT_EQ(intersection(x, segment({0, -1, 0}, {0, 1, 0})).count, 1);
  EXPECT_EQ(intersection(x, segment({0, -1, 1}, {0, 1, 1})).count, 0);
  EXPECT_EQ(intersection(x, segment({0, 0, 0}, {5, 0, 0})).count, 2);
  EXPECT_EQ(intersection(x, segment({1, 0, 0}, {5, 0, 0})).count, 1);
  EXPECT_EQ(intersection(x, segment({2, 0, 0}, {5, 0, 0})).count, 0);
  EXPECT_EQ(intersection(x, segment({0.5, 0, 0}, {0.5, 0, 0})).count, 1);
  EXPECT_EQ(intersection(x, segment({0.5, 0, 1e-50}, {0.5, 0, 1e-50})).count, 0);
  const Triangle point = segment({1, 2, 3}, {1, 2, 3});
  EXPECT_EQ(intersection(point, point).count, 1);
  EXPECT_EQ(intersection(point, segment({1, 2, 4}, {1, 2, 4})).count, 0);
}

TEST(TriangleTest, TheIntersectionIsWhereItShouldBe) {
  const TriangleIntersection segment =
      intersection(k_p, triangle({1, -1, -1}, {1, -1, 1}, {1, 9, 0}));
  ASSERT_EQ(segment.count, 2);
  // x = 1, from the edge y = 0 to the edge x + y = 4.
  EXPECT_EQ(segment.points[0].x, 1);
  EXPECT_EQ(std::fmin(segment.points[0].y, segment.points[1].y), 0);
  EXPECT_EQ(std::fmax(segment.points[0].y, segment.points[1].y), 3);
}

TEST(TriangleTest, CoplanarOverlapIsAConvexPolygonInOrder) {
  const TriangleIntersection hexagon =
      intersection(k_p, triangle({3, 3, 0}, {-1, 3, 0}, {3, -1, 0}));
  ASSERT_EQ(hexagon.count, 6);
  for (int i = 0; i < 6; ++i) {
    const Vec3d& a = hexagon.points[i];
    const Vec3d& b = hexagon.points[(i + 1) % 6];
    const Vec3d& c = hexagon.points[(i + 2) % 6];
    EXPECT_GT(cross(b - a, c - b).z, 0);
  }
}

TEST(TriangleTest, IntersectionIsEmptyExactlyWhenTheTestSaysSo) {
  const std::uint64_t seed = 9;
  test::TriangleCases cases(seed);
  for (int i = 0; i < 60'000; ++i) {
    const test::TriangleCase c = cases.next();
    const TriangleIntersection shared = intersection(c.p, c.q);
    ASSERT_EQ(shared.count > 0, intersects(c.p, c.q))
        << "seed " << seed << ", pair " << i << ", " << c.kind;
    // Every point is finite and within both boxes.
    for (int k = 0; k < shared.count; ++k) {
      for (int axis = 0; axis < 3; ++axis) {
        for (const Triangle* t : {&c.p, &c.q}) {
          double low = INFINITY;
          double high = -INFINITY;
          double size = 0;
          for (const Vec3d& v : t->corner) {
            low = std::fmin(low, v[axis]);
            high = std::fmax(high, v[axis]);
          }
          for (const Triangle* u : {&c.p, &c.q}) {
            for (const Vec3d& v : u->corner) size = std::fmax(size, std::fabs(v[axis]));
          }
          ASSERT_GE(shared.points[k][axis], low - 1e-9 * size)
              << "seed " << seed << ", pair " << i << ", " << c.kind;
          ASSERT_LE(shared.points[k][axis], high + 1e-9 * size)
              << "seed " << seed << ", pair " << i << ", " << c.kind;
        }
      }
    }
  }
}

TEST(TriangleTest, DegenerateMeansCollinear) {
  EXPECT_FALSE(detail::is_degenerate(k_p));
  EXPECT_TRUE(detail::is_degenerate(triangle({1, 1, 1}, {2, 2, 2}, {3, 3, 3})));
  EXPECT_TRUE(detail::is_degenerate(triangle({1, 1, 1}, {1, 1, 1}, {3, 0, 3})));
  EXPECT_FALSE(
      detail::is_degenerate(triangle({1, 1, 1}, {2, 2, 2}, {3, 3, std::nextafter(3.0, 4.0)})));
}

TEST(TriangleTest, CoordinatesOutOfRangeAreErrors) {
  for (double bad : {std::numeric_limits<double>::quiet_NaN(),
                     std::numeric_limits<double>::infinity(), 1.1e60, -1e61}) {
    EXPECT_THROW(intersects(k_p, triangle({0, bad, 0}, {1, 0, 0}, {0, 0, 1})), Error);
    EXPECT_THROW(intersection(triangle({0, 0, 0}, {1, 0, bad}, {0, 0, 1}), k_p), Error);
  }
  // Below 1e-60 counts as zero: this point touches.
  EXPECT_TRUE(intersects(k_p, triangle({1, 1, 1e-61}, {1, 1, 1e-61}, {1, 1, 1e-61})));
}

}  // namespace
}  // namespace tandem
