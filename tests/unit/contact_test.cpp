// Contacts of triangles by hand and on random cases, and their reduction to manifolds.
#include <gtest/gtest.h>
#include <tandem/tandem.h>

#include <algorithm>
#include <cmath>
#include <map>
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

// --- Manifolds ---

ContactManifold manifold_of(const Mesh& a, const Mesh& b, const Pose& b_in_a) {
  return reduce_contacts(contacts(Model(a), Model(b), b_in_a).contacts);
}

/// Points and normals are those expected, in any order.
void expect_points(const ContactManifold& found, const std::vector<Vec3d>& expected,
                   const Vec3d& normal, double separation, double tolerance = 1e-6) {
  EXPECT_EQ(found.patch_count, 1U);
  EXPECT_EQ(found.points.size(), expected.size());
  for (const Vec3d& point : expected) {
    EXPECT_TRUE(std::any_of(
        found.points.begin(), found.points.end(),
        [&](const ManifoldPoint& p) { return length(p.position - point) <= tolerance; }))
        << point.x << " " << point.y << " " << point.z << " is missing";
  }
  for (const ManifoldPoint& point : found.points) {
    expect_near(point.normal, normal, tolerance);
    EXPECT_NEAR(point.separation, separation, tolerance);
    EXPECT_EQ(point.patch, 0U);
  }
}

TEST(ContactManifold, NothingAndWrongNumbers) {
  EXPECT_TRUE(reduce_contacts({}).points.empty());
  EXPECT_EQ(reduce_contacts({}).patch_count, 0U);
  for (const int points : {-1, 0, 5}) {
    EXPECT_NE(test::error_of([&] { reduce_contacts({}, points); }).find(std::to_string(points)),
              std::string::npos);
  }
}

TEST(ContactManifold, ABoxOnABoxStandsOnItsCorners) {
  for (const int divisions : {1, 2, 3, 7}) {
    SCOPED_TRACE(divisions);
    const Mesh table = make_box(divisions, {4, 4, 2});
    const Mesh box = make_box(divisions, {1, 2, 1});
    const auto corners = [](double x, double y, double z) {
      return std::vector<Vec3d>{
          {x - 0.5, y - 1, z}, {x + 0.5, y - 1, z}, {x - 0.5, y + 1, z}, {x + 0.5, y + 1, z}};
    };
    // Resting, and a little deep; in the middle, and elsewhere
    for (const Vec3d& at : {Vec3d{0, 0, 1.5}, Vec3d{0.25, -0.5, 1.5}}) {
      expect_points(manifold_of(table, box, Pose::from_translation(at)), corners(at.x, at.y, 1),
                    {0, 0, 1}, 0);
      // The same seen from the box.
      const ContactManifold below = manifold_of(box, table, Pose::from_translation(-at));
      expect_points(below, corners(0, 0, -0.5), {0, 0, -1}, 0);
    }
    expect_points(manifold_of(table, box, Pose::from_translation({0.1, 0.2, 1.5 - 0x1p-10})),
                  corners(0.1, 0.2, 1), {0, 0, 1}, -0x1p-10);
  }
}

TEST(ContactManifold, BoxesOfOneSizeAndBoxesThatHangOver) {
  for (const int divisions : {1, 3, 4}) {
    for (const double depth : {0.0, 0x1p-10}) {
      SCOPED_TRACE(std::to_string(divisions) + ", " + std::to_string(depth));
      const Mesh box = make_box(divisions);
      const double tolerance = 1e-6 + depth;
      // All sides are flush.
      const auto square = [&](double x0, double x1, double y0, double y1) {
        return std::vector<Vec3d>{{x0, y0, 1}, {x1, y0, 1}, {x0, y1, 1}, {x1, y1, 1}};
      };
      expect_points(manifold_of(box, box, Pose::from_translation({0, 0, 2 - depth})),
                    square(-1, 1, -1, 1), {0, 0, 1}, -depth, tolerance);
      // Over one edge, flush at two; over two edges, flush nowhere.
      expect_points(manifold_of(box, box, Pose::from_translation({0.5, 0, 2 - depth})),
                    square(-0.5, 1, -1, 1), {0, 0, 1}, -depth, tolerance);
      expect_points(manifold_of(box, box, Pose::from_translation({0.5, 0.75, 2 - depth})),
                    square(-0.5, 1, -0.25, 1), {0, 0, 1}, -depth, tolerance);
    }
  }
}

TEST(ContactManifold, ABoxSunkIntoATableIsPushedUpWhereverItStands) {
  constexpr std::uint64_t k_seed = 5;
  detail::Random random(k_seed);
  for (int i = 0; i < 300; ++i) {
    SCOPED_TRACE("seed " + std::to_string(k_seed) + ", case " + std::to_string(i));
    const Mesh table = make_box(1 + static_cast<int>(random.below(4)), {4, 4, 2});
    const Mesh box = make_box(1 + static_cast<int>(random.below(4)));
    // Sides are 2: the middle of the box is above the table, its corners need not be.
    const double depth = 0.01 * random.uniform();
    const Pose pose =
        Pose::from_axis_angle({0, 0, 1}, random.uniform(-4, 4),
                              {random.uniform(-1.9, 1.9), random.uniform(-1.9, 1.9), 2 - depth});
    const ContactManifold found = manifold_of(table, box, pose);
    EXPECT_EQ(found.patch_count, 1U);
    EXPECT_GE(found.points.size(), 3U);
    for (const ManifoldPoint& point : found.points) {
      expect_near(point.normal, {0, 0, 1}, 1e-9);
      EXPECT_NEAR(point.separation, -depth, 1e-9);
    }
    // Moved by that they no longer cross.
    const double up = -found.points.front().separation + 1e-9;
    EXPECT_FALSE(intersects(Model(table), Model(box), Pose::from_translation({0, 0, up}) * pose));
    if (HasFailure()) return;
  }
}

