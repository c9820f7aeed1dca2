// Rays.
#include <pybind11/operators.h>
#include <tandem/ray_query.h>

#include <cstddef>
#include <limits>

#include "bind.h"
#include "support/options.h"
#include "support/rays.h"

namespace tandem::python {
namespace {

constexpr double k_infinity = std::numeric_limits<double>::infinity();
static_assert(sizeof(Ray) == 32);

/// A number for all rays, or one for each.
class Bound {
 public:
  Bound(ArrayLike value, const char* argument, std::size_t count)
      : values_(to_floats(value.value, argument)) {
    if (values_.ndim() == 0) return;
    if (entry_count(values_, argument) != count) {
      fail_shape(values_, argument,
                 ("one entry for each of " + std::to_string(count) + " rays").c_str());
    }
    step_ = 1;
  }

  float operator[](std::size_t i) const { return values_.data()[i * step_]; }

 private:
  Array<float> values_;
  std::size_t step_ = 0;
};

Vec3f row(const Array<float>& array, std::size_t i) {
  const float* at = array.data() + 3 * i;
  return {at[0], at[1], at[2]};
}

RayOptions to_options(RayEngineLike engine, int threads, const Tally<RayStatistics>& tally) {
  return {to_ray_engine(engine), threads, bool{tally}};
}

void bind_one(py::module_& module) {
  module.def(
      "closest_hit",
      [](const Model& model, ArrayLike origin, ArrayLike direction, double t_min, double t_max,
         RayEngineLike engine) {
        const Ray ray = to_ray(origin, direction, t_min, t_max);
        const RayEngine with = to_ray_engine(engine);
        return unlocked([&] { return closest_hit(model, ray, with); });
      },
      py::arg("model"), py::arg("origin"), py::arg("direction"), py::arg("t_min") = 0.0,
      py::arg("t_max") = k_infinity, py::kw_only(), py::arg("engine") = py::none(),
      R"(The closest hit of the ray origin + t * direction for t_min <= t <= t_max: true where there
is one.

>>> import tandem
>>> hit = tandem.closest_hit(tandem.Model(tandem.make_box(1)), [0.5, 0.2, 5], [0, 0, -1])
>>> hit.distance
4.0
)");
  module.def(
      "any_hit",
      [](const Model& model, ArrayLike origin, ArrayLike direction, double t_min, double t_max,
         RayEngineLike engine) {
        const Ray ray = to_ray(origin, direction, t_min, t_max);
        const RayEngine with = to_ray_engine(engine);
        return unlocked([&] { return any_hit(model, ray, with); });
      },
      py::arg("model"), py::arg("origin"), py::arg("direction"), py::arg("t_min") = 0.0,
      py::arg("t_max") = k_infinity, py::kw_only(), py::arg("engine") = py::none(),
      "Whether the ray hits anything.");
}

}  // namespace

py::dtype hit_dtype() {
  static_assert(sizeof(Hit) == 16);
  return make_dtype({{"triangle", "u4", offsetof(Hit, triangle)},
                     {"distance", "f4", offsetof(Hit, distance)},
                     {"u", "f4", offsetof(Hit, u)},
                     {"v", "f4", offsetof(Hit, v)}},
                    sizeof(Hit));
}

Ray to_ray(ArrayLike origin, ArrayLike direction, double t_min, double t_max) {
  return {Vec3f(to_vec3(origin.value, "origin")), Vec3f(to_vec3(direction.value, "direction")),
          static_cast<float>(t_min), static_cast<float>(t_max)};
}

void check_no_bounds(ArrayLike t_min, ArrayLike t_max) {
  const auto check = [](py::handle value, double usual, const char* argument) {
    if (PyNumber_Check(value.ptr()) != 0 && !py::isinstance<py::array>(value) &&
        PyFloat_AsDouble(value.ptr()) == usual) {
      return;
    }
    PyErr_Clear();
    throw Error(std::string(argument) + ": rays of shape (n, 8) have bounds of their own");
  };
  check(t_min.value, 0, "t_min");
  check(t_max.value, k_infinity, "t_max");
}

Rays::Rays(ArrayLike origins, ArrayLike directions, ArrayLike t_min, ArrayLike t_max)
    : kept_(to_floats(origins.value, "origins")) {
  if (directions.is_none()) {
    check_no_bounds(t_min, t_max);
    rays_ = {reinterpret_cast<const Ray*>(kept_.data()), row_count(kept_, 8, "rays")};
    return;
  }
  const std::size_t count = row_count(kept_, 3, "origins");
  const Array<float> toward = to_floats(directions.value, "directions");
  if (row_count(toward, 3, "directions") != count) {
    fail_shape(toward, "directions",
               ("one row for each of " + std::to_string(count) + " origins").c_str());
  }
  const Bound lower(t_min, "t_min", count);
  const Bound upper(t_max, "t_max", count);
  gathered_.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    gathered_.push_back({row(kept_, i), row(toward, i), lower[i], upper[i]});
  }
  rays_ = gathered_;
}

