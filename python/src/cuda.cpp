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
using GuardedSceneCollider = Guarded<SceneCollider>;

ColliderOptions collider_options(CollideMethod method, std::size_t memory_limit) {
  ColliderOptions options;
  options.method = method;
  options.memory_limit = memory_limit;
  return options;
}

/// A collider and how many models it has.
class CountedCollider {
 public:
  CountedCollider(const std::vector<Model>& models, const ColliderOptions& options)
      : collider_("collider", std::span<const Model>(models), options), count_(models.size()) {}

  /// Calls the function with the collider and the queries.
  template <class Function>
  auto use(ArrayLike pairs, PosesLike b_in_a, Function&& function) {
    const std::vector<BatchQuery> queries = to_queries(pairs, b_in_a, count_);
    return collider_.change([&](Collider& on) { return function(on, queries); });
  }

 private:
  Guarded<Collider> collider_;
  std::size_t count_;
};
using Queries = std::vector<BatchQuery>;

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
  py::class_<CountedCollider>(module, "Collider",
                              "Models in the memory of a device, and queries between them. pairs, "
                              "uint32 of shape (n, 2), are positions in models.")
      .def(py::init([](const std::vector<Model>& models, CollideMethod method,
                       std::size_t memory_limit) {
             return unlocked([&] {
               return std::make_unique<CountedCollider>(models,
                                                        collider_options(method, memory_limit));
             });
           }),
           py::arg("models"), py::kw_only(), py::arg("method") = CollideMethod::best,
           py::arg("memory_limit") = 0)
      .def(
          "collide",
          [](CountedCollider& collider, ArrayLike pairs, PosesLike b_in_a) {
            BatchResult found = collider.use(
                pairs, b_in_a,
                [&](Collider& on, const Queries& queries) { return on.collide(queries); });
            return pair_lists(std::move(found.offsets), std::move(found.pairs));
          },
          py::arg("pairs"), py::arg("b_in_a"), "All pairs of triangles, as collide_batch.")
      .def(
          "count",
          [](CountedCollider& collider, ArrayLike pairs, PosesLike b_in_a) {
            return owning(collider.use(pairs, b_in_a,
                                       [&](Collider& on, const Queries& queries) {
                                         return on.count(queries);
                                       }),
                          py::dtype::of<std::uint64_t>());
          },
          py::arg("pairs"), py::arg("b_in_a"), "The number of pairs, as count_batch.")
      .def(
          "intersects",
          [](CountedCollider& collider, ArrayLike pairs, PosesLike b_in_a) {
            return from_bits(collider.use(pairs, b_in_a, [&](Collider& on, const Queries& queries) {
              return on.intersects(queries);
            }));
          },
          py::arg("pairs"), py::arg("b_in_a"), "Which queries have a pair, as intersects_batch.")
      .def(
          "within",
          [](CountedCollider& collider, ArrayLike pairs, PosesLike b_in_a, double distance) {
            return from_bits(collider.use(pairs, b_in_a, [&](Collider& on, const Queries& queries) {
              return on.within(queries, distance);
            }));
          },
          py::arg("pairs"), py::arg("b_in_a"), py::arg("distance"), "As within_batch.")
      .def(
          "distance",
          [](CountedCollider& collider, ArrayLike pairs, PosesLike b_in_a, double limit) {
            return from_distances(collider.use(
                pairs, b_in_a,
                [&](Collider& on, const Queries& queries) { return on.distance(queries, limit); }));
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
