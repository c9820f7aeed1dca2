// Queries between two models.
#include <tandem/query.h>
#include <tandem/triangle.h>

#include <string>

#include "bind.h"
#include "support/guarded.h"
#include "support/options.h"
#include "support/poses.h"
#include "support/results.h"

namespace tandem::python {
namespace {

using GuardedWitness = Guarded<Witness>;

/// An array of the points of a triangle, of shape (3, 3).
Triangle to_triangle(ArrayLike value, const char* argument) {
  const Array<double> array = to_doubles(value.value, argument);
  if (array.ndim() != 2 || array.shape(0) != 3 || array.shape(1) != 3) {
    fail_shape(array, argument, "(3, 3)");
  }
  const auto* corner = reinterpret_cast<const Vec3d*>(array.data());
  return {{corner[0], corner[1], corner[2]}};
}

py::array points_of(const TriangleIntersection& shared) {
  return owning_points(std::vector<Vec3d>(shared.begin(), shared.end()));
}

py::array intersection_of_pair(const Model& a, const Model& b, PoseLike b_in_a, ArrayLike pair) {
  const TrianglePair ids = to_pair(pair.value, "pair");
  const Pose pose = to_pose(b_in_a, "b_in_a");
  return naming("pair", [&] { return points_of(intersection(a, b, pose, ids)); });
}

py::list curves(const Model& a, const Model& b, PoseLike b_in_a, ArrayLike pairs) {
  const Array<std::uint32_t> array = to_ids(pairs.value, "pairs");
  const auto ids = as_pairs(array, "pairs");
  const Pose pose = to_pose(b_in_a, "b_in_a");
  auto found =
      naming("pairs", [&] { return unlocked([&] { return contact_curves(a, b, pose, ids); }); });
  py::list list;
  for (ContactCurve& curve : found) {
    list.append(py::make_tuple(owning_points(std::move(curve.points)), curve.closed));
  }
  return list;
}

void bind_results(py::module_& module) {
  py::class_<IntersectsResult>(
      module, "IntersectsResult",
      "True when something touches; pair is one of those that do, or None.")
      .def_property_readonly(
          "pair", [](const IntersectsResult& result) { return from_optional_pair(result.pair); })
      .def("__bool__", [](const IntersectsResult& result) { return bool{result}; })
      .def("__repr__", [](const IntersectsResult& result) {
        return "IntersectsResult(pair=" +
               py::repr(from_optional_pair(result.pair)).cast<std::string>() + ")";
      });
  py::class_<GuardedWitness>(
      module, "Witness",
      R"(What is known of two models that intersects is asked about again and again while they move.

>>> import tandem
>>> ball, witness = tandem.Model(tandem.make_icosphere(4)), tandem.Witness()
>>> [bool(tandem.intersects(ball, ball, tandem.Pose.from_translation([x, 0, 0]), witness))
...  for x in (1.8, 2.0, 2.2)]
[True, True, False]
)")
      .def(py::init([] { return std::make_unique<GuardedWitness>("witness"); }))
      .def("clear",
           [](GuardedWitness& witness) { witness.change([](Witness& known) { known.clear(); }); });
}

void bind_triangles(py::module_& module) {
  module.def(
      "intersects",
      [](ArrayLike a, ArrayLike b) { return intersects(to_triangle(a, "a"), to_triangle(b, "b")); },
      py::arg("a"), py::arg("b"), "Whether two triangles of shape (3, 3) share a point, exactly.");
  module.def(
      "intersection",
      [](ArrayLike a, ArrayLike b) {
        return points_of(intersection(to_triangle(a, "a"), to_triangle(b, "b")));
      },
      py::arg("a"), py::arg("b"),
      "The point, segment or polygon that two triangles of shape (3, 3) share, float64 of shape "
      "(n, 3).");
  module.def(
      "distance",
      [](ArrayLike a, ArrayLike b) {
        const TriangleDistance apart = distance(to_triangle(a, "a"), to_triangle(b, "b"));
        return py::make_tuple(apart.distance, from_vec3(apart.on_a), from_vec3(apart.on_b),
                              from_vec3(apart.normal));
      },
      py::arg("a"), py::arg("b"),
      "How far apart two triangles of shape (3, 3) are: (distance, on_a, on_b, normal).");
}

}  // namespace

void bind_query(py::module_& module) {
  bind_results(module);
  module.def(
      "collide",
      [](const Model& a, const Model& b, PoseLike b_in_a, CallableLike sink,
         TANDEM_QUERY_PARAMETERS) {
        const Pose pose = to_pose(b_in_a, "b_in_a");
        Options options(engine, statistics, threads, progress);
        return pairs_or_stream(sink, options, [&](auto&&... show) {
          return collide(a, b, pose, show..., options.get());
        });
      },
      py::arg("a"), py::arg("b"), py::arg("b_in_a") = py::none(), py::arg("sink") = py::none(),
      TANDEM_QUERY_ARGUMENTS,
      R"(All pairs of triangles of two models that share a point, uint32 of shape (n, 2), sorted.

b_in_a is the pose of B in A's frame: a Pose, a matrix of shape (4, 4) or (3, 4), or None for the
identity. With a sink, pairs are not stored: sink(in_a, in_b) is called for each, in no particular
order, until it returns Flow.stop; the result then is whether it did.

>>> import tandem
>>> a, b = tandem.Model(tandem.make_box(1)), tandem.Model(tandem.make_box(1))
>>> tandem.collide(a, b, tandem.Pose.from_translation([1.5, 1.5, 1.5])).shape
(18, 2)
)");
  module.def(
      "intersects",
      [](const Model& a, const Model& b, PoseLike b_in_a, GuardedWitness* witness,
         TANDEM_QUERY_PARAMETERS) {
        const Pose pose = to_pose(b_in_a, "b_in_a");
        Options options(engine, statistics, threads, progress);
        if (witness == nullptr) {
          return options.run(
              [&](const QueryOptions& given) { return intersects(a, b, pose, given); });
        }
        return options.run_locked([&](const QueryOptions& given) {
          return witness->change(
              [&](Witness& known) { return intersects(a, b, pose, known, given); });
        });
      },
      py::arg("a"), py::arg("b"), py::arg("b_in_a") = py::none(), py::arg("witness") = py::none(),
      TANDEM_QUERY_ARGUMENTS,
      R"(Whether two models touch: true or false as a condition, with one of the pairs as .pair.

>>> import tandem
>>> box = tandem.Model(tandem.make_box(1))
>>> bool(tandem.intersects(box, box, tandem.Pose.from_translation([3, 0, 0])))
False
)");
  module.def(
      "count",
      [](const Model& a, const Model& b, PoseLike b_in_a, TANDEM_QUERY_PARAMETERS) {
        const Pose pose = to_pose(b_in_a, "b_in_a");
        Options options(engine, statistics, threads, progress);
        return options.run([&](const QueryOptions& given) { return count(a, b, pose, given); })
            .count;
      },
      py::arg("a"), py::arg("b"), py::arg("b_in_a") = py::none(), TANDEM_QUERY_ARGUMENTS,
      R"(The number of pairs, without storing them.

>>> import tandem
>>> box = tandem.Model(tandem.make_box(1))
>>> tandem.count(box, box, tandem.Pose.from_translation([1.5, 1.5, 1.5]))
18
)");
  module.def(
      "intersection", &intersection_of_pair, py::arg("a"), py::arg("b"), py::arg("b_in_a"),
      py::arg("pair"),
      R"(What the triangles of a pair share, in A's frame: 0 to 6 points, float64 of shape (n, 3).

One point, the ends of a segment, or the corners of a polygon, one after the other.

>>> import tandem
>>> box, pose = tandem.Model(tandem.make_box(1)), tandem.Pose.from_translation([1.5, 1.5, 1.5])
>>> tandem.intersection(box, box, pose, tandem.collide(box, box, pose)[0]).shape[1]
3
)");
  module.def(
      "contact_curves", &curves, py::arg("a"), py::arg("b"), py::arg("b_in_a"), py::arg("pairs"),
      R"(What all these pairs share, joined into curves in A's frame: a list of (points, closed).

Points are float64 of shape (n, 3); the last point of a closed curve is followed by the first.

>>> import tandem
>>> ball, pose = tandem.Model(tandem.make_icosphere(8)), tandem.Pose.from_translation([1, 0, 0])
>>> [(points, closed)] = tandem.contact_curves(ball, ball, pose, tandem.collide(ball, ball, pose))
>>> closed
True
)");
  bind_triangles(module);
}

void bind_self(py::module_& module) {
  module.def(
      "self_collide",
      [](const Model& model, CallableLike sink, TANDEM_QUERY_PARAMETERS) {
        Options options(engine, statistics, threads, progress);
        return pairs_or_stream(sink, options, [&](auto&&... show) {
          return self_collide(model, show..., options.get());
        });
      },
      py::arg("model"), py::arg("sink") = py::none(), TANDEM_QUERY_ARGUMENTS,
      R"(All pairs of triangles of one mesh that meet, uint32 of shape (n, 2), sorted, the lower id
first.

Neighbours count only where they meet in more than the corners and edges that they share. Sinks are
as for collide.

>>> import tandem
>>> tandem.self_collide(tandem.Model(tandem.make_icosphere(4))).shape
(0, 2)
)");
  module.def(
      "self_intersects",
      [](const Model& model, TANDEM_QUERY_PARAMETERS) {
        Options options(engine, statistics, threads, progress);
        return options.run(
            [&](const QueryOptions& given) { return self_intersects(model, given); });
      },
      py::arg("model"), TANDEM_QUERY_ARGUMENTS,
      "Whether a mesh meets itself, as self_collide says; .pair is one of the pairs.");
  module.def(
      "self_count",
      [](const Model& model, TANDEM_QUERY_PARAMETERS) {
        Options options(engine, statistics, threads, progress);
        return options.run([&](const QueryOptions& given) { return self_count(model, given); })
            .count;
      },
      py::arg("model"), TANDEM_QUERY_ARGUMENTS, "The number of pairs that self_collide finds.");
}

}  // namespace tandem::python
