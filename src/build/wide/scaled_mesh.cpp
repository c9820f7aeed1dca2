#include "build/wide/scaled_mesh.h"

#include <algorithm>
#include <cmath>

namespace tandem::detail {

ScaledMesh::ScaledMesh(const Mesh& mesh) : triangles_(mesh.triangles()) {
  if (mesh.empty()) return;
  const Bounds bounds = mesh.bounds();
  double largest = 0;
  for (int k = 0; k < 3; ++k) {
    const double lower = bounds.lower[k];
    const double upper = bounds.upper[k];
    const double middle = static_cast<float>(0.5 * (lower + upper));
    if (std::fabs(middle) > upper - lower) origin_[k] = middle;
    extent_[k] = std::max(std::fabs(upper - origin_[k]), std::fabs(lower - origin_[k]));
    largest = std::max(largest, extent_[k]);
    box_.centre[k] = 0.5 * (lower + upper);
    box_.half[k] = std::max(upper - box_.centre[k], box_.centre[k] - lower) * (1 + 0x1p-50);
  }
  exponent_ = -149;
  if (largest > 0) std::frexp(largest, &exponent_);
  const double factor = std::ldexp(1.0, -exponent_);
  // Magnitudes that are too small for float32 are rounded, by at most this.
  extent_ = factor * extent_ + Vec3d{0x1p-149, 0x1p-149, 0x1p-149};
  vertices_.reserve(mesh.vertex_count());
  for (const Vec3f& v : mesh.vertices()) {
    const Vec3f scaled(factor * (Vec3d(v) - origin_));
    vertices_.push_back(Float4{scaled.x, scaled.y, scaled.z, 0});
  }
}

bool ScaledMesh::spread() const {
  // The whole is at least 1/2 in size. Of a mesh that fills its box, one triangle in thousands is
  // this close to the origin.
  constexpr float k_small = 0x1p-5F;
  constexpr std::size_t k_share = 16;
  std::size_t small = 0;
  for (const TriangleIndices& t : triangles_) {
    const Float4 a = vertices_[t[0]];
    const Float4 lower = min4(min4(a, vertices_[t[1]]), vertices_[t[2]]);
    const Float4 upper = max4(max4(a, vertices_[t[1]]), vertices_[t[2]]);
    const Float4 largest = max4(upper, -lower);
    small += largest[0] < k_small && largest[1] < k_small && largest[2] < k_small ? 1 : 0;
  }
  return small > triangles_.size() / k_share;
}

}  // namespace tandem::detail
