// How triangles, surfaces and solids meet: apart, touching, crossing, or one inside the other.
//
//   if (tandem::meeting(a, b, b_in_a) == tandem::Meeting::crossing) ...        // a clash
//   if (tandem::solid_relation(a, b, b_in_a) == tandem::SolidRelation::a_inside_b) ...
//
// Everything here is exact for B's vertices as `b_in_a` brings them into A's frame. Section
// "Touching, crossing, inside" of docs/conventions.md says what each answer means, in full.
#pragma once

#include <tandem/export.h>
#include <tandem/model.h>
#include <tandem/pose.h>
#include <tandem/query.h>
#include <tandem/triangle.h>

namespace tandem {

enum class Meeting {
  /// No point in common.
  apart,
  /// Points in common, but neither goes through the other.
  touching,
  crossing
};

/// Two triangles cross when both have area, they are not in one plane, and a point that is inside
/// both, so on no edge of either, is common to them. They touch when they share any other point.
/// Coordinates and errors as for `intersects`; the order of corners and arguments does not matter.
TANDEM_API Meeting meeting(const Triangle& a, const Triangle& b);

/// The same for a triangle of each model. Throws `tandem::Error` for an id that does not exist.
TANDEM_API Meeting meeting(const Model& a, const Model& b, const Pose& b_in_a, TrianglePair pair);

/// How the surfaces of the models meet. They cross where triangles cross, and where one surface
/// goes through the other exactly along edges. When both meshes are closed and share a point, they
/// cross exactly when the solids that they bound have volume in common: so abutting cubes touch,
/// equal ones cross, and so do those of which one is inside and touches the other's walls.
/// Closed means what it means to `solid_relation`; models that share no point are apart, even when
/// one is inside the other.
///
/// Stops at the first two triangles that cross; until then it keeps the pairs that touch in memory.
/// Where surfaces do touch, it needs to know whether the meshes are closed, which each model finds
/// out once, in O(n log n) time. `options.statistics` has no effect. Throws `tandem::Error` like
/// `collide`, and for a triangle test other than the exact one.
TANDEM_API Meeting meeting(const Model& a, const Model& b, const Pose& b_in_a,
                           const QueryOptions& options = {});

enum class SolidRelation {
  /// No point in common, neither of surfaces nor of solids.
  apart,
  /// The surfaces share points, but the solids have no volume in common.
  touching,
  /// The solids have volume in common, and neither of the next two holds.
  crossing,
  /// The surfaces share no point, and all of A is in the solid of B, or the other way round.
  a_inside_b,
  b_inside_a
};

/// How the solids meet that two closed meshes bound. A mesh is closed when for each edge as many
/// triangles run along it one way as the other, edges being known by the positions of their ends.
/// Its solid is where its winding number is not zero: several parts, cavities whose walls face
/// inwards, edges with four triangles and meshes that are inside out are all right. The answer is
/// exact; where surfaces touch, for meshes whose own triangles do not cross each other.
///
/// When surfaces share no point, it takes one ray through the other model for each part of a mesh.
/// Time, memory and errors otherwise as for `meeting`. Throws `tandem::Error` that names the first
/// triangle with an open edge for a mesh that is not closed. An empty mesh is closed and apart from
/// everything.
TANDEM_API SolidRelation solid_relation(const Model& a, const Model& b, const Pose& b_in_a,
                                        const QueryOptions& options = {});

}  // namespace tandem
