#include <tandem/error.h>
#include <tandem/mesh.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

namespace tandem {

namespace {

void check_count(std::size_t count, const char* what) {
  if (count > Mesh::k_max_elements) {
    throw Error("a mesh holds at most " + std::to_string(Mesh::k_max_elements) + " " + what +
                ", but there are " + std::to_string(count));
  }
}

void check_length(std::size_t length, const char* what) {
  if (length % 3 != 0) {
    throw Error("the number of " + std::string(what) + ", " + std::to_string(length) +
                ", is not a multiple of three");
  }
}

void check_finite(std::span<const Vec3f> vertices) {
  for (std::size_t i = 0; i < vertices.size(); ++i) {
    const Vec3f& v = vertices[i];
    if (!std::isfinite(v.x) || !std::isfinite(v.y) || !std::isfinite(v.z)) {
      throw Error("vertex " + std::to_string(i) + " has a coordinate that is not finite");
    }
  }
}

}  // namespace

Mesh::Mesh(std::vector<Vec3f> vertices, std::vector<TriangleIndices> triangles)
    : vertices_(std::move(vertices)), triangles_(std::move(triangles)) {
  check();
}

Mesh Mesh::shared(std::span<const Vec3f> vertices, std::span<const TriangleIndices> triangles,
                  std::shared_ptr<const void> owner) {
  Mesh mesh;
  mesh.vertices_ = SharedArray(vertices, owner);
  mesh.triangles_ = SharedArray(triangles, std::move(owner));
  mesh.check();
  return mesh;
}

void Mesh::check() const {
  check_count(vertex_count(), "vertices");
  check_count(triangle_count(), "triangles");
  check_finite(vertices());
  for (std::size_t i = 0; i < triangle_count(); ++i) {
    for (const std::uint32_t vertex : triangles()[i]) {
      if (vertex >= vertex_count()) {
        throw Error("triangle " + std::to_string(i) + " uses vertex " + std::to_string(vertex) +
                    ", but there are only " + std::to_string(vertex_count()));
      }
    }
  }
}

Mesh Mesh::with_shared_vertices(SharedArray<Vec3f> vertices) const {
  if (vertices.all.size() != vertex_count()) {
    throw Error("the mesh has " + std::to_string(vertex_count()) + " vertices, but there are " +
                std::to_string(vertices.all.size()) + " new positions");
  }
  check_finite(vertices.all);
  Mesh mesh;
  mesh.vertices_ = std::move(vertices);
  mesh.triangles_ = triangles_;
  return mesh;
}

Mesh Mesh::with_vertices(std::vector<Vec3f> vertices) const {
  return with_shared_vertices(SharedArray(std::move(vertices)));
}

Mesh Mesh::with_vertices(std::span<const Vec3f> vertices, std::shared_ptr<const void> owner) const {
  return with_shared_vertices(SharedArray(vertices, std::move(owner)));
}

Mesh Mesh::from_arrays(std::span<const float> coordinates, std::span<const std::uint32_t> indices) {
  check_length(coordinates.size(), "coordinates");
  check_length(indices.size(), "indices");
  std::vector<Vec3f> vertices(coordinates.size() / 3);
  for (std::size_t i = 0; i < vertices.size(); ++i) {
    vertices[i] = {coordinates[3 * i], coordinates[3 * i + 1], coordinates[3 * i + 2]};
  }
  std::vector<TriangleIndices> triangles(indices.size() / 3);
  for (std::size_t i = 0; i < triangles.size(); ++i) {
    triangles[i] = {indices[3 * i], indices[3 * i + 1], indices[3 * i + 2]};
  }
  return Mesh(std::move(vertices), std::move(triangles));
}

Bounds Mesh::bounds() const {
  constexpr float k_infinity = std::numeric_limits<float>::infinity();
  Bounds box{{k_infinity, k_infinity, k_infinity}, {-k_infinity, -k_infinity, -k_infinity}};
  for (const TriangleIndices& triangle : triangles()) {
    for (const std::uint32_t vertex : triangle) {
      const Vec3f& v = vertices_.all[vertex];
      box.lower = {std::min(box.lower.x, v.x), std::min(box.lower.y, v.y),
                   std::min(box.lower.z, v.z)};
      box.upper = {std::max(box.upper.x, v.x), std::max(box.upper.y, v.y),
                   std::max(box.upper.z, v.z)};
    }
  }
  return box;
}

}  // namespace tandem
