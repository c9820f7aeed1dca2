#include "sim/near_points.h"

#include <tandem/distance.h>

#include <array>
#include <cmath>
#include <cstddef>

namespace tandem::sim {
namespace {

/// Triangles whose normals have a cosine below minus this are about parallel and face each other:
/// within some 8 degrees.
constexpr double k_parallel = 0.99;

/// A direction is behind a triangle's front when it is so far behind, as a cosine: more than bodies
/// turn that stand on an edge of a face across the contact.
constexpr double k_behind = 0.3;

/// How much the distance of triangles may be off, as a share of it.
constexpr double k_distance_error = 1e-4;

/// A triangle that is cut by three planes has at most six corners.
struct Polygon {
  std::array<Vec3d, 6> corners;
  std::size_t size = 0;

  void add(const Vec3d& corner) {
    if (size < corners.size()) corners[size++] = corner;
  }
};

/// What of a polygon has heights of at least 0 (Sutherland and Hodgman 1974).
template <class Height>
Polygon clipped(const Polygon& polygon, const Height& height) {
  Polygon result;
  for (std::size_t i = 0; i < polygon.size; ++i) {
    const Vec3d& here = polygon.corners[i];
    const Vec3d& next = polygon.corners[(i + 1) % polygon.size];
    const double at_here = height(here);
    const double at_next = height(next);
    if (at_here >= 0) result.add(here);
    if ((at_here > 0 && at_next < 0) || (at_here < 0 && at_next > 0)) {
      result.add(here + at_here / (at_here - at_next) * (next - here));
    }
  }
  return result;
}

Contact contact_at(TrianglePair pair, const Vec3d& point, const Vec3d& normal, double separation) {
  return {.pair = pair,
          .points = {point, point},
          .across = {point, point},
          .normal = normal,
          .separation = separation};
}

/// Whether no corner is in front of a plane. Then other triangles around the same corner or edge
/// are in front and make the contact, if there is one; a triangle without area has no front.
bool is_behind(const Vec3d (&corners)[3], const Vec3d& in_plane, const Vec3d& front) {
  if (front == Vec3d(0, 0, 0)) return false;
  for (const Vec3d& corner : corners) {
    if (dot(front, corner - in_plane) > 0) return false;
  }
  return true;
}

/// By the inverse of the rotation of a pose.
Vec3d turned_back(const Pose& pose, const Vec3d& v) {
  Vec3d turned;
  for (int j = 0; j < 3; ++j) {
    turned[j] = pose.rotation(0, j) * v.x + pose.rotation(1, j) * v.y + pose.rotation(2, j) * v.z;
  }
  return turned;
}

}  // namespace

void append_near_contacts(const NearMesh& a, const NearMesh& b, const Pose& b_in_a,
                          TrianglePair pair, const PairTriangles& triangles, double margin,
                          std::vector<Contact>* contacts) {
  const auto& of_a = triangles.a.corner;
  const auto& of_b = triangles.b.corner;
  const Vec3d area_a = cross(of_a[1] - of_a[0], of_a[2] - of_a[0]);
  const Vec3d area_b = cross(of_b[1] - of_b[0], of_b[2] - of_b[0]);
  if (is_behind(of_b, of_a[0], area_a) || is_behind(of_a, of_b[0], area_b)) return;

  // Faces over each other: the corners of what they have in common.
  const double size_a = length(area_a);
  const double size_b = length(area_b);
  if (size_a > 0 && dot(area_a, area_b) <= -k_parallel * size_a * size_b) {
    Polygon common{{of_b[0], of_b[1], of_b[2]}, 3};
    for (int k = 0; k < 3 && common.size > 0; ++k) {
      const Vec3d inward = cross(area_a, of_a[(k + 1) % 3] - of_a[k]);
      common = clipped(common, [&](const Vec3d& point) { return dot(inward, point - of_a[k]); });
    }
    const Vec3d up = area_a / size_a;
    const std::size_t before = contacts->size();
    for (std::size_t i = 0; i < common.size; ++i) {
      const double height = dot(up, common.corners[i] - of_a[0]);
      if (!(height >= 0 && height <= margin)) continue;
      contacts->push_back(contact_at(pair, common.corners[i] - 0.5 * height * up, up, height));
    }
    if (contacts->size() > before) return;
  }

  // Others: where they are closest.
  const TriangleDistance apart = distance(a.model, b.model, b_in_a, pair, k_distance_error);
  const Vec3d& normal = apart.normal;
  if (dot(area_a, normal) < -k_behind * size_a || dot(area_b, normal) > k_behind * size_b) return;
  if (a.fans.leads_away(pair.a, apart.on_a, normal) &&
      b.fans.leads_away(pair.b, turned_back(b_in_a, apart.on_b - b_in_a.translation()),
                        turned_back(b_in_a, -normal))) {
    contacts->push_back(
        contact_at(pair, apart.on_a + 0.5 * (apart.on_b - apart.on_a), normal, apart.distance));
  }
}

}  // namespace tandem::sim
