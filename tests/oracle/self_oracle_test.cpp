// Self-collision against CGAL: its own function where it applies (manifold meshes without two
// vertices in one place), and elsewhere its exact predicates on all pairs whose boxes overlap.
#include <CGAL/Polygon_mesh_processing/self_intersections.h>
#include <CGAL/Surface_mesh.h>
#include <CGAL/box_intersection_d.h>
#include <gtest/gtest.h>
#include <tandem/tandem.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "math/random.h"
#include "math/transform.h"
#include "oracle/cgal_oracle.h"

namespace tandem::test {
namespace {

/// What `Polygon_mesh_processing::self_intersections` reports, sorted. It names triangles without
/// area by themselves and does not look at them further, so there must be none. Returns false where
/// CGAL cannot hold the mesh.
bool cgal_self_intersections(const Mesh& mesh, std::vector<TrianglePair>& pairs) {
  using SurfaceMesh = CGAL::Surface_mesh<CgalPoint>;
  SurfaceMesh surface;
  for (const Vec3f& v : mesh.vertices()) surface.add_vertex(CgalPoint(v.x, v.y, v.z));
  const auto vertex = [](std::uint32_t index) { return SurfaceMesh::Vertex_index(index); };
  for (const TriangleIndices& t : mesh.triangles()) {
    const auto face = surface.add_face(vertex(t[0]), vertex(t[1]), vertex(t[2]));
    if (face == SurfaceMesh::null_face()) return false;
  }
  std::vector<std::pair<SurfaceMesh::Face_index, SurfaceMesh::Face_index>> found;
  CGAL::Polygon_mesh_processing::self_intersections<CGAL::Sequential_tag>(
      surface, std::back_inserter(found));
  for (const auto& [a, b] : found) {
    EXPECT_NE(a, b) << "a triangle without area";
    pairs.push_back({std::min<std::uint32_t>(a, b), std::max<std::uint32_t>(a, b)});
  }
  std::sort(pairs.begin(), pairs.end());
  return true;
}

using Points = std::vector<CgalPoint>;

struct OracleTriangle : CGAL::Box_intersection_d::Box_d<double, 3> {
  OracleTriangle(std::uint32_t triangle_id, const Triangle& t)
      : triangle(triangle_id), simplex(cgal_simplex(t)) {
    for (const Vec3d& v : t.corner) {
      double point[3] = {v.x, v.y, v.z};
      extend(point);
      const CgalPoint corner(v.x, v.y, v.z);
      if (std::find(corners.begin(), corners.end(), corner) == corners.end()) {
        corners.push_back(corner);
      }
    }
  }

  /// The corners that are not common ones.
  Points others(const Points& common) const {
    Points result;
    for (const CgalPoint& corner : corners) {
      if (std::find(common.begin(), common.end(), corner) == common.end()) result.push_back(corner);
    }
    return result;
  }

