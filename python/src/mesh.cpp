// Mesh, readers and writers.
#include <pybind11/stl.h>
#include <tandem/mesh.h>
#include <tandem/mesh_info.h>
#include <tandem/mesh_io.h>

#include <span>
#include <string>

#include "bind.h"
#include "support/meshes.h"
#include "support/poses.h"

namespace tandem::python {
namespace {

/// Nobody can write through this array any more, nor through those that it is a part of. (Other
/// views of them that exist already can still be written through.)
void make_read_only(py::handle array) {
  py::object one = py::reinterpret_borrow<py::object>(array);
  while (py::isinstance<py::array>(one)) {
    one.attr("flags").attr("writeable") = false;
    one = one.attr("base");
  }
}

/// What `value` was converted to, or a copy of it, or the array itself, which then is made
/// read-only.
template <class T>
Array<T> kept_array(py::handle value, Array<T> array, bool copy) {
  if (array.ptr() != value.ptr()) return array;
  if (copy) return py::reinterpret_steal<Array<T>>(array.attr("copy")().release());
  return array;
}

/// Shows memory of the mesh, which it keeps.
template <class T, class Element>
py::array view_of(const Mesh& mesh, std::span<const Element> elements) {
  py::array view = array_over(py::dtype::of<T>(), {static_cast<py::ssize_t>(elements.size()), 3},
                              elements.data(), to_capsule(mesh));
  view.attr("flags").attr("writeable") = false;
  return view;
}

py::tuple bounds_of(const Bounds& bounds) {
  const auto corner = [](const Vec3f& v) {
    py::array_t<float> array(3);
    for (int axis = 0; axis < 3; ++axis) array.mutable_at(axis) = v[axis];
    return array;
  };
  return py::make_tuple(corner(bounds.lower), corner(bounds.upper));
}

void bind_info(py::module_& module) {
  py::class_<MeshInfo>(module, "MeshInfo", "What a mesh is like; see describe.")
      .def_readonly("triangle_count", &MeshInfo::triangle_count)
      .def_readonly("vertex_count", &MeshInfo::vertex_count)
      .def_readonly("distinct_position_count", &MeshInfo::distinct_position_count)
      .def_readonly("unused_vertex_count", &MeshInfo::unused_vertex_count)
      .def_property_readonly("bounds", [](const MeshInfo& info) { return bounds_of(info.bounds); })
      .def_readonly("boundary_edge_count", &MeshInfo::boundary_edge_count)
      .def_readonly("non_manifold_edge_count", &MeshInfo::non_manifold_edge_count)
      .def_readonly("component_count", &MeshInfo::component_count)
      .def_readonly("duplicate_triangle_count", &MeshInfo::duplicate_triangle_count)
      .def_readonly("degenerate_triangle_count", &MeshInfo::degenerate_triangle_count)
      .def_property_readonly("closed", &MeshInfo::closed,
                             "Each edge is used by exactly two triangles.");
  module.def(
      "describe", [](const Mesh& mesh) { return unlocked([&] { return describe(mesh); }); },
      py::arg("mesh"), R"(Counts, bounds, open edges, components and faults of a mesh.

>>> import tandem
>>> tandem.describe(tandem.make_box(1)).closed
True
)");
}

MeshFormat to_format(const std::string& format) {
  return naming("format", [&] { return mesh_format("mesh." + format); });
}

void bind_io(py::module_& module) {
  module.def(
      "read_mesh",
      [](AnyLike path, const std::optional<std::string>& format, TANDEM_READ_PARAMETERS) {
        const ReadOptions options = TANDEM_READ_OPTIONS;
        if (!format) {
          const auto file = to_path(path.value, "path");
          return unlocked([&] { return read_mesh(file, options); });
        }
        const auto content = py::reinterpret_borrow<py::object>(path.value);
        if (!PyObject_CheckBuffer(content.ptr())) {
          throw Error("path is a " + type_name(content) +
                      ", but with a format it takes the content of a file as bytes");
        }
        const py::buffer_info bytes = py::reinterpret_borrow<py::buffer>(content).request();
        const std::span from(static_cast<const std::byte*>(bytes.ptr),
                             static_cast<std::size_t>(bytes.size * bytes.itemsize));
        const MeshFormat known = to_format(*format);
        return unlocked([&] { return read_mesh(from, known, "bytes", options); });
      },
      py::arg("path"), py::arg("format") = py::none(), TANDEM_READ_ARGUMENTS,
      R"(Reads OBJ, PLY, STL, OFF, glTF or GLB: triangles keep their order, coordinates become the
nearest float32.

With a format ("obj", "ply", ...) the first argument is the content of a file as bytes. Vertices
become pose * (scale * vertex).

>>> import tandem
>>> tandem.read_mesh(b"OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2", "off").triangles
array([[0, 1, 2]], dtype=uint32)
)");
  module.def(
      "write_mesh",
      [](const Mesh& mesh, AnyLike path) {
        const auto file = to_path(path.value, "path");
        unlocked([&] { write_mesh(mesh, file); });
      },
      py::arg("mesh"), py::arg("path"),
      "Writes PLY, OBJ or STL by the file's ending. The file appears only when it is complete.");
  module.def("reads_gltf", &reads_gltf, "Whether this build reads glTF.");
}

}  // namespace

Mesh mesh_of_arrays(ArrayLike vertices, ArrayLike triangles, bool copy) {
  const auto ids = kept_array(triangles.value, to_ids(triangles.value, "triangles"), copy);
  const std::span triangle_span(reinterpret_cast<const TriangleIndices*>(ids.data()),
                                row_count(ids, 3, "triangles"));
  const auto floats = kept_array(vertices.value, to_floats(vertices.value, "vertices"), copy);
  const std::span vertex_span(reinterpret_cast<const Vec3f*>(floats.data()),
                              row_count(floats, 3, "vertices"));
  const auto owner = keep(py::make_tuple(floats, ids));
  Mesh mesh = unlocked([&] {
    try {
      return Mesh::shared(vertex_span, triangle_span, owner);
    } catch (const Error& error) {
      // "triangle 5 uses vertex 9 ..." or "vertex 3 has ...".
      const std::string sentence = error.what();
      throw Error((sentence.starts_with("triangle") ? "triangles: " : "vertices: ") + sentence);
    }
  });
  make_read_only(floats);
  make_read_only(ids);
  return mesh;
}

KeptPositions keep_positions(ArrayLike positions, const char* argument, bool copy) {
  const auto floats = kept_array(positions.value, to_floats(positions.value, argument), copy);
  const std::span span(reinterpret_cast<const Vec3f*>(floats.data()),
                       row_count(floats, 3, argument));
  make_read_only(floats);
  return {span, keep(floats)};
}

bool is_path(py::handle value) {
  return py::isinstance<py::str>(value) || py::isinstance<py::bytes>(value) ||
         py::hasattr(value, "__fspath__");
}

std::filesystem::path to_path(py::handle value, const char* argument) {
  if (!is_path(value)) {
    throw Error(std::string(argument) + " is a " + type_name(value) + ", but takes a path");
  }
  const auto text = py::module_::import("os").attr("fsencode")(value).cast<std::string>();
  if (text.find('\0') != std::string::npos) {
    throw Error(std::string(argument) + " has a null character");
  }
  return text;
}

void bind_mesh(py::module_& module) {
  py::class_<Mesh>(
      module, "Mesh",
      R"(Triangles over shared vertices: any soup; ids are positions in the order given.

Mesh(vertices, triangles): float32 of shape (n, 3) and uint32 of shape (m, 3). Arrays of these types
that are aligned and contiguous are not copied: the mesh keeps them and makes them read-only, as
what it holds never changes. With copy=True they are copied and stay as they are. Other numbers are
converted: real ones to the nearest float32, integers to uint32. NaN, infinity and ids out of range
are an Error.

>>> import numpy as np, tandem
>>> vertices = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0]], dtype=np.float32)
>>> mesh = tandem.Mesh(vertices, [[0, 1, 2]])
>>> np.shares_memory(mesh.vertices, vertices)
True
>>> len(mesh)
1
)")
      .def(py::init<>())
      .def(py::init(&mesh_of_arrays), py::arg("vertices"), py::arg("triangles"), py::kw_only(),
           py::arg("copy") = false)
      .def_property_readonly(
          "vertices", [](const Mesh& mesh) { return view_of<float>(mesh, mesh.vertices()); },
          "float32 of shape (n, 3), read-only: the memory of the mesh.")
      .def_property_readonly(
          "triangles",
          [](const Mesh& mesh) { return view_of<std::uint32_t>(mesh, mesh.triangles()); },
          "uint32 of shape (m, 3), read-only: the memory of the mesh.")
      .def_property_readonly("vertex_count", &Mesh::vertex_count)
      .def_property_readonly("triangle_count", &Mesh::triangle_count)
      .def_property_readonly(
          "bounds", [](const Mesh& mesh) { return bounds_of(mesh.bounds()); },
          "The lower and the upper corner of the box around all triangles, float32 of shape (3,).")
      .def(
          "with_vertices",
          [](const Mesh& mesh, ArrayLike vertices, bool copy) {
            const KeptPositions kept = keep_positions(vertices, "vertices", copy);
            return naming("vertices", [&] {
              return unlocked([&] { return mesh.with_vertices(kept.positions, kept.owner); });
            });
          },
          py::arg("vertices"), py::kw_only(), py::arg("copy") = false,
          "The same triangles over other positions, float32 of shape (n, 3), kept as by Mesh.")
      .def("__len__", &Mesh::triangle_count)
      .def("__repr__",
           [](const Mesh& mesh) {
             return "<tandem.Mesh: " + std::to_string(mesh.vertex_count()) + " vertices, " +
                    std::to_string(mesh.triangle_count()) + " triangles>";
           })
      .def(py::pickle(
          [](const Mesh& mesh) {
            return py::make_tuple(view_of<float>(mesh, mesh.vertices()),
                                  view_of<std::uint32_t>(mesh, mesh.triangles()));
          },
          [](const py::tuple& state) { return mesh_of_arrays({state[0]}, {state[1]}, false); }));
  bind_info(module);
  bind_io(module);
}

}  // namespace tandem::python
