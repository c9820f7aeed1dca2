// The pieces of the module: each adds its classes and functions. Part of the Python package.
#pragma once

#include <pybind11/pybind11.h>

namespace tandem::python {

namespace py = pybind11;

// In this order, so that what is named in a signature is known before.
void bind_pose(py::module_& module);
void bind_mesh(py::module_& module);
void bind_shapes(py::module_& module);
void bind_engine(py::module_& module);
void bind_model(py::module_& module);
void bind_assembly(py::module_& module);
void bind_query(py::module_& module);
void bind_self(py::module_& module);
void bind_batch(py::module_& module);
void bind_contact(py::module_& module);
void bind_distance(py::module_& module);
void bind_relation(py::module_& module);
void bind_closest(py::module_& module);
void bind_ray(py::module_& module);
void bind_cursor(py::module_& module);
void bind_scene(py::module_& module);
void bind_sim(py::module_& module);
void bind_cuda(py::module_& module);

}  // namespace tandem::python
