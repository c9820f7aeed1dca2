#include <tandem/query.h>

#include "geometry/triangle_intersection.h"
#include "query/pair_triangles.h"
#include "query/search_models.h"

namespace tandem {
StreamResult collide(const Model& a, const Model& b, const Pose& b_in_a, PairSink sink,
                     const QueryOptions& options) {
  return detail::search_and_show(detail::search_for(a, b, b_in_a, options), sink, options);
}

CollideResult collide(const Model& a, const Model& b, const Pose& b_in_a,
                      const QueryOptions& options) {
  return detail::search_and_sort(detail::search_for(a, b, b_in_a, options), options);
}

IntersectsResult intersects(const Model& a, const Model& b, const Pose& b_in_a,
                            const QueryOptions& options) {
  return detail::search_first(detail::search_for(a, b, b_in_a, options), options);
}

CountResult count(const Model& a, const Model& b, const Pose& b_in_a, const QueryOptions& options) {
  return detail::search_and_count(detail::search_for(a, b, b_in_a, options), options);
}

TriangleIntersection intersection(const Model& a, const Model& b, const Pose& b_in_a,
                                  TrianglePair pair) {
  const detail::PairTriangles triangles = detail::triangles_of(a, b, b_in_a, pair);
  return detail::triangle_intersection(triangles.a, triangles.b);
}

}  // namespace tandem
