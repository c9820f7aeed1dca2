// The pieces of tandem.cuda.
#pragma once

#include <pybind11/pybind11.h>

namespace tandem::python {

namespace py = pybind11;

// In this order, so that what is named in a signature is known before.
void bind_device_options(py::module_& module);
void bind_device_collider(py::module_& module);
void bind_device_scene(py::module_& module);
void bind_device_rays(py::module_& module);
void bind_device_triangles(py::module_& module);

}  // namespace tandem::python
