// tandem.cuda: the same queries on a CUDA device, where the library was built with CUDA.
#include "bind.h"

#if defined(TANDEM_PYTHON_CUDA)

#include <pybind11/stl.h>
#include <tandem/cuda/device.h>

#include "device/bind.h"

namespace tandem::python {
namespace {

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

}  // namespace

void bind_cuda(py::module_& parent) {
  py::module_ module = parent.def_submodule("_cuda", "Queries on a CUDA device.");
  // What users see is in tandem.cuda, and says so.
  module.attr("__name__") = "tandem.cuda";
  bind_devices(module);
  bind_device_options(module);
  bind_device_collider(module);
  bind_device_scene(module);
  bind_device_rays(module);
  bind_device_triangles(module);
}

}  // namespace tandem::python

#else

namespace tandem::python {

void bind_cuda(py::module_&) {}

}  // namespace tandem::python

#endif
