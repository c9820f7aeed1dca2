// Contacts of triangles by hand and on random cases.
#include <gtest/gtest.h>
#include <tandem/tandem.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "geometry/degenerate.h"
#include "geometry/triangle_contact.h"
#include "geometry/triangle_intersection.h"
#include "math/random.h"
#include "support/collide_cases.h"
#include "support/error_of.h"
#include "support/triangle_cases.h"

namespace tandem {
namespace {

constexpr double k_tiny = 1e-12;

// --- Single pairs, by hand ---

Mesh mesh_of(const TriangleF& t) {
  return {{t.corner[0], t.corner[1], t.corner[2]}, {{0, 1, 2}}};
}

Contact contact_of(const TriangleF& a, const TriangleF& b) {
  const std::optional<Contact> found =
      contact(Model(mesh_of(a)), Model(mesh_of(b)), Pose(), {0, 0});
  EXPECT_TRUE(found.has_value());
  return found.value_or(Contact{});
}

void expect_near(const Vec3d& found, const Vec3d& expected, double tolerance = k_tiny) {
  EXPECT_LE(length(found - expected), tolerance)
      << found.x << " " << found.y << " " << found.z << ", not " << expected.x << " " << expected.y
      << " " << expected.z;
}

/// In the plane z = 0, seen counter-clockwise from above.
const TriangleF k_floor{{{-4, -4, 0}, {8, -4, 0}, {-4, 8, 0}}};

TriangleF reversed(const TriangleF& t) {
  return {{t.corner[0], t.corner[2], t.corner[1]}};
}

TEST(Contact, ACornerBehindAPlaneIsItsDepth) {
  // A quarter below the floor; the floor reaches much farther behind its plane.
  const TriangleF wedge{{{0, 0, -0.25F}, {1, 0, 1}, {-1, 0, 1}}};
  for (const TriangleF& b : {wedge, reversed(wedge)}) {
    const Contact found = contact_of(k_floor, b);
    EXPECT_EQ(found.separation, -0.25);
    expect_near(found.normal, {0, 0, 1});
    expect_near(found.points[0], {-0.2, 0, 0});
    expect_near(found.points[1], {0.2, 0, 0});
    EXPECT_EQ(found.across[0], found.points[0]);
    EXPECT_EQ(found.across[1], found.points[1]);
    EXPECT_TRUE(found.opposed);
    // The other way round: from the wedge down to the floor.
    const Contact swapped = contact_of(b, k_floor);
    EXPECT_EQ(swapped.separation, -0.25);
    expect_near(swapped.normal, {0, 0, -1});
    EXPECT_EQ(swapped.points[0], found.points[0]);
    EXPECT_EQ(swapped.points[1], found.points[1]);
  }
  // Seen from below, the wedge is one deep.
  const Contact below = contact_of(reversed(k_floor), wedge);
  EXPECT_EQ(below.separation, -1);
  expect_near(below.normal, {0, 0, -1});
}

TEST(Contact, ATouchHasNoDepthAndOneOrTwoPoints) {
  const Contact point = contact_of(k_floor, {{{1, 1, 0}, {1, 2, 3}, {2, 1, 3}}});
  EXPECT_EQ(point.separation, 0);
  EXPECT_FALSE(std::signbit(point.separation));
  expect_near(point.normal, {0, 0, 1});
  EXPECT_EQ(point.points[0], (Vec3d{1, 1, 0}));
  EXPECT_EQ(point.points[1], point.points[0]);
  EXPECT_EQ(point.across[0], point.points[0]);

  const Contact edge = contact_of(k_floor, {{{1, 1, 0}, {-1, 1, 0}, {2, 1, 3}}});
  EXPECT_EQ(edge.separation, 0);
  EXPECT_EQ(edge.points[0], (Vec3d{-1, 1, 0}));
  EXPECT_EQ(edge.points[1], (Vec3d{1, 1, 0}));
}

TEST(Contact, CoplanarTrianglesHaveThePlanesNormal) {
  const TriangleF small{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}};
  const Contact facing = contact_of(k_floor, reversed(small));
  EXPECT_EQ(facing.separation, 0);
  EXPECT_EQ(facing.normal, (Vec3d{0, 0, 1}));
  EXPECT_TRUE(facing.opposed);
  // The longest side, and the corner across it.
  EXPECT_EQ(facing.points[0], (Vec3d{0, 1, 0}));
  EXPECT_EQ(facing.points[1], (Vec3d{1, 0, 0}));
  EXPECT_TRUE(facing.across[0] == (Vec3d{0, 0, 0}) || facing.across[1] == (Vec3d{0, 0, 0}));

