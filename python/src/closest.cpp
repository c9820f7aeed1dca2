// Closest points and signed distances.
#include <tandem/closest.h>

#include <cstddef>
#include <limits>
#include <span>
#include <vector>

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

/// An array with what `find` writes for each of the points.
template <class Result, class Find>
py::array of_each_point(const ArrayLike& points, const py::dtype& dtype, const Find& find) {
  const Array<double> array = to_doubles(points.value, "points");
  const auto from = as_points(array, "points");
  const auto results = [&] {
    std::vector<Result> found(from.size());
    find(from, std::span<Result>(found));
    return found;
  };
  return owning(naming("points", [&] { return unlocked(results); }), dtype);
}

}  // namespace

void bind_closest(py::module_& module) {
  module.attr("closest_dtype") = closest_dtype();
  module.attr("no_triangle") = ClosestPoint::k_none;
  module.def(
      "closest_points",
      [](const Model& model, ArrayLike points, double limit, int threads) {
        return of_each_point<ClosestPoint>(
            points, closest_dtype(), [&](std::span<const Vec3d> from, std::span<ClosestPoint> to) {
              closest_points(model, from, to, {limit, threads});
            });
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
        return of_each_point<double>(points, py::dtype::of<double>(),
                                     [&](std::span<const Vec3d> from, std::span<double> to) {
                                       signed_distances(model, from, to, {limit, threads});
                                     });
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
