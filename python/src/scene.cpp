// Scenes: many objects that move.
#include <pybind11/stl.h>
#include <tandem/scene.h>

#include <cstddef>
#include <limits>
#include <memory>
#include <string>

#include "bind.h"
#include "support/batches.h"
#include "support/rays.h"
#include "support/scenes.h"

namespace tandem::python {
namespace {

constexpr double k_infinity = std::numeric_limits<double>::infinity();

py::dtype clearance_dtype() {
  return make_dtype({{"objects", "(2,)u4", offsetof(ObjectClearance, objects)},
                     {"distance", "f8", offsetof(ObjectClearance, distance)},
                     {"pair", "(2,)u4", offsetof(ObjectClearance, pair)},
                     {"on_a", "(3,)f8", offsetof(ObjectClearance, on_a)},
                     {"on_b", "(3,)f8", offsetof(ObjectClearance, on_b)}},
                    sizeof(ObjectClearance));
}

/// Of shape (n, 2).
py::array object_pairs(std::vector<ObjectPair> pairs) {
  static_assert(sizeof(ObjectPair) == 8);
  return owning(std::move(pairs), py::dtype::of<std::uint32_t>(), {2});
}

/// An id that an object may have; the scene says whether there is such an object.
ObjectId to_id(std::int64_t object) {
  if (object < 0 || object > std::numeric_limits<ObjectId>::max()) {
    throw Error(std::to_string(object) + " is no id");
  }
  return static_cast<ObjectId>(object);
}

template <class Function>
auto look(const GuardedScene& scene, Function&& function) {
  return scene.look(std::forward<Function>(function));
}

void bind_hit(py::module_& module) {
  py::class_<SceneHit>(module, "SceneHit",
                       "Where a ray meets an object; false where it meets none.")
      .def_readonly("object", &SceneHit::object)
      .def_readonly("hit", &SceneHit::hit)
      .def("__bool__", [](const SceneHit& hit) { return bool{hit}; })
      .def("__repr__", [](const SceneHit& hit) {
        if (!hit) return std::string("SceneHit()");
        return "SceneHit(object=" + std::to_string(hit.object) +
               ", hit=" + py::repr(py::cast(hit.hit)).cast<std::string>() + ")";
      });
}

using SceneClass = py::class_<GuardedScene>;

void define_objects(SceneClass& scene) {
  scene
      .def(
          "add",
          [](GuardedScene& scene, const Model& model, PoseLike in_world, const std::string& name,
             const std::string& group) {
            const Pose pose = to_pose(in_world, "in_world");
            return scene.change([&](Scene& all) { return all.add(model, pose, {name, group}); });
          },
          py::arg("model"), py::arg("in_world") = py::none(), py::kw_only(), py::arg("name") = "",
          py::arg("group") = "", "Adds an object and returns its id. Ids count up from 0.")
      .def(
          "move",
          [](GuardedScene& scene, std::int64_t object, PoseLike in_world) {
            const Pose pose = to_pose(in_world, "in_world");
            naming("object",
                   [&] { scene.change([&](Scene& all) { all.move(to_id(object), pose); }); });
          },
          py::arg("object"), py::arg("in_world"))
      .def(
          "remove",
          [](GuardedScene& scene, std::int64_t object) {
            naming("object", [&] { scene.change([&](Scene& all) { all.remove(to_id(object)); }); });
          },
          py::arg("object"))
      .def("__len__",
           [](const GuardedScene& scene) {
             return look(scene, [](const Scene& all) { return all.size(); });
           })
      .def("__contains__",
           [](const GuardedScene& scene, std::int64_t object) {
             return object >= 0 && object <= std::numeric_limits<ObjectId>::max() &&
                    look(scene, [&](const Scene& all) { return all.contains(to_id(object)); });
           })
      .def(
          "objects",
          [](const GuardedScene& scene) {
            return owning(look(scene, [](const Scene& all) { return all.objects(); }),
                          py::dtype::of<std::uint32_t>());
          },
          "The ids of all objects, uint32 of shape (n,), from the lowest.")
      .def(
          "model",
          [](const GuardedScene& scene, std::int64_t object) {
            return naming("object", [&] {
              return look(scene, [&](const Scene& all) { return all.model(to_id(object)); });
            });
          },
          py::arg("object"))
      .def(
          "pose",
          [](const GuardedScene& scene, std::int64_t object) {
            return naming("object", [&] {
              return look(scene, [&](const Scene& all) { return all.pose(to_id(object)); });
            });
          },
          py::arg("object"))
      .def(
          "labels",
          [](const GuardedScene& scene, std::int64_t object) {
            const ObjectLabels labels = naming("object", [&] {
              return look(scene, [&](const Scene& all) { return all.labels(to_id(object)); });
            });
            return py::make_tuple(labels.name, labels.group);
          },
          py::arg("object"), "The name and the group of an object.")
      .def(
          "allow",
          [](GuardedScene& scene, const std::string& label, const std::string& other) {
            scene.change([&](Scene& all) { all.allow(label, other); });
          },
          py::arg("label"), py::arg("other"),
          "Objects with the one label, a name or a group, may touch those with the other.")
      .def(
          "forbid",
          [](GuardedScene& scene, const std::string& label, const std::string& other) {
            scene.change([&](Scene& all) { all.forbid(label, other); });
          },
          py::arg("label"), py::arg("other"), "The opposite of allow.")
      .def(
          "is_allowed",
          [](const GuardedScene& scene, std::int64_t a, std::int64_t b) {
            return naming("a or b", [&] {
              return look(scene,
                          [&](const Scene& all) { return all.is_allowed(to_id(a), to_id(b)); });
            });
          },
          py::arg("a"), py::arg("b"));
}

void define_queries(SceneClass& scene) {
  scene
      .def(
          "close_objects",
          [](const GuardedScene& scene, double distance, int threads, CallableLike progress) {
            const SceneCall call(threads, progress);
            return object_pairs(look(scene, [&](const Scene& all) {
              return all.close_objects(distance, call.options());
            }));
          },
          py::arg("distance") = 0.0, py::kw_only(), py::arg("threads") = 1,
          py::arg("progress") = py::none(),
          "The pairs of objects whose boxes have no more than that between them along each axis.")
      .def(
          "touching",
          [](const GuardedScene& scene, int threads, CallableLike progress) {
            const SceneCall call(threads, progress);
            return object_pairs(
                look(scene, [&](const Scene& all) { return all.touching(call.options()); }));
          },
          py::kw_only(), py::arg("threads") = 1, py::arg("progress") = py::none(),
          "The pairs of objects that touch, uint32 of shape (n, 2), sorted.")
      .def(
          "collide",
          [](const GuardedScene& scene, int threads, CallableLike progress) {
            const SceneCall call(threads, progress);
            return scene_lists(
                look(scene, [&](const Scene& all) { return all.collide(call.options()); }));
          },
          py::kw_only(), py::arg("threads") = 1, py::arg("progress") = py::none(),
          "The same with all pairs of triangles.")
      .def(
          "clearances",
          [](const GuardedScene& scene, double distance, int threads, CallableLike progress) {
            check_clearance(distance);
            const SceneCall call(threads, progress);
            return from_clearances(look(
                scene, [&](const Scene& all) { return all.clearances(distance, call.options()); }));
          },
          py::arg("distance"), py::kw_only(), py::arg("threads") = 1,
          py::arg("progress") = py::none(),
          "The objects that come as close as that, shape (n,) with the fields of clearance_dtype: "
          "objects (2,), distance, pair (2,), and on_a (3,) and on_b (3,) in the world.")
      .def(
          "closest_hit",
          [](const GuardedScene& scene, ArrayLike origin, ArrayLike direction, double t_min,
             double t_max) {
            const Ray ray = to_ray(origin, direction, t_min, t_max);
            return look(scene, [&](const Scene& all) { return all.closest_hit(ray); });
          },
          py::arg("origin"), py::arg("direction"), py::arg("t_min") = 0.0,
          py::arg("t_max") = k_infinity, "The closest hit of a ray in the world.")
      .def(
          "any_hit",
          [](const GuardedScene& scene, ArrayLike origin, ArrayLike direction, double t_min,
             double t_max) {
            const Ray ray = to_ray(origin, direction, t_min, t_max);
            return look(scene, [&](const Scene& all) { return all.any_hit(ray); });
          },
          py::arg("origin"), py::arg("direction"), py::arg("t_min") = 0.0,
          py::arg("t_max") = k_infinity, "Whether a ray in the world hits anything.");
}

}  // namespace

SceneLists scene_lists(SceneResult result) {
  return {object_pairs(std::move(result.objects)),
          pair_lists(std::move(result.offsets), std::move(result.pairs))};
}

void check_clearance(double distance) {
  if (!(distance >= 0)) {
    throw Error("distance is " + std::to_string(distance) + ", but must be at least 0");
  }
}

py::array from_clearances(std::vector<ObjectClearance> clearances) {
  return owning(std::move(clearances), clearance_dtype());
}

void bind_scene(py::module_& module) {
  module.attr("clearance_dtype") = clearance_dtype();
  bind_hit(module);
  py::class_<SceneLists>(
      module, "SceneResult",
      "What touches in a scene; result[i] are the pairs of triangles of objects[i].")
      .def_readonly("objects", &SceneLists::objects, "uint32 of shape (n, 2), sorted.")
      .def_property_readonly("offsets", [](const SceneLists& all) { return all.lists.offsets; })
      .def_property_readonly("pairs", [](const SceneLists& all) { return all.lists.pairs; })
      .def("__len__", [](const SceneLists& all) { return all.lists.size(); })
      .def("__getitem__", [](const SceneLists& all, py::ssize_t i) { return all.lists.at(i); });
  SceneClass scene(module, "Scene", R"(Objects in a world: a model, a pose and labels each.

Any number of threads may query a scene at once; one that changes it waits until they are done.

>>> import tandem
>>> scene, box = tandem.Scene(), tandem.Model(tandem.make_box(1))
>>> ids = [scene.add(box, tandem.Pose.from_translation([x, 0, 0])) for x in (0, 1.5, 5)]
>>> scene.touching()
array([[0, 1]], dtype=uint32)
>>> scene.clearances(2)["distance"]
array([0. , 1.5])
)");
  scene.def(py::init([] { return std::make_unique<GuardedScene>("scene"); }));
  define_objects(scene);
  define_queries(scene);
}

}  // namespace tandem::python
