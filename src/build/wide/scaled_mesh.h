// A mesh in the coordinates that wide trees store.
#pragma once

#include <tandem/mesh.h>

#include <cstdint>
#include <span>

#include "math/float4.h"
#include "tree/wide/tree.h"

namespace tandem::detail {

/// The stored coordinates are `(x - origin) / 2^exponent`, exactly. On an axis on which the mesh is
/// far from zero, the origin is the middle of the mesh: all coordinates are then within a factor of
/// two of it, so the differences are exact (Sterbenz). On the other axes the origin is zero. The
/// largest magnitude is between 1/2 and 1, or up to 2^k_largest_exponent where much of the mesh is
/// smaller than that.
class ScaledMesh {
 public:
  explicit ScaledMesh(const Mesh& mesh, int threads = 1);

  static constexpr int k_largest_exponent = 36;

  std::uint32_t triangle_count() const { return static_cast<std::uint32_t>(triangles_.size()); }
  /// A triangle's corners; the fourth lane holds 0.
  struct Corners {
    Float4 corner[3];
  };
  Corners triangle(std::uint32_t id) const {
    const TriangleIndices& t = triangles_[id];
    return {{vertices_[t[0]], vertices_[t[1]], vertices_[t[2]]}};
  }

  const Vec3d& origin() const { return origin_; }
  int exponent() const { return exponent_; }
  const Vec3d& extent() const { return extent_; }
  const RootBox& root() const { return root_; }
  /// Whether much of the mesh is far smaller than the whole (`WideTree::spread`).
  bool spread() const { return spread_; }

 private:
  std::span<const TriangleIndices> triangles_;
  LargeVector<Float4> vertices_;
  Vec3d origin_{0, 0, 0};
  Vec3d extent_{0, 0, 0};
  RootBox root_;
  bool spread_ = false;
  int exponent_ = 0;
};

}  // namespace tandem::detail
