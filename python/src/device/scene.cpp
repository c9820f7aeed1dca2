// SceneCollider and DeviceScene: what touches among many objects, frame by frame.
#include <tandem/cuda/scene.h>

#include <cstddef>
#include <memory>
#include <optional>
#include <string>

#include "../support/guarded.h"
#include "../support/poses.h"
#include "../support/scenes.h"
#include "bind.h"
#include "options.h"

namespace tandem::python {
namespace {

using cuda::ColliderOptions;
using cuda::DeviceFrame;
using cuda::DeviceScene;
using cuda::SceneCollider;
using GuardedSceneCollider = Guarded<SceneCollider>;

/// Calls the function with the collider and the scene, neither of which changes meanwhile.
template <class Function>
auto of_scene(GuardedSceneCollider& collider, const GuardedScene& scene, Function&& function) {
  return scene.look([&](const Scene& all) {
    const Locked lock;
    return collider.change([&](SceneCollider& on) { return function(on, all); });
  });
}

/// A scene on the device, and how many models and objects it has.
class BoundScene {
 public:
  BoundScene(const Sources& models, std::span<const std::uint32_t> model_of,
             const ColliderOptions& options)
      : scene_("scene",
               models.visit([&](const auto& all) { return DeviceScene(all, model_of, options); })),
        model_count_(models.size()),
        object_count_(model_of.size()) {}

  /// Calls the function with the scene, which one thread at a time may use.
  template <class Function>
  auto use(Function&& function) {
    return scene_.change([&](DeviceScene& on) {
      answers_.next();
      return function(on);
    });
  }
  /// Throws, naming the argument, for another number of poses than there are objects.
  void check_poses(std::size_t count) const {
    if (count == object_count_) return;
    throw Error("in_world has " + std::to_string(count) + " poses, but there are " +
                std::to_string(object_count_) + " objects");
  }

  std::size_t model_count() const { return model_count_; }
  std::size_t object_count() const { return object_count_; }
  AnswerCount::Mark mark() const { return answers_.mark(); }

