// The native module of the Python package: the public API, with numpy's arrays and without the
// interpreter's lock.
#include <tandem/error.h>
#include <tandem/version.h>

#include "bind.h"

namespace tandem::python {
namespace {

using Bind = void (*)(py::module_&);
constexpr Bind k_pieces[] = {bind_pose,     bind_mesh,     bind_shapes,  bind_engine, bind_model,
                             bind_assembly, bind_query,    bind_self,    bind_batch,  bind_contact,
                             bind_distance, bind_relation, bind_closest, bind_ray,    bind_cursor,
                             bind_scene,    bind_sim,      bind_cuda};

}  // namespace
}  // namespace tandem::python

PYBIND11_MODULE(_tandem, module) {
  namespace py = pybind11;
  // What users see is in the package, and says so.
  const py::object name = module.attr("__name__");
  module.attr("__name__") = "tandem";
  module.attr("__version__") = TANDEM_VERSION;
  py::register_exception<tandem::Error>(module, "Error", PyExc_ValueError).doc() =
      "Bad input: one sentence that says what is wrong, and in which argument.";
  for (const auto bind : tandem::python::k_pieces) bind(module);
  module.attr("__name__") = name;
}
