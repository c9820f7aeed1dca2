// Whole queries against CGAL: every pair whose boxes overlap is asked of CGAL's exact kernel, on
// real meshes where the data folder is there and on procedural ones everywhere.
#include <CGAL/box_intersection_d.h>
#include <gtest/gtest.h>
#include <tandem/tandem.h>

#include <algorithm>
#include <filesystem>
#include <vector>

#include "math/transform.h"
#include "oracle/cgal_oracle.h"
#include "support/normalised.h"

namespace tandem::test {
namespace {

/// One triangle in A's frame, with its box for CGAL's sweep.
struct OracleTriangle : CGAL::Box_intersection_d::Box_d<double, 3> {
  OracleTriangle(std::uint32_t triangle_id, const Triangle& corners)
      : triangle(triangle_id), simplex(cgal_simplex(corners)) {
    for (const Vec3d& v : corners.corner) {
      double point[3] = {v.x, v.y, v.z};
      extend(point);
    }
  }

  std::uint32_t triangle;
  CgalSimplex simplex;
};

std::vector<OracleTriangle> oracle_triangles(const Mesh& mesh, const Pose& pose) {
  std::vector<OracleTriangle> result;
  for (std::uint32_t id = 0; id < mesh.triangle_count(); ++id) {
    Triangle moved;
    for (int k = 0; k < 3; ++k) {
      moved.corner[k] = detail::transform_point(pose, mesh.triangle(id).corner[k]);
    }
    result.emplace_back(id, moved);
  }
  return result;
}

/// All touching pairs, sorted, by CGAL alone.
std::vector<TrianglePair> oracle_pairs(const Mesh& a, const Mesh& b, const Pose& b_in_a) {
  auto of_a = oracle_triangles(a, Pose());
  auto of_b = oracle_triangles(b, b_in_a);
  std::vector<TrianglePair> pairs;
  CGAL::box_intersection_d(of_a.begin(), of_a.end(), of_b.begin(), of_b.end(),
                           [&](const OracleTriangle& x, const OracleTriangle& y) {
                             if (cgal_intersects(x.simplex, y.simplex)) {
                               pairs.push_back({x.triangle, y.triangle});
                             }
                           });
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

struct NamedPair {
  const char* a;
  const char* b;
  /// B's scaled copy is moved by this share of A's size along x, after a turn.
  double offset;
};

void expect_equal_to_oracle(const Mesh& a, const Mesh& b, const Pose& pose, const char* name) {
  const auto expected = oracle_pairs(a, b, pose);
  EXPECT_FALSE(expected.empty()) << name;
  const Model model_a(a);
  const Model model_b(b);
  EXPECT_EQ(collide(model_a, model_b, pose).pairs, expected) << name;
  // Trees of boxes are made beside the models' own structure.
  for (const Traversal traversal : Traversal::all()) {
    const Engine engine{.structure = "aabb", .traversal = traversal};
    if (!exists(engine)) continue;
    EXPECT_EQ(collide(model_a, model_b, pose, {.engine = engine}).pairs, expected)
        << name << ", " << traversal.name();
  }
  if (a.triangle_count() <= 20'000) {
    EXPECT_EQ(collide(model_a, model_b, pose, {.engine = {.traversal = "brute-force"}}).pairs,
              expected)
        << name;
  }
}

TEST(MeshOracle, TenPairsOfRealMeshes) {
  const std::filesystem::path folder = std::filesystem::path(TANDEM_SHARED_DATA) / "meshes";
  if (!std::filesystem::exists(folder)) {
    GTEST_SKIP() << "no real meshes here (looked for " << folder << ")";
  }
  const NamedPair pairs[] = {
      {"bunny", "bunny", 0.5},         {"bunny", "armadillo", 0.4},
      {"happy_buddha", "bunny", 0.2},  {"dragon_asian", "dragon_asian", 0.3},
      {"cow", "teapot", 0.3},          {"suzanne", "suzanne", 0},
      {"beetle", "fandisk", 0.3},      {"rocker_arm", "cow", 0.1},
      {"engine_2cyl", "teapot", 0.25}, {"sibenik", "fcl_rob", 0.1},
  };
  for (const NamedPair& pair : pairs) {
    const Mesh a = normalised(read_mesh(folder / (std::string(pair.a) + ".ply")));
    const Mesh b = normalised(read_mesh(folder / (std::string(pair.b) + ".ply")));
    const Pose pose = Pose::from_axis_angle({1, 0.3, 0.2}, 0.7, {2 * pair.offset, 0, 0});
    expect_equal_to_oracle(a, b, pose, pair.a);
  }
}

TEST(MeshOracle, AMeshOnItself) {
  // Every triangle touches itself and its neighbours, along shared edges and corners.
  const Mesh knot = make_knot(100, 8);
  expect_equal_to_oracle(knot, knot, Pose(), "knot");
  const Mesh box = make_box(8);
  expect_equal_to_oracle(box, box, Pose::from_translation({0.25, 0, 0}), "box");
}

TEST(MeshOracle, ProceduralShapesTurned) {
  const Pose pose = Pose::from_axis_angle({1, 2, 3}, 1.1, {0.4, 0.1, 0});
  expect_equal_to_oracle(make_knot(200, 10), make_rock(12, 3), pose, "knot and rock");
  expect_equal_to_oracle(make_soup(2'000, 5, 0.1), make_torus(60, 24), pose, "soup and torus");
}

}  // namespace
}  // namespace tandem::test
