// describe: hand-made meshes, small enough to count everything by hand.
#include <gtest/gtest.h>
#include <tandem/mesh_info.h>
#include <tandem/shapes.h>

#include <utility>

namespace tandem {
namespace {

/// A unit tetrahedron at `x` along the first axis.
void add_tetrahedron(float x, std::vector<Vec3f>& vertices,
                     std::vector<TriangleIndices>& triangles) {
  const auto first = static_cast<std::uint32_t>(vertices.size());
  for (const Vec3f& v : {Vec3f(0, 0, 0), Vec3f(1, 0, 0), Vec3f(0, 1, 0), Vec3f(0, 0, 1)}) {
    vertices.push_back(v + Vec3f(x, 0, 0));
  }
  for (const TriangleIndices& t : {TriangleIndices{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}}) {
    triangles.push_back({first + t[0], first + t[1], first + t[2]});
  }
}

TEST(MeshInfo, EmptyMesh) {
  const MeshInfo info = describe(Mesh());
  EXPECT_EQ(info.triangle_count, 0u);
  EXPECT_EQ(info.component_count, 0u);
  EXPECT_GT(info.bounds.lower.x, info.bounds.upper.x);
  EXPECT_FALSE(info.closed());
}

TEST(MeshInfo, VerticesWithoutTriangles) {
  const MeshInfo info = describe(Mesh({{0, 0, 0}, {1, 0, 0}, {0, 0, 0}}, {}));
  EXPECT_EQ(info.vertex_count, 3u);
  EXPECT_EQ(info.unused_vertex_count, 3u);
  EXPECT_EQ(info.distinct_position_count, 2u);
  EXPECT_EQ(info.component_count, 0u);
}

TEST(MeshInfo, ZeroAreaTriangles) {
  // A point, a segment with a repeated corner, and three collinear corners.
  const Mesh mesh({{0, 0, 0}, {1, 1, 1}, {3, 3, 3}, {1, 0, 0}},
                  {{0, 0, 0}, {0, 1, 1}, {0, 1, 2}, {0, 1, 3}});
  const MeshInfo info = describe(mesh);
  EXPECT_EQ(info.degenerate_triangle_count, 3u);
  // Edge 01 belongs to three triangles; the point has no edge and the segment only that one.
  EXPECT_EQ(info.non_manifold_edge_count, 1u);
  EXPECT_EQ(info.boundary_edge_count, 4u);
  EXPECT_EQ(info.component_count, 1u);
}

TEST(MeshInfo, ZeroAreaIsDecidedExactly) {
  // Twice 0.1f is 0.2f, but three times 0.1f is not 0.3f.
  EXPECT_EQ(describe(Mesh({{0, 0, 0}, {0.1f, 0.3f, 0}, {0.2f, 0.6f, 0}}, {{0, 1, 2}}))
                .degenerate_triangle_count,
            1u);
  EXPECT_EQ(describe(Mesh({{0, 0, 0}, {0.1f, 0.3f, 0}, {0.3f, 0.9f, 0}}, {{0, 1, 2}}))
                .degenerate_triangle_count,
            0u);
  EXPECT_EQ(describe(Mesh({{0, 0, 0}, {1e-45f, 0, 0}, {0, 3e38f, 0}}, {{0, 1, 2}}))
                .degenerate_triangle_count,
            0u);
}

TEST(MeshInfo, WithoutAreaNothingIsClosed) {
  const std::vector<Vec3f> corners{{0, 0, 0}, {1, 0, 0}, {2, 0, 0}};
  // A point has no edges, and a segment that is there twice has no open ones.
  EXPECT_FALSE(describe(Mesh(corners, {{0, 0, 0}})).closed());
  EXPECT_FALSE(describe(Mesh(corners, {{0, 1, 1}, {1, 1, 0}})).closed());
  EXPECT_FALSE(describe(Mesh(corners, {{0, 1, 2}, {2, 1, 0}})).closed());
  std::vector<Vec3f> vertices;
  std::vector<TriangleIndices> triangles;
  add_tetrahedron(0, vertices, triangles);
  triangles.push_back({1, 1, 1});
  EXPECT_TRUE(describe(Mesh(vertices, triangles)).closed());
}

TEST(MeshInfo, OneTriangleHasThreeBoundaryEdges) {
  const MeshInfo info = describe(Mesh({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}}));
  EXPECT_EQ(info.boundary_edge_count, 3u);
  EXPECT_EQ(info.component_count, 1u);
  EXPECT_FALSE(info.closed());
}

TEST(MeshInfo, TwoTetrahedraAreTwoComponents) {
  std::vector<Vec3f> vertices;
  std::vector<TriangleIndices> triangles;
  add_tetrahedron(0, vertices, triangles);
  add_tetrahedron(5, vertices, triangles);
  vertices.push_back({7, 7, 7});
  const MeshInfo info = describe(Mesh(vertices, triangles));
  EXPECT_EQ(info.component_count, 2u);
  EXPECT_TRUE(info.closed());
  EXPECT_EQ(info.unused_vertex_count, 1u);
  EXPECT_EQ(info.distinct_position_count, 9u);
  EXPECT_EQ(info.duplicate_triangle_count, 0u);
  EXPECT_EQ(info.degenerate_triangle_count, 0u);
}

TEST(MeshInfo, TetrahedraThatShareAPositionAreOneComponent) {
  std::vector<Vec3f> vertices;
  std::vector<TriangleIndices> triangles;
  add_tetrahedron(0, vertices, triangles);
  add_tetrahedron(1, vertices, triangles);
  const MeshInfo info = describe(Mesh(vertices, triangles));
  EXPECT_EQ(info.component_count, 1u);
  EXPECT_EQ(info.distinct_position_count, 7u);
  EXPECT_TRUE(info.closed());
}

TEST(MeshInfo, SharingIsByPositionNotByIndex) {
  // A sphere whose triangles each have their own vertices is still closed.
  const Mesh sphere = make_icosphere(4);
  std::vector<Vec3f> vertices;
  std::vector<TriangleIndices> triangles;
  for (std::size_t i = 0; i < sphere.triangle_count(); ++i) {
    const auto first = static_cast<std::uint32_t>(vertices.size());
    for (const Vec3f& corner : sphere.triangle(i).corner) vertices.push_back(corner);
    triangles.push_back({first, first + 1, first + 2});
  }
  const MeshInfo info = describe(Mesh(vertices, triangles));
  EXPECT_TRUE(info.closed());
  EXPECT_EQ(info.distinct_position_count, sphere.vertex_count());
  EXPECT_EQ(info.component_count, 1u);
}

TEST(MeshInfo, MinusZeroEqualsZero) {
  const MeshInfo info =
      describe(Mesh({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {-0.0f, -0.0f, 0}, {1, -0.0f, 0}, {0, -1, 0}},
                    {{0, 1, 2}, {4, 3, 5}}));
  EXPECT_EQ(info.distinct_position_count, 4u);
  EXPECT_EQ(info.boundary_edge_count, 4u);
  EXPECT_EQ(info.component_count, 1u);
}

TEST(MeshInfo, DuplicatesInAnyOrderOfCorners) {
  const MeshInfo info = describe(Mesh({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 0, 0}, {0, 0, 1}},
                                      {{0, 1, 2}, {2, 3, 0}, {0, 2, 1}, {0, 1, 4}}));
  EXPECT_EQ(info.duplicate_triangle_count, 2u);
  // Edge 01 has four triangles, 12 and 20 have three.
  EXPECT_EQ(info.non_manifold_edge_count, 3u);
  EXPECT_EQ(info.boundary_edge_count, 2u);
}

TEST(MeshInfo, ThreePagesOfABook) {
  const MeshInfo info = describe(Mesh({{0, 0, 0}, {0, 0, 1}, {1, 0, 0}, {0, 1, 0}, {-1, 0, 0}},
                                      {{0, 1, 2}, {0, 1, 3}, {0, 1, 4}}));
  EXPECT_EQ(info.non_manifold_edge_count, 1u);
  EXPECT_EQ(info.boundary_edge_count, 6u);
  EXPECT_FALSE(info.closed());
}

}  // namespace
}  // namespace tandem
