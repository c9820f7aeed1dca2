#include "sim/clear_contact.h"

#include <algorithm>
#include <cmath>

namespace tandem::sim {
namespace {

double volume(const Vec3d& a, const Vec3d& b, const Vec3d& c, const Vec3d& d) {
  return dot(cross(b - a, c - a), d - a);
}

/// Corners of one triangle over the plane of another one, as volumes.
struct Heights {
  double of[3];
  double least;
  double most;
  bool clear;

  Heights(const PlacedTriangle& t, const Vec3d& origin, const Vec3d& area, double error) {
    for (int k = 0; k < 3; ++k) of[k] = dot(area, t.corner(k) - origin);
    least = std::min({of[0], of[1], of[2]});
    most = std::max({of[0], of[1], of[2]});
    clear = std::min({std::fabs(of[0]), std::fabs(of[1]), std::fabs(of[2])}) > error;
  }

  bool are_on_one_side(double error) const { return least > error || most < -error; }
};

/// Where edges of one triangle go through another one.
struct Crossings {
  Vec3d points[2];
  int count = 0;
  bool clear = true;

  void add_edges_of(const Triangle& edges, const Heights& heights, const Triangle& through,
                    double error) {
    for (int k = 0; k < 3; ++k) {
      const int l = (k + 1) % 3;
      if ((heights.of[k] > 0) == (heights.of[l] > 0)) continue;
      const Vec3d& from = edges.corner[k];
      const Vec3d& to = edges.corner[l];
      int positive = 0;
      for (int i = 0; i < 3; ++i) {
        const double side = volume(from, to, through.corner[i], through.corner[(i + 1) % 3]);
        if (std::fabs(side) <= error) clear = false;
        positive += side > 0 ? 1 : 0;
      }
      if (positive != 0 && positive != 3) continue;
      if (count < 2) {
        const double share = heights.of[k] / (heights.of[k] - heights.of[l]);
        points[count] = from + share * (to - from);
      }
      ++count;
    }
  }
};

bool is_less(const Vec3d& a, const Vec3d& b) {
  if (a.x != b.x) return a.x < b.x;
  return a.y != b.y ? a.y < b.y : a.z < b.z;
}

}  // namespace

Clear clear_contact(const PlacedTriangle& a, const PlacedTriangle& b, TrianglePair pair,
                    Contact* contact) {
  const Vec3d sides = max(a.upper(), b.upper()) - min(a.lower(), b.lower());
  const double size = std::max({sides.x, sides.y, sides.z});
  const double error = k_clear * size * size * size;

  const Vec3d area_of_a = a.area();
  const Heights of_b(b, a.corner(0), area_of_a, error);
  if (of_b.are_on_one_side(error)) return Clear::apart;
  const Vec3d area_of_b = b.area();
  const Heights of_a(a, b.corner(0), area_of_b, error);
  if (of_a.are_on_one_side(error)) return Clear::apart;
  if (!of_a.clear || !of_b.clear) return Clear::unknown;
  Crossings shared;
  shared.add_edges_of(b.corners, of_b, a.corners, error);
  shared.add_edges_of(a.corners, of_a, b.corners, error);
  if (!shared.clear) return Clear::unknown;
  if (shared.count == 0) return Clear::apart;
  if (shared.count != 2) return Clear::unknown;

  contact->pair = pair;
  const bool is_in_order = !is_less(shared.points[1], shared.points[0]);
  contact->points[0] = shared.points[is_in_order ? 0 : 1];
  contact->points[1] = shared.points[is_in_order ? 1 : 0];
  for (int k = 0; k < 2; ++k) contact->across[k] = contact->points[k];
  // The triangle behind whose plane the other one is less deep, A's where rounding alone tells.
  constexpr double k_rounding = 1e-12;
  const double depth_of_b = -of_b.least / length(area_of_a);
  const double depth_of_a = -of_a.least / length(area_of_b);
  const bool by_a = depth_of_b <= depth_of_a * (1 + k_rounding);
  contact->normal = by_a ? a.normal() : -b.normal();
  contact->separation = -std::min(depth_of_a, depth_of_b);
  contact->opposed = true;
  return Clear::touching;
}

}  // namespace tandem::sim
