// Helpers for tests of assemblies.
#pragma once

#include <gtest/gtest.h>
#include <tandem/assembly.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tandem::test {

/// Reads from memory under the name "m".
inline Assembly assemble_text(MeshFormat format, std::string_view content,
                              const ReadOptions& options = {}) {
  return read_assembly(std::as_bytes(std::span(content)), format, "m", options);
}

inline std::vector<std::string> names_of(const Assembly& assembly) {
  std::vector<std::string> names;
  for (const AssemblyPart& part : assembly.parts) names.push_back(part.name);
  return names;
}

/// How far the corners of a part's triangle, where it stands, are from those of another, relative
/// to the largest number in between: the sum of what is turned and moved.
inline double distance(const TriangleF& triangle, const Pose& pose, const TriangleF& other) {
  double largest = 0;
  double size = 1e-30;
  for (int i = 0; i < 3; ++i) {
    const Vec3d corner(triangle.corner[i]);
    const Vec3d moved = transform_point(pose, corner);
    for (int axis = 0; axis < 3; ++axis) {
      largest = std::max(largest, std::fabs(moved[axis] - other.corner[i][axis]));
      size = std::max({size, std::fabs(corner[axis]), std::fabs(pose.translation()[axis])});
    }
  }
  return largest / size;
}

/// The assembly is whole and has the triangles of the mesh, each once: to the bit where nothing is
/// moved, up to `tolerance` elsewhere.
inline void expect_parts_of(const Assembly& assembly, const Mesh& mesh, double tolerance = 1e-6) {
  std::set<std::string> names;
  std::set<std::uint32_t> meshes;
  std::vector<bool> seen(mesh.triangle_count());
  for (std::size_t part = 0; part < assembly.parts.size(); ++part) {
    const AssemblyPart& p = assembly.parts[part];
    EXPECT_TRUE(names.insert(p.name).second) << p.name;
    EXPECT_NE(p.name, "");
    meshes.insert(p.mesh);
    ASSERT_LT(p.mesh, assembly.meshes.size());
    const Mesh& shown = assembly.meshes[p.mesh];
    EXPECT_FALSE(shown.empty()) << p.name;
    const bool is_moved = !p.pose.is_translation() || !(p.pose.translation() == Vec3d(0, 0, 0));
    for (std::size_t t = 0; t < shown.triangle_count(); ++t) {
      const std::uint64_t id = assembly.file_triangle(part, t);
      ASSERT_LT(id, seen.size()) << p.name;
      EXPECT_FALSE(seen[id]) << p.name << ", triangle " << id;
      seen[id] = true;
      if (t > 0) {
        EXPECT_LT(assembly.file_triangle(part, t - 1), id) << p.name;
      }
      const double apart = distance(shown.triangle(t), p.pose, mesh.triangle(id));
      EXPECT_LE(apart, is_moved ? tolerance : 0) << p.name << ", triangle " << id;
    }
  }
  EXPECT_EQ(meshes.size(), assembly.meshes.size());
  EXPECT_EQ(std::count(seen.begin(), seen.end(), false), 0);
}

}  // namespace tandem::test
