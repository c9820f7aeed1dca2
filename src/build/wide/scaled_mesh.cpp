#include "build/wide/scaled_mesh.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "parallel/parallel_for.h"
#include "volume/aabb.h"

namespace tandem::detail {
namespace {

/// A mesh is spread when a sixteenth of its triangles is this much smaller than the whole.
constexpr double k_spread = 0x1p-5;
constexpr std::size_t k_share = 16;
/// Judged by so many triangles.
constexpr std::size_t k_sample = 4096;

/// The largest magnitude of a coordinate that a sixteenth of all triangles stays below.
double size_of_smallest(const Mesh& mesh, const Vec3d& origin) {
  const std::size_t stride = (mesh.triangle_count() + k_sample - 1) / k_sample;
  std::vector<double> sizes;
  for (std::size_t i = 0; i < mesh.triangle_count(); i += stride) {
    double largest = 0;
    for (const Vec3f& corner : mesh.triangle(static_cast<std::uint32_t>(i)).corner) {
      for (int k = 0; k < 3; ++k) {
        largest = std::max(largest, std::fabs(double{corner[k]} - origin[k]));
      }
    }
    sizes.push_back(largest);
  }
  const auto chosen = sizes.begin() + static_cast<std::ptrdiff_t>(sizes.size() / k_share);
  std::nth_element(sizes.begin(), chosen, sizes.end());
  return *chosen;
}

/// Triangles or vertices that a thread takes at a time.
constexpr std::size_t k_grain = 1 << 14;

/// The box of all corners; each thread looks at some of them.
Aabb bounds_of(const Mesh& mesh, int threads) {
  const std::size_t count = mesh.triangle_count();
  std::vector<Aabb> pieces((count + k_grain - 1) / k_grain);
  parallel_for(count, k_grain, threads, [&](std::size_t begin, std::size_t end) {
    Aabb box = Aabb::fit(mesh.triangle(begin).corner);
    for (std::size_t i = begin + 1; i < end; ++i) {
      box = Aabb::merge(box, Aabb::fit(mesh.triangle(i).corner));
    }
    pieces[begin / k_grain] = box;
  });
  Aabb all = pieces.front();
  for (const Aabb& piece : pieces) all = Aabb::merge(all, piece);
  return all;
}

}  // namespace

ScaledMesh::ScaledMesh(const Mesh& mesh, int threads) : triangles_(mesh.triangles()) {
  if (mesh.empty()) return;
  const Aabb bounds = bounds_of(mesh, threads);
  double largest = 0;
  for (int k = 0; k < 3; ++k) {
    const double lower = bounds.lower[k];
    const double upper = bounds.upper[k];
    const double middle = static_cast<float>(0.5 * (lower + upper));
    if (std::fabs(middle) > upper - lower) origin_[k] = middle;
    extent_[k] = std::max(std::fabs(upper - origin_[k]), std::fabs(lower - origin_[k]));
    largest = std::max(largest, extent_[k]);
    // More than all roundings can take away.
    constexpr double k_more = 1 + 0x1p-50;
    root_.centre[k] = 0.5 * (lower + upper);
    root_.half[k] = std::max(upper - root_.centre[k], root_.centre[k] - lower) * k_more;
  }
  const double to_corners = std::sqrt(dot(root_.half, root_.half)) * (1 + 0x1p-48);
  root_.farthest = std::sqrt(dot(root_.centre, root_.centre)) * (1 + 0x1p-48) + to_corners;
  exponent_ = -149;
  if (largest > 0) std::frexp(largest, &exponent_);
  const double small = size_of_smallest(mesh, origin_);
  spread_ = small < k_spread * largest;
  if (spread_) {
    int small_exponent = -149;
    if (small > 0) std::frexp(small, &small_exponent);
    exponent_ = std::max(small_exponent, exponent_ - k_largest_exponent);
  }
  const double factor = std::ldexp(1.0, -exponent_);
  // Magnitudes that are too small for float32 are rounded, by at most this.
  extent_ = factor * extent_ + Vec3d{0x1p-149, 0x1p-149, 0x1p-149};
  vertices_.resize(mesh.vertex_count());
  std::vector<double> farthest_sq((mesh.vertex_count() + k_grain - 1) / k_grain);
  parallel_for(mesh.vertex_count(), k_grain, threads, [&](std::size_t begin, std::size_t end) {
    double sq = 0;
    for (std::size_t i = begin; i < end; ++i) {
      const Vec3d vertex(mesh.vertices()[i]);
      const Vec3f scaled(factor * (vertex - origin_));
      vertices_[i] = Float4{scaled.x, scaled.y, scaled.z, 0};
      const Vec3d from_centre = vertex - root_.centre;
      sq = std::max(sq, dot(from_centre, from_centre));
    }
    farthest_sq[begin / k_grain] = sq;
  });
  const double sq = *std::max_element(farthest_sq.begin(), farthest_sq.end());
  // Vertices that no triangle has may be outside of the box.
  root_.radius = std::min(std::sqrt(sq) * (1 + 0x1p-48), to_corners);
}

}  // namespace tandem::detail
