#include "sim/corner_fans.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>

namespace tandem::sim {
namespace {

/// How far a point may be from a corner or an edge to be on it, as a share of the triangle's size:
/// closest points are good to far more digits.
constexpr double k_on = 1e-6;
/// A neighbour is ahead when its direction is, as a cosine: 2 degrees. Flat faces of float32
/// coordinates are flatter than that, and a crease that is as flat does no harm.
constexpr double k_ahead = 0.035;

double distance_from_edge(const Vec3d& point, const Vec3d& from, const Vec3d& to) {
  const Vec3d along = to - from;
  const double size_sq = length_sq(along);
  const double share = size_sq > 0 ? std::clamp(dot(point - from, along) / size_sq, 0.0, 1.0) : 0;
  return length(point - from - share * along);
}

}  // namespace

CornerFans::CornerFans(const Mesh& mesh) : mesh_(mesh) {
  // Number the positions.
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

  // Sort the triangles' corners by position.
  positions_.reserve(3 * mesh.triangle_count());
  begins_.assign(std::size_t{count} + 2, 0);
  for (const TriangleIndices& triangle : mesh.triangles()) {
    for (const std::uint32_t vertex : triangle) {
      positions_.push_back(number[vertex]);
      ++begins_[number[vertex] + 1];
    }
  }
  std::partial_sum(begins_.begin(), begins_.end(), begins_.begin());
  triangles_.resize(positions_.size());
  std::vector<std::uint32_t> next = begins_;
  for (std::size_t i = 0; i < positions_.size(); ++i) {
    triangles_[next[positions_[i]]++] = static_cast<std::uint32_t>(i / 3);
  }
}

bool CornerFans::leads_away(std::uint32_t triangle, const Vec3d& point,
                            const Vec3d& direction) const {
  const TriangleF corners = mesh_.triangle(triangle);
  Vec3d at[3];
  double size = 0;
  for (int k = 0; k < 3; ++k) at[k] = Vec3d(corners.corner[k]);
  for (int k = 0; k < 3; ++k) size = std::max(size, length(at[(k + 1) % 3] - at[k]));

  // The corners between which the point lies: one of them, two, or all.
  bool between[3] = {false, false, false};
  for (int k = 0; k < 3; ++k) {
    if (length(point - at[k]) <= k_on * size) between[k] = true;
  }
  if (!between[0] && !between[1] && !between[2]) {
    for (int k = 0; k < 3; ++k) {
      const int l = (k + 1) % 3;
      if (distance_from_edge(point, at[k], at[l]) <= k_on * size) between[k] = between[l] = true;
    }
  }
  const int first = between[0] ? 0 : between[1] ? 1 : 2;
  if (!between[first] || (between[0] && between[1] && between[2])) return true;

  // Of all triangles that share these corners, no corner is ahead.
  for (const std::uint32_t neighbour : around(position_of(triangle, first))) {
    const auto has = [&](std::uint32_t position) {
      for (int k = 0; k < 3; ++k) {
        if (position_of(neighbour, k) == position) return true;
      }
      return false;
    };
    bool shares = true;
    for (int k = 0; k < 3; ++k) shares = shares && (!between[k] || has(position_of(triangle, k)));
    if (!shares) continue;
    const TriangleF other = mesh_.triangle(neighbour);
    for (const Vec3f& corner : other.corner) {
      const Vec3d way = Vec3d(corner) - point;
      if (dot(way, direction) > k_ahead * length(way)) return false;
    }
  }
  return true;
}

}  // namespace tandem::sim
