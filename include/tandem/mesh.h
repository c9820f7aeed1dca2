// Mesh: an indexed triangle soup.
#pragma once

#include <tandem/export.h>
#include <tandem/triangle.h>
#include <tandem/vec.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace tandem {

/// The three vertices of a triangle, as positions in the vertex array.
using TriangleIndices = std::array<std::uint32_t, 3>;

/// An axis-aligned box. `lower` exceeds `upper` on every axis when it is empty.
struct Bounds {
  Vec3f lower;
  Vec3f upper;
};

/// Triangles over shared float32 vertices. Nothing is assumed of them: not closed, not manifold,
/// not oriented; zero-area triangles and an empty mesh are legal. Triangle ids are positions in the
/// order given and never change.
class Mesh {
 public:
  /// At most this many triangles and this many vertices.
  static constexpr std::size_t k_max_elements = (std::size_t{1} << 31) - 1;

  /// The empty mesh: it touches nothing.
  Mesh() = default;

  /// Takes the arrays over. Throws `tandem::Error` that names the vertex whose coordinate is NaN or
  /// infinite, or the triangle whose index is out of range.
  TANDEM_API Mesh(std::vector<Vec3f> vertices, std::vector<TriangleIndices> triangles);

  /// Refers to arrays that someone else has, and copies nothing: `owner` keeps them for as long as
  /// a mesh or a model needs them. They must not change in that time. Checked like the constructor.
  TANDEM_API static Mesh shared(std::span<const Vec3f> vertices,
                                std::span<const TriangleIndices> triangles,
                                std::shared_ptr<const void> owner);

  /// Copies `x y z` triples and index triples. Checked like the constructor; throws too when a
  /// length is not a multiple of three.
  TANDEM_API static Mesh from_arrays(std::span<const float> coordinates,
                                     std::span<const std::uint32_t> indices);

  /// The same triangles over other positions, which the new mesh takes over. The two share the
  /// array of indices: nothing of it is copied. Throws `tandem::Error` for another number of
  /// positions, or naming the vertex whose coordinate is NaN or infinite.
  TANDEM_API Mesh with_vertices(std::vector<Vec3f> vertices) const;
  /// The same over positions that someone else has, as for `shared`.
  TANDEM_API Mesh with_vertices(std::span<const Vec3f> vertices,
                                std::shared_ptr<const void> owner) const;

  /// Copies of a mesh share its arrays.
  std::span<const Vec3f> vertices() const { return vertices_.all; }
  std::span<const TriangleIndices> triangles() const { return triangles_.all; }
  std::size_t vertex_count() const { return vertices_.all.size(); }
  std::size_t triangle_count() const { return triangles_.all.size(); }
  bool empty() const { return triangles_.all.empty(); }

  /// The corners of triangle `id`.
  TriangleF triangle(std::size_t id) const {
    const TriangleIndices& t = triangles_.all[id];
    return {{vertices_.all[t[0]], vertices_.all[t[1]], vertices_.all[t[2]]}};
  }

  /// The box of all triangles' corners; vertices that no triangle uses do not count.
  TANDEM_API Bounds bounds() const;

 private:
  /// An array that never changes, and whoever keeps it.
  template <class T>
  struct SharedArray {
    SharedArray() = default;
    explicit SharedArray(std::vector<T> elements)
        : SharedArray(std::make_shared<const std::vector<T>>(std::move(elements))) {}
    explicit SharedArray(std::shared_ptr<const std::vector<T>> vector)
        : owner(vector), all(*vector) {}
    SharedArray(std::span<const T> elements, std::shared_ptr<const void> kept_by)
        : owner(std::move(kept_by)), all(elements) {}
    SharedArray(const SharedArray&) = default;
    SharedArray& operator=(const SharedArray&) = default;
    /// What was moved from is empty, as vectors are.
    SharedArray(SharedArray&& other) noexcept
        : owner(std::move(other.owner)), all(std::exchange(other.all, {})) {}
    SharedArray& operator=(SharedArray&& other) noexcept {
      owner = std::move(other.owner);
      all = std::exchange(other.all, {});
      return *this;
    }
    ~SharedArray() = default;

    std::shared_ptr<const void> owner;
    std::span<const T> all;
  };

  /// Throws what the constructor throws.
  void check() const;
  Mesh with_shared_vertices(SharedArray<Vec3f> vertices) const;

  SharedArray<Vec3f> vertices_;
  SharedArray<TriangleIndices> triangles_;
};

}  // namespace tandem
