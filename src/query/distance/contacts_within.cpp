#include <tandem/distance.h>

namespace tandem {
namespace {

/// A contact of two triangles that are apart, or the usual one where they touch.
Contact contact_of(const Model& a, const Model& b, const Pose& b_in_a, TrianglePair pair) {
  if (const std::optional<Contact> touching = contact(a, b, b_in_a, pair)) return *touching;
  const TriangleDistance apart = distance(a, b, b_in_a, pair);
  const Vec3d middle = apart.on_a + 0.5 * (apart.on_b - apart.on_a);
  return {.pair = pair,
          .points = {middle, middle},
          .across = {middle, middle},
          .normal = apart.normal,
          .separation = apart.distance};
}

}  // namespace

StreamResult contacts_within(const Model& a, const Model& b, const Pose& b_in_a, double distance,
                             ContactSink sink, const QueryOptions& options) {
  const auto pass_on = [&](TrianglePair pair) { return sink(contact_of(a, b, b_in_a, pair)); };
  return collide_within(a, b, b_in_a, distance, pass_on, options);
}

ContactsResult contacts_within(const Model& a, const Model& b, const Pose& b_in_a, double distance,
                               const QueryOptions& options) {
  const CollideResult close = collide_within(a, b, b_in_a, distance, options);
  ContactsResult result{.contacts = {}, .statistics = close.statistics};
  result.contacts.reserve(close.pairs.size());
  for (const TrianglePair& pair : close.pairs) {
    result.contacts.push_back(contact_of(a, b, b_in_a, pair));
  }
  return result;
}

}  // namespace tandem
