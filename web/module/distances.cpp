// Distances and contacts for JavaScript; web/js/tandem.mjs has their contracts.
#include <tandem/contact.h>
#include <tandem/distance.h>

#include "exports.h"

namespace {

using namespace tandem;
using js::pose_at;
using js::results;

}  // namespace

/// Leaves the pair, or nothing, and distance, closest points and direction.
TANDEM_JS(distance)
void js_distance(const Model* a, const Model* b, const double* b_in_a, double limit) {
  const DistanceResult found = distance(*a, *b, pose_at(b_in_a), {.limit = limit});
  results.clear();
  if (found.pair) results.numbers = {found.pair->a, found.pair->b};
  results.reals.push_back(found.distance);
  for (const Vec3d& v : {found.on_a, found.on_b, found.normal}) results.add(v);
}

TANDEM_JS(within)
int js_within(const Model* a, const Model* b, const double* b_in_a, double distance) {
  return within(*a, *b, pose_at(b_in_a), distance) ? 1 : 0;
}

/// Leaves for each contact its pair and whether it is opposed; and its two points, those across,
/// the normal and the separation.
TANDEM_JS(contacts)
void js_contacts(const Model* a, const Model* b, const double* b_in_a, double distance) {
  const ContactsResult found = contacts_within(*a, *b, pose_at(b_in_a), distance);
  results.clear();
  for (const Contact& each : found.contacts) {
    results.numbers.insert(results.numbers.end(),
                           {each.pair.a, each.pair.b, each.opposed ? 1U : 0U});
    for (const Vec3d& v :
         {each.points[0], each.points[1], each.across[0], each.across[1], each.normal}) {
      results.add(v);
    }
    results.reals.push_back(each.separation);
  }
}
