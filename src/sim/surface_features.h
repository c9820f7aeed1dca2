// The corners and edges of a mesh at which it can meet another one, and which directions lead away
// from it there.
#pragma once

#include <tandem/mesh.h>
#include <tandem/vec.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace tandem::sim {

/// Some of the corners and edges of a triangle.
struct OwnFeatures {
  /// A bit for each corner, and for each edge.
  std::uint8_t peaks = 0;
  std::uint8_t ridges = 0;

  bool empty() const { return peaks == 0 && ridges == 0; }
};

/// Made once per mesh, which must outlive it, in O(n log n). Corners at the same position are one,
/// so it does not matter how a mesh shares its vertices.
///
/// A ridge is an edge whose triangles bend away from the front, or of which there are not two. What
/// is flat or a valley is never closest to another surface, unless a ridge or the inside of a
/// triangle is as close. A peak is a corner at which a ridge ends. Each belongs to the first of the
/// triangles around it, so that what looks at all triangles sees it once.
class SurfaceFeatures {
 public:
  explicit SurfaceFeatures(const Mesh& mesh);

  /// What belongs to a triangle: its corners that are peaks, and its edges, from corner k to the
  /// next one, that are ridges.
  OwnFeatures own(std::uint32_t triangle) const { return own_[triangle]; }

  /// Positions and edges by number: triangles that meet there have the same.
  const std::array<std::uint32_t, 3>& corners(std::uint32_t triangle) const {
    return corners_[triangle];
  }
  const std::array<std::uint32_t, 3>& edges(std::uint32_t triangle) const {
    return edges_[triangle];
  }

  /// Whether going from a corner in a direction of length 1 leads away from all of the surface
  /// around it: no edge there goes ahead by more than `tolerance`, as a cosine.
  bool leads_away_from_corner(std::uint32_t triangle, int corner, const Vec3d& direction,
                              double tolerance) const {
    return leads_away(around_corners_, corners_[triangle][static_cast<std::size_t>(corner)],
                      direction, tolerance);
  }
  /// The same from inside an edge: none of its triangles goes ahead.
  bool leads_away_from_edge(std::uint32_t triangle, int edge, const Vec3d& direction,
                            double tolerance) const {
    return leads_away(around_edges_, edges_[triangle][static_cast<std::size_t>(edge)], direction,
                      tolerance);
  }

 private:
  /// For each of many things some directions of length 1.
  struct Directions {
    std::vector<std::uint32_t> begins{0};
    std::vector<Vec3d> all;

    std::span<const Vec3d> of(std::uint32_t thing) const {
      return std::span(all).subspan(begins[thing], begins[thing + 1] - begins[thing]);
    }
  };

  static bool leads_away(const Directions& around, std::uint32_t thing, const Vec3d& direction,
                         double tolerance) {
    for (const Vec3d& way : around.of(thing)) {
      if (dot(way, direction) > tolerance) return false;
    }
    return true;
  }

  void find_edges(const Mesh& mesh);
  void find_corners(const Mesh& mesh);

  std::vector<std::array<std::uint32_t, 3>> corners_;
  std::vector<std::array<std::uint32_t, 3>> edges_;
  std::vector<bool> is_ridge_;
  /// Along the edges that meet in a corner, and from an edge into its triangles, across it.
  Directions around_corners_;
  Directions around_edges_;
  std::vector<OwnFeatures> own_;
};

}  // namespace tandem::sim
