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

}  // namespace tandem::detail
