#include "options.h"

#include <tandem/error.h>

#include "bind.h"

namespace tandem::python {
namespace {

using cuda::BlockedBuilder;
using cuda::BlockedFlags;
using cuda::BlockedOptions;
using cuda::BlockedTriangleTest;
using cuda::BlockedVolume;
using cuda::CollideMethod;
using cuda::ColliderBuilder;
using cuda::StacklessOptions;
using cuda::StacklessOrder;

[[noreturn]] void fail_item(const char* argument, std::size_t i, py::handle item,
                            const std::string& wanted) {
  throw Error(std::string(argument) + "[" + std::to_string(i) + "] is a " + type_name(item) +
              ", but must be " + wanted);
}

/// What each object of the sequence holds, if all are of that type.
template <class Bound, class Take>
auto collect(const py::tuple& from, const char* argument, const std::string& wanted,
             const Take& take) {
  std::vector<std::decay_t<decltype(take(std::declval<const Bound&>()))>> all;
  for (const py::handle item : from) {
    if (!py::isinstance<Bound>(item)) fail_item(argument, all.size(), item, wanted);
    all.push_back(take(item.cast<const Bound&>()));
  }
  return all;
}

template <class T>
const T& itself(const T& object) {
  return object;
}

template <class Enum>
std::string text_of(Enum value) {
  return py::str(py::cast(value)).template cast<std::string>();
}

void bind_names(py::module_& module) {
  py::enum_<CollideMethod>(module, "CollideMethod",
                           "How a device finds touching triangles; what it finds does not depend "
                           "on it. best is the fastest, the others are to compare.")
      .value("best", CollideMethod::best)
      .value("waves", CollideMethod::waves)
      .value("warps", CollideMethod::warps)
      .value("blocked", CollideMethod::blocked)
      .value("stackless", CollideMethod::stackless);
  py::enum_<ColliderBuilder>(module, "ColliderBuilder",
                             "How a device builds the trees of meshes that collide: bisection "
                             "unless they are new in each frame, then curve.")
      .value("bisection", ColliderBuilder::bisection)
      .value("curve", ColliderBuilder::curve);
  py::enum_<BlockedVolume>(module, "BlockedVolume", "What the nodes of blocked hierarchies have.")
      .value("aabb", BlockedVolume::aabb)
      .value("obb", BlockedVolume::obb);
  py::enum_<BlockedFlags>(module, "BlockedFlags", "How flags are stored: eight to the byte or one.")
      .value("bits", BlockedFlags::bits)
      .value("bytes", BlockedFlags::bytes);
  py::enum_<BlockedBuilder>(module, "BlockedBuilder",
                            "Blocked hierarchies with few imaginary nodes, or as in the paper.")
      .value("full", BlockedBuilder::full)
      .value("plain", BlockedBuilder::plain);
  py::enum_<BlockedTriangleTest>(module, "BlockedTriangleTest",
                                 "The exact test, or that of the paper, which may differ from it.")
      .value("exact", BlockedTriangleTest::exact)
      .value("separating_axes", BlockedTriangleTest::separating_axes);
  py::enum_<StacklessOrder>(module, "StacklessOrder", "Which tree a walk descends.")
      .value("alternating", StacklessOrder::alternating)
      .value("scheduled", StacklessOrder::scheduled)
      .value("larger_first", StacklessOrder::larger_first);
}

void bind_variants(py::module_& module) {
  py::class_<BlockedOptions>(module, "BlockedOptions", "Variants of CollideMethod.blocked.")
      .def(py::init([](BlockedVolume volume, BlockedFlags flags, BlockedBuilder builder,
                       BlockedTriangleTest triangle_test, std::uint32_t most_at_once) {
             return BlockedOptions{volume, flags, builder, triangle_test, most_at_once};
           }),
           py::arg("volume") = BlockedVolume::aabb, py::arg("flags") = BlockedFlags::bits,
           py::arg("builder") = BlockedBuilder::full,
           py::arg("triangle_test") = BlockedTriangleTest::exact, py::arg("most_at_once") = 0)
      .def_readonly("volume", &BlockedOptions::volume)
      .def_readonly("flags", &BlockedOptions::flags)
      .def_readonly("builder", &BlockedOptions::builder)
      .def_readonly("triangle_test", &BlockedOptions::triangle_test)
      .def_readonly("most_at_once", &BlockedOptions::most_at_once)
      .def("__repr__", [](const BlockedOptions& options) {
        return "BlockedOptions(volume=" + text_of(options.volume) +
               ", flags=" + text_of(options.flags) + ", builder=" + text_of(options.builder) +
               ", triangle_test=" + text_of(options.triangle_test) +
               ", most_at_once=" + std::to_string(options.most_at_once) + ")";
      });
  py::class_<StacklessOptions>(module, "StacklessOptions", "Variants of CollideMethod.stackless.")
      .def(
          py::init([](StacklessOrder order, std::uint32_t least_walks, std::uint32_t first_visits) {
            return StacklessOptions{order, least_walks, first_visits};
          }),
          py::arg("order") = StacklessOrder::larger_first, py::arg("least_walks") = 0,
          py::arg("first_visits") = 0)
      .def_readonly("order", &StacklessOptions::order)
      .def_readonly("least_walks", &StacklessOptions::least_walks)
      .def_readonly("first_visits", &StacklessOptions::first_visits)
      .def("__repr__", [](const StacklessOptions& options) {
        return "StacklessOptions(order=" + text_of(options.order) +
               ", least_walks=" + std::to_string(options.least_walks) +
               ", first_visits=" + std::to_string(options.first_visits) + ")";
      });
}

KeptDeviceMesh device_mesh(const py::object& vertices, const py::object& triangles) {
  const DeviceArray corners(vertices, "vertices", {{"<f4"}, {3}});
  const DeviceArray ids(triangles, "triangles", {{"<u4", "<i4"}, {3}});
  return {{corners.as<Vec3f>(), corners.size(), ids.as<TriangleIndices>(), ids.size()},
          vertices,
          triangles};
}

}  // namespace

Sources::Sources(const py::sequence& models) : kept_(models) {
  const std::string first = kept_.empty() ? "" : type_name(kept_[0]);
  if (!kept_.empty() && py::isinstance<Mesh>(kept_[0])) {
    all_ = collect<Mesh>(kept_, "models", "a " + first + " as models[0]", itself<Mesh>);
  } else if (!kept_.empty() && py::isinstance<KeptDeviceMesh>(kept_[0])) {
    all_ = collect<KeptDeviceMesh>(kept_, "models", "a " + first + " as models[0]",
                                   [](const KeptDeviceMesh& kept) { return kept.mesh; });
  } else {
    const bool is_model = !kept_.empty() && py::isinstance<Model>(kept_[0]);
    all_ = collect<Model>(kept_, "models",
                          is_model ? "a " + first + " as models[0]"
                                   : "a tandem.Model, tandem.Mesh or tandem.cuda.DeviceMesh",
                          itself<Model>);
  }
}

std::vector<Mesh> to_meshes(const py::sequence& meshes) {
  return collect<Mesh>(py::tuple(meshes), "meshes", "a tandem.Mesh", itself<Mesh>);
}

std::size_t to_model(std::int64_t model, std::size_t model_count) {
  if (model < 0 || static_cast<std::size_t>(model) >= model_count) {
    throw Error("model is " + std::to_string(model) + ", but there are only " +
                std::to_string(model_count) + " models");
  }
  return static_cast<std::size_t>(model);
}

void bind_device_options(py::module_& module) {
  bind_names(module);
  bind_variants(module);
  py::class_<KeptDeviceMesh>(
      module, "DeviceMesh",
      R"(A mesh in the memory of a device: float32 of shape (n, 3) and uint32 or int32 of shape
(m, 3), with __cuda_array_interface__, as arrays of CuPy and tensors of PyTorch have it.

The arrays are kept. Nothing of them is checked: ids must be those of vertices, and coordinates
finite.)")
      .def(py::init(&device_mesh), py::arg("vertices"), py::arg("triangles"))
      .def_property_readonly("vertex_count",
                             [](const KeptDeviceMesh& kept) { return kept.mesh.vertex_count; })
      .def_property_readonly("triangle_count",
                             [](const KeptDeviceMesh& kept) { return kept.mesh.triangle_count; });
  py::class_<DeviceIds>(
      module, "DeviceIds",
      R"(Ids that a query has left in the memory of the device, uint32 of shape (n, columns).

cupy.asarray(ids) or torch.as_tensor(ids) shows them without a copy, until the next query.)")
      .def_property_readonly("shape", &DeviceIds::shape)
      .def("__len__", &DeviceIds::rows)
      .def_property_readonly("__cuda_array_interface__", &DeviceIds::array_interface);
}

}  // namespace tandem::python
