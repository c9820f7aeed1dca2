// tandem.cuda: the same queries on a CUDA device, where the library was built with CUDA.
#include "bind.h"

#if defined(TANDEM_PYTHON_CUDA)

#include <pybind11/stl.h>
#include <tandem/cuda/collide.h>
#include <tandem/cuda/device.h>
#include <tandem/cuda/rays.h>
#include <tandem/cuda/scene.h>

#include <limits>
#include <memory>
#include <string>

#include "support/batches.h"
#include "support/guarded.h"
#include "support/rays.h"
#include "support/scenes.h"

namespace tandem::python {
namespace {

using cuda::CollideMethod;
using cuda::Collider;
using cuda::ColliderOptions;
using cuda::DeviceModel;
using cuda::SceneCollider;
using GuardedCollider = Guarded<Collider>;
using GuardedSceneCollider = Guarded<SceneCollider>;

ColliderOptions collider_options(CollideMethod method, std::size_t memory_limit) {
  ColliderOptions options;
  options.method = method;
  options.memory_limit = memory_limit;
  return options;
}

/// What a call of a collider takes.
std::vector<BatchQuery> to_queries(ArrayLike pairs, PosesLike b_in_a) {
  const Array<std::uint32_t> ids = to_ids(pairs.value, "pairs");
  const auto rows = as_pairs(ids, "pairs");
  const std::vector<Pose> poses = to_poses(b_in_a, "b_in_a");
  if (rows.size() != poses.size()) {
    throw Error("pairs has " + std::to_string(rows.size()) + " rows, but b_in_a has " +
                std::to_string(poses.size()) + " poses");
  }
  std::vector<BatchQuery> queries;
  queries.reserve(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) queries.push_back({rows[i].a, rows[i].b, poses[i]});
  return queries;
}

void bind_devices(py::module_& module) {
  py::class_<cuda::DeviceInfo>(module, "DeviceInfo", "A CUDA device of this machine.")
      .def_readonly("name", &cuda::DeviceInfo::name)
      .def_readonly("major", &cuda::DeviceInfo::major)
      .def_readonly("minor", &cuda::DeviceInfo::minor)
      .def_readonly("memory_bytes", &cuda::DeviceInfo::memory_bytes)
      .def_readonly("multiprocessors", &cuda::DeviceInfo::multiprocessors)
      .def("__repr__", [](const cuda::DeviceInfo& device) { return "<" + device.name + ">"; });
  module.def("devices", &cuda::devices, "The devices of this machine; none without a driver.");
  module.def("require_device", &cuda::require_device,
             "Raises an Error that says why when there is no device that this build can use.");
}

void bind_collider(py::module_& module) {
  py::enum_<CollideMethod>(module, "CollideMethod", "How a device finds touching triangles.")
      .value("best", CollideMethod::best)
      .value("waves", CollideMethod::waves)
      .value("warps", CollideMethod::warps)
      .value("blocked", CollideMethod::blocked)
      .value("stackless", CollideMethod::stackless);
  py::class_<GuardedCollider>(module, "Collider",
                              "Models in the memory of a device, and queries between them. pairs, "
                              "uint32 of shape (n, 2), are positions in models.")
      .def(py::init([](const std::vector<Model>& models, CollideMethod method,
                       std::size_t memory_limit) {
             return unlocked([&] {
               return std::make_unique<GuardedCollider>("collider", std::span<const Model>(models),
                                                        collider_options(method, memory_limit));
             });
           }),
           py::arg("models"), py::kw_only(), py::arg("method") = CollideMethod::best,
           py::arg("memory_limit") = 0)
      .def(
          "collide",
          [](GuardedCollider& collider, ArrayLike pairs, PosesLike b_in_a) {
            const auto queries = to_queries(pairs, b_in_a);
            BatchResult found = collider.change([&](Collider& on) { return on.collide(queries); });
            return pair_lists(std::move(found.offsets), std::move(found.pairs));
          },
          py::arg("pairs"), py::arg("b_in_a"), "All pairs of triangles, as collide_batch.")
      .def(
          "count",
          [](GuardedCollider& collider, ArrayLike pairs, PosesLike b_in_a) {
            const auto queries = to_queries(pairs, b_in_a);
            return owning(collider.change([&](Collider& on) { return on.count(queries); }),
                          py::dtype::of<std::uint64_t>());
          },
          py::arg("pairs"), py::arg("b_in_a"), "The number of pairs, as count_batch.")
      .def(
          "intersects",
          [](GuardedCollider& collider, ArrayLike pairs, PosesLike b_in_a) {
            const auto queries = to_queries(pairs, b_in_a);
            return from_bits(collider.change([&](Collider& on) { return on.intersects(queries); }));
          },
          py::arg("pairs"), py::arg("b_in_a"), "Which queries have a pair, as intersects_batch.")
      .def(
          "within",
          [](GuardedCollider& collider, ArrayLike pairs, PosesLike b_in_a, double distance) {
            const auto queries = to_queries(pairs, b_in_a);
            return from_bits(
                collider.change([&](Collider& on) { return on.within(queries, distance); }));
          },
          py::arg("pairs"), py::arg("b_in_a"), py::arg("distance"), "As within_batch.")
      .def(
          "distance",
          [](GuardedCollider& collider, ArrayLike pairs, PosesLike b_in_a, double limit) {
            const auto queries = to_queries(pairs, b_in_a);
            return from_distances(
                collider.change([&](Collider& on) { return on.distance(queries, limit); }));
          },
          py::arg("pairs"), py::arg("b_in_a"), py::kw_only(),
          py::arg("limit") = std::numeric_limits<double>::infinity(), "As distance_batch.");
  py::class_<GuardedSceneCollider>(module, "SceneCollider",
                                   "Finds what touches in scenes, frame after frame.")
      .def(py::init([](CollideMethod method, std::size_t memory_limit) {
             return std::make_unique<GuardedSceneCollider>("collider",
                                                           collider_options(method, memory_limit));
           }),
           py::kw_only(), py::arg("method") = CollideMethod::best, py::arg("memory_limit") = 0)
      .def(
          "collide",
          [](GuardedSceneCollider& collider, const GuardedScene& scene, int threads) {
            SceneOptions options;
            options.threads = threads;
            SceneResult found = scene.look([&](const Scene& all) {
              const Locked lock;
              return collider.change([&](SceneCollider& on) { return on.collide(all, options); });
            });
            return scene_lists(std::move(found));
          },
          py::arg("scene"), py::kw_only(), py::arg("threads") = 1, "As Scene.collide.");
}

void bind_rays(py::module_& module) {
  py::class_<DeviceModel>(module, "DeviceModel",
                          "What rays need of a model, in the memory of a device.")
      .def(
          py::init([](const Model& model) { return unlocked([&] { return DeviceModel(model); }); }),
          py::arg("model"))
      .def("bytes", &DeviceModel::bytes);
  module.def(
      "closest_hits",
      [](const DeviceModel& model, ArrayLike origins, ArrayLike directions, ArrayLike t_min,
         ArrayLike t_max) {
        const Rays rays(origins, directions, t_min, t_max);
        std::vector<Hit> hits(rays.all().size());
        unlocked([&] { cuda::closest_hits(model, rays.all(), std::span<Hit>(hits)); });
        return owning(std::move(hits), hit_dtype());
      },
      py::arg("model"), py::arg("origins"), py::arg("directions") = py::none(),
      py::arg("t_min") = 0.0, py::arg("t_max") = std::numeric_limits<double>::infinity(),
      "As tandem.closest_hits.");
  module.def(
      "any_hits",
      [](const DeviceModel& model, ArrayLike origins, ArrayLike directions, ArrayLike t_min,
         ArrayLike t_max) {
        const Rays rays(origins, directions, t_min, t_max);
        std::vector<std::uint8_t> hits(rays.all().size());
        unlocked([&] { cuda::any_hits(model, rays.all(), std::span<std::uint8_t>(hits)); });
        return owning(std::move(hits), py::dtype::of<bool>());
      },
      py::arg("model"), py::arg("origins"), py::arg("directions") = py::none(),
      py::arg("t_min") = 0.0, py::arg("t_max") = std::numeric_limits<double>::infinity(),
      "As tandem.any_hits.");
}

}  // namespace

void bind_cuda(py::module_& parent) {
  py::module_ module = parent.def_submodule("_cuda", "Queries on a CUDA device.");
  bind_devices(module);
  bind_collider(module);
  bind_rays(module);
}

}  // namespace tandem::python

#else

namespace tandem::python {

void bind_cuda(py::module_&) {}

}  // namespace tandem::python

#endif
