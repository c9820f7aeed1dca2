#include <tandem/batch.h>
#include <tandem/distance.h>
#include <tandem/error.h>
#include <tandem/ray_query.h>
#include <tandem/scene.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <utility>

#include "parallel/lock.h"
#include "parallel/parallel_for.h"
#include "scene/box_tree.h"
#include "scene/world_box.h"

namespace tandem {
namespace {

using detail::BoxTree;
using detail::parallel_for;
using detail::with_threads;
using detail::world_box;
using detail::WorldBox;

constexpr std::uint32_t k_nowhere = std::numeric_limits<std::uint32_t>::max();

/// Stands for a label in the allowed pairs; no label is 0.
using LabelNumber = std::uint32_t;

struct Object {
  ObjectId id;
  Pose pose;
  ObjectLabels labels;
  LabelNumber name;
  LabelNumber group;
  /// Since its box was last fitted.
  mutable bool has_moved = false;
};

/// The ray as an object sees it.
Ray ray_in(const Pose& in_world, const Ray& ray) {
  const auto turn_back = [&](const Vec3d& v) {
    Vec3d turned;
    for (int j = 0; j < 3; ++j) {
      turned[j] = in_world.rotation(0, j) * v.x + in_world.rotation(1, j) * v.y +
                  in_world.rotation(2, j) * v.z;
    }
    return Vec3f(turned);
  };
  return {turn_back(Vec3d(ray.origin) - in_world.translation()), turn_back(Vec3d(ray.direction)),
          ray.t_min, ray.t_max};
}

bool is_finite(const Vec3f& v) {
  return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z);
}

/// How far apart boxes may be whose objects come as close as a distance: lengths differ between
/// frames by as much as rotations may be off.
double reach_for(double distance) {
  if (!(distance >= 0)) {
    throw Error("a clearance is 0 or more, not " + std::to_string(distance));
  }
  return distance * (1 + 1e-5);
}

/// Whether a ray may meet what is in a box before a distance, however an object rounds the ray.
class RayAndBoxes {
 public:
  explicit RayAndBoxes(const Ray& ray) : ray_(ray) {}

  bool may_meet(const WorldBox& box, double farthest) const {
    // In an object's frame the ray is rounded to float32, by 2^-24 of its coordinates there, and a
    // pose may be off from a rotation by some millionths. Of that the box has what grows with the
    // distance of the mesh from its own origin (world_box.cpp); the rest grows with the way from
    // here to the far side of the box.
    double way = 0;
    for (int k = 0; k < 3; ++k) {
      const double origin = ray_.origin[k];
      way = std::max(way,
                     std::max(std::fabs(box.lower[k] - origin), std::fabs(box.upper[k] - origin)));
    }
    const double margin = 0x1p-16 * way + 1e-40;
    double enter = std::max(0.0, double{ray_.t_min});
    double leave = std::min(farthest, double{ray_.t_max});
    // A pose that is off changes distances too.
    leave += 0x1p-16 * leave + 1e-40;
    for (int k = 0; k < 3; ++k) {
      const double origin = ray_.origin[k];
      const double direction = ray_.direction[k];
      const double lower = box.lower[k] - margin - origin;
      const double upper = box.upper[k] + margin - origin;
      // A direction along which the ray hardly moves may have another sign in an object's frame:
      // along it the box counts as without end, unless it is out of reach in any case.
      const double least = 0x1p-16 * largest_direction();
      if (std::fabs(direction) <= least) {
        if (lower > 0 && !(least * leave >= lower)) return false;
        if (upper < 0 && !(least * leave >= -upper)) return false;
        continue;
      }
      const double first = lower / direction;
      const double second = upper / direction;
      enter = std::max(enter, std::min(first, second) * (1 - 0x1p-14) - 1e-40);
      leave = std::min(leave, std::max(first, second) * (1 + 0x1p-14) + 1e-40);
    }
    return enter <= leave;
  }

 private:
  double largest_direction() const {
    return std::max(
        std::max(std::fabs(double{ray_.direction.x}), std::fabs(double{ray_.direction.y})),
        std::fabs(double{ray_.direction.z}));
  }

  const Ray& ray_;
};

}  // namespace

struct Scene::State {
  /// By id from the lowest; ids of objects that are gone are nowhere.
  std::vector<Object> objects;
  /// Of each object, in the same order.
  std::vector<Model> models;
  std::vector<std::uint32_t> place_of_id;
  std::map<std::string, LabelNumber, std::less<>> labels;
  std::set<std::pair<LabelNumber, LabelNumber>> allowed;

  /// The box of each object, and a tree over them: made when a query first needs them, for the
  /// objects that have moved since the last one.
  mutable detail::Mutex fitting;
  mutable std::vector<WorldBox> boxes;
  /// Each once, so that no two threads fit the same box.
  mutable std::vector<std::uint32_t> moved;
  mutable bool fitted = true;
  mutable BoxTree tree;

