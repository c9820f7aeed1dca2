// Scenes for JavaScript; web/js/tandem.mjs has their contracts.
#include <tandem/scene.h>

#include <string_view>

#include "exports.h"

namespace {

using namespace tandem;
using js::pose_at;
using js::results;

}  // namespace

TANDEM_JS(new_scene) Scene* js_new_scene() {
  return new Scene;
}
TANDEM_JS(delete_scene) void js_delete_scene(Scene* scene) {
  delete scene;
}

TANDEM_JS(scene_add)
ObjectId js_scene_add(Scene* scene, const Model* model, const double* in_world, const char* name,
                      std::size_t name_size, const char* group, std::size_t group_size) {
  return scene->add(*model, pose_at(in_world),
                    {.name = {name, name_size}, .group = {group, group_size}});
}
TANDEM_JS(scene_move) void js_scene_move(Scene* scene, ObjectId object, const double* in_world) {
  scene->move(object, pose_at(in_world));
}
TANDEM_JS(scene_remove) void js_scene_remove(Scene* scene, ObjectId object) {
  scene->remove(object);
}
TANDEM_JS(scene_allow)
void js_scene_allow(Scene* scene, const char* label, std::size_t label_size, const char* other,
                    std::size_t other_size) {
  scene->allow(std::string_view(label, label_size), std::string_view(other, other_size));
}

/// Leaves the number of pairs of objects, then for each the two objects and the number of their
/// pairs of triangles, then all pairs of triangles.
TANDEM_JS(scene_collide) void js_scene_collide(const Scene* scene) {
  const SceneResult found = scene->collide();
  results.clear();
  results.numbers.push_back(static_cast<std::uint32_t>(found.objects.size()));
  for (std::size_t i = 0; i < found.objects.size(); ++i) {
    const ObjectPair& objects = found.objects[i];
    const auto count = static_cast<std::uint32_t>(found.pairs_of(i).size());
    results.numbers.insert(results.numbers.end(), {objects.a, objects.b, count});
  }
  for (const TrianglePair& pair : found.pairs) {
    results.numbers.insert(results.numbers.end(), {pair.a, pair.b});
  }
}

/// As closest_hit of a model, with the object before the triangle.
TANDEM_JS(scene_closest_hit) void js_scene_closest_hit(const Scene* scene, const float* r) {
  const SceneHit found = scene->closest_hit({{r[0], r[1], r[2]}, {r[3], r[4], r[5]}, r[6], r[7]});
  results.clear();
  if (!found) return;
  results.numbers = {found.object, found.hit.triangle};
  results.reals = {found.hit.distance, found.hit.u, found.hit.v};
}

/// As those of models, between two objects as they stand; curves in the world.
TANDEM_JS(scene_trace)
void js_scene_trace(const Scene* scene, ObjectId a, ObjectId b, std::size_t most, const char* name,
                    std::size_t name_size) {
  js::put_trace(scene->model(a), scene->model(b), relative_pose(scene->pose(a), scene->pose(b)),
                most, {name, name_size});
}
TANDEM_JS(scene_contact_curves)
void js_scene_contact_curves(const Scene* scene, ObjectId a, ObjectId b, const TrianglePair* pairs,
                             std::size_t pair_count) {
  js::put_curves(scene->model(a), scene->model(b), relative_pose(scene->pose(a), scene->pose(b)),
                 {pairs, pair_count}, scene->pose(a));
}
