// Touching, crossing, inside: triangles first, then surfaces, then solids; degenerate cases first.
#include <gtest/gtest.h>
#include <tandem/tandem.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "geometry/triangle_relation.h"
#include "geometry/weighted_point.h"
#include "query/around_line.h"
#include "support/error_of.h"
#include "support/solids.h"

namespace tandem {

// For messages of failed tests.
void PrintTo(Meeting m, std::ostream* out) {
  const char* const names[] = {"apart", "touching", "crossing"};
  *out << names[static_cast<int>(m)];
}
void PrintTo(SolidRelation r, std::ostream* out) {
  const char* const names[] = {"apart", "touching", "crossing", "a_inside_b", "b_inside_a"};
  *out << names[static_cast<int>(r)];
}

namespace {

using test::box;
using test::cube;
using test::error_of;
using test::hollow_cube;
using test::inside_out;
using test::together;

Pose moved(double x, double y = 0, double z = 0) {
  return Pose::from_translation({x, y, z});
}

// Triangles

constexpr Triangle k_flat{{{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}};

struct TriangleExample {
  const char* what;
  Triangle other;
  Meeting expected;
};

TEST(RelationOfTriangles, Examples) {
  const TriangleExample examples[] = {
      {"far away", {{{9, 9, 9}, {10, 9, 9}, {9, 10, 9}}}, Meeting::apart},
      {"parallel", {{{0, 0, 1}, {4, 0, 1}, {0, 4, 1}}}, Meeting::apart},
      {"itself", k_flat, Meeting::touching},
      {"overlapping in one plane", {{{1, 1, 0}, {5, 1, 0}, {1, 5, 0}}}, Meeting::touching},
      {"apart in one plane", {{{5, 5, 0}, {6, 5, 0}, {5, 6, 0}}}, Meeting::apart},
      {"through the middle", {{{1, 1, -1}, {1, 1, 1}, {9, 9, 0.5}}}, Meeting::crossing},
      {"all of its cut inside", {{{1, 1, -1}, {1, 1, 1}, {1.5, 1, 0.5}}}, Meeting::crossing},
      {"all of the flat one's cut inside",
       {{{1, -9, -9}, {1, 20, -9}, {1, 1, 9}}},
       Meeting::crossing},
      {"a corner on it", {{{1, 1, 0}, {1, 1, 1}, {2, 1, 1}}}, Meeting::touching},
      {"a corner on it, through its plane",
       {{{1, 1, 0}, {9, 9, 1}, {9, 9, -1}}},
       Meeting::crossing},
      {"a corner on its edge, through its plane",
       {{{2, 2, 0}, {9, 9, 1}, {9, 9, -1}}},
       Meeting::touching},
      {"an edge on it", {{{1, 1, 0}, {2, 1, 0}, {1, 1, 1}}}, Meeting::touching},
      {"an edge through it, in its plane", {{{-1, 1, 0}, {9, 1, 0}, {1, 1, 1}}}, Meeting::touching},
      {"an edge through its corner", {{{0, 0, -1}, {0, 0, 1}, {-3, -3, 0}}}, Meeting::touching},
      {"an edge through its edge, outside",
       {{{1, 0, -1}, {1, 0, 1}, {1, -3, 0}}},
       Meeting::touching},
      {"an edge through its edge, inside", {{{1, 0, -1}, {1, 0, 1}, {1, 3, 0}}}, Meeting::crossing},
      {"its edge and more", {{{0, 0, 0}, {8, 0, 0}, {0, 0, 3}}}, Meeting::touching},
      {"the plane, not the triangle", {{{5, 5, -1}, {5, 5, 1}, {9, 9, 0}}}, Meeting::apart},
      {"a segment through it", {{{1, 1, -1}, {1, 1, 1}, {1, 1, 1}}}, Meeting::touching},
      {"a folded segment through it", {{{1, 1, -1}, {1, 1, 1}, {1, 1, 0.5}}}, Meeting::touching},
      {"a segment beside it", {{{5, 5, -1}, {5, 5, 1}, {5, 5, 1}}}, Meeting::apart},
      {"a point of it", {{{1, 1, 0}, {1, 1, 0}, {1, 1, 0}}}, Meeting::touching},
  };
  for (const TriangleExample& example : examples) {
    for (int turn = 0; turn < 3; ++turn) {
      const Vec3d* c = example.other.corner;
      const Triangle turned{{c[turn], c[(turn + 1) % 3], c[(turn + 2) % 3]}};
      const Triangle mirrored{{turned.corner[0], turned.corner[2], turned.corner[1]}};
      for (const Triangle& t : {turned, mirrored}) {
        EXPECT_EQ(meeting(k_flat, t), example.expected) << example.what;
        EXPECT_EQ(meeting(t, k_flat), example.expected) << example.what;
      }
    }
  }
}

TEST(RelationOfTriangles, OneUlpMakesTheDifference) {
  // Its tip ends above the plane, in it, or below it.
  const auto tip_at = [](double z) { return Triangle{{{1, 1, z}, {1, 1, 5}, {2, 1, 5}}}; };
  const double tiny = 0x1p-60;
  EXPECT_EQ(meeting(k_flat, tip_at(tiny)), Meeting::apart);
  EXPECT_EQ(meeting(k_flat, tip_at(0)), Meeting::touching);
  EXPECT_EQ(meeting(k_flat, tip_at(-tiny)), Meeting::crossing);
  EXPECT_EQ(meeting(k_flat, tip_at(-1e-61)), Meeting::touching);  // is taken as 0
}

TEST(RelationOfTriangles, WhatIsShared) {
  using detail::SharedSet;
  const auto shared = [](const Triangle& t) { return detail::relate_triangles(k_flat, t); };
  const auto on_edge = shared({{{1, 0, 0}, {9, 0, 0}, {0, 0, 3}}});
  EXPECT_EQ(on_edge.shared, SharedSet::segment);
  EXPECT_EQ(on_edge.p_edge, 0);
  EXPECT_EQ(on_edge.q_edge, 0);
  const auto inside = shared({{{1, 1, 3}, {1, 1, 0}, {9, 1, 0}}});
  EXPECT_EQ(inside.shared, SharedSet::segment);
  EXPECT_EQ(inside.p_edge, -1);
  EXPECT_EQ(inside.q_edge, 1);
  EXPECT_EQ(shared({{{1, 1, 0}, {2, 1, 1}, {1, 2, 1}}}).shared, SharedSet::little);
  EXPECT_EQ(shared({{{4, 0, 0}, {9, 0, 0}, {0, 0, 3}}}).shared, SharedSet::little);
  EXPECT_EQ(shared({{{0, 0, 0}, {4, 0, 0}, {0, -4, 0}}}).shared, SharedSet::little);
  EXPECT_EQ(shared({{{1, 1, 0}, {1, 5, 0}, {5, 1, 0}}}).shared, SharedSet::area);
  EXPECT_EQ(shared(k_flat).shared, SharedSet::area);
}

TEST(RelationOfTriangles, ErrorsAreThoseOfIntersects) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const double bad : {nan, std::numeric_limits<double>::infinity(), 2e60}) {
    const Triangle t{{{bad, 0, 0}, {1, 0, 0}, {0, 1, 0}}};
    const std::string expected = error_of([&] { intersects(k_flat, t); });
    EXPECT_NE(expected, "");
    EXPECT_EQ(error_of([&] { meeting(k_flat, t); }), expected);
    EXPECT_EQ(error_of([&] { meeting(t, k_flat); }), expected);
  }
}

TEST(RelationOfTriangles, OfTwoModels) {
  const Model a(Mesh({{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}, {{0, 1, 2}}));
  const Model b(Mesh({{1, 1, 0}, {1, 1, 2}, {2, 1, 2}}, {{0, 1, 2}}));
  const auto at = [&](double z) { return meeting(a, b, moved(0, 0, z), TrianglePair{0, 0}); };
  EXPECT_EQ(at(1), Meeting::apart);
  EXPECT_EQ(at(0), Meeting::touching);
  EXPECT_EQ(at(-1), Meeting::crossing);
  EXPECT_EQ(error_of([&] {
              meeting(a, b, Pose(), TrianglePair{0, 1});
            }),
            "the pair (0, 1) names a triangle that its mesh does not have");
}

// Around a line

Triangle fin(double x, double y) {
  return {{{0, 0, 0}, {0, 0, 1}, {x, y, 0}}};
}

TEST(RelationAroundALine, SurfacesAlternate) {
  const auto alternate = [](std::vector<Triangle> a, std::vector<Triangle> b) {
    detail::AroundLine around({0, 0, -7}, {0, 0, 5});
    for (const Triangle& t : a) around.add(t, 0, 1);
    for (const Triangle& t : b) around.add(t, 1, 1);
    return around.surfaces_alternate();
  };
  EXPECT_TRUE(alternate({fin(1, 0), fin(-1, 0)}, {fin(0, 1), fin(0, -1)}));
  EXPECT_TRUE(alternate({fin(1, 0), fin(-1, 1e-30)}, {fin(-1, 0), fin(1, 1)}));
  EXPECT_FALSE(alternate({fin(1, 0), fin(-1, 0)}, {fin(-1, 0), fin(1, 1)}));
  EXPECT_FALSE(alternate({fin(1, 0), fin(-1, 0)}, {fin(1, 0), fin(-1, 0)}));
  EXPECT_FALSE(alternate({fin(1, 0), fin(-1, 0)}, {fin(1, 1), fin(-1, 1)}));
  EXPECT_FALSE(alternate({fin(1, 0)}, {fin(1, 1), fin(-1, 1), fin(0, -1)}));
  EXPECT_TRUE(alternate({fin(1, 0), fin(-1, 0)}, {fin(1, 0), fin(0, 1), fin(0, -1)}));
  // A triangle that the line goes through has two half-planes.
  EXPECT_TRUE(alternate({{{{-3, 0, -9}, {3, 0, 0}, {-3, 0, 9}}}}, {fin(1, 1), fin(1, -2)}));
}

TEST(RelationAroundALine, SolidsOverlap) {
  // A wedge between two directions, of less or more than half a turn.
  struct Wedge {
    Vec3d first;
    Vec3d last;
  };
  const auto overlap = [](const std::vector<Wedge>& a, const std::vector<Wedge>& b, int outward) {
    detail::AroundLine around({0, 0, 0}, {0, 0, 1});
    int surface = 0;
    for (const auto* wedges : {&a, &b}) {
      for (const auto& [first, last] : *wedges) {
        // Turning ahead enters at the first and leaves at the last.
        Triangle enters = fin(first.x, first.y);
        std::swap(enters.corner[0], enters.corner[1]);
        Triangle leaves = fin(last.x, last.y);
        if (outward < 0) {
          std::swap(enters.corner[0], enters.corner[1]);
          std::swap(leaves.corner[0], leaves.corner[1]);
        }
        around.add(leaves, surface, outward);
        around.add(enters, surface, outward);
      }
      ++surface;
    }
    return around.solids_overlap();
  };
  const Vec3d e{1, 0, 0};
  const Vec3d n{0, 1, 0};
  const Vec3d w{-1, 0, 0};
  const Vec3d s{0, -1, 0};
  for (const int outward : {1, -1}) {
    EXPECT_TRUE(overlap({{e, n}}, {{e, n}}, outward));
    EXPECT_FALSE(overlap({{e, n}}, {{n, e}}, outward));
    EXPECT_FALSE(overlap({{e, n}}, {{n, w}}, outward));
    EXPECT_FALSE(overlap({{e, w}}, {{w, e}}, outward));
    EXPECT_TRUE(overlap({{e, w}}, {{n, e}}, outward));
    EXPECT_TRUE(overlap({{w, n}}, {{e, n}}, outward));
    // Alternating, two of each: the surfaces take turns, but the solids do not overlap.
    EXPECT_FALSE(overlap({{e, n}, {w, s}}, {{n, w}, {s, e}}, outward));
    EXPECT_TRUE(overlap({{e, n}, {w, s}}, {{n, w}, {s, n}}, outward));
  }
}

// Points without coordinates

TEST(RelationOfPoints, WeightedPointsAreExact) {
  // A third of the way between corners: no double.
  const Triangle t{{{0, 0, 0}, {1, 0, 0}, {0, 1, 1}}};
  const auto centre = detail::WeightedPoint::centre(t);
  EXPECT_TRUE(detail::contains(t, centre));
  EXPECT_TRUE(detail::contains({{{0, 0, 0}, {1, 1, 1}, {5, 0, 0}}}, centre));
  EXPECT_FALSE(detail::contains({{{0, 0, 0x1p-60}, {1, 0, 0}, {0, 1, 1}}}, centre));
  EXPECT_TRUE(detail::contains(t, detail::WeightedPoint::at({1, 0, 0})));
  EXPECT_FALSE(detail::contains(t, detail::WeightedPoint::at({1, -0x1p-60, 0})));
}

// Surfaces

struct Moved {
  const char* what;
  Pose pose;
  Meeting expected;
  SolidRelation solids;
};

TEST(RelationOfSurfaces, EmptyMeshesAreApart) {
  const Model empty{Mesh()};
  const Model full(cube(2));
  EXPECT_EQ(meeting(empty, full, Pose()), Meeting::apart);
  EXPECT_EQ(meeting(full, empty, Pose()), Meeting::apart);
  EXPECT_EQ(solid_relation(empty, full, Pose()), SolidRelation::apart);
  EXPECT_EQ(solid_relation(full, empty, Pose()), SolidRelation::apart);
  EXPECT_EQ(solid_relation(empty, empty, Pose()), SolidRelation::apart);
}

TEST(RelationOfSurfaces, TwoCubes) {
  const Moved cases[] = {
      {"apart", moved(3), Meeting::apart, SolidRelation::apart},
      {"one ulp apart", moved(std::nextafter(2.0, 3.0)), Meeting::apart, SolidRelation::apart},
      {"a shared face", moved(2), Meeting::touching, SolidRelation::touching},
      {"a part of a face", moved(2, 0.5, 0.25), Meeting::touching, SolidRelation::touching},
      {"a shared edge", moved(2, 2), Meeting::touching, SolidRelation::touching},
      {"a part of an edge", moved(2, 2, 1), Meeting::touching, SolidRelation::touching},
      {"a shared corner", moved(2, 2, 2), Meeting::touching, SolidRelation::touching},
      {"equal", moved(0), Meeting::crossing, SolidRelation::crossing},
      {"along an axis", moved(1), Meeting::crossing, SolidRelation::crossing},
      {"along two axes", moved(1, 1), Meeting::crossing, SolidRelation::crossing},
      {"one ulp into each other", moved(std::nextafter(2.0, 1.0)), Meeting::crossing,
       SolidRelation::crossing},
      {"a corner through a face", moved(1, 1, 1), Meeting::crossing, SolidRelation::crossing},
      {"an edge on a face",
       Pose::from_axis_angle({0, 0, 1}, std::acos(-1) / 4, {1 + std::sqrt(2.0) + 1e-9, 0, 0}),
       Meeting::apart, SolidRelation::apart},
  };
  const Mesh plain = cube(2);
  for (const Moved& c : cases) {
    // Whichever of them are inside out, and wherever the faces are divided.
    for (const Mesh& first : {plain, inside_out(plain), make_box(3)}) {
      for (const Mesh& second : {plain, inside_out(plain), box({-1, -1, -1}, {1, 1, 1}, 63)}) {
        const Model a(first);
        const Model b(second);
        EXPECT_EQ(meeting(a, b, c.pose), c.expected) << c.what;
        EXPECT_EQ(solid_relation(a, b, c.pose), c.solids) << c.what;
      }
    }
  }
}

TEST(RelationOfSurfaces, InsideAndOnTheWall) {
  const Model large(cube(4));
  const Model small(cube(2));
  // Strictly inside, then at a wall, an edge, a corner.
  EXPECT_EQ(meeting(large, small, Pose()), Meeting::apart);
  EXPECT_EQ(solid_relation(large, small, Pose()), SolidRelation::b_inside_a);
  EXPECT_EQ(solid_relation(small, large, Pose()), SolidRelation::a_inside_b);
  for (const Pose& pose : {moved(1), moved(1, 1), moved(-1, 1, 1), moved(0, 0, -1)}) {
    EXPECT_EQ(meeting(large, small, pose), Meeting::crossing);
    EXPECT_EQ(solid_relation(large, small, pose), SolidRelation::crossing);
    EXPECT_EQ(solid_relation(small, large, pose), SolidRelation::crossing);
  }
}

TEST(RelationOfSurfaces, AnOctahedronTouchesAllWallsFromInside) {
  // No triangle and no vertex is free: a point inside a triangle has to tell.
  const Mesh octahedron(
      {{2, 0, 0}, {-2, 0, 0}, {0, 2, 0}, {0, -2, 0}, {0, 0, 2}, {0, 0, -2}},
      {{0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4}, {2, 0, 5}, {1, 2, 5}, {3, 1, 5}, {0, 3, 5}});
  const Model a(octahedron);
  const Model walls(cube(4));
  EXPECT_EQ(solid_relation(a, walls, Pose()), SolidRelation::crossing);
  EXPECT_EQ(solid_relation(walls, a, Pose()), SolidRelation::crossing);
  // In the cavity of a hollow cube it touches all walls from outside.
  const Model hollow(hollow_cube(6, 4));
  EXPECT_EQ(solid_relation(a, hollow, Pose()), SolidRelation::touching);
  EXPECT_EQ(solid_relation(hollow, a, Pose()), SolidRelation::touching);
  EXPECT_EQ(meeting(hollow, a, Pose()), Meeting::touching);
}

TEST(RelationOfSurfaces, ATetrahedronWithAllEdgesOnACube) {
  // Its edges are diagonals of the cube's faces, along the edges of its triangles or across them.
  const Model tetrahedron(Mesh({{-1, -1, -1}, {1, 1, -1}, {1, -1, 1}, {-1, 1, 1}},
                               {{0, 1, 2}, {0, 3, 1}, {0, 2, 3}, {1, 3, 2}}));
  // The same with a triangle without area between the two triangles at each edge.
  std::set<std::pair<std::uint32_t, std::uint32_t>> divided;
  const auto choose_edge = [&](const TriangleIndices& t) {
    for (int k = 0; k < 3; ++k) {
      const auto [a, b] = std::minmax(t[k], t[(k + 1) % 3]);
      if (b < 4 && divided.emplace(a, b).second) return k;
    }
    return -1;
  };
  const Mesh half = test::with_needles(tetrahedron.mesh(), choose_edge);
  const Model divided_tetrahedron(test::with_needles(half, choose_edge));
  EXPECT_EQ(divided.size(), 6U);
  for (const Model& shape : {tetrahedron, divided_tetrahedron}) {
    for (const unsigned diagonals : {0U, 63U, 21U}) {
      const Model walls(box({-1, -1, -1}, {1, 1, 1}, diagonals));
      EXPECT_EQ(solid_relation(shape, walls, Pose()), SolidRelation::crossing);
      EXPECT_EQ(solid_relation(walls, shape, Pose()), SolidRelation::crossing);
      // Beside the cube it touches along one diagonal.
      EXPECT_EQ(solid_relation(shape, walls, moved(2)), SolidRelation::touching);
    }
  }
}

/// Two walls that meet in an edge, like an open book that stands on its side.
Mesh book(const Vec3f& left, const Vec3f& right) {
  const Vec3f up{0, 0, 2};
  return {{{0, 0, -1}, {0, 0, 1}, left, left + up, right, right + up},
          {{0, 1, 2}, {2, 1, 3}, {0, 4, 1}, {4, 5, 1}}};
}

TEST(RelationOfSurfaces, OpenSheets) {
  const Model wall(Mesh({{0, -5, -5}, {0, 5, -5}, {0, 0, 5}}, {{0, 1, 2}}));
  // The spine of the book is in the wall, its pages on both sides or on one.
  const Model through(book({-2, 1, -1}, {2, 1, -1}));
  const Model beside(book({2, -1, -1}, {2, 1, -1}));
  EXPECT_EQ(meeting(wall, through, Pose()), Meeting::crossing);
  EXPECT_EQ(meeting(through, wall, Pose()), Meeting::crossing);
  EXPECT_EQ(meeting(wall, beside, Pose()), Meeting::touching);
  EXPECT_EQ(meeting(beside, wall, Pose()), Meeting::touching);
  EXPECT_EQ(meeting(wall, beside, moved(-1)), Meeting::crossing);
  EXPECT_EQ(meeting(wall, beside, moved(1)), Meeting::apart);
  // Two books with one spine, whose pages alternate or do not. They may share only a part of it.
  for (const double z : {0.0, 1.0}) {
    EXPECT_EQ(meeting(through, Model(book({0, 2, -1}, {0, -2, -1})), moved(0, 0, z)),
              Meeting::crossing);
    EXPECT_EQ(meeting(through, Model(book({-1, 2, -1}, {1, 2, -1})), moved(0, 0, z)),
              Meeting::touching);
  }
  // End to end.
  EXPECT_EQ(meeting(through, Model(book({0, 2, -1}, {0, -2, -1})), moved(0, 0, 2)),
            Meeting::touching);
}

TEST(RelationOfSurfaces, SharedVerticesMakeNoDifference) {
  // The same book as a soup.
  const Mesh shared = book({-2, 1, -1}, {2, 1, -1});
  std::vector<Vec3f> vertices;
  std::vector<TriangleIndices> triangles;
  for (std::size_t id = 0; id < shared.triangle_count(); ++id) {
    for (const Vec3f& v : shared.triangle(id).corner) {
      vertices.emplace_back(v.x, v.y == 0 ? -0.0F : v.y, v.z);
    }
    const auto first = static_cast<std::uint32_t>(3 * id);
    triangles.push_back({first, first + 1, first + 2});
  }
  const Model soup(Mesh(std::move(vertices), std::move(triangles)));
  const Model wall(Mesh({{0, -5, -5}, {0, 5, -5}, {0, 0, 5}}, {{0, 1, 2}}));
  EXPECT_EQ(meeting(wall, soup, Pose()), Meeting::crossing);
}

TEST(RelationOfSurfaces, APrismWhoseEdgeLiesInAFace) {
  // A roof turned over: its ridge is in the face z = 1 of the cube, its eaves above or below.
  const auto prism = [](float z) {
    return Mesh(
        {{-2, 0, 1}, {2, 0, 1}, {-2, -2, z}, {2, -2, z}, {-2, 2, z}, {2, 2, z}},
        {{0, 4, 2}, {1, 3, 5}, {0, 2, 3}, {0, 3, 1}, {0, 1, 5}, {0, 5, 4}, {2, 4, 5}, {2, 5, 3}});
  };
  const Model block(cube(2));
  EXPECT_EQ(solid_relation(block, Model(inside_out(prism(3))), Pose()), SolidRelation::touching);
  EXPECT_EQ(solid_relation(block, Model(prism(-3)), Pose()), SolidRelation::crossing);
  // One slope goes down through the cube, the other leans away from it: the ridge is in the face.
  const Model slope(Mesh(
      {{-0.5, 0, 1}, {0.5, 0, 1}, {-0.5, 0.5, 3}, {0.5, 0.5, 3}, {-0.5, 0.5, 0}, {0.5, 0.5, 0}},
      {{0, 4, 2}, {1, 3, 5}, {0, 2, 3}, {0, 3, 1}, {0, 1, 5}, {0, 5, 4}, {2, 4, 5}, {2, 5, 3}}));
  EXPECT_EQ(solid_relation(block, slope, Pose()), SolidRelation::crossing);
}

TEST(RelationOfSurfaces, EveryStructureGivesTheSameAnswer) {
  for (const Structure structure : Structure::all()) {
    if (!exists(Engine{.structure = structure})) continue;
    const Model large(cube(4), {.structure = structure});
    const Model small(cube(2), {.structure = structure});
    EXPECT_EQ(solid_relation(large, small, moved(0.5)), SolidRelation::b_inside_a)
        << structure.name();
    EXPECT_EQ(meeting(large, small, moved(3)), Meeting::touching) << structure.name();
    // Named by the query, beside the models' own.
    EXPECT_EQ(solid_relation(Model(cube(2)), Model(cube(4)), moved(0.5),
                             {.engine = {.structure = structure}}),
              SolidRelation::a_inside_b)
        << structure.name();
  }
}

TEST(RelationOfSurfaces, OtherTriangleTestsAreAnError) {
  const Model block(cube(2));
  const QueryOptions options{.engine = {.triangle_test = "unit-triangle"}};
  const std::string expected =
      "whether surfaces touch or cross is decided by the exact triangle test alone";
  EXPECT_EQ(error_of([&] { meeting(block, block, Pose(), options); }), expected);
  EXPECT_EQ(error_of([&] { solid_relation(block, block, Pose(), options); }), expected);
}

// Solids

TEST(RelationOfSolids, NestedShells) {
  const Model hollow(hollow_cube(8, 4));
  const Model inner(cube(2));
  const Model outer(cube(12));
  const Model between(cube(6));
  // In the cavity it is outside; in the wall it is inside.
  EXPECT_EQ(solid_relation(inner, hollow, Pose()), SolidRelation::apart);
  EXPECT_EQ(solid_relation(hollow, inner, moved(0.5, 0.25)), SolidRelation::apart);
  EXPECT_EQ(solid_relation(Model(cube(1)), hollow, moved(-3)), SolidRelation::a_inside_b);
  EXPECT_EQ(solid_relation(hollow, Model(cube(1)), moved(0, 3)), SolidRelation::b_inside_a);
  EXPECT_EQ(solid_relation(hollow, outer, Pose()), SolidRelation::a_inside_b);
  // Its surface is in the wall, but it fills the cavity too.
  EXPECT_EQ(solid_relation(between, hollow, Pose()), SolidRelation::crossing);
  EXPECT_EQ(solid_relation(Model(cube(4)), hollow, Pose()), SolidRelation::touching);
  EXPECT_EQ(solid_relation(Model(cube(8)), hollow, Pose()), SolidRelation::crossing);
  // A thinner shell in the wall, a shell around the shell, both inside out.
  EXPECT_EQ(solid_relation(Model(hollow_cube(7, 5)), hollow, Pose()), SolidRelation::a_inside_b);
  EXPECT_EQ(solid_relation(Model(inside_out(hollow_cube(7, 5))), hollow, Pose()),
            SolidRelation::a_inside_b);
  EXPECT_EQ(solid_relation(Model(hollow_cube(12, 10)), hollow, Pose()), SolidRelation::apart);
  // A part in the cavity of a part, and a part in the wall.
  EXPECT_EQ(solid_relation(Model(together(hollow_cube(3, 2), cube(1))), hollow, Pose()),
            SolidRelation::apart);
  EXPECT_EQ(solid_relation(Model(together(cube(1), box({2.5, 0, 0}, {3, 1, 1}))), hollow, Pose()),
            SolidRelation::crossing);
}

TEST(RelationOfSolids, RaysThroughEdgesAndCorners) {
  // Rays from the inner corners meet edges, diagonals and corners of the outer one.
  for (const unsigned diagonals : {0U, 63U, 42U}) {
    const Model outer(box({-4, -4, -4}, {4, 4, 4}, diagonals));
    const Mesh fine = make_box(8, {8, 8, 8});
    for (const Model& walls : {outer, Model(fine)}) {
      EXPECT_EQ(solid_relation(Model(cube(2)), walls, Pose()), SolidRelation::a_inside_b);
      EXPECT_EQ(solid_relation(walls, Model(cube(2)), moved(1, 1, 1)), SolidRelation::b_inside_a);
      // Below, with the whole of it above, along its side walls too.
      EXPECT_EQ(solid_relation(Model(cube(8)), walls, moved(0, 0, 16)), SolidRelation::apart);
      EXPECT_EQ(solid_relation(walls, Model(cube(8)), moved(0, 0, 16)), SolidRelation::apart);
      EXPECT_EQ(solid_relation(Model(cube(2)), walls, moved(0, 0, 16)), SolidRelation::apart);
    }
  }
}

TEST(RelationOfSolids, RoundShapesTurned) {
  const Model ball(make_icosphere(6, 0.2));
  const Model torus(make_torus(48, 24));
  const auto at = [](double x, double y, double z) {
    return Pose::from_axis_angle({1, 2, 3}, 0.7, {x, y, z});
  };
  EXPECT_EQ(solid_relation(torus, ball, at(1, 0, 0)), SolidRelation::b_inside_a);
  EXPECT_EQ(solid_relation(torus, ball, at(0, 0, 0)), SolidRelation::apart);
  EXPECT_EQ(solid_relation(torus, ball, at(0, 0, 0.8)), SolidRelation::apart);
  EXPECT_EQ(solid_relation(torus, ball, at(0.6, 0, 0)), SolidRelation::crossing);
  EXPECT_EQ(solid_relation(ball, torus, at(0, 0, 0)), SolidRelation::apart);
}

TEST(RelationOfSolids, FarFromTheOriginAndBeyondFloats) {
  const Model huge(cube(3e38F));
  const Model small(cube(1e30F));
  EXPECT_EQ(solid_relation(huge, small, moved(1e38, 1e38, 1e38)), SolidRelation::b_inside_a);
  EXPECT_EQ(solid_relation(huge, small, moved(0, 0, -1e38)), SolidRelation::b_inside_a);
  EXPECT_EQ(solid_relation(huge, small, moved(1e60)), SolidRelation::apart);
  EXPECT_EQ(solid_relation(small, huge, moved(1e38, 0, 1e38)), SolidRelation::a_inside_b);
  // The end of the ray is beyond the largest float.
  const Model shifted(box({-1e38F, -1e38F, -3e38F}, {1e38F, 1e38F, 3e38F}));
  EXPECT_EQ(solid_relation(small, shifted, moved(0, 0, 2e38)), SolidRelation::a_inside_b);
  EXPECT_EQ(solid_relation(shifted, small, moved(0, 0, -2.9e38)), SolidRelation::b_inside_a);
}

TEST(RelationOfSolids, TwoCubesInOneMeshThatShareAnEdge) {
  // An edge with four triangles, and other two such cubes between them.
  const Mesh two = together(box({0, 0, 0}, {1, 1, 2}), box({-1, -1, 0}, {0, 0, 2}));
  const Mesh others = together(box({-1, 0, 0}, {0, 1, 2}), box({0, -1, 0}, {1, 0, 2}));
  EXPECT_EQ(solid_relation(Model(two), Model(others), Pose()), SolidRelation::touching);
  EXPECT_EQ(solid_relation(Model(two), Model(others), moved(0, 0, 1)), SolidRelation::touching);
  EXPECT_EQ(solid_relation(Model(two), Model(others), moved(0.5)), SolidRelation::crossing);
  EXPECT_EQ(solid_relation(Model(two), Model(two), Pose()), SolidRelation::crossing);
}

TEST(RelationOfSolids, OpenMeshesAreAnError) {
  const Model closed(cube(2));
  std::vector<TriangleIndices> most(closed.mesh().triangles().begin(),
                                    closed.mesh().triangles().end());
  const TriangleIndices removed = most.back();
  most.pop_back();
  const std::vector<Vec3f> vertices(closed.mesh().vertices().begin(),
                                    closed.mesh().vertices().end());
  const Model open(Mesh(vertices, most));
  const std::string in_b = error_of([&] { solid_relation(closed, open, moved(9)); });
  EXPECT_EQ(in_b,
            "mesh B is not closed: no triangle runs along the edge of triangle 3 from corner 1 to "
            "corner 2 the other way");
  EXPECT_EQ(error_of([&] { solid_relation(open, closed, moved(9)); }), "mesh A" + in_b.substr(6));
  // Turned around, the last triangle closes nothing.
  most.push_back({removed[0], removed[2], removed[1]});
  EXPECT_NE(error_of([&] { solid_relation(Model(Mesh(vertices, most)), closed, Pose()); }), "");
  // Surfaces may be open: then they cross where they go through each other.
  EXPECT_EQ(meeting(closed, open, moved(2)), Meeting::touching);
  EXPECT_EQ(meeting(closed, open, moved(1, 0.5, 0.25)), Meeting::crossing);
  // Without a solid, what shares an area goes through nothing there.
  EXPECT_EQ(meeting(closed, open, moved(1)), Meeting::touching);
}

TEST(RelationOfSolids, ZeroAreaTrianglesChangeNothing) {
  // A point and a needle there and back, at the edge of a cube.
  const Mesh extra({{1, 1, 1}, {1, 1, -1}}, {{0, 0, 0}, {0, 1, 1}});
  const Model block(together(cube(2), extra));
  EXPECT_EQ(solid_relation(block, block, moved(2)), SolidRelation::touching);
  EXPECT_EQ(solid_relation(block, block, moved(1)), SolidRelation::crossing);
  EXPECT_EQ(solid_relation(block, block, moved(2.5)), SolidRelation::apart);
  EXPECT_EQ(solid_relation(block, Model(cube(4)), Pose()), SolidRelation::a_inside_b);
  // Alone they bound nothing.
  EXPECT_EQ(solid_relation(Model(extra), Model(cube(4)), Pose()), SolidRelation::apart);
  EXPECT_EQ(solid_relation(Model(extra), Model(cube(2)), Pose()), SolidRelation::touching);
  // So far away that all its corners become one point.
  EXPECT_EQ(solid_relation(Model(cube(3e38F)), Model(cube(2)), moved(1e38, 1e38, 1e38)),
            SolidRelation::apart);
}

}  // namespace
}  // namespace tandem
