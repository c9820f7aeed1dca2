// The triangles around each corner of a mesh: whether a direction leads away from the surface.
#pragma once

#include <tandem/mesh.h>
#include <tandem/vec.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace tandem::sim {

/// Made once per mesh, which must outlive it, in O(n log n). Corners at the same position are one,
/// so it does not matter how a mesh shares its vertices.
class CornerFans {
 public:
  explicit CornerFans(const Mesh& mesh);

  /// Whether going from a point of a triangle in a direction of length 1 leads away from all of the
  /// surface around that point. At a ridge or a peak many directions do, on a flat face only that
  /// of its normal, whether the point is inside a triangle or on an edge between two: where it does
  /// not, a neighbour is closer to what lies that way.
  bool leads_away(std::uint32_t triangle, const Vec3d& point, const Vec3d& direction) const;

 private:
  /// Positions by number: triangle i has those from 3 i on.
  std::uint32_t position_of(std::uint32_t triangle, int corner) const {
    return positions_[3 * std::size_t{triangle} + static_cast<std::size_t>(corner)];
  }
  std::span<const std::uint32_t> around(std::uint32_t position) const {
    return std::span(triangles_)
        .subspan(begins_[position], begins_[position + 1] - begins_[position]);
  }

  const Mesh& mesh_;
  std::vector<std::uint32_t> positions_;
  /// The triangles around position i, from begins_[i] on.
  std::vector<std::uint32_t> begins_;
  std::vector<std::uint32_t> triangles_;
};

}  // namespace tandem::sim
