// The point of a mesh that is closest to a given one, and how far from a solid's surface a point
// is, inside or outside.
//
//   const tandem::ClosestPoint closest = tandem::closest_point(model, {0.1, 0.2, 3});
//   if (closest.distance < 0.5) use(closest.triangle, closest.point);
//
//   tandem::signed_distances(model, points, distances, {.limit = 0.1, .threads = 0});
//
// All of it is in the frame of the mesh. Section "Closest points" of docs/conventions.md says what
// is promised, in full.
#pragma once

#include <tandem/export.h>
#include <tandem/model.h>
#include <tandem/vec.h>

#include <cstdint>
#include <limits>
#include <span>

namespace tandem {

struct ClosestPoint {
  static constexpr std::uint32_t k_none = 0xffffffff;

  /// The triangle's id, or `k_none` when none is closer than the limit.
  std::uint32_t triangle = k_none;
  /// Off by at most 1e-12 of itself, and 0 exactly when the point is on the mesh.
  double distance = std::numeric_limits<double>::infinity();
  /// On the triangle, up to the rounding of its coordinates; (0, 0, 0) where there is none.
  Vec3d point{0, 0, 0};

  explicit operator bool() const { return triangle != k_none; }
  friend bool operator==(const ClosestPoint&, const ClosestPoint&) = default;
};

struct ClosestOptions {
  /// The caller does not care for distances from here on: nothing that is as far is found, and the
  /// smaller the limit, the faster. At least 0; infinity for no limit.
  double limit = std::numeric_limits<double>::infinity();
  /// How many threads share the points; 0 stands for as many as the machine has.
  int threads = 1;
};

/// The closest point of the mesh; of several triangles at the same distance the lowest one. Nothing
/// is close to an empty mesh. Takes a tree that is made when it is first needed, that of rays
/// (`Model::prepare_rays`). Throws `tandem::Error` for a coordinate that is not finite or exceeds
/// 1e60 in magnitude, and for a limit that is negative or NaN.
TANDEM_API ClosestPoint closest_point(const Model& model, const Vec3d& point,
                                      double limit = std::numeric_limits<double>::infinity());

/// Writes the closest point of each point to the same position in `closest`. Points that are near
/// each other should follow each other: then each one begins where the last one ended. Nothing but
/// the time depends on that, or on the number of threads. Throws like `closest_point`, naming the
/// position of the point, and when the spans have different lengths.
TANDEM_API void closest_points(const Model& model, std::span<const Vec3d> points,
                               std::span<ClosestPoint> closest, const ClosestOptions& options = {});

/// The distance to the surface of a closed mesh, negative inside of its solid: where its winding
/// number is not zero (tandem/relation.h). The sign is exact, and 0 is for points on the surface.
/// From the limit on it is infinite, with that sign. Everything is outside of an empty mesh.
///
/// Errors as for `closest_point`. Throws `tandem::Error` that names the first triangle with an open
/// edge for a mesh that is not closed; the model finds out once, in O(n log n) time.
TANDEM_API double signed_distance(const Model& model, const Vec3d& point,
                                  double limit = std::numeric_limits<double>::infinity());

/// The same for many points: each distance at the position of its point.
TANDEM_API void signed_distances(const Model& model, std::span<const Vec3d> points,
                                 std::span<double> distances, const ClosestOptions& options = {});

}  // namespace tandem