 private:
  Guarded<DeviceScene> scene_;
  AnswerCount answers_;
  std::size_t model_count_;
  std::size_t object_count_;
};

/// What touches in a frame, left on the device.
struct BoundFrame {
  DeviceIds close;
  DeviceIds found;
};

std::vector<Pose> poses_of(const BoundScene& scene, PosesLike in_world) {
  std::vector<Pose> poses = to_poses(in_world, "in_world");
  scene.check_poses(poses.size());
  return poses;
}

BoundFrame find(const py::object& self, ArrayLike in_world) {
  auto& scene = self.cast<BoundScene&>();
  const DeviceArray poses(in_world.value, "in_world", {{"<f8"}, {12}});
  static_assert(sizeof(Pose) == 12 * sizeof(double) && sizeof(ObjectPair) == 8 &&
                sizeof(cuda::FoundPair) == 12);
  scene.check_poses(poses.size());
  std::optional<AnswerCount::Mark> mark;
  const DeviceFrame frame = scene.use([&](DeviceScene& on) {
    mark.emplace(scene.mark());
    return on.find(poses.as<Pose>());
  });
  return {DeviceIds(self, *mark, frame.close, frame.close_count, 2),
          DeviceIds(self, *mark, frame.found.pairs, frame.found.count, 3)};
}

void bind_scene_collider(py::module_& module) {
  py::class_<GuardedSceneCollider>(module, "SceneCollider",
                                   "Finds what touches in a tandem.Scene, frame after frame. "
                                   "Models are copied to the device when "
                                   "they are first seen. Options as of Collider.")
      .def(py::init([](TANDEM_COLLIDER_PARAMETERS) {
             return std::make_unique<GuardedSceneCollider>("collider", TANDEM_COLLIDER_OPTIONS);
           }),
           TANDEM_COLLIDER_ARGUMENTS)
      .def(
          "collide",
          [](GuardedSceneCollider& collider, const GuardedScene& scene, int threads,
             CallableLike progress) {
            const SceneCall call(threads, progress);
            return scene_lists(of_scene(collider, scene, [&](SceneCollider& on, const Scene& all) {
              return on.collide(all, call.options());
            }));
          },
          py::arg("scene"), py::kw_only(), py::arg("threads") = 1, py::arg("progress") = py::none(),
          "As Scene.collide: the host finds which objects are close, the device what touches.")
      .def(
          "clearances",
          [](GuardedSceneCollider& collider, const GuardedScene& scene, double distance,
             int threads, CallableLike progress) {
            check_clearance(distance);
            const SceneCall call(threads, progress);
            return from_clearances(
                of_scene(collider, scene, [&](SceneCollider& on, const Scene& all) {
                  return on.clearances(all, distance, call.options());
                }));
          },
          py::arg("scene"), py::arg("distance"), py::kw_only(), py::arg("threads") = 1,
          py::arg("progress") = py::none(),
          "As Scene.clearances. Of objects that touch, the pair may be another one.");
}

void bind_frame(py::module_& module) {
  py::class_<BoundFrame>(module, "DeviceFrame",
                         "What touches in a frame, in the memory of the device until the next one.")
      .def_readonly("close", &BoundFrame::close,
                    "The objects whose boxes overlap, DeviceIds of shape (n, 2), in any order.")
      .def_readonly("found", &BoundFrame::found,
                    "All touching triangles, DeviceIds of shape (m, 3): the position of their "
                    "objects in close, and the triangle of either.");
}

}  // namespace

void bind_device_scene(py::module_& module) {
  bind_scene_collider(module);
  bind_frame(module);
  py::class_<BoundScene>(module, "DeviceScene",
                         R"(Objects that move on a device: object i shows models[model_of[i]].

models are of type tandem.Model, or of tandem.Mesh or DeviceMesh, of which the device makes its own;
model_of is uint32 of shape (n,). Options as of Collider.)")
      .def(py::init([](const py::sequence& models, ArrayLike model_of, TANDEM_COLLIDER_PARAMETERS) {
             const Sources sources(models);
             const Array<std::uint32_t> ids = to_ids(model_of.value, "model_of");
             const std::span shown(ids.data(), entry_count(ids, "model_of"));
             for (std::size_t i = 0; i < shown.size(); ++i) {
               if (shown[i] < sources.size()) continue;
               throw Error("model_of[" + std::to_string(i) + "] names model " +
                           std::to_string(shown[i]) + ", but there are only " +
                           std::to_string(sources.size()) + " models");
             }
             const ColliderOptions options = TANDEM_COLLIDER_OPTIONS;
             return unlocked([&] { return std::make_unique<BoundScene>(sources, shown, options); });
           }),
           py::arg("models"), py::arg("model_of"), TANDEM_COLLIDER_ARGUMENTS)
      .def("__len__", &BoundScene::object_count)
      .def(
          "collide",
          [](BoundScene& scene, PosesLike in_world) {
            const std::vector<Pose> poses = poses_of(scene, in_world);
            return scene_lists(scene.use([&](DeviceScene& on) { return on.collide(poses); }));
          },
          py::arg("in_world"),
          "What Scene.collide returns where each object stands at its pose, of shape (n, 4, 4) or "
          "(n, 3, 4).")
      .def(
          "clearances",
          [](BoundScene& scene, PosesLike in_world, double distance) {
            check_clearance(distance);
            const std::vector<Pose> poses = poses_of(scene, in_world);
            return from_clearances(
                scene.use([&](DeviceScene& on) { return on.clearances(poses, distance); }));
          },
          py::arg("in_world"), py::arg("distance"),
          "What Scene.clearances returns. Of objects that touch, the pair may be another one.")
      .def(
          "find", &find, py::arg("in_world"),
          R"(What touches, left in the memory of the device, where the poses are too: a DeviceFrame.

in_world is float64 of shape (n, 12): the rotation, row by row, and the translation. Nothing of it
is checked.)")
      .def(
          "refit",
          [](BoundScene& scene, std::int64_t model, ArrayLike positions) {
            const std::size_t which = to_model(model, scene.model_count());
            with_positions(positions, [&](auto... moved) {
              scene.use([&](DeviceScene& on) { on.refit(which, moved...); });
            });
          },
          py::arg("model"), py::arg("positions"),
          "Moves the vertices of a model that the device has made of a mesh, as Collider.refit.");
}

}  // namespace tandem::python