TEST(ContactManifold, ASheetOnASheet) {
  // Not closed: the two face the same way.
  expect_points(manifold_of(make_plane(1), make_plane(1), Pose()),
                {{-1, -1, 0}, {1, -1, 0}, {-1, 1, 0}, {1, 1, 0}}, {0, 0, 1}, 0);
}

TEST(ContactManifold, ACornerAnEdgeAndABall) {
  const Mesh table = make_box(3, {8, 8, 2});
  // A ball that touches with its lowest vertex.
  const Mesh ball = make_icosphere(8);
  const auto lowest = std::min_element(ball.vertices().begin(), ball.vertices().end(),
                                       [](const Vec3f& a, const Vec3f& b) { return a.z < b.z; });
  const Vec3d at{0.3, 0.1, 1 - double{lowest->z}};
  const ContactManifold one = manifold_of(table, ball, Pose::from_translation(at));
  ASSERT_GE(one.points.size(), 1U);
  EXPECT_LE(one.points.size(), 2U);  // two vertices are lowest where the sphere has an edge below
  for (const ManifoldPoint& point : one.points) {
    expect_near(point.normal, {0, 0, 1});
    EXPECT_NEAR(point.separation, 0, 1e-15);
  }
  // A beam of square cross-section on its edge: turned by 45 degrees and grown by the root of 2.
  std::vector<Vec3f> vertices;
  const Mesh box = make_box(2);
  for (const Vec3f& v : box.vertices()) vertices.push_back({v.x, v.y - v.z, v.y + v.z});
  const Mesh beam(vertices, {box.triangles().begin(), box.triangles().end()});
  expect_points(manifold_of(table, beam, Pose::from_translation({0, 0, 3})),
                {{-1, 0, 1}, {1, 0, 1}}, {0, 0, 1}, 0);
}

TEST(ContactManifold, ABoxInACornerHasAPatchForEachWall) {
  // A floor and two walls, seen from inside; the box reaches a little into each.
  const Mesh walls({{0, 0, 0}, {4, 0, 0}, {4, 4, 0}, {0, 4, 0}, {0, 0, 4}, {4, 0, 4}, {0, 4, 4}},
                   {{0, 1, 2}, {0, 2, 3}, {0, 4, 5}, {0, 5, 1}, {0, 6, 4}, {0, 3, 6}});
  const double depth = 0x1p-10;
  const ContactManifold found =
      manifold_of(walls, make_box(2), Pose::from_translation({1 - depth, 1 - depth, 1 - depth}));
  EXPECT_EQ(found.patch_count, 3U);
  std::map<std::uint32_t, int> points_of_patch;
  for (const ManifoldPoint& point : found.points) {
    ++points_of_patch[point.patch];
    EXPECT_NEAR(point.separation, -depth, 1e-9);
    EXPECT_NEAR(std::max({point.normal.x, point.normal.y, point.normal.z}), 1, 1e-9);
  }
  for (const auto& [patch, count] : points_of_patch) EXPECT_GE(count, 3) << "patch " << patch;
}

TEST(ContactManifold, FewerPointsAreTheFirstOfMore) {
  const auto all = contacts(Model(make_box(2, {4, 4, 2})), Model(make_box(3)),
                            Pose::from_translation({0.3, 0.1, 2}))
                       .contacts;
  const ContactManifold four = reduce_contacts(all, 4);
  ASSERT_EQ(four.points.size(), 4U);
  for (int points = 1; points < 4; ++points) {
    const ContactManifold fewer = reduce_contacts(all, points);
    ASSERT_EQ(fewer.points.size(), static_cast<std::size_t>(points));
    EXPECT_TRUE(std::equal(fewer.points.begin(), fewer.points.end(), four.points.begin()));
  }
}

TEST(ContactManifold, DependsOnTheSetOfContactsAlone) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const test::CollideCase c = test::CollideCases(seed).next();
    SCOPED_TRACE(c.name);
    std::vector<Contact> all = contacts(Model(c.a), Model(c.b), c.b_in_a).contacts;
    const ContactManifold expected = reduce_contacts(all);
    EXPECT_LE(expected.points.size(), 4 * std::size_t{expected.patch_count});
    detail::Random random(seed);
    for (int round = 0; round < 5; ++round) {
      for (std::size_t i = all.size(); i > 1; --i) std::swap(all[i - 1], all[random.below(i)]);
      EXPECT_EQ(reduce_contacts(all).points, expected.points);
    }
    // A contact that is given twice changes nothing.
    const std::size_t count = all.size();
    for (std::size_t i = 0; i < count; ++i) all.push_back(all[i]);
    EXPECT_EQ(reduce_contacts(all).points, expected.points);
    if (HasFailure()) return;
  }
}

}  // namespace
}  // namespace tandem