  std::uint32_t triangle;
  CgalSimplex simplex;
  /// Each position once.
  Points corners;
};

/// Whether what is opposite to the corner `apex` meets the other triangle: one corner or two, or
/// the edge between them where the apex is not on it.
bool opposite_meets(const CgalPoint& apex, const Points& opposite, const CgalSimplex& other) {
  bool result = false;
  for (const CgalPoint& corner : opposite) result |= cgal_intersects(corner, other);
  if (opposite.size() < 2) return result;
  const CgalKernel::Segment_3 edge(opposite[0], opposite[1]);
  return result || (!edge.has_on(apex) && cgal_intersects(edge, other));
}

/// The rule of docs/conventions.md.
bool reported(const OracleTriangle& p, const OracleTriangle& q) {
  Points common;
  for (const CgalPoint& corner : p.corners) {
    if (std::find(q.corners.begin(), q.corners.end(), corner) != q.corners.end()) {
      common.push_back(corner);
    }
  }
  const Points in_p = p.others(common);
  const Points in_q = q.others(common);
  if (common.empty()) return cgal_intersects(p.simplex, q.simplex);
  if (common.size() == 3) return !CGAL::collinear(common[0], common[1], common[2]);
  // A triangle without other corners is the common corner or edge.
  if (in_p.empty() || in_q.empty()) return false;
  if (common.size() == 1) {
    return opposite_meets(common[0], in_p, q.simplex) || opposite_meets(common[0], in_q, p.simplex);
  }
  const bool p_flat = CGAL::collinear(common[0], common[1], in_p[0]);
  const bool q_flat = CGAL::collinear(common[0], common[1], in_q[0]);
  if (p_flat != q_flat) return false;
  if (p_flat) {
    // Segments on one line.
    const auto beyond = [&](const CgalPoint& x, const CgalPoint& from, const CgalPoint& to) {
      return CGAL::collinear_are_strictly_ordered_along_line(from, to, x);
    };
    return (beyond(in_p[0], common[0], common[1]) && beyond(in_q[0], common[0], common[1])) ||
           (beyond(in_p[0], common[1], common[0]) && beyond(in_q[0], common[1], common[0]));
  }
  return CGAL::coplanar(common[0], common[1], in_p[0], in_q[0]) &&
         CGAL::coplanar_orientation(common[0], common[1], in_p[0], in_q[0]) == CGAL::POSITIVE;
}

std::vector<TrianglePair> oracle_pairs(const Mesh& mesh) {
  std::vector<OracleTriangle> triangles;
  for (std::uint32_t id = 0; id < mesh.triangle_count(); ++id) {
    triangles.emplace_back(id, detail::widen(mesh.triangle(id)));
  }
  std::vector<TrianglePair> pairs;
  CGAL::box_self_intersection_d(
      triangles.begin(), triangles.end(), [&](const OracleTriangle& p, const OracleTriangle& q) {
        if (!reported(p, q)) return;
        pairs.push_back({std::min(p.triangle, q.triangle), std::max(p.triangle, q.triangle)});
      });
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

const bool k_exhaustive = std::getenv("TANDEM_EXHAUSTIVE") != nullptr;

TEST(SelfOracle, ProceduralShapesEqualCgalsFunction) {
  const std::uint64_t rounds = k_exhaustive ? 400 : 12;
  for (std::uint64_t seed = 1; seed <= rounds; ++seed) {
    detail::Random random(seed);
    const Mesh shape = seed % 3 == 0   ? make_icosphere(4)
                       : seed % 3 == 1 ? make_torus(60, 24)
                                       : make_plane(30);
    // From hardly to hopelessly crumpled.
    std::vector<Vec3f> vertices(shape.vertices().begin(), shape.vertices().end());
    const double amount = random.uniform(0, 0.2);
    for (Vec3f& v : vertices) {
      for (int k = 0; k < 3; ++k) v[k] += static_cast<float>(random.uniform(-amount, amount));
    }
    const Mesh mesh(std::move(vertices), {shape.triangles().begin(), shape.triangles().end()});
    std::vector<TrianglePair> expected;
    ASSERT_TRUE(cgal_self_intersections(mesh, expected)) << "seed " << seed;
    ASSERT_EQ(self_collide(Model(mesh)).pairs, expected) << "seed " << seed;
    ASSERT_EQ(oracle_pairs(mesh), expected) << "seed " << seed;
  }
}

TEST(SelfOracle, LatticesEqualCgalsPredicates) {
  const std::uint64_t rounds = k_exhaustive ? 5'000 : 100;
  for (std::uint64_t seed = 1; seed <= rounds; ++seed) {
    detail::Random random(seed);
    const std::uint64_t reach = 2 + random.below(8);
    // A lattice that is turned and rounded again, so that little of it is quite coplanar.
    const Pose pose = random.below(2) == 0 ? Pose()
                                           : Pose::from_axis_angle({1, 2, 3}, random.uniform(0, 3),
                                                                   {random.uniform(0, 9), 0, 0});
    std::vector<Vec3f> vertices;
    const std::uint64_t vertex_count = 3 + random.below(200);
    for (std::uint64_t i = 0; i < vertex_count; ++i) {
      Vec3d v;
      for (int k = 0; k < 3; ++k) v[k] = static_cast<double>(random.below(reach));
      vertices.emplace_back(detail::transform_point(pose, Vec3f(v)));
    }
    std::vector<TriangleIndices> triangles;
    const std::uint64_t triangle_count = random.below(150);
    for (std::uint64_t i = 0; i < triangle_count; ++i) {
      TriangleIndices& t = triangles.emplace_back();
      for (std::uint32_t& index : t) index = static_cast<std::uint32_t>(random.below(vertex_count));
    }
    const Mesh mesh(std::move(vertices), std::move(triangles));
    ASSERT_EQ(self_collide(Model(mesh)).pairs, oracle_pairs(mesh)) << "seed " << seed;
  }
}

TEST(SelfOracle, RealMeshes) {
  const std::filesystem::path folder = std::filesystem::path(TANDEM_SHARED_DATA) / "meshes";
  if (!std::filesystem::exists(folder)) {
    GTEST_SKIP() << "no real meshes here (looked for " << folder << ")";
  }
  std::vector<std::string> names = {"bunny", "engine_2cyl", "happy_buddha", "teapot"};
  if (k_exhaustive) {
    names.insert(names.end(), {"armadillo", "beetle", "cow", "dragon_asian", "fandisk",
                               "rocker_arm", "sibenik", "sponza_crytek", "suzanne"});
  }
  for (const std::string& name : names) {
    const Mesh mesh = read_mesh(folder / (name + ".ply"));
    const std::vector<TrianglePair> expected = oracle_pairs(mesh);
    EXPECT_EQ(self_collide(Model(mesh)).pairs, expected) << name;
    // One that CGAL's function takes too.
    if (name != "bunny") continue;
    std::vector<TrianglePair> of_cgal;
    EXPECT_TRUE(cgal_self_intersections(mesh, of_cgal)) << name;
    EXPECT_EQ(of_cgal, expected) << name;
  }
}

}  // namespace
}  // namespace tandem::test
