// Procedural shapes: counts, closedness, orientation, and the same bits everywhere.
#include <gtest/gtest.h>
#include <tandem/mesh_info.h>
#include <tandem/shapes.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "mesh/circle.h"
#include "mesh/shape_counts.h"
#include "support/mesh_files.h"

namespace tandem {
namespace {

using test::error_of;
using test::hash;

constexpr double k_nan = std::numeric_limits<double>::quiet_NaN();
constexpr double k_infinity = std::numeric_limits<double>::infinity();

/// Vertices - edges + triangles of a closed mesh.
long euler_characteristic(const MeshInfo& info) {
  return static_cast<long>(info.distinct_position_count) -
         static_cast<long>(info.triangle_count) / 2;
}

/// Six times the volume that a closed mesh encloses; positive when triangles face outward.
double volume(const Mesh& mesh) {
  double sum = 0;
  for (std::size_t i = 0; i < mesh.triangle_count(); ++i) {
    const TriangleF t = mesh.triangle(i);
    sum += dot(Vec3d(t.corner[0]), cross(Vec3d(t.corner[1]), Vec3d(t.corner[2])));
  }
  return sum / 6;
}

void expect_closed(const Mesh& mesh, long euler, std::size_t components = 1) {
  const MeshInfo info = describe(mesh);
  EXPECT_TRUE(info.closed());
  EXPECT_EQ(info.component_count, components);
  EXPECT_EQ(info.unused_vertex_count, 0u);
  EXPECT_EQ(info.distinct_position_count, info.vertex_count);
  EXPECT_EQ(info.degenerate_triangle_count, 0u);
  EXPECT_EQ(info.duplicate_triangle_count, 0u);
  EXPECT_EQ(euler_characteristic(info), euler);
  EXPECT_GT(volume(mesh), 0);
}

TEST(Shapes, BadArgumentsAreErrors) {
  EXPECT_EQ(error_of([] { make_icosphere(0); }), "the frequency must be at least 1, not 0");
  EXPECT_NE(error_of([] { make_icosphere(-5); }), "");
  EXPECT_NE(error_of([] { make_icosphere(46341); }), "");
  EXPECT_NE(error_of([] { make_icosphere(std::numeric_limits<int>::max()); }), "");
  for (const double bad : {0.0, -1.0, k_nan, k_infinity}) {
    EXPECT_NE(error_of([&] { make_icosphere(2, bad); }), "");
    EXPECT_NE(error_of([&] { make_torus(8, 8, bad); }), "");
    EXPECT_NE(error_of([&] { make_torus(8, 8, 1, bad); }), "");
    EXPECT_NE(error_of([&] { make_knot(8, 8, bad); }), "");
    EXPECT_NE(error_of([&] { make_box(2, {1, bad, 1}); }), "");
    EXPECT_NE(error_of([&] { make_soup(1, 1, bad); }), "");
  }
  EXPECT_EQ(error_of([] { make_icosphere(1, 1e39); }),
            "vertex 0 has a coordinate that is not finite");
  EXPECT_EQ(error_of([] { make_torus(2, 3); }),
            "the number of squares around must be at least 3, not 2");
  EXPECT_NE(error_of([] { make_torus(3, 2); }), "");
  EXPECT_NE(error_of([] { make_torus(1 << 20, 1 << 20); }), "");
  EXPECT_NE(error_of([] { make_knot(std::numeric_limits<int>::max(), 3); }), "");
  for (const double bad : {-0.1, 1.0, k_nan}) {
    EXPECT_NE(error_of([&] { make_rock(2, 1, bad); }), "");
  }
  EXPECT_NE(error_of([] { make_box(0); }), "");
  EXPECT_NE(error_of([] { make_box(1 << 20); }), "");
  EXPECT_NE(error_of([] { make_plane(0); }), "");
  EXPECT_NE(error_of([] { make_soup(Mesh::k_max_elements, 1); }), "");

  const std::vector<ProfilePoint> profile = {{1, 0}, {2, 0}, {2, 1}};
  EXPECT_NE(error_of([&] { make_turned(profile, 2); }), "");
  EXPECT_EQ(error_of([&] { make_turned(std::span(profile).first(2), 5); }),
            "a profile has at least 3 points, not 2");
  EXPECT_NE(error_of([&] { make_turned(profile, std::numeric_limits<int>::max()); }), "");
  for (const double bad : {-1.0, k_nan, k_infinity}) {
    const std::vector<ProfilePoint> wrong = {{1, 0}, {bad, 0}, {2, 1}};
    EXPECT_NE(error_of([&] { make_turned(wrong, 5); }), "");
  }
  for (Mesh (*const make)(int, int) : {make_sheet, make_pipes, make_screw}) {
    EXPECT_NE(error_of([&] { make(0, 8); }), "");
    EXPECT_EQ(error_of([&] { make(1, 3); }),
              "the number of segments around must be at least 4, not 3");
    EXPECT_NE(error_of([&] { make(1 << 20, 1 << 20); }), "");
    EXPECT_NE(error_of([&] { make(1, std::numeric_limits<int>::max()); }), "");
  }
}

TEST(Shapes, SpheresAreClosedAndRound) {
  for (const int frequency : {1, 2, 3, 4, 7, 20}) {
    SCOPED_TRACE(frequency);
    const Mesh mesh = make_icosphere(frequency, 2);
    EXPECT_EQ(mesh.triangle_count(), 20u * frequency * frequency);
    expect_closed(mesh, 2);
    for (const Vec3f& v : mesh.vertices()) {
      EXPECT_NEAR(std::sqrt(dot(Vec3d(v), Vec3d(v))), 2, 1e-6);
    }
  }
}

TEST(Shapes, ToriAndKnotsAreClosed) {
  for (const auto& [around, across] : {std::pair(3, 3), {3, 7}, {16, 5}, {100, 20}}) {
    SCOPED_TRACE(std::to_string(around) + " by " + std::to_string(across));
    EXPECT_EQ(make_torus(around, across).triangle_count(), 2u * around * across);
    expect_closed(make_torus(around, across), 0);
    if (around >= 16) expect_closed(make_knot(around, across), 0);
  }
  EXPECT_NEAR(volume(make_torus(400, 100)), 2 * M_PI * M_PI * 0.16, 0.01);
}

TEST(Shapes, TheKnotsTubeKeepsAwayFromItself) {
  // Rings of the tube: each vertex of one is at least the tube's radius from every other centre.
  const int around = 600;
  const int across = 12;
  const Mesh knot = make_knot(around, across);
  std::vector<Vec3d> centres(around);
  for (int i = 0; i < around; ++i) {
    for (int j = 0; j < across; ++j) {
      centres[i] = centres[i] + 1.0 / across * Vec3d(knot.vertices()[i * across + j]);
    }
  }
  double nearest = k_infinity;
  for (int i = 0; i < around; ++i) {
    for (int k = 0; k < around; ++k) {
      for (int j = 0; j < across; ++j) {
        const Vec3d offset = Vec3d(knot.vertices()[i * across + j]) - centres[k];
        nearest = std::min(nearest, dot(offset, offset));
      }
    }
  }
  EXPECT_GT(std::sqrt(nearest), 0.349);
  const Bounds box = knot.bounds();
  for (int axis = 0; axis < 3; ++axis) EXPECT_LT(box.upper[axis], 3.36f);
  EXPECT_GT(box.upper.x, 3.0f);
}

TEST(Shapes, RocksAreClosedStarShapedAndNotConvex) {
  for (const std::uint64_t seed : {0u, 1u, 2u, 99u}) {
    SCOPED_TRACE(seed);
    const Mesh rock = make_rock(20, seed);
    expect_closed(rock, 2);
    // Star-shaped: every triangle faces away from the origin. Not convex: many triangles have some
    // vertex in front of them.
    std::size_t dented = 0;
    for (std::size_t i = 0; i < rock.triangle_count(); i += 10) {
      const TriangleF t = rock.triangle(i);
      const Vec3d a(t.corner[0]);
      const Vec3d normal = cross(Vec3d(t.corner[1]) - a, Vec3d(t.corner[2]) - a);
      EXPECT_GT(dot(normal, a), 0);
      dented += std::ranges::any_of(rock.vertices(), [&](const Vec3f& v) {
        return dot(normal, Vec3d(v) - a) > 0.01 * std::sqrt(dot(normal, normal));
      });
    }
    EXPECT_GT(dented, rock.triangle_count() / 20);
  }
  EXPECT_NE(hash(make_rock(4, 1)), hash(make_rock(4, 2)));
  EXPECT_EQ(hash(make_rock(4, 1, 0)), hash(make_icosphere(4)));
}

TEST(Shapes, BoxesAndPlanes) {
  for (const int divisions : {1, 2, 3, 10}) {
    SCOPED_TRACE(divisions);
    const Mesh box = make_box(divisions, {1, 2, 4});
    EXPECT_EQ(box.triangle_count(), 12u * divisions * divisions);
    expect_closed(box, 2);
    EXPECT_EQ(box.bounds().lower, Vec3f(-0.5f, -1, -2));
    EXPECT_EQ(box.bounds().upper, Vec3f(0.5f, 1, 2));
    EXPECT_NEAR(volume(box), 8, 1e-5);

    const Mesh plane = make_plane(divisions);
    const MeshInfo info = describe(plane);
    EXPECT_EQ(info.triangle_count, 2u * divisions * divisions);
    EXPECT_EQ(info.boundary_edge_count, 4u * divisions);
    EXPECT_EQ(plane.bounds().lower, Vec3f(-1, -1, 0));
    EXPECT_EQ(plane.bounds().upper, Vec3f(1, 1, 0));
  }
}

TEST(Shapes, SoupsStayInTheirCube) {
  EXPECT_TRUE(make_soup(0, 1).empty());
  const Mesh soup = make_soup(1000, 5, 0.1);
  EXPECT_EQ(soup.triangle_count(), 1000u);
  EXPECT_EQ(describe(soup).component_count, 1000u);
  for (int axis = 0; axis < 3; ++axis) {
    EXPECT_LE(soup.bounds().upper[axis], 1.1f);
    EXPECT_GE(soup.bounds().lower[axis], -1.1f);
    EXPECT_GT(soup.bounds().upper[axis], 0.95f);
  }
  EXPECT_NE(hash(make_soup(10, 1)), hash(make_soup(10, 2)));
}

TEST(Shapes, TurnedProfilesAreClosed) {
  // A ring, a cylinder, a double cone: with a bore, with edges on the axis, with points on it.
  const std::vector<ProfilePoint> ring = {{1, 0}, {2, 0}, {2, 1}, {1, 1}};
  const std::vector<ProfilePoint> cylinder = {{0, 0}, {2, 0}, {2, 1}, {0, 1}};
  const std::vector<ProfilePoint> cone = {{0, -1}, {2, 0}, {0, 1}};
  for (const int around : {3, 4, 7, 100}) {
    SCOPED_TRACE(around);
    EXPECT_EQ(make_turned(ring, around).triangle_count(), 8u * around);
    EXPECT_EQ(make_turned(cylinder, around).triangle_count(), 4u * around);
    EXPECT_EQ(make_turned(cone, around).triangle_count(), 2u * around);
    expect_closed(make_turned(ring, around), 0);
    expect_closed(make_turned(cylinder, around), 2);
    expect_closed(make_turned(cone, around), 2);
  }
  EXPECT_NEAR(volume(make_turned(ring, 1000)), 3 * M_PI, 1e-3);
  EXPECT_NEAR(volume(make_turned(cylinder, 1000)), 4 * M_PI, 1e-3);
  EXPECT_NEAR(volume(make_turned(cone, 1000)), 8 * M_PI / 3, 1e-3);
}

/// The longest edge of a triangle over its height on that edge, the median of all triangles.
double median_slenderness(const Mesh& mesh) {
  std::vector<double> ratios;
  for (std::size_t i = 0; i < mesh.triangle_count(); ++i) {
    const TriangleF t = mesh.triangle(i);
    const Vec3d a(t.corner[0]);
    const Vec3d b(t.corner[1]);
    const Vec3d c(t.corner[2]);
    const double longest = std::max({length(b - a), length(c - b), length(a - c)});
    ratios.push_back(longest * longest / length(cross(b - a, c - a)));
  }
  std::ranges::nth_element(ratios, ratios.begin() + static_cast<long>(ratios.size() / 2));
  return ratios[ratios.size() / 2];
}

TEST(Shapes, PartsOfMachinesAreClosed) {
  for (const int parts : {1, 2, 3, 9}) {
    for (const int around : {4, 5, 6, 8, 30}) {
      SCOPED_TRACE(std::to_string(parts) + " parts, " + std::to_string(around) + " around");
      const Mesh sheet = make_sheet(parts, around);
      EXPECT_EQ(static_cast<double>(sheet.triangle_count()), detail::sheet_count(parts, around));
      // A hole through the sheet is a handle.
      expect_closed(sheet, 2 - 2 * 5 * parts);
      const Mesh pipes = make_pipes(parts, around);
      EXPECT_EQ(static_cast<double>(pipes.triangle_count()), detail::pipes_count(parts, around));
      expect_closed(pipes, 0, static_cast<std::size_t>(parts));
      const Mesh screw = make_screw(parts, around);
      EXPECT_EQ(static_cast<double>(screw.triangle_count()), detail::screw_count(parts, around));
      expect_closed(screw, 6, 3);
      for (const Mesh* mesh : {&sheet, &pipes, &screw}) {
        for (int axis = 0; axis < 3; ++axis) {
          EXPECT_GE(mesh->bounds().lower[axis], -1.02f);
          EXPECT_LE(mesh->bounds().upper[axis], 1.02f);
        }
      }
    }
  }
  // A bent sheet has its middle surface times its thickness, a pipe its section times the length of
  // its middle line. Holes have 0.3 of the narrower side of their cell.
  const double sheet_area = 2 * (2.64 + 4 * 0.12 * M_PI / 2);
  const double hole_area = 4 * M_PI * 0.09 * (2 * 0.4 * 0.4 + 3 * 0.5 * 0.5);
  EXPECT_NEAR(volume(make_sheet(4, 400)), 0.06 * (sheet_area - hole_area), 1e-4);
  const double pipe_section = M_PI * 0.64 * (0.45 * 0.45 - 0.35 * 0.35);
  EXPECT_NEAR(volume(make_pipes(1, 400)), pipe_section * (2 * 0.9 + 0.7 * M_PI / 2), 1e-3);
  // Below the flange a screw is between its crests and its roots.
  const double head = M_PI * 0.36 * 0.08 + 1.5 * std::sqrt(3) * 0.25 * 0.32;
  const double thread = volume(make_screw(20, 100)) - head;
  EXPECT_LT(thread, M_PI * 0.09 * 1.65);
  EXPECT_GT(thread, M_PI * 0.25 * 0.25 * 1.5);
}

TEST(Shapes, PartsOfMachinesHaveLongThinTriangles) {
  EXPECT_GT(median_slenderness(make_shape("sheet", 20000)), 10);
  EXPECT_GT(median_slenderness(make_shape("pipes", 20000)), 8);
  EXPECT_GT(median_slenderness(make_shape("screw", 20000)), 4);
  EXPECT_LT(median_slenderness(make_shape("rock", 20000)), 4);
}

TEST(Shapes, SubdivisionKeepsCornersAndIds) {
  EXPECT_TRUE(subdivide(Mesh()).empty());
  const Mesh rock = make_rock(3, 7);
  const Mesh fine = subdivide(rock);
  EXPECT_EQ(fine.triangle_count(), 4 * rock.triangle_count());
  expect_closed(fine, 2);
  EXPECT_NEAR(volume(fine), volume(rock), 1e-6);
  for (std::size_t i = 0; i < rock.triangle_count(); ++i) {
    for (int corner = 0; corner < 3; ++corner) {
      EXPECT_EQ(fine.triangle(4 * i + corner).corner[corner], rock.triangle(i).corner[corner]);
    }
    // The middle triangle's corners are the midpoints of the edges.
    const TriangleF t = rock.triangle(i);
    const Vec3d middle = 0.5 * (Vec3d(t.corner[0]) + Vec3d(t.corner[1]));
    EXPECT_EQ(fine.triangle(4 * i + 3).corner[0], Vec3f(middle));
  }
  // A triangle that is a point is divided into points.
  EXPECT_EQ(describe(subdivide(Mesh({{1, 1, 1}}, {{0, 0, 0}}))).distinct_position_count, 1u);
}

TEST(Shapes, TheSameBitsUnderEveryCompiler) {
  const std::map<std::string, std::uint64_t> expected{
      {"sphere", 0x055da055f9eda885}, {"torus", 0x13ae5cd17c134be8}, {"knot", 0x049269730c334f38},
      {"rock", 0xf06d3fef6c5bf6fd},   {"box", 0x2a247aec77e63cb1},   {"plane", 0x4650ffd176df5a62},
      {"sheet", 0xe1fdaa57c6c1e18e},  {"pipes", 0x404ecd83f27d411d}, {"screw", 0x42b84513313208c1},
      {"soup", 0xd20302a127b2d584},
  };
  ASSERT_EQ(shapes().size(), expected.size());
  for (const ShapeInfo& shape : shapes()) {
    const Mesh mesh = make_shape(shape.name, 1000, 3);
    EXPECT_EQ(hash(mesh), expected.at(std::string(shape.name))) << shape.name;
    EXPECT_FALSE(shape.description.empty());
  }
}

TEST(Shapes, CirclePointsAreExactAtTheAxesAndNearEverywhere) {
  for (const std::uint64_t n : {1u, 3u, 8u, 100u, 99991u}) {
    for (std::uint64_t i = 0; i < n; i += 1 + n / 1000) {
      const auto [cosine, sine] = detail::circle_point(i, n);
      const long double angle = 2 * 3.14159265358979323846L * i / n;
      EXPECT_NEAR(cosine, static_cast<double>(std::cos(angle)), 3e-16);
      EXPECT_NEAR(sine, static_cast<double>(std::sin(angle)), 3e-16);
    }
  }
  EXPECT_EQ(detail::circle_point(2, 8).cosine, 0);
  EXPECT_EQ(detail::circle_point(2, 8).sine, 1);
  EXPECT_EQ(detail::circle_point(4, 8).cosine, -1);
  EXPECT_EQ(detail::circle_point(14, 8).sine, -1);
}

TEST(MakeShape, ComesAsNearToTheCountAsThePatternAllows) {
  for (const std::size_t count : {800u, 80000u}) {
    EXPECT_EQ(make_shape("knot", count).triangle_count(), count);
    EXPECT_EQ(make_shape("torus", count).triangle_count(), count);
  }
  EXPECT_EQ(make_shape("sphere", 1).triangle_count(), 20u);
  EXPECT_EQ(make_shape("sphere", 49).triangle_count(), 20u);
  EXPECT_EQ(make_shape("sphere", 51).triangle_count(), 80u);
  EXPECT_EQ(make_shape("box", 48).triangle_count(), 48u);
  EXPECT_EQ(make_shape("plane", 3).triangle_count(), 2u);
  EXPECT_EQ(make_shape("soup", 12345).triangle_count(), 12345u);
  EXPECT_EQ(make_shape("torus", 1).triangle_count(), 18u);
  EXPECT_EQ(make_shape("sheet", 1).triangle_count(), 176u);
  EXPECT_EQ(make_shape("pipes", 1).triangle_count(), 64u);
  EXPECT_EQ(make_shape("screw", 1).triangle_count(), 88u);
  for (const std::size_t count : {500u, 2000u, 7000u, 20000u, 300000u}) {
    for (const char* name : {"sheet", "pipes", "screw"}) {
      const double found = static_cast<double>(make_shape(name, count).triangle_count());
      const double wanted = static_cast<double>(count);
      EXPECT_LT(std::abs(found - wanted), 0.05 * wanted) << name << " " << count;
    }
  }
}

TEST(MakeShape, TubesKeepTheirAspect) {
  for (std::size_t count = 1000; count < 3000; ++count) {
    const auto [around, across] = detail::nearest_tube(count, 14.5);
    const double aspect = static_cast<double>(around) / across;
    EXPECT_GT(aspect, 14.5 / 2.3) << count;
    EXPECT_LT(aspect, 14.5 * 2.3) << count;
    EXPECT_LE(std::abs(2.0 * around * across - static_cast<double>(count)), across) << count;
  }
}

TEST(MakeShape, RefusesWhatItDoesNotKnow) {
  EXPECT_EQ(error_of([] { make_shape("cube", 12); }),
            "there is no shape called 'cube'; there are sphere, torus, knot, rock, box, plane, "
            "sheet, pipes, screw and soup");
  EXPECT_EQ(error_of([] { make_shape("box", 0); }), "a shape has 1 to 200000000 triangles, not 0");
  EXPECT_NE(error_of([] { make_shape("soup", 200'000'001); }), "");
}

}  // namespace
}  // namespace tandem