  LabelNumber number_of(std::string_view label) {
    if (label.empty()) return 0;
    const auto found = labels.find(label);
    if (found != labels.end()) return found->second;
    const auto number = static_cast<LabelNumber>(labels.size() + 1);
    labels.emplace(label, number);
    return number;
  }

  std::uint32_t place_of(ObjectId id) const {
    if (id >= place_of_id.size() || place_of_id[id] == k_nowhere) {
      throw Error("the scene has no object " + std::to_string(id));
    }
    return place_of_id[id];
  }
  Object& object(ObjectId id) { return objects[place_of(id)]; }

  void note_move(std::uint32_t place) {
    if (!std::exchange(objects[place].has_moved, true)) moved.push_back(place);
    fitted = false;
  }

  bool may_touch(const Object& a, const Object& b) const {
    for (const LabelNumber x : {a.name, a.group}) {
      for (const LabelNumber y : {b.name, b.group}) {
        if (x != 0 && y != 0 && allowed.contains(std::minmax(x, y))) return true;
      }
    }
    return false;
  }

  const BoxTree& fitted_tree(int threads) const {
    constexpr std::size_t k_grain = 32;
    const std::lock_guard lock(fitting);
    if (fitted) return tree;
    parallel_for(moved.size(), k_grain, threads, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        const Object& object = objects[moved[i]];
        boxes[moved[i]] = world_box(models[moved[i]], object.pose);
        object.has_moved = false;
      }
    });
    moved.clear();
    tree.update(boxes);
    fitted = true;
    return tree;
  }

  /// Places of objects whose boxes overlap, or have no more than `reach` between them, and that may
  /// not touch, sorted.
  std::vector<ObjectPair> close_places(int threads, double reach = 0) const {
    std::vector<ObjectPair> pairs = fitted_tree(threads).overlapping_pairs(threads, reach);
    if (!allowed.empty()) {
      std::erase_if(pairs, [&](const ObjectPair& pair) {
        return may_touch(objects[pair.a], objects[pair.b]);
      });
    }
    return pairs;
  }

  /// What `answer(queries)` says of all close objects, which are replaced by their ids.
  template <class Answer>
  auto ask(std::vector<ObjectPair>& close, int threads, const Answer& answer) const {
    constexpr std::size_t k_grain = 256;
    std::vector<BatchQuery> queries(close.size());
    parallel_for(close.size(), k_grain, threads, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        const Object& a = objects[close[i].a];
        const Object& b = objects[close[i].b];
        queries[i] = {close[i].a, close[i].b, relative_pose(a.pose, b.pose)};
        close[i] = {a.id, b.id};
      }
    });
    return answer(queries);
  }
};

Scene::Scene() : state_(std::make_unique<State>()) {}
Scene::~Scene() = default;
Scene::Scene(Scene&& other) noexcept = default;
Scene& Scene::operator=(Scene&& other) noexcept = default;

ObjectId Scene::add(const Model& model, const Pose& in_world, const ObjectLabels& labels) {
  State& s = *state_;
  if (!s.models.empty() && s.models.front().structure() != model.structure()) {
    throw Error("the models of a scene are made for one structure: this one is for " +
                std::string(model.structure().name()) + ", those before it for " +
                std::string(s.models.front().structure().name()));
  }
  if (s.place_of_id.size() >= k_nowhere) throw Error("the scene has no ids left");
  const auto id = static_cast<ObjectId>(s.place_of_id.size());
  const auto place = static_cast<std::uint32_t>(s.objects.size());
  s.objects.push_back({id, in_world, labels, s.number_of(labels.name), s.number_of(labels.group)});
  s.models.push_back(model);
  s.place_of_id.push_back(place);
  s.boxes.emplace_back();
  s.note_move(place);
  return id;
}

void Scene::move(ObjectId object, const Pose& in_world) {
  State& s = *state_;
  const std::uint32_t place = s.place_of(object);
  s.objects[place].pose = in_world;
  s.note_move(place);
}

void Scene::remove(ObjectId object) {
  State& s = *state_;
  const std::uint32_t place = s.place_of(object);
  s.objects.erase(s.objects.begin() + place);
  s.models.erase(s.models.begin() + place);
  s.boxes.erase(s.boxes.begin() + place);
  s.place_of_id[object] = k_nowhere;
  for (std::size_t i = place; i < s.objects.size(); ++i) --s.place_of_id[s.objects[i].id];
  std::erase(s.moved, place);
  for (std::uint32_t& later : s.moved) later -= later > place ? 1 : 0;
  s.fitted = false;
}

std::size_t Scene::size() const {
  return state_->objects.size();
}

std::vector<ObjectId> Scene::objects() const {
  std::vector<ObjectId> ids;
  ids.reserve(size());
  for (const Object& object : state_->objects) ids.push_back(object.id);
  return ids;
}

bool Scene::contains(ObjectId object) const {
  return object < state_->place_of_id.size() && state_->place_of_id[object] != k_nowhere;
}

