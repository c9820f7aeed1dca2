// Models and queries for JavaScript; web/js/tandem.mjs has their contracts.
#include <tandem/model.h>
#include <tandem/query.h>
#include <tandem/ray_query.h>

#include <cstdlib>

#include "exports.h"

namespace {

using namespace tandem;
using js::pose_at;
using js::results;

void put(std::span<const TrianglePair> pairs) {
  results.clear();
  results.numbers.reserve(2 * pairs.size());
  for (const TrianglePair& pair : pairs) {
    results.numbers.push_back(pair.a);
    results.numbers.push_back(pair.b);
  }
}

}  // namespace

namespace tandem::js {

void put_curves(const Model& a, const Model& b, const Pose& b_in_a,
                std::span<const TrianglePair> pairs, const Pose& a_in_world) {
  const auto curves = tandem::contact_curves(a, b, b_in_a, pairs);
  results.clear();
  for (const ContactCurve& curve : curves) {
    results.numbers.push_back(static_cast<std::uint32_t>(curve.points.size()));
    results.numbers.push_back(curve.closed ? 1 : 0);
    for (const Vec3d& point : curve.points) results.add(transform_point(a_in_world, point));
  }
}

}  // namespace tandem::js

TANDEM_JS(allocate) void* js_allocate(std::size_t bytes) {
  return operator new(bytes);
}
TANDEM_JS(release) void js_release(void* memory) {
  operator delete(memory);
}

TANDEM_JS(numbers) const std::uint32_t* js_numbers() {
  return results.numbers.data();
}
TANDEM_JS(number_count) std::size_t js_number_count() {
  return results.numbers.size();
}
TANDEM_JS(reals) const double* js_reals() {
  return results.reals.data();
}
TANDEM_JS(real_count) std::size_t js_real_count() {
  return results.reals.size();
}

/// Turns four numbers of a quaternion and three of a translation into the twelve of a pose.
TANDEM_JS(quaternion_pose) void js_quaternion_pose(double* numbers) {
  const Pose pose = js::quaternion_pose_at(numbers);
  for (int i = 0; i < 9; ++i) numbers[i] = pose.rotation(i / 3, i % 3);
  for (int i = 0; i < 3; ++i) numbers[9 + i] = pose.translation()[i];
}

TANDEM_JS(new_model)
Model* js_new_model(const float* coordinates, std::size_t coordinate_count,
                    const std::uint32_t* indices, std::size_t index_count, int fast) {
  BuildOptions options;
  if (fast != 0) options.builder = "fast";
  return new Model(Mesh::from_arrays({coordinates, coordinate_count}, {indices, index_count}),
                   options);
}
TANDEM_JS(delete_model) void js_delete_model(Model* model) {
  delete model;
}

TANDEM_JS(collide) void js_collide(const Model* a, const Model* b, const double* b_in_a) {
  put(collide(*a, *b, pose_at(b_in_a)).pairs);
}
TANDEM_JS(count) double js_count(const Model* a, const Model* b, const double* b_in_a) {
  return static_cast<double>(count(*a, *b, pose_at(b_in_a)).count);
}
TANDEM_JS(intersects) int js_intersects(const Model* a, const Model* b, const double* b_in_a) {
  return intersects(*a, *b, pose_at(b_in_a)) ? 1 : 0;
}
TANDEM_JS(self_collide) void js_self_collide(const Model* model) {
  put(self_collide(*model).pairs);
}

TANDEM_JS(contact_curves)
void js_contact_curves(const Model* a, const Model* b, const double* b_in_a,
                       const TrianglePair* pairs, std::size_t pair_count) {
  js::put_curves(*a, *b, pose_at(b_in_a), {pairs, pair_count}, {});
}

/// Origin, direction, least and greatest distance. Leaves the triangle, or nothing, and distance, u
/// and v.
TANDEM_JS(closest_hit) void js_closest_hit(const Model* model, const float* r) {
  const Hit hit = closest_hit(*model, {{r[0], r[1], r[2]}, {r[3], r[4], r[5]}, r[6], r[7]});
  results.clear();
  if (!hit) return;
  results.numbers.push_back(hit.triangle);
  results.reals = {hit.distance, hit.u, hit.v};
}
