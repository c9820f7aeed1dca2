// Rays on a device.
#include <pybind11/stl.h>
#include <tandem/cuda/rays.h>

#include <cstddef>
#include <limits>
#include <string>

#include "../support/rays.h"
#include "bind.h"
#include "options.h"

namespace tandem::python {
namespace {

using cuda::DeviceBuilder;
using cuda::DeviceBuildOptions;
using cuda::DeviceModel;
using cuda::RayTracing;

constexpr double k_infinity = std::numeric_limits<double>::infinity();

/// What a batch of rays is given by.
struct RaysCall {
  const DeviceModel& model;
  ArrayLike origins;
  ArrayLike directions;
  ArrayLike t_min;
  ArrayLike t_max;
  ArrayLike out;
  RayTracing how;
};

/// Rays on the device, whose hits go to `out`, which it returns.
template <class T, class Trace>
py::object trace_on_device(const RaysCall& call, const DeviceRows& rows, const Trace& trace) {
  if (!call.directions.is_none()) {
    throw Error(
        "directions: rays on a device are one array of shape (n, 8), as make_rays has them");
  }
  check_no_bounds(call.t_min, call.t_max);
  const DeviceArray rays(call.origins.value, "rays", {{"<f4"}, {8}});
  const DeviceAnswers hits(call.out.value, rows, rays.size());
  unlocked([&] { trace(rays.as<Ray>(), hits.as<T>(), rays.size()); });
  return py::reinterpret_borrow<py::object>(call.out.value);
}

/// The same for rays of the host, whose hits are a new array.
template <class T, class Trace>
py::object trace_from_host(const RaysCall& call, const py::dtype& dtype, const Trace& trace) {
  if (!call.out.is_none()) throw Error("out is for rays in the memory of a device");
  const Rays rays(call.origins, call.directions, call.t_min, call.t_max);
  std::vector<T> hits(rays.all().size());
  unlocked([&] { trace(rays.all(), std::span<T>(hits)); });
  return owning(std::move(hits), dtype);
}

py::object find_closest_hits(const RaysCall& call) {
  static_assert(sizeof(Ray) == 32 && sizeof(Hit) == 16);
  if (!is_on_device(call.origins.value)) {
    return trace_from_host<Hit>(call, hit_dtype(), [&](auto rays, auto hits) {
      cuda::closest_hits(call.model, rays, hits, {}, call.how);
    });
  }
  return trace_on_device<Hit>(call, {{"<f4", "<u4", "<i4"}, {4}},
                              [&](const Ray* rays, Hit* hits, std::size_t count) {
                                cuda::closest_hits(call.model, rays, hits, count, {}, call.how);
                              });
}

py::object find_any_hits(const RaysCall& call) {
  if (!is_on_device(call.origins.value)) {
    return trace_from_host<std::uint8_t>(call, py::dtype::of<bool>(), [&](auto rays, auto hits) {
      cuda::any_hits(call.model, rays, hits, {}, call.how);
    });
  }
  return trace_on_device<std::uint8_t>(
      call, {{"|u1", "|b1", "|i1"}}, [&](const Ray* rays, std::uint8_t* hits, std::size_t count) {
        cuda::any_hits(call.model, rays, hits, count, {}, call.how);
      });
}

void bind_model(py::module_& module) {
  py::enum_<DeviceBuilder>(module, "DeviceBuilder",
                           "How a device builds the tree of a mesh for rays.")
      .value("curve", DeviceBuilder::curve)
      .value("clusters", DeviceBuilder::clusters);
  py::class_<DeviceModel>(module, "DeviceModel",
                          R"(What rays need of a model, in the memory of a device.

DeviceModel(model) copies the structure that the host has made: ray_pairs, or ray_binary or ray_wide
to compare. DeviceModel(mesh) builds the tree on the device, in far less time, of a tandem.Mesh or a
DeviceMesh.)")
      .def(py::init([](const Model& model, const std::string& structure) {
             const Structure of(structure);
             return unlocked([&] { return DeviceModel(model, of); });
           }),
           py::arg("model"), py::kw_only(), py::arg("structure") = "automatic")
      .def(py::init([](const Mesh& mesh, DeviceBuilder builder) {
             return unlocked([&] { return DeviceModel(mesh, {}, {builder}); });
           }),
           py::arg("mesh"), py::kw_only(), py::arg("builder") = DeviceBuilder::curve)
      .def(py::init([](const KeptDeviceMesh& mesh, DeviceBuilder builder) {
             return unlocked([&] { return DeviceModel(mesh.mesh, {}, {builder}); });
           }),
           py::arg("mesh"), py::kw_only(), py::arg("builder") = DeviceBuilder::curve)
      .def(
          "refit",
          [](const DeviceModel& model, ArrayLike positions) {
            return with_positions(positions, [&](auto... moved) {
              return unlocked([&] { return model.refit(moved...); });
            });
          },
          py::arg("positions"),
          "A model of the same triangles over other vertices, float32 of shape (n, 3), here or in "
          "the memory of the device, where they are not checked. This one stays as it is.")
      .def("bytes", &DeviceModel::bytes, "Bytes on the device. Versions of a model share some.")
      .def_property_readonly("structure", [](const DeviceModel& model) {
        return std::string(model.structure().name());
      });
  module.def(
      "make_device_models",
      [](const py::sequence& meshes, DeviceBuilder builder) {
        const std::vector<Mesh> all = to_meshes(meshes);
        return unlocked(
            [&] { return cuda::make_device_models(all, {}, DeviceBuildOptions{builder}); });
      },
      py::arg("meshes"), py::kw_only(), py::arg("builder") = DeviceBuilder::curve,
      "A DeviceModel of each mesh, built together: far faster than one by one where meshes are "
      "small.");
}

#define TANDEM_DEVICE_RAYS_PARAMETERS                                                 \
  const DeviceModel &model, ArrayLike origins, ArrayLike directions, ArrayLike t_min, \
      ArrayLike t_max, const std::string &traversal, bool refill, ArrayLike out
#define TANDEM_DEVICE_RAYS_ARGUMENTS                                                             \
  py::arg("model"), py::arg("origins"),                                                          \
      py::arg("directions") = py::none(), py::arg("t_min") = 0.0, py::arg("t_max") = k_infinity, \
      py::kw_only(), py::arg("traversal") = "automatic", py::arg("refill") = false,              \
      py::arg("out") = py::none()
#define TANDEM_DEVICE_RAYS_CALL                      \
  RaysCall {                                         \
    model, origins, directions, t_min, t_max, out, { \
      RayTraversal(traversal), refill                \
    }                                                \
  }

}  // namespace

void bind_device_rays(py::module_& module) {
  bind_model(module);
  module.def(
      "closest_hits",
      [](TANDEM_DEVICE_RAYS_PARAMETERS) { return find_closest_hits(TANDEM_DEVICE_RAYS_CALL); },
      TANDEM_DEVICE_RAYS_ARGUMENTS,
      R"(The closest hit of each ray, as tandem.closest_hits: an array of shape (n,) with the fields
of hit_dtype.

In the memory of the device, origins are rays, float32 of shape (n, 8), as make_rays returns them,
and out is float32, uint32 or int32 of shape (n, 4): the bytes of triangle, distance, u and v.)");
  module.def(
      "any_hits",
      [](TANDEM_DEVICE_RAYS_PARAMETERS) { return find_any_hits(TANDEM_DEVICE_RAYS_CALL); },
      TANDEM_DEVICE_RAYS_ARGUMENTS,
      R"(Which rays hit anything, as tandem.any_hits: bool of shape (n,).

In the memory of the device as closest_hits, and out is bool, uint8 or int8 of shape (n,).)");
}

}  // namespace tandem::python