void bind_ray(py::module_& module) {
  module.attr("hit_dtype") = hit_dtype();
  py::class_<Hit>(module, "Hit", "Where a ray meets a triangle; false where it meets none.")
      .def_property_readonly(
          "triangle",
          [](const Hit& hit) -> py::object {
            if (!hit) return py::none();
            return py::int_(hit.triangle);
          },
          "The triangle's id, or None.")
      .def_readonly("distance", &Hit::distance, "The value of t.")
      .def_readonly("u", &Hit::u)
      .def_readonly("v", &Hit::v)
      .def("__bool__", [](const Hit& hit) { return bool{hit}; })
      .def(py::self == py::self)
      .def("__repr__", [](const Hit& hit) {
        if (!hit) return std::string("Hit()");
        return "Hit(triangle=" + std::to_string(hit.triangle) +
               ", distance=" + py::repr(py::float_(hit.distance)).cast<std::string>() + ")";
      });
  bind_one(module);
  module.def(
      "make_rays",
      [](ArrayLike origins, ArrayLike directions, ArrayLike t_min, ArrayLike t_max) {
        const Rays given(origins, directions, t_min, t_max);
        const std::span<const Ray> all = given.all();
        Array<float> rays({static_cast<py::ssize_t>(all.size()), py::ssize_t{8}});
        std::copy(all.begin(), all.end(), reinterpret_cast<Ray*>(rays.mutable_data()));
        return rays;
      },
      py::arg("origins"), py::arg("directions"), py::arg("t_min") = 0.0,
      py::arg("t_max") = k_infinity,
      "Rays as float32 of shape (n, 8): origin, direction, t_min, t_max. Queries read them in "
      "place.");
  module.def(
      "closest_hits",
      [](const Model& model, ArrayLike origins, ArrayLike directions, ArrayLike t_min,
         ArrayLike t_max, RayEngineLike engine, int threads, RayStatisticsLike statistics) {
        const Rays rays(origins, directions, t_min, t_max);
        const Tally<RayStatistics> tally(statistics);
        const RayOptions options = to_options(engine, threads, tally);
        std::vector<Hit> hits(rays.all().size());
        tally.add(unlocked([&] { return closest_hits(model, rays.all(), hits, options); }));
        return owning(std::move(hits), hit_dtype());
      },
      py::arg("model"), py::arg("origins"), py::arg("directions") = py::none(),
      py::arg("t_min") = 0.0, py::arg("t_max") = k_infinity, py::kw_only(),
      py::arg("engine") = py::none(), py::arg("threads") = 1, py::arg("statistics") = py::none(),
      R"(The closest hit of each ray: an array of shape (n,) with the fields of hit_dtype: triangle,
distance, u, v.

Origins and directions are float32 of shape (n, 3), bounds numbers or of shape (n,); or the first
argument is what make_rays returns, which is read in place. Rays that hit nothing have the triangle
no_triangle and an infinite distance.

>>> import tandem
>>> box = tandem.Model(tandem.make_box(1))
>>> tandem.closest_hits(box, [[0, 0.5, 5], [9, 9, 9]], [[0, 0, -1], [0, 0, -1]])["distance"]
array([ 4., inf], dtype=float32)
)");
  module.def(
      "any_hits",
      [](const Model& model, ArrayLike origins, ArrayLike directions, ArrayLike t_min,
         ArrayLike t_max, RayEngineLike engine, int threads, RayStatisticsLike statistics) {
        const Rays rays(origins, directions, t_min, t_max);
        const Tally<RayStatistics> tally(statistics);
        const RayOptions options = to_options(engine, threads, tally);
        std::vector<std::uint8_t> hits(rays.all().size());
        tally.add(unlocked([&] { return any_hits(model, rays.all(), hits, options); }));
        return owning(std::move(hits), py::dtype::of<bool>());
      },
      py::arg("model"), py::arg("origins"), py::arg("directions") = py::none(),
      py::arg("t_min") = 0.0, py::arg("t_max") = k_infinity, py::kw_only(),
      py::arg("engine") = py::none(), py::arg("threads") = 1, py::arg("statistics") = py::none(),
      "Which rays hit anything, bool of shape (n,). Rays are given as for closest_hits.");
  module.def(
      "all_hits",
      [](const Model& model, ArrayLike origins, ArrayLike directions, ArrayLike t_min,
         ArrayLike t_max, RayEngineLike engine, RayStatisticsLike statistics) {
        const Rays rays(origins, directions, t_min, t_max);
        const Tally<RayStatistics> tally(statistics);
        const RayOptions options = to_options(engine, 1, tally);
        std::vector<std::uint64_t> ids;
        std::vector<Hit> hits;
        tally.add(unlocked([&] {
                    return all_hits(
                        model, rays.all(),
                        [&](std::size_t ray, const Hit& hit) {
                          ids.push_back(ray);
                          hits.push_back(hit);
                          return Flow::go_on;
                        },
                        options);
                  }).statistics);
        return py::make_tuple(owning(std::move(ids), py::dtype::of<std::uint64_t>()),
                              owning(std::move(hits), hit_dtype()));
      },
      py::arg("model"), py::arg("origins"), py::arg("directions") = py::none(),
      py::arg("t_min") = 0.0, py::arg("t_max") = k_infinity, py::kw_only(),
      py::arg("engine") = py::none(), py::arg("statistics") = py::none(),
      R"(Every hit of each ray: the positions of their rays, uint64 of shape (m,), and the hits, ray
by ray.

>>> import tandem
>>> rays, hits = tandem.all_hits(tandem.Model(tandem.make_box(1)), [[0, 0.5, 5]], [[0, 0, -1]])
>>> sorted(hits["distance"].tolist())
[4.0, 6.0]
)");
}

}  // namespace tandem::python
