#include <tandem/error.h>
#include <tandem/relation.h>

#include <string>

#include "engine/triangle_tests.h"
#include "geometry/triangle_relation.h"
#include "query/encounter.h"
#include "query/find_engine.h"
#include "query/pair_triangles.h"

namespace tandem {
namespace {

using detail::Encounter;
using detail::Located;

void check_exact(const QueryOptions& options) {
  if (detail::triangle_test_of(options.engine) != detail::TriangleTestKind::exact) {
    throw Error("whether surfaces touch or cross is decided by the exact triangle test alone");
  }
}

void check_closed(const Encounter& encounter, int side) {
  const detail::Surface& surface = encounter.surface(side);
  if (surface.closed()) return;
  const auto [triangle, corner] = *surface.open_edge;
  throw Error(std::string("mesh ") + "AB"[side] +
              " is not closed: no triangle runs along the edge of triangle " +
              std::to_string(triangle) + " from corner " + std::to_string(corner) + " to corner " +
              std::to_string((corner + 1) % 3) + " the other way");
}

}  // namespace

Meeting meeting(const Model& a, const Model& b, const Pose& b_in_a, TrianglePair pair) {
  const detail::PairTriangles triangles = detail::triangles_of(a, b, b_in_a, pair);
  return detail::relate_triangles(triangles.a, triangles.b).meeting;
}

Meeting meeting(const Model& a, const Model& b, const Pose& b_in_a, const QueryOptions& options) {
  check_exact(options);
  Encounter encounter(a, b, b_in_a, options);
  const Meeting triangles = encounter.find_contacts();
  if (triangles != Meeting::touching) return triangles;
  return encounter.cross() ? Meeting::crossing : Meeting::touching;
}

SolidRelation solid_relation(const Model& a, const Model& b, const Pose& b_in_a,
                             const QueryOptions& options) {
  check_exact(options);
  Encounter encounter(a, b, b_in_a, options);
  for (const int side : {0, 1}) check_closed(encounter, side);
  const Meeting triangles = encounter.find_contacts();
  if (triangles == Meeting::crossing) return SolidRelation::crossing;
  if (triangles == Meeting::touching) {
    return encounter.cross() ? SolidRelation::crossing : SolidRelation::touching;
  }
  const Located of_a = encounter.locate_parts(0);
  const Located of_b = encounter.locate_parts(1);
  if (of_a.inside == 0 && of_b.inside == 0) return SolidRelation::apart;
  if (of_a.outside == 0 && of_b.inside == 0) return SolidRelation::a_inside_b;
  if (of_b.outside == 0 && of_a.inside == 0) return SolidRelation::b_inside_a;
  return SolidRelation::crossing;
}

}  // namespace tandem
