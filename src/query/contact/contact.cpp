#include <tandem/contact.h>

#include "geometry/triangle_contact.h"
#include "geometry/triangle_intersection.h"
#include "query/pair_triangles.h"

namespace tandem {

std::optional<Contact> contact(const Model& a, const Model& b, const Pose& b_in_a,
                               TrianglePair pair) {
  const detail::PairTriangles triangles = detail::triangles_of(a, b, b_in_a, pair);
  const TriangleIntersection shared = detail::triangle_intersection(triangles.a, triangles.b);
  if (shared.empty()) return std::nullopt;
  const detail::TriangleContact found = detail::triangle_contact(triangles.a, triangles.b, shared);
  return Contact{.pair = pair,
                 .points = {found.points[0], found.points[1]},
                 .across = {found.across[0], found.across[1]},
                 .normal = found.normal,
                 .separation = found.separation,
                 .opposed = found.opposed};
}

StreamResult contacts(const Model& a, const Model& b, const Pose& b_in_a, ContactSink sink,
                      const QueryOptions& options) {
  const auto pass_on = [&](TrianglePair pair) {
    const std::optional<Contact> found = contact(a, b, b_in_a, pair);
    return found ? sink(*found) : Flow::go_on;
  };
  return collide(a, b, b_in_a, pass_on, options);
}

ContactsResult contacts(const Model& a, const Model& b, const Pose& b_in_a,
                        const QueryOptions& options) {
  const CollideResult touching = collide(a, b, b_in_a, options);
  ContactsResult result{.contacts = {}, .statistics = touching.statistics};
  result.contacts.reserve(touching.pairs.size());
  for (const TrianglePair& pair : touching.pairs) {
    if (const std::optional<Contact> found = contact(a, b, b_in_a, pair)) {
      result.contacts.push_back(*found);
    }
  }
  return result;
}

}  // namespace tandem
