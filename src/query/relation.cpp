#include <tandem/error.h>
#include <tandem/relation.h>

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
  check_closed(encounter.surface(0), "mesh A");
  check_closed(encounter.surface(1), "mesh B");
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