const Model& Scene::model(ObjectId object) const {
  return state_->models[state_->place_of(object)];
}
const Pose& Scene::pose(ObjectId object) const {
  return state_->object(object).pose;
}
const ObjectLabels& Scene::labels(ObjectId object) const {
  return state_->object(object).labels;
}

void Scene::allow(std::string_view label, std::string_view other) {
  if (label.empty() || other.empty()) throw Error("an empty text is no label");
  state_->allowed.insert(std::minmax(state_->number_of(label), state_->number_of(other)));
}

void Scene::forbid(std::string_view label, std::string_view other) {
  if (label.empty() || other.empty()) throw Error("an empty text is no label");
  state_->allowed.erase(std::minmax(state_->number_of(label), state_->number_of(other)));
}

bool Scene::is_allowed(ObjectId a, ObjectId b) const {
  return state_->may_touch(state_->object(a), state_->object(b));
}

std::vector<ObjectPair> Scene::close_objects(const SceneOptions& options) const {
  return close_objects(0, options);
}

std::vector<ObjectPair> Scene::close_objects(double distance, const SceneOptions& options) const {
  const double reach = reach_for(distance);
  std::vector<ObjectPair> pairs;
  with_threads(options.threads, [&] { pairs = state_->close_places(options.threads, reach); });
  for (ObjectPair& pair : pairs) {
    pair = {state_->objects[pair.a].id, state_->objects[pair.b].id};
  }
  return pairs;
}

std::vector<ObjectPair> Scene::touching(const SceneOptions& options) const {
  std::vector<ObjectPair> found;
  with_threads(options.threads, [&] {
    std::vector<ObjectPair> asked = state_->close_places(options.threads);
    const BatchBits bits =
        state_->ask(asked, options.threads, [&](std::span<const BatchQuery> queries) {
          return intersects_batch(state_->models, queries,
                                  {.threads = options.threads, .progress = options.progress});
        });
    for (std::size_t i = 0; i < asked.size(); ++i) {
      if (bits[i]) found.push_back(asked[i]);
    }
  });
  return found;
}

SceneResult Scene::collide(const SceneOptions& options) const {
  SceneResult result{{}, {0}, {}};
  with_threads(options.threads, [&] {
    std::vector<ObjectPair> asked = state_->close_places(options.threads);
    BatchResult batch =
        state_->ask(asked, options.threads, [&](std::span<const BatchQuery> queries) {
          return collide_batch(state_->models, queries,
                               {.threads = options.threads, .progress = options.progress});
        });
    for (std::size_t i = 0; i < asked.size(); ++i) {
      if (batch.count(i) == 0) continue;
      result.objects.push_back(asked[i]);
      result.offsets.push_back(batch.offsets[i + 1]);
    }
    result.pairs = std::move(batch.pairs);
  });
  return result;
}

std::vector<ObjectClearance> Scene::clearances(double distance, const SceneOptions& options) const {
  const double reach = reach_for(distance);
  // What is as close as the distance counts.
  const double limit = std::nextafter(distance, std::numeric_limits<double>::infinity());
  std::vector<ObjectClearance> found;
  with_threads(options.threads, [&] {
    std::vector<ObjectPair> asked = state_->close_places(options.threads, reach);
    const std::vector<DistanceResult> results =
        state_->ask(asked, options.threads, [&](std::span<const BatchQuery> queries) {
          return distance_batch(
              state_->models, queries,
              {.limit = limit, .threads = options.threads, .progress = options.progress});
        });
    for (std::size_t i = 0; i < asked.size(); ++i) {
      if (!results[i].pair) continue;
      const Pose& a_in_world = pose(asked[i].a);
      found.push_back({asked[i], results[i].distance, *results[i].pair,
                       transform_point(a_in_world, results[i].on_a),
                       transform_point(a_in_world, results[i].on_b)});
    }
  });
  return found;
}

SceneHit Scene::closest_hit(const Ray& ray) const {
  SceneHit best;
  if (!is_finite(ray.origin) || !is_finite(ray.direction)) return best;
  const RayAndBoxes boxes(ray);
  state_->fitted_tree(1).visit(
      [&](const WorldBox& box) { return boxes.may_meet(box, best.hit.distance); },
      [&](std::uint32_t place) {
        const Object& object = state_->objects[place];
        const Hit hit = tandem::closest_hit(state_->models[place], ray_in(object.pose, ray));
        if (!hit || hit.distance > best.hit.distance) return;
        if (hit.distance == best.hit.distance && best && object.id > best.object) return;
        best = {object.id, hit};
      });
  return best;
}

bool Scene::any_hit(const Ray& ray) const {
  if (!is_finite(ray.origin) || !is_finite(ray.direction)) return false;
  const RayAndBoxes boxes(ray);
  bool found = false;
  state_->fitted_tree(1).visit(
      [&](const WorldBox& box) {
        return !found && boxes.may_meet(box, std::numeric_limits<double>::infinity());
      },
      [&](std::uint32_t place) {
        const Object& object = state_->objects[place];
        found = found || tandem::any_hit(state_->models[place], ray_in(object.pose, ray));
      });
  return found;
}

}  // namespace tandem
