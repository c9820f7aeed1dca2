// Scene: many objects that move, and what touches what among them.
//
//   tandem::Scene scene;
//   const tandem::ObjectId cup = scene.add(cup_model, cup_in_world, {.name = "cup"});
//   scene.add(table_model, {}, {.name = "table"});
//   scene.allow("cup", "table");
//   scene.move(cup, cup_later);
//   for (const tandem::ObjectPair& pair : scene.touching()) report(pair);
#pragma once

#include <tandem/engine.h>
#include <tandem/export.h>
#include <tandem/model.h>
#include <tandem/pose.h>
#include <tandem/query.h>
#include <tandem/ray.h>

#include <compare>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tandem {

/// Names an object of a scene. Ids count up from 0 and are not used again.
using ObjectId = std::uint32_t;

/// Two objects, the one with the lower id first.
struct ObjectPair {
  ObjectId a = 0;
  ObjectId b = 0;

  friend auto operator<=>(const ObjectPair&, const ObjectPair&) = default;
};

/// What an object is called. Neither need be unique; an empty text is no name.
struct ObjectLabels {
  std::string name = {};
  std::string group = {};
};

struct SceneOptions {
  /// How many threads share the queries between objects; 0 stands for as many as the machine has.
  int threads = 1;
  Progress progress = {};
};

/// What touches in a scene.
struct SceneResult {
  /// The objects that touch, sorted.
  std::vector<ObjectPair> objects;
  /// Objects i have the triangle pairs from offsets[i] to offsets[i + 1] - 1. There is one offset
  /// more than pairs of objects.
  std::vector<std::uint64_t> offsets;
  /// Those of each two objects sorted by triangle of the first, then of the second.
  std::vector<TrianglePair> pairs;

  std::span<const TrianglePair> pairs_of(std::size_t i) const {
    return std::span(pairs).subspan(offsets[i], offsets[i + 1] - offsets[i]);
  }
};

/// Two objects that come close, and where.
struct ObjectClearance {
  ObjectPair objects;
  /// As `distance` tells it; 0 when they touch.
  double distance = 0;
  /// The closest triangles.
  TrianglePair pair;
  /// Their closest points, in the world.
  Vec3d on_a{0, 0, 0};
  Vec3d on_b{0, 0, 0};
};

/// Where a ray meets an object; the hit is in the object's own terms.
struct SceneHit {
  ObjectId object = 0;
  Hit hit;

  explicit operator bool() const { return bool{hit}; }
  friend bool operator==(const SceneHit&, const SceneHit&) = default;
};

/// Objects in a world: a model, a pose and labels each. Models are shared, so that many objects may
/// show one. What may touch is said by names and groups.
///
/// Two objects touch as `collide(a, b, relative_pose(a_in_world, b_in_world))` says, where a is the
/// one with the lower id. Every function that names an object throws `tandem::Error` for one that
/// is not there. Const functions may be called by any number of threads at once, unless another one
/// changes the scene.
class Scene {
 public:
  TANDEM_API Scene();
  TANDEM_API ~Scene();
  TANDEM_API Scene(Scene&& other) noexcept;
  TANDEM_API Scene& operator=(Scene&& other) noexcept;

  /// Throws `tandem::Error` when the model was made for another structure than those before it.
  TANDEM_API ObjectId add(const Model& model, const Pose& in_world = {},
                          const ObjectLabels& labels = {});
  TANDEM_API void move(ObjectId object, const Pose& in_world);
  TANDEM_API void remove(ObjectId object);

  /// How many objects there are, and which, from the lowest id.
  TANDEM_API std::size_t size() const;
  TANDEM_API std::vector<ObjectId> objects() const;
  TANDEM_API bool contains(ObjectId object) const;
  TANDEM_API const Model& model(ObjectId object) const;
  TANDEM_API const Pose& pose(ObjectId object) const;
  TANDEM_API const ObjectLabels& labels(ObjectId object) const;

  /// Objects with the one label, a name or a group, may touch objects with the other: no query
  /// between them is made, and none of them is reported. The same label twice stands for all that
  /// have it, among each other. Holds for objects that are added later too.
  TANDEM_API void allow(std::string_view label, std::string_view other);
  /// The opposite.
  TANDEM_API void forbid(std::string_view label, std::string_view other);
  TANDEM_API bool is_allowed(ObjectId a, ObjectId b) const;

  /// The objects whose boxes in the world overlap and that may not touch, sorted. All that touch
  /// are among them.
  TANDEM_API std::vector<ObjectPair> close_objects(const SceneOptions& options = {}) const;
  /// The same for boxes that have no more than `distance` between them along each axis. All that
  /// come as close as that are among them. Throws `tandem::Error` for a distance that is negative
  /// or NaN.
  TANDEM_API std::vector<ObjectPair> close_objects(double distance,
                                                   const SceneOptions& options = {}) const;
  /// The objects that touch, sorted.
  TANDEM_API std::vector<ObjectPair> touching(const SceneOptions& options = {}) const;
  /// The same with all triangle pairs. No byte depends on the number of threads.
  TANDEM_API SceneResult collide(const SceneOptions& options = {}) const;

  /// The objects that come as close as `distance`, sorted, with how close they come and where:
  /// `within` says yes to them, and `distance` to what is told of them. Those that may touch are
  /// left out. Throws `tandem::Error` for a distance that is negative or NaN. No byte depends on
  /// the number of threads.
  TANDEM_API std::vector<ObjectClearance> clearances(double distance,
                                                     const SceneOptions& options = {}) const;

  /// The closest hit of a ray in the world; of several at the same distance, the one of the lowest
  /// object, then of the lowest triangle. Each object sees the ray as it is in the object's own
  /// frame, rounded to float32; distances are the same there.
  TANDEM_API SceneHit closest_hit(const Ray& ray) const;
  /// Whether the ray hits anything.
  TANDEM_API bool any_hit(const Ray& ray) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace tandem
