// Built-in shapes.
#include <pybind11/stl.h>
#include <tandem/shapes.h>

#include <string>
#include <vector>

#include "bind.h"
#include "support/arrays.h"

namespace tandem::python {

void bind_shapes(py::module_& module) {
  module.def(
      "_shapes",
      [] {
        py::list all;
        for (const ShapeInfo& shape : shapes()) {
          all.append(py::make_tuple(std::string(shape.name), std::string(shape.description)));
        }
        return all;
      },
      "Name and description of each shape, for the enumeration.");
  module.def(
      "make_shape",
      [](const std::string& name, std::size_t triangle_count, std::uint64_t seed) {
        return unlocked([&] { return make_shape(name, triangle_count, seed); });
      },
      py::arg("name"), py::arg("triangle_count"), py::arg("seed") = 1,
      R"(The built-in shape of that name (a member of Shape) with about as many triangles.

>>> import tandem
>>> tandem.make_shape("torus", 500)
<tandem.Mesh: 250 vertices, 500 triangles>
)");
  module.def("make_icosphere", &make_icosphere, py::arg("frequency"), py::arg("radius") = 1.0,
             "A sphere of 20 * frequency**2 triangles. Closed.");
  module.def("make_torus", &make_torus, py::arg("around"), py::arg("across"),
             py::arg("radius") = 1.0, py::arg("tube_radius") = 0.4,
             "A torus around the z axis with 2 * around * across triangles. Closed.");
  module.def("make_knot", &make_knot, py::arg("around"), py::arg("across"),
             py::arg("tube_radius") = 0.35,
             "A tube along the (2, 3) torus knot, 2 * around * across triangles. Closed.");
  module.def(
      "make_rock", &make_rock, py::arg("frequency"), py::arg("seed"), py::arg("roughness") = 0.3,
      "A rock: an icosphere displaced by smooth noise. Closed, star-shaped around the origin.");
  module.def(
      "make_box",
      [](int divisions, ArrayLike sides) {
        return make_box(divisions, to_vec3(sides.value, "sides"));
      },
      py::arg("divisions"), py::arg("sides") = py::make_tuple(2, 2, 2),
      "A box around the origin with these side lengths, 12 * divisions**2 triangles. Closed.");
  module.def("make_plane", &make_plane, py::arg("divisions"),
             "A square of side 2 in the plane z = 0 of 2 * divisions**2 triangles.");
  module.def("make_soup", &make_soup, py::arg("triangle_count"), py::arg("seed"),
             py::arg("size") = 0.05, "Unconnected triangles in a cube of side 2.");
  module.def(
      "make_turned",
      [](ArrayLike profile, int around) {
        const Array<double> array = to_doubles(profile.value, "profile");
        const std::size_t count = row_count(array, 2, "profile");
        static_assert(sizeof(ProfilePoint) == 16);
        return make_turned({reinterpret_cast<const ProfilePoint*>(array.data()), count}, around);
      },
      py::arg("profile"), py::arg("around"),
      R"(What a closed profile of shape (n, 2), rows of radius and height, leaves when it turns
around z.

>>> import tandem
>>> tandem.describe(tandem.make_turned([[0, 0], [1, 0], [0, 1]], 12)).closed
True
)");
  module.def("make_sheet", &make_sheet, py::arg("holes"), py::arg("around"),
             "Sheet metal with holes and bends, of long thin triangles. Closed.");
  module.def("make_pipes", &make_pipes, py::arg("pipes"), py::arg("around"),
             "A bundle of bent pipes. Each is closed.");
  module.def("make_screw", &make_screw, py::arg("turns"), py::arg("around"),
             "A screw of length 2: thread, flange and head, which overlap. Each is closed.");
  module.def("subdivide", &subdivide, py::arg("mesh"),
             "Each triangle becomes four, ids 4i to 4i + 3, by the midpoints of its edges.");
}

}  // namespace tandem::python