  const Contact same_way = contact_of(k_floor, small);
  EXPECT_EQ(same_way.normal, (Vec3d{0, 0, 1}));
  EXPECT_FALSE(same_way.opposed);
  EXPECT_EQ(contact_of(reversed(k_floor), small).normal, (Vec3d{0, 0, -1}));
  // They share an edge only.
  const Contact beside = contact_of({{{0, 0, 0}, {0, -1, 0}, {1, 0, 0}}}, small);
  EXPECT_EQ(beside.separation, 0);
  EXPECT_EQ(beside.points[0], (Vec3d{0, 0, 0}));
  EXPECT_EQ(beside.points[1], (Vec3d{1, 0, 0}));
}

TEST(Contact, ARectangleGivesItsFourCorners) {
  // Two triangles over the same unit square's band: their overlap is a rectangle.
  const TriangleF wide{{{-9, 0, 0}, {9, 0, 0}, {0, 90, 0}}};
  const TriangleF deep{{{-1, -9, 0}, {-1, 9, 0}, {90, 0, 0}}};
  const Contact found = contact_of(wide, deep);
  const TriangleIntersection shared =
      intersection(Triangle{{Vec3d(wide.corner[0]), Vec3d(wide.corner[1]), Vec3d(wide.corner[2])}},
                   Triangle{{Vec3d(deep.corner[0]), Vec3d(deep.corner[1]), Vec3d(deep.corner[2])}});
  ASSERT_EQ(shared.count, 4);
  for (const Vec3d& corner : shared) {
    EXPECT_TRUE(corner == found.points[0] || corner == found.points[1] ||
                corner == found.across[0] || corner == found.across[1]);
  }
}

TEST(Contact, WhatHasNoAreaHasTheOthersPlane) {
  const TriangleF needle{{{0, 0, -0.5F}, {0, 0, 1}, {0, 0, 0.25F}}};
  EXPECT_EQ(contact_of(k_floor, needle).separation, -0.5);
  EXPECT_EQ(contact_of(k_floor, needle).normal, (Vec3d{0, 0, 1}));
  EXPECT_EQ(contact_of(needle, k_floor).separation, -0.5);
  EXPECT_EQ(contact_of(needle, k_floor).normal, (Vec3d{0, 0, -1}));

  // Neither has a plane: the direction between the centres, or upwards.
  const TriangleF point{{{0, 0, 0}, {0, 0, 0}, {0, 0, 0}}};
  EXPECT_EQ(contact_of(point, point).normal, (Vec3d{0, 0, 1}));
  EXPECT_EQ(contact_of(point, point).separation, 0);
  EXPECT_EQ(contact_of(point, needle).normal, (Vec3d{0, 0, 1}));
  EXPECT_EQ(contact_of(needle, point).normal, (Vec3d{0, 0, -1}));
  const TriangleF bar{{{-1, 0, 0}, {4, 0, 0}, {0, 0, 0}}};
  expect_near(contact_of(point, bar).normal, {1, 0, 0});
}

TEST(Contact, TrianglesThatDoNotTouchAndIdsThatDoNotExist) {
  const Model floor(mesh_of(k_floor));
  const Pose above = Pose::from_translation({0, 0, 1});
  EXPECT_FALSE(contact(floor, floor, above, {0, 0}).has_value());
  EXPECT_TRUE(contacts(floor, floor, above).contacts.empty());
  EXPECT_NE(test::error_of([&] {
              contact(floor, floor, above, {0, 1});
            }).find("(0, 1)"),
            std::string::npos);
}

// --- Properties of single pairs ---

detail::TriangleContact contact_of(const Triangle& a, const Triangle& b,
                                   const TriangleIntersection& shared) {
  return detail::triangle_contact(a, b, shared);
}

bool is_finite(const Vec3d& v) {
  return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z);
}

double size_of(const Triangle& t) {
  double size = 0;
  for (const Vec3d& corner : t.corner) {
    for (int axis = 0; axis < 3; ++axis) size = std::max(size, std::fabs(corner[axis]));
  }
  return size;
}

