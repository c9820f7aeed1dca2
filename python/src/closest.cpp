// Closest points and signed distances.
#include <tandem/closest.h>

#include <cstddef>
#include <limits>

#include "bind.h"
#include "support/arrays.h"

namespace tandem::python {
namespace {

constexpr double k_infinity = std::numeric_limits<double>::infinity();

py::dtype closest_dtype() {
  return make_dtype({{"triangle", "u4", offsetof(ClosestPoint, triangle)},
                     {"distance", "f8", offsetof(ClosestPoint, distance)},
                     {"point", "(3,)f8", offsetof(ClosestPoint, point)}},
                    sizeof(ClosestPoint));
}

}  // namespace

void bind_closest(py::module_& module) {
  module.attr("closest_dtype") = closest_dtype();
  module.attr("no_triangle") = ClosestPoint::k_none;
  module.def(
      "closest_points",
      [](const Model& model, ArrayLike points, double limit, int threads) {
        const Array<double> array = to_doubles(points.value, "points");
        const auto from = as_points(array, "points");
        return owning(naming("points",
                             [&] {
                               return unlocked([&] {
                                 std::vector<ClosestPoint> closest(from.size());
                                 closest_points(model, from, closest, {limit, threads});
                                 return closest;
                               });
                             }),
                      closest_dtype());
      },
      py::arg("model"), py::arg("points"), py::kw_only(), py::arg("limit") = k_infinity,
      py::arg("threads") = 1,
      R"(The closest point of the mesh to each of points, float64 of shape (n, 3), which is read in
place.

The result has shape (n,) and the fields of closest_dtype: triangle, distance, point (3,). What is
not closer than the limit has the triangle no_triangle and an infinite distance.

>>> import tandem
>>> closest = tandem.closest_points(tandem.Model(tandem.make_box(1)), [[0, 0, 3], [0.5, 0, 1]])
>>> closest["distance"]
array([2., 0.])
)");
  module.def(
      "signed_distances",
      [](const Model& model, ArrayLike points, double limit, int threads) {
        const Array<double> array = to_doubles(points.value, "points");
        const auto from = as_points(array, "points");
        return owning(naming("points",
                             [&] {
                               return unlocked([&] {
                                 std::vector<double> distances(from.size());
                                 signed_distances(model, from, distances, {limit, threads});
                                 return distances;
                               });
                             }),
                      py::dtype::of<double>());
      },
      py::arg("model"), py::arg("points"), py::kw_only(), py::arg("limit") = k_infinity,
      py::arg("threads") = 1,
      R"(How far points, float64 of shape (n, 3), are from the surface of a closed mesh: negative
inside.

>>> import tandem
>>> tandem.signed_distances(tandem.Model(tandem.make_box(1)), [[0, 0, 3], [0, 0, 0.75]])
array([ 2.  , -0.25])
)");
}

}  // namespace tandem::python
