#include "build/wide/scaled_mesh.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "parallel/parallel_for.h"
#include "volume/aabb.h"

namespace tandem::detail {
namespace {

/// The largest magnitude of a coordinate that a sixteenth of all triangles stays below.
double size_of_smallest(const Mesh& mesh, const Vec3d& origin) {
  const SizeSample sample(static_cast<std::uint32_t>(mesh.triangle_count()));
  std::vector<double> sizes;
  for (std::uint32_t i = 0; i < sample.count; ++i) {
    sizes.push_back(SizeSample::size_of(mesh.triangle(i * sample.stride), origin));
  }
  const auto chosen = sizes.begin() + static_cast<std::ptrdiff_t>(sample.chosen());
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
  Vec3d origin;
  for (int k = 0; k < 3; ++k) {
    origin[k] = MeshFrame::origin_of(bounds.lower[k], bounds.upper[k]);
  }
  frame_ = MeshFrame::of(bounds, size_of_smallest(mesh, origin));
  vertices_.resize(mesh.vertex_count());
  struct Piece {
    double farthest_sq = 0;
    bool exact = true;
  };
  std::vector<Piece> pieces((mesh.vertex_count() + k_grain - 1) / k_grain);
  parallel_for(mesh.vertex_count(), k_grain, threads, [&](std::size_t begin, std::size_t end) {
    Piece piece;
    for (std::size_t i = begin; i < end; ++i) {
      const Vec3f& vertex = mesh.vertices()[i];
      const Vec3f stored = frame_.stored(vertex);
      vertices_[i] = Float4{stored.x, stored.y, stored.z, 0};
      const Vec3d from_centre = Vec3d(vertex) - frame_.root.centre;
      piece.farthest_sq = std::max(piece.farthest_sq, dot(from_centre, from_centre));
      piece.exact = piece.exact && frame_.restored(stored) == Vec3d(vertex);
    }
    pieces[begin / k_grain] = piece;
  });
  Piece all;
  for (const Piece& piece : pieces) {
    all.farthest_sq = std::max(all.farthest_sq, piece.farthest_sq);
    all.exact = all.exact && piece.exact;
  }
  // Vertices that no triangle has may be outside of the box, which limits the radius too.
  frame_.limit_radius(all.farthest_sq);
  frame_.exact = all.exact;
}

}  // namespace tandem::detail
