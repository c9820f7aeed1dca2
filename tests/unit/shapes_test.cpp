// Procedural shapes: counts, closedness, orientation, and the same bits everywhere.
#include <gtest/gtest.h>
#include <tandem/mesh_info.h>
#include <tandem/shapes.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <string>
#include <utility>

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

void expect_closed(const Mesh& mesh, long euler) {
  const MeshInfo info = describe(mesh);
  EXPECT_TRUE(info.closed());
  EXPECT_EQ(info.component_count, 1u);
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
            "there is no shape called 'cube'; there are sphere, torus, knot, rock, box, plane and "
            "soup");
  EXPECT_EQ(error_of([] { make_shape("box", 0); }), "a shape has 1 to 200000000 triangles, not 0");
  EXPECT_NE(error_of([] { make_shape("soup", 200'000'001); }), "");
}

}  // namespace
}  // namespace tandem
