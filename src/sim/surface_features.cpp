#include "sim/surface_features.h"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace tandem::sim {
namespace {

/// Triangles on both sides of an edge are flat when the one is no further behind the other, as a
/// sine: flat faces of float32 coordinates are flatter than that.
constexpr double k_flat = 1e-4;

/// Numbers the positions of a mesh, and says which each triangle's corners have.
std::vector<std::array<std::uint32_t, 3>> numbered_corners(const Mesh& mesh) {
  const auto vertices = mesh.vertices();
  std::vector<std::uint32_t> order(vertices.size());
  std::iota(order.begin(), order.end(), 0u);
  const auto key = [&](std::uint32_t i) {
    return std::tuple(vertices[i].x, vertices[i].y, vertices[i].z);
  };
  std::sort(order.begin(), order.end(),
            [&](std::uint32_t a, std::uint32_t b) { return key(a) < key(b); });
  std::vector<std::uint32_t> number(vertices.size());
  std::uint32_t count = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (i > 0 && key(order[i]) != key(order[i - 1])) ++count;
    number[order[i]] = count;
  }
  std::vector<std::array<std::uint32_t, 3>> corners;
  corners.reserve(mesh.triangle_count());
  for (const TriangleIndices& triangle : mesh.triangles()) {
    corners.push_back({number[triangle[0]], number[triangle[1]], number[triangle[2]]});
  }
  return corners;
}

/// A triangle beside an edge.
struct EdgeSide {
  std::uint32_t low;
  std::uint32_t high;
  std::uint32_t triangle;
  int edge;
  /// Of length 1; zero where the triangle has no area. The second one leads into the triangle.
  Vec3d normal;
  Vec3d inward;
};

std::vector<EdgeSide> sorted_sides(const Mesh& mesh,
                                   const std::vector<std::array<std::uint32_t, 3>>& corners) {
  std::vector<EdgeSide> sides;
  sides.reserve(3 * corners.size());
  for (std::uint32_t i = 0; i < corners.size(); ++i) {
    const TriangleF triangle = mesh.triangle(i);
    Vec3d at[3];
    for (int k = 0; k < 3; ++k) at[k] = Vec3d(triangle.corner[k]);
    const Vec3d area = cross(at[1] - at[0], at[2] - at[0]);
    const Vec3d normal = length_sq(area) > 0 ? normalised(area) : Vec3d(0, 0, 0);
    for (std::size_t k = 0; k < 3; ++k) {
      const auto [low, high] = std::minmax(corners[i][k], corners[i][(k + 1) % 3]);
      const Vec3d across = cross(normal, at[(k + 1) % 3] - at[k]);
      const Vec3d inward = length_sq(across) > 0 ? normalised(across) : Vec3d(0, 0, 0);
      sides.push_back({low, high, i, static_cast<int>(k), normal, inward});
    }
  }
  std::sort(sides.begin(), sides.end(), [](const EdgeSide& a, const EdgeSide& b) {
    return std::tuple(a.low, a.high, a.triangle, a.edge) <
           std::tuple(b.low, b.high, b.triangle, b.edge);
  });
  return sides;
}

/// Two triangles of which one is behind the other's front, or any other number of them.
bool bends_away(std::span<const EdgeSide> with_area) {
  if (with_area.size() != 2) return true;
  return dot(with_area[0].normal, with_area[1].inward) < -k_flat ||
         dot(with_area[1].normal, with_area[0].inward) < -k_flat;
}

}  // namespace

SurfaceFeatures::SurfaceFeatures(const Mesh& mesh)
    : corners_(numbered_corners(mesh)), edges_(corners_.size()), own_(corners_.size()) {
  find_edges(mesh);
  find_corners(mesh);
}

void SurfaceFeatures::find_edges(const Mesh& mesh) {
  const std::vector<EdgeSide> sides = sorted_sides(mesh, corners_);
  std::vector<EdgeSide> with_area;
  for (std::size_t first = 0; first < sides.size();) {
    std::size_t last = first;
    with_area.clear();
    for (; last < sides.size() && sides[last].low == sides[first].low &&
           sides[last].high == sides[first].high;
         ++last) {
      const EdgeSide& side = sides[last];
      edges_[side.triangle][static_cast<std::size_t>(side.edge)] =
          static_cast<std::uint32_t>(is_ridge_.size());
      if (side.inward == Vec3d(0, 0, 0)) continue;
      with_area.push_back(side);
      around_edges_.all.push_back(side.inward);
    }
    around_edges_.begins.push_back(static_cast<std::uint32_t>(around_edges_.all.size()));
    const bool has_length = sides[first].low != sides[first].high;
    is_ridge_.push_back(has_length && bends_away(with_area));
    if (is_ridge_.back()) {
      own_[sides[first].triangle].ridges |= static_cast<std::uint8_t>(1 << sides[first].edge);
    }
    first = last;
  }
}

void SurfaceFeatures::find_corners(const Mesh& mesh) {
  struct End {
    std::uint32_t position;
    std::uint32_t triangle;
    std::size_t corner;
    bool ends_ridge;
    Vec3d ways[2];
  };
  std::vector<End> ends;
  ends.reserve(3 * corners_.size());
  for (std::uint32_t i = 0; i < corners_.size(); ++i) {
    const TriangleF triangle = mesh.triangle(i);
    for (std::size_t k = 0; k < 3; ++k) {
      End& end = ends.emplace_back();
      end.position = corners_[i][k];
      end.triangle = i;
      end.corner = k;
      const bool is_point = corners_[i][0] == corners_[i][1] && corners_[i][0] == corners_[i][2];
      end.ends_ridge = is_point || is_ridge_[edges_[i][k]] || is_ridge_[edges_[i][(k + 2) % 3]];
      for (std::size_t j = 0; j < 2; ++j) {
        const Vec3d way = Vec3d(triangle.corner[(k + 1 + j) % 3]) - Vec3d(triangle.corner[k]);
        end.ways[j] = length_sq(way) > 0 ? normalised(way) : Vec3d(0, 0, 0);
      }
    }
  }
  std::sort(ends.begin(), ends.end(), [](const End& a, const End& b) {
    return std::tuple(a.position, a.triangle, a.corner) <
           std::tuple(b.position, b.triangle, b.corner);
  });
  for (std::size_t first = 0; first < ends.size();) {
    const std::size_t begin = around_corners_.all.size();
    bool is_peak = false;
    std::size_t last = first;
    for (; last < ends.size() && ends[last].position == ends[first].position; ++last) {
      is_peak = is_peak || ends[last].ends_ridge;
      for (const Vec3d& way : ends[last].ways) {
        const auto known = std::span(around_corners_.all).subspan(begin);
        if (std::find(known.begin(), known.end(), way) == known.end()) {
          around_corners_.all.push_back(way);
        }
      }
    }
    // Positions are numbered without gaps, apart from vertices that no triangle has.
    around_corners_.begins.resize(ends[first].position + std::size_t{1},
                                  static_cast<std::uint32_t>(begin));
    around_corners_.begins.push_back(static_cast<std::uint32_t>(around_corners_.all.size()));
    if (is_peak) {
      own_[ends[first].triangle].peaks |= static_cast<std::uint8_t>(1 << ends[first].corner);
    }
    first = last;
  }
}

}  // namespace tandem::sim
