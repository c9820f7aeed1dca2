// Mass and inertia against closed forms.
#include <gtest/gtest.h>
#include <tandem/error.h>
#include <tandem/shapes.h>
#include <tandem/sim/mass.h>

#include <cmath>
#include <limits>
#include <numbers>

namespace tandem::sim {
namespace {

Mesh moved(const Mesh& mesh, const Vec3f& by) {
  std::vector<Vec3f> vertices(mesh.vertices().begin(), mesh.vertices().end());
  for (Vec3f& vertex : vertices) vertex += by;
  return mesh.with_vertices(std::move(vertices));
}

void expect_inertia(const MassProperties& mass, const Vec3d& moments, double tolerance) {
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      const double expected = i == j ? moments[static_cast<int>(i)] : 0;
      EXPECT_NEAR(mass.inertia[3 * i + j], expected, tolerance) << i << " " << j;
    }
  }
}

TEST(Mass, OfASolidBoxIsTheTextbooks) {
  const MassProperties mass = solid_mass(moved(make_box(3, {1, 2, 4}), {8, -4, 2}), 1000);
  EXPECT_NEAR(mass.mass, 8000, 1e-9);
  EXPECT_NEAR(length(mass.centre - Vec3d(8, -4, 2)), 0, 1e-12);
  expect_inertia(mass, {8000.0 / 12 * 20, 8000.0 / 12 * 17, 8000.0 / 12 * 5}, 1e-8);
  EXPECT_TRUE(mass.solid);
}

TEST(Mass, OfAHollowBoxIsThatOfItsSixSides) {
  // A cube of side 2: six squares of area 4 at distance 1, each with 4 · 4 / 12 about its middle.
  const MassProperties mass = shell_mass(make_box(1), 0.5);
  EXPECT_NEAR(mass.mass, 12, 1e-12);
  const double about_axis = 0.5 * (2 * 4 * (2.0 * 4 / 12) + 4 * (4 * (4.0 / 12) + 4));
  expect_inertia(mass, {about_axis, about_axis, about_axis}, 1e-12);
  EXPECT_FALSE(mass.solid);
}

TEST(Mass, OfAFineSphereComesCloseToThatOfABall) {
  // The mesh is inscribed: what it lacks is of the order of the edges' squares.
  const MassProperties ball = solid_mass(make_icosphere(40), 1);
  const double expected = 4.0 / 3 * std::numbers::pi;
  EXPECT_NEAR(ball.mass / expected, 1, 2e-3);
  EXPECT_NEAR(ball.inertia[0] / (0.4 * expected), 1, 4e-3);
  EXPECT_LT(ball.mass, expected);
}

TEST(Mass, RefusesWhatHasNone) {
  EXPECT_THROW(solid_mass(make_plane(2), 1), Error);
  EXPECT_THROW(solid_mass(make_box(1), 0), Error);
  EXPECT_THROW(solid_mass(make_box(1), std::numeric_limits<double>::quiet_NaN()), Error);
  EXPECT_THROW(shell_mass(Mesh(), 1), Error);
  EXPECT_THROW(shell_mass(Mesh({{0, 0, 0}, {1, 0, 0}}, {{0, 1, 1}}), 1), Error);
  EXPECT_NO_THROW(shell_mass(make_plane(2), 1));

  const Mesh box = make_box(1);
  std::vector<TriangleIndices> turned(box.triangles().begin(), box.triangles().end());
  for (TriangleIndices& t : turned) std::swap(t[0], t[1]);
  const Mesh inside_out({box.vertices().begin(), box.vertices().end()}, std::move(turned));
  EXPECT_THROW(solid_mass(inside_out, 1), Error);
}

}  // namespace
}  // namespace tandem::sim