/// Hard pairs that touch, of every kind.
template <class Visit>
void for_touching_pairs(int count, const Visit& visit) {
  constexpr std::uint64_t k_seed = 20250;
  test::TriangleCases cases(k_seed);
  int touching = 0;
  for (int i = 0; touching < count; ++i) {
    const test::TriangleCase c = cases.next();
    const TriangleIntersection shared = detail::triangle_intersection(c.p, c.q);
    if (shared.empty()) continue;
    ++touching;
    SCOPED_TRACE("seed " + std::to_string(k_seed) + ", case " + std::to_string(i) + ", " + c.kind);
    visit(c, shared);
    if (testing::Test::HasFailure()) return;
  }
}

TEST(ContactProperty, NothingIsEverNaN) {
  for_touching_pairs(50'000, [](const test::TriangleCase& c, const TriangleIntersection& shared) {
    const auto found = contact_of(c.p, c.q, shared);
    EXPECT_TRUE(is_finite(found.points[0]) && is_finite(found.points[1]));
    EXPECT_TRUE(is_finite(found.across[0]) && is_finite(found.across[1]));
    EXPECT_NEAR(length(found.normal), 1, 1e-15);
    EXPECT_TRUE(std::isfinite(found.separation));
    EXPECT_LE(found.separation, 0);
    EXPECT_FALSE(found.separation == 0 && std::signbit(found.separation));
  });
}

TEST(ContactProperty, ThePointsAreThoseOfTheIntersection) {
  for_touching_pairs(50'000, [](const test::TriangleCase& c, const TriangleIntersection& shared) {
    const auto found = contact_of(c.p, c.q, shared);
    for (const Vec3d& point :
         {found.points[0], found.points[1], found.across[0], found.across[1]}) {
      EXPECT_NE(std::find(shared.begin(), shared.end(), point), shared.end());
    }
    const double longest = length(found.points[1] - found.points[0]);
    for (const Vec3d& from : shared) {
      for (const Vec3d& to : shared) EXPECT_LE(length(to - from), longest * (1 + 1e-15));
    }
    if (shared.count == 1) {
      EXPECT_EQ(found.points[0], found.points[1]);
    }
  });
}

TEST(ContactProperty, SwappingTurnsTheNormalUnlessTheDepthsAreEqual) {
  int turned = 0;
  for_touching_pairs(50'000, [&](const test::TriangleCase& c, const TriangleIntersection& shared) {
    const auto found = contact_of(c.p, c.q, shared);
    const auto swapped = contact_of(c.q, c.p, shared);
    EXPECT_EQ(found.separation, swapped.separation);
    EXPECT_EQ(found.opposed, swapped.opposed);
    EXPECT_EQ(found.points[0], swapped.points[0]);
    EXPECT_EQ(found.points[1], swapped.points[1]);
    if (found.separation == 0) return;  // both depths may be 0
    turned += found.normal == -swapped.normal;
  });
  EXPECT_GT(turned, 10'000);
}

/// The definition, word by word; exact for small integers.
long double naive_depth(const Triangle& plane, const Triangle& other, long double normal[3]) {
  long double u[3];
  long double v[3];
  for (int axis = 0; axis < 3; ++axis) {
    u[axis] = static_cast<long double>(plane.corner[1][axis]) - plane.corner[0][axis];
    v[axis] = static_cast<long double>(plane.corner[2][axis]) - plane.corner[0][axis];
  }
  long double length_sq = 0;
  for (int axis = 0; axis < 3; ++axis) {
    const int next = (axis + 1) % 3;
    const int last = (axis + 2) % 3;
    normal[axis] = u[next] * v[last] - u[last] * v[next];
    length_sq += normal[axis] * normal[axis];
  }
  if (length_sq == 0) return INFINITY;
  const long double length = std::sqrt(length_sq);
  long double depth = 0;
  for (const Vec3d& corner : other.corner) {
    long double height = 0;
    for (int axis = 0; axis < 3; ++axis) {
      height += normal[axis] * (static_cast<long double>(corner[axis]) - plane.corner[0][axis]);
    }
    depth = std::max(depth, -height / length);
  }
  for (int axis = 0; axis < 3; ++axis) normal[axis] /= length;
  return depth;
}

