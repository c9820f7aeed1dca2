// From a mesh and a shape to a wide tree: coordinates, boxes and slabs.
#pragma once

#include <tandem/mesh.h>

#include <cstdint>
#include <span>
#include <vector>

#include "build/wide/shape.h"
#include "math/float4.h"
#include "tree/wide/tree.h"

namespace tandem::detail {

/// A mesh in the coordinates that are stored: `(x - origin) / 2^exponent`, exactly. An axis on which
/// the mesh is far from zero is measured from the middle, where the differences are exact (Sterbenz:
/// all coordinates are then within a factor of two of it), others from zero.
class ScaledMesh {
 public:
  explicit ScaledMesh(const Mesh& mesh);

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

 private:
  std::span<const TriangleIndices> triangles_;
  std::vector<Float4> vertices_;
  Vec3d origin_{0, 0, 0};
  Vec3d extent_{0, 0, 0};
  int exponent_ = 0;
};

/// How slabs are found: along the mean normal alone, or along that and the direction in which the
/// corners vary least, whichever is thinner.
enum class SlabChoice { mean_normal, thinner_of_two };

WideTree fit_wide(const ScaledMesh& mesh, const WideShape& shape, SlabChoice choice);

}  // namespace tandem::detail
