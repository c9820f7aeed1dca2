// The kernel that refits trees, run by the executor on the CPU, against the host's refit.
#include <gtest/gtest.h>
#include <tandem/tandem.h>

#include <cmath>
#include <vector>

#include "build/ray_pairs.h"
#include "gpu/on_cpu.h"
#include "support/ray_cases.h"
#include "support/ray_pair_checks.h"

namespace tandem::test {
namespace {

using detail::RayPairTree;
using detail::RayPairView;

/// The vertices of each triangle of a tree, which the device keeps.
std::vector<TriangleIndices> corners_of(const RayPairView& tree, const Mesh& mesh) {
  std::vector<TriangleIndices> corners;
  for (std::uint32_t i = 0; i < tree.triangle_count; ++i) {
    corners.push_back(mesh.triangles()[tree.triangles[i].id]);
  }
  return corners;
}

RayPairTree refit(const RayPairView& older, const std::vector<TriangleIndices>& corners,
                  bool nodes_in_order, const Mesh& mesh, std::uint64_t seed) {
  std::vector<detail::RayPairNode> nodes(older.node_count);
  std::vector<detail::RayPairTriangle> triangles(older.triangle_count);
  OnCpu on(seed);
  detail::refit_tree(on, older, mesh.vertices().data(), corners.data(), nodes_in_order,
                     nodes.data(), triangles.data());
  return {std::move(nodes), std::move(triangles)};
}

/// The mesh with its vertices at random places, some of which are zeros of either sign.
Mesh moved(const Mesh& mesh, std::uint64_t seed) {
  detail::Random random(seed);
  std::vector<Vec3f> vertices(mesh.vertices().begin(), mesh.vertices().end());
  for (Vec3f& vertex : vertices) {
    for (int axis = 0; axis < 3; ++axis) {
      const auto by = static_cast<float>(random.uniform(-0.2, 0.2));
      vertex[axis] = random.below(8) == 0 ? std::copysign(0.0F, by) : vertex[axis] + by;
    }
  }
  return mesh.with_vertices(std::move(vertices));
}

std::vector<Mesh> meshes() {
  std::vector<Mesh> result = {make_shape("knot", 3'000), make_plane(20)};
  for (std::size_t count = 1; count <= 20; ++count) result.push_back(make_soup(count, count));
  return result;
}

TEST(RefitKernels, FitTreesOfTheHostAsTheHostDoes) {
  for (const Mesh& mesh : meshes()) {
    const RayPairTree older = detail::build_ray_pairs(mesh, "best", 1);
    const std::vector<TriangleIndices> corners = corners_of(older.view(), mesh);
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
      const Mesh newer = moved(mesh, seed);
      const RayPairTree tree = refit(older.view(), corners, false, newer, seed);
      check_ray_pairs(tree.view(), newer);
      ASSERT_FALSE(HasFailure()) << mesh.triangle_count() << " triangles, seed " << seed;
      ASSERT_TRUE(same_trees(tree.view(), refit_ray_pairs(older, newer).view()))
          << mesh.triangle_count() << " triangles, seed " << seed;
    }
  }
}

TEST(RefitKernels, FitTreesOfTheDeviceToTheirOwnPositionsAsTheyAre) {
  for (const Mesh& mesh : meshes()) {
    for (const TreeKind kind : k_tree_kinds) {
      const BuiltTrees older(mesh, kind, 1);
      const bool in_order = kind == TreeKind::curve;
      EXPECT_EQ(older.corners, corners_of(older.view(), mesh));
      const RayPairTree same = refit(older.view(), older.corners, in_order, mesh, 2);
      ASSERT_TRUE(same_trees(same.view(), older.view())) << mesh.triangle_count() << " triangles";
      const Mesh newer = moved(mesh, 3);
      const RayPairTree tree = refit(older.view(), older.corners, in_order, newer, 4);
      check_ray_pairs(tree.view(), newer);
      ASSERT_FALSE(HasFailure()) << mesh.triangle_count() << " triangles";
      const RayPairTree without_order = refit(older.view(), older.corners, false, newer, 5);
      ASSERT_TRUE(same_trees(tree.view(), without_order.view()))
          << mesh.triangle_count() << " triangles";
    }
  }
}

}  // namespace
}  // namespace tandem::test