TEST(ContactProperty, SeparationAndNormalAreThoseOfTheDefinition) {
  constexpr std::uint64_t k_seed = 31;
  detail::Random random(k_seed);
  const auto corner = [&] {
    const auto coordinate = [&] { return static_cast<double>(random.below(13)) - 6; };
    return Vec3d{coordinate(), coordinate(), coordinate()};
  };
  int deep = 0;
  for (int i = 0; i < 100'000; ++i) {
    const Triangle a{{corner(), corner(), corner()}};
    const Triangle b{{corner(), corner(), corner()}};
    const TriangleIntersection shared = detail::triangle_intersection(a, b);
    if (shared.empty()) continue;
    const auto found = contact_of(a, b, shared);
    long double normal_a[3];
    long double normal_b[3];
    const long double depth_b = naive_depth(a, b, normal_a);
    const long double depth_a = naive_depth(b, a, normal_b);
    SCOPED_TRACE("seed " + std::to_string(k_seed) + ", case " + std::to_string(i));
    if (std::isinf(depth_a) && std::isinf(depth_b)) {
      EXPECT_EQ(found.separation, 0);
      continue;
    }
    const long double depth = std::min(depth_a, depth_b);
    EXPECT_NEAR(static_cast<double>(depth + found.separation), 0, 1e-14);
    deep += depth > 0;
    if (depth_a != depth_b && std::fabs(depth_a - depth_b) < 1e-14L) continue;
    const bool by_a = depth_b <= depth_a;
    for (int axis = 0; axis < 3; ++axis) {
      const long double expected = by_a ? normal_a[axis] : -normal_b[axis];
      EXPECT_NEAR(static_cast<double>(expected - found.normal[axis]), 0, 1e-15);
    }
    if (HasFailure()) return;
  }
  EXPECT_GT(deep, 5'000);
}

TEST(ContactProperty, MovingByTheSeparationLeavesNoVertexBehindThePlane) {
  for_touching_pairs(20'000, [](const test::TriangleCase& c, const TriangleIntersection& shared) {
    const double size = std::max(size_of(c.p), size_of(c.q));
    if (size > 1e30 || size < 1e-30) return;
    if (detail::is_degenerate(c.p) && detail::is_degenerate(c.q)) return;
    const auto found = contact_of(c.p, c.q, shared);
    // In front of a plane through a corner of A, or A in front of one through a corner of B.
    const auto lowest = [&](const Triangle& t) {
      double low = INFINITY;
      for (const Vec3d& corner : t.corner) low = std::min(low, dot(found.normal, corner));
      return low;
    };
    const auto highest = [&](const Triangle& t) {
      double high = -INFINITY;
      for (const Vec3d& corner : t.corner) high = std::max(high, dot(found.normal, corner));
      return high;
    };
    const double b_lowest = lowest(c.q) - found.separation;
    const double b_highest = highest(c.q) - found.separation;
    const double tolerance = 1e-12 * size;
    const bool in_front_of_a =
        highest(c.p) - lowest(c.p) <= tolerance && b_lowest >= highest(c.p) - tolerance;
    const bool a_in_front =
        b_highest - b_lowest <= tolerance && highest(c.p) <= b_lowest + tolerance;
    EXPECT_TRUE(in_front_of_a || a_in_front);
  });
}

// --- Whole models ---

bool same_place(const Contact& a, const Contact& b, double tolerance) {
  return a.pair == b.pair && length(a.points[0] - b.points[0]) <= tolerance &&
         length(a.points[1] - b.points[1]) <= tolerance;
}

TEST(Contacts, AreThoseOfAllPairsStreamedOrSorted) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const test::CollideCase c = test::CollideCases(seed).next();
    SCOPED_TRACE(c.name);
    const Model a(c.a);
    const Model b(c.b);
    const std::vector<TrianglePair> pairs = collide(a, b, c.b_in_a).pairs;
    const std::vector<Contact> found = contacts(a, b, c.b_in_a).contacts;
    ASSERT_EQ(found.size(), pairs.size());
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      EXPECT_EQ(found[i].pair, pairs[i]);
      EXPECT_EQ(contact(a, b, c.b_in_a, pairs[i]), found[i]);
    }
    std::vector<Contact> streamed;
    const auto append = [&](const Contact& contact) {
      streamed.push_back(contact);
      return Flow::go_on;
    };
    EXPECT_FALSE(contacts(a, b, c.b_in_a, append).stopped);
    std::sort(streamed.begin(), streamed.end(),
              [](const Contact& x, const Contact& y) { return x.pair < y.pair; });
    EXPECT_EQ(streamed, found);
    // Whatever the contacts are, the reduction is finite and small.
    for (const ManifoldPoint& point : reduce_contacts(found).points) {
      EXPECT_TRUE(is_finite(point.position) && is_finite(point.normal));
    }
    if (HasFailure()) return;
  }
}

