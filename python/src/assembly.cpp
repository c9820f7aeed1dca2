// Assemblies: the named parts of a file.
#include <pybind11/stl.h>
#include <tandem/assembly.h>

#include <string>

#include "bind.h"
#include "support/meshes.h"
#include "support/poses.h"

namespace tandem::python {

void bind_assembly(py::module_& module) {
  py::class_<AssemblyPart>(module, "AssemblyPart",
                           "A mesh of an assembly under a name, at a place.")
      .def_readonly("name", &AssemblyPart::name)
      .def_readonly("mesh", &AssemblyPart::mesh, "A position in Assembly.meshes.")
      .def_readonly("pose", &AssemblyPart::pose)
      .def_readonly("first_triangle", &AssemblyPart::first_triangle)
      .def("__repr__",
           [](const AssemblyPart& part) { return "<tandem.AssemblyPart '" + part.name + "'>"; });
  py::class_<Assembly>(module, "Assembly",
                       "Meshes, each stored once, and the parts that show them.")
      .def_readonly("meshes", &Assembly::meshes, "A list of Mesh.")
      .def_readonly("parts", &Assembly::parts, "A list of AssemblyPart.")
      .def(
          "file_triangle",
          [](const Assembly& assembly, std::size_t part, std::size_t triangle) {
            if (part >= assembly.parts.size()) {
              throw Error("part is " + std::to_string(part) + ", but there are only " +
                          std::to_string(assembly.parts.size()) + " parts");
            }
            const std::size_t count =
                assembly.meshes.at(assembly.parts[part].mesh).triangle_count();
            if (triangle >= count) {
              throw Error("triangle is " + std::to_string(triangle) + ", but the part has only " +
                          std::to_string(count));
            }
            return assembly.file_triangle(part, triangle);
          },
          py::arg("part"), py::arg("triangle"),
          "The id that read_mesh gives to a triangle of a part.")
      .def("__len__", [](const Assembly& assembly) { return assembly.parts.size(); })
      .def("__repr__", [](const Assembly& assembly) {
        return "<tandem.Assembly: " + std::to_string(assembly.parts.size()) + " parts, " +
               std::to_string(assembly.meshes.size()) + " meshes>";
      });
  module.def(
      "read_assembly",
      [](AnyLike path, TANDEM_READ_PARAMETERS) {
        const ReadOptions options = TANDEM_READ_OPTIONS;
        const auto file = to_path(path.value, "path");
        return unlocked([&] { return read_assembly(file, options); });
      },
      py::arg("path"), TANDEM_READ_ARGUMENTS,
      "Reads a file as named parts: objects and groups of OBJ, solids of STL, nodes of glTF.");
  module.def(
      "split_components",
      [](const Mesh& mesh, const std::string& name) {
        return unlocked([&] { return split_components(mesh, name); });
      },
      py::arg("mesh"), py::arg("name"),
      R"(The connected components of a mesh as parts NAME/1, NAME/2, ...

>>> import tandem
>>> [part.name for part in tandem.split_components(tandem.make_pipes(2, 6), "pipe").parts]
['pipe/1', 'pipe/2']
)");
  module.def(
      "split_components",
      [](const Assembly& assembly) { return unlocked([&] { return split_components(assembly); }); },
      py::arg("assembly"), "The same for each part of an assembly.");
}

}  // namespace tandem::python
