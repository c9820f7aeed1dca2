// Normals and distances come from exact numbers that are rounded once. So a vertex in a plane is at
// distance 0, a sliver's normal is as good as any other, and all platforms have the same bits.
#include "geometry/triangle_contact.h"

#include <algorithm>
#include <cmath>

#include "geometry/predicates.h"
#include "geometry/triangle_signs.h"

namespace tandem::detail {
namespace {

/// A vector as the largest of its components, its length relative to that, and its direction, so
/// that no square under- or overflows.
struct Direction {
  explicit Direction(const Vec3d& v) : largest(largest_component(v)) {
    if (largest == 0) return;
    const Vec3d scaled = v / largest;
    relative_length = length(scaled);
    unit = scaled / relative_length;
  }
  bool exists() const { return largest > 0; }

  double largest;
  double relative_length = 0;
  Vec3d unit{0, 0, 0};
};

/// The plane of a triangle, and where the corners of another one are.
class Plane {
 public:
  explicit Plane(const Triangle& t)
      : origin_(t.corner[0]),
        cross_(exact_cross(t.corner[1], t.corner[2], t.corner[0])),
        normal_({cross_.x.estimate(), cross_.y.estimate(), cross_.z.estimate()}) {}

  /// False for a triangle without area.
  bool exists() const { return normal_.exists(); }
  const Vec3d& normal() const { return normal_.unit; }

  struct Heights {
    /// How far a corner is behind the plane at most.
    double depth = 0;
    /// All corners are in the plane.
    bool coplanar = true;
  };
  Heights of(const Triangle& other) const {
    Heights heights;
    for (const Vec3d& corner : other.corner) {
      const double volume =
          (cross_.x * difference(corner.x, origin_.x) + cross_.y * difference(corner.y, origin_.y) +
           cross_.z * difference(corner.z, origin_.z))
              .estimate();
      const double height = volume / normal_.largest / normal_.relative_length;
      heights.depth = std::max(heights.depth, -height);
      heights.coplanar = heights.coplanar && volume == 0;
    }
    return heights;
  }

 private:
  Vec3d origin_;
  ExactCross cross_;
  Direction normal_;
};

/// For triangles that both have no area, and so no plane.
Vec3d normal_between_centres(const Triangle& a, const Triangle& b) {
  const auto sum = [](const Triangle& t) { return t.corner[0] + t.corner[1] + t.corner[2]; };
  const Direction direction(sum(b) - sum(a));
  return direction.exists() ? direction.unit : Vec3d{0, 0, 1};
}

void find_normal(const Triangle& a, const Triangle& b, TriangleContact* contact) {
  const Plane plane_a(a);
  const Plane plane_b(b);
  if (!plane_a.exists() && !plane_b.exists()) {
    contact->normal = normal_between_centres(a, b);
    return;
  }
  const Plane::Heights of_b = plane_a.exists() ? plane_a.of(b) : Plane::Heights{.depth = INFINITY};
  const Plane::Heights of_a = plane_b.exists() ? plane_b.of(a) : Plane::Heights{.depth = INFINITY};
  // Depths that only rounding tells apart are equal.
  const bool by_a = of_b.depth <= of_a.depth * (1 + 16 * k_half_ulp);
  contact->normal = by_a ? plane_a.normal() : -plane_b.normal();
  contact->separation = 0 - std::min(of_a.depth, of_b.depth);
  contact->opposed = !(plane_a.exists() && plane_b.exists() && of_b.coplanar &&
                       dot(plane_a.normal(), plane_b.normal()) > 0);
}

/// The two corners of a polygon that are farthest apart; of several such pairs the least, so that
/// it does not matter where the polygon begins.
void find_longest(const TriangleIntersection& polygon, TriangleContact* contact) {
  double longest_sq = -1;
  for (int i = 0; i < polygon.count; ++i) {
    for (int k = i + 1; k < polygon.count; ++k) {
      const Vec3d* low = &polygon.points[i];
      const Vec3d* high = &polygon.points[k];
      if (lexicographic_less(*high, *low)) std::swap(low, high);
      const double distance_sq = length_sq(*high - *low);
      const Vec3d* const best = contact->points;
      const bool less = lexicographic_less(*low, best[0]) ||
                        (*low == best[0] && lexicographic_less(*high, best[1]));
      if (distance_sq > longest_sq || (distance_sq == longest_sq && less)) {
        longest_sq = distance_sq;
        contact->points[0] = *low;
        contact->points[1] = *high;
      }
    }
  }
}

/// On each side of the segment, the corner that is farthest from it; the least of several.
void find_across(const TriangleIntersection& polygon, TriangleContact* contact) {
  const Vec3d from = contact->points[0];
  const Vec3d along = contact->points[1] - from;
  double farthest[2] = {0, 0};
  for (const Vec3d& point : polygon) {
    // Twice the area over the segment, with a sign for the side.
    const double area = dot(contact->normal, cross(along, point - from));
    const int side = area > 0 ? 0 : 1;
    const double distance = std::fabs(area);
    if (distance > farthest[side] || (distance > 0 && distance == farthest[side] &&
                                      lexicographic_less(point, contact->across[side]))) {
      farthest[side] = distance;
      contact->across[side] = point;
    }
  }
}

}  // namespace

TriangleContact triangle_contact(const Triangle& a, const Triangle& b,
                                 const TriangleIntersection& shared) {
  TriangleContact contact;
  find_normal(a, b, &contact);
  contact.points[0] = contact.points[1] = shared.points[0];
  find_longest(shared, &contact);
  contact.across[0] = contact.points[0];
  contact.across[1] = contact.points[1];
  if (shared.count > 2) find_across(shared, &contact);
  return contact;
}

}  // namespace tandem::detail