TEST(Contacts, ASinkStopsAndStatisticsAreThoseOfTheSearch) {
  const Model ball(make_icosphere(6));
  const Pose pose = Pose::from_translation({0.5, 0, 0});
  int shown = 0;
  const auto stop = [&](const Contact&) { return ++shown == 3 ? Flow::stop : Flow::go_on; };
  EXPECT_TRUE(contacts(ball, ball, pose, stop).stopped);
  EXPECT_EQ(shown, 3);
  const ContactsResult all = contacts(ball, ball, pose, {.statistics = true});
  EXPECT_EQ(all.statistics.triangle_overlaps, all.contacts.size());
}

TEST(Contacts, PairsThatShareNothingAreLeftOut) {
  // A triangle test of a paper finds more than there is.
  const Model ball(make_icosphere(8));
  const Pose pose = Pose::from_axis_angle({1, 2, 3}, 0.3, {1, 0, 0});
  for (const TriangleTest test : TriangleTest::all()) {
    const QueryOptions options{.engine = {.triangle_test = test}};
    if (!exists(Engine{ball.structure(), {}, {}, test})) continue;
    for (const Contact& found : contacts(ball, ball, pose, options).contacts) {
      EXPECT_FALSE(intersection(ball, ball, pose, found.pair).empty());
    }
  }
}

TEST(Contacts, MoveWithTheObjects) {
  constexpr std::uint64_t k_seed = 7;
  detail::Random random(k_seed);
  std::size_t compared = 0;
  for (int i = 0; i < 30; ++i) {
    SCOPED_TRACE("seed " + std::to_string(k_seed) + ", case " + std::to_string(i));
    const auto vector = [&](double size) {
      return Vec3d{random.uniform(-size, size), random.uniform(-size, size),
                   random.uniform(-size, size)};
    };
    const Model a(make_rock(4, random.next()));
    const Model b(make_rock(5, random.next()));
    const Pose a_in_world = Pose::from_axis_angle(vector(1), random.uniform(-3, 3), vector(2));
    const Pose b_in_world =
        a_in_world * Pose::from_axis_angle(vector(1), random.uniform(-3, 3), vector(0.8));
    const Pose motion = Pose::from_axis_angle(vector(1), random.uniform(-3, 3), vector(10));
    const auto before = contacts(a, b, relative_pose(a_in_world, b_in_world)).contacts;
    const auto after =
        contacts(a, b, relative_pose(motion * a_in_world, motion * b_in_world)).contacts;
    ASSERT_EQ(before.size(), after.size());
    for (std::size_t k = 0; k < before.size(); ++k) {
      EXPECT_TRUE(same_place(before[k], after[k], 1e-9));
      EXPECT_NEAR(before[k].separation, after[k].separation, 1e-12);
      expect_near(before[k].normal, after[k].normal, 1e-9);
      ++compared;
    }
  }
  EXPECT_GT(compared, 500U);
}

TEST(Contacts, PointsLieInBothTriangles) {
  const Model a(make_knot(60, 8));
  const Model b(make_rock(8, 3));
  const Pose pose = Pose::from_axis_angle({1, 2, 3}, 0.7, {0.4, 0.2, 0.1});
  const auto found = contacts(a, b, pose).contacts;
  ASSERT_GT(found.size(), 50U);
  for (const Contact& c : found) {
    const TriangleF in_b = b.mesh().triangle(c.pair.b);
    Triangle of_b;
    for (int k = 0; k < 3; ++k) of_b.corner[k] = transform_point(pose, Vec3d(in_b.corner[k]));
    const TriangleF in_a = a.mesh().triangle(c.pair.a);
    const Triangle of_a{{Vec3d(in_a.corner[0]), Vec3d(in_a.corner[1]), Vec3d(in_a.corner[2])}};
    for (const Triangle& t : {of_a, of_b}) {
      for (const Vec3d& point : c.points) {
        // The three parts add up to the whole: none is negative.
        const Vec3d area = cross(t.corner[1] - t.corner[0], t.corner[2] - t.corner[0]);
        double sum = 0;
        for (int k = 0; k < 3; ++k) {
          sum += length(cross(t.corner[k] - point, t.corner[(k + 1) % 3] - point));
        }
        EXPECT_NEAR(sum / length(area), 1, 1e-9);
      }
    }
  }
}

}  // namespace
}  // namespace tandem
