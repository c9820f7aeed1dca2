// Distances of models.
#include <tandem/distance.h>

#include <cstddef>
#include <limits>

#include "bind.h"
#include "support/batches.h"
#include "support/contacts.h"
#include "support/guarded.h"
#include "support/options.h"
#include "support/poses.h"
#include "support/results.h"

namespace tandem::python {
namespace {

using GuardedWitness = Guarded<DistanceWitness>;
constexpr double k_infinity = std::numeric_limits<double>::infinity();

/// A result without what an array cannot hold.
struct Row {
  double distance;
  TrianglePair pair;
  Vec3d on_a;
  Vec3d on_b;
  Vec3d normal;
  double lower_bound;
};

py::dtype distance_dtype() {
  return make_dtype({{"distance", "f8", offsetof(Row, distance)},
                     {"pair", "(2,)u4", offsetof(Row, pair)},
                     {"on_a", "(3,)f8", offsetof(Row, on_a)},
                     {"on_b", "(3,)f8", offsetof(Row, on_b)},
                     {"normal", "(3,)f8", offsetof(Row, normal)},
                     {"lower_bound", "f8", offsetof(Row, lower_bound)}},
                    sizeof(Row));
}

std::vector<Row> rows_of(const std::vector<DistanceResult>& results) {
  constexpr TrianglePair k_no_pair{0xffffffff, 0xffffffff};
  std::vector<Row> rows;
  rows.reserve(results.size());
  for (const DistanceResult& result : results) {
    rows.push_back({result.distance, result.pair.value_or(k_no_pair), result.on_a, result.on_b,
                    result.normal, result.lower_bound});
  }
  return rows;
}

DistanceOptions to_options(EngineLike engine, double limit, double relative_error,
                           double absolute_error) {
  DistanceOptions options;
  options.engine = to_engine(engine);
  options.limit = limit;
  options.relative_error = relative_error;
  options.absolute_error = absolute_error;
  return options;
}

void bind_results(py::module_& module) {
  module.attr("distance_dtype") = distance_dtype();
  py::class_<DistanceResult>(module, "DistanceResult", "How far apart two models are, and where.")
      .def_readonly("distance", &DistanceResult::distance,
                    "0 when they share a point, inf when nothing is closer than the limit.")
      .def_property_readonly(
          "pair", [](const DistanceResult& result) { return from_optional_pair(result.pair); },
          "The two triangles that are as close, or None.")
      .def_property_readonly(
          "on_a", [](const DistanceResult& result) { return from_vec3(result.on_a); },
          "The closest point of A, in A's frame, float64 of shape (3,).")
      .def_property_readonly(
          "on_b", [](const DistanceResult& result) { return from_vec3(result.on_b); },
          "The closest point of B, in A's frame.")
      .def_property_readonly(
          "normal", [](const DistanceResult& result) { return from_vec3(result.normal); },
          "From the one to the other, of length 1; zero where they touch.")
      .def_readonly("lower_bound", &DistanceResult::lower_bound,
                    "No two points are closer than this.")
      .def("__repr__", [](const DistanceResult& result) {
        return "DistanceResult(distance=" +
               py::repr(py::float_(result.distance)).cast<std::string>() +
               ", pair=" + py::repr(from_optional_pair(result.pair)).cast<std::string>() + ")";
      });
  py::class_<GuardedWitness>(
      module, "DistanceWitness",
      "What is known of two models whose distance is asked for while they move.")
      .def(py::init([] { return std::make_unique<GuardedWitness>("witness"); }))
      .def("clear", [](GuardedWitness& witness) {
        witness.change([](DistanceWitness& known) { known.clear(); });
      });
}

void bind_within(py::module_& module) {
  module.def(
      "within",
      [](const Model& a, const Model& b, PoseLike b_in_a, double distance,
         TANDEM_QUERY_PARAMETERS) {
        const Pose pose = to_pose(b_in_a, "b_in_a");
        Options options(engine, statistics, threads, progress);
        return options.run(
            [&](const QueryOptions& given) { return within(a, b, pose, distance, given); });
      },
      py::arg("a"), py::arg("b"), py::arg("b_in_a"), py::arg("distance"), TANDEM_QUERY_ARGUMENTS,
      R"(Whether any triangle of A comes as close as that to one of B; .pair is one that does.

>>> import tandem
>>> box, pose = tandem.Model(tandem.make_box(1)), tandem.Pose.from_translation([2.5, 0, 0])
>>> bool(tandem.within(box, box, pose, 0.5)), bool(tandem.within(box, box, pose, 0.4))
(True, False)
)");
  module.def(
      "collide_within",
      [](const Model& a, const Model& b, PoseLike b_in_a, double distance, CallableLike sink,
         TANDEM_QUERY_PARAMETERS) {
        const Pose pose = to_pose(b_in_a, "b_in_a");
        Options options(engine, statistics, threads, progress);
        return pairs_or_stream(sink, options, [&](auto&&... show) {
          return collide_within(a, b, pose, distance, show..., options.get());
        });
      },
      py::arg("a"), py::arg("b"), py::arg("b_in_a"), py::arg("distance"),
      py::arg("sink") = py::none(), TANDEM_QUERY_ARGUMENTS,
      "All pairs of triangles that are at most that far apart, uint32 of shape (n, 2), sorted. "
      "Sinks "
      "are as for collide.");
  module.def(
      "count_within",
      [](const Model& a, const Model& b, PoseLike b_in_a, double distance,
         TANDEM_QUERY_PARAMETERS) {
        const Pose pose = to_pose(b_in_a, "b_in_a");
        Options options(engine, statistics, threads, progress);
        return options
            .run([&](const QueryOptions& given) {
              return count_within(a, b, pose, distance, given);
            })
            .count;
      },
      py::arg("a"), py::arg("b"), py::arg("b_in_a"), py::arg("distance"), TANDEM_QUERY_ARGUMENTS,
      "The number of pairs that collide_within finds.");
  module.def(
      "contacts_within",
      [](const Model& a, const Model& b, PoseLike b_in_a, double distance,
         TANDEM_QUERY_PARAMETERS) {
        const Pose pose = to_pose(b_in_a, "b_in_a");
        Options options(engine, statistics, threads, progress);
        return from_contacts(options
                                 .run([&](const QueryOptions& given) {
                                   return contacts_within(a, b, pose, distance, given);
                                 })
                                 .contacts);
      },
      py::arg("a"), py::arg("b"), py::arg("b_in_a"), py::arg("distance"), TANDEM_QUERY_ARGUMENTS,
      "As contacts, also of triangles that do not touch but are at most that far apart: separation "
      "is "
      "their distance.");
}

void bind_batches(py::module_& module) {
  module.def(
      "distance_batch",
      [](const Model& a, const Model& b, PosesLike b_in_a, EngineLike engine, double limit,
         double relative_error, double absolute_error, int threads, CallableLike progress) {
        const std::vector<Pose> poses = to_poses(b_in_a, "b_in_a");
        Reporter reporter(progress);
        DistanceOptions options = to_options(engine, limit, relative_error, absolute_error);
        options.threads = threads;
        options.progress = reporter.progress();
        return from_distances(unlocked([&] { return distance_batch(a, b, poses, options); }));
      },
      py::arg("a"), py::arg("b"), py::arg("b_in_a"), py::kw_only(), py::arg("engine") = py::none(),
      py::arg("limit") = k_infinity, py::arg("relative_error") = 0.0,
      py::arg("absolute_error") = 0.0, py::arg("threads") = 1, py::arg("progress") = py::none(),
      R"(The distances of two models under many poses: an array of shape (n,) with the fields of
distance_dtype.

distance, pair (2,), on_a (3,), on_b (3,), normal (3,), lower_bound; where the distance is infinite,
the ids of the pair are 4294967295.

>>> import tandem
>>> box, apart = tandem.Model(tandem.make_box(1)), tandem.Pose.from_translation([3, 0, 0])
>>> tandem.distance_batch(box, box, [tandem.Pose(), apart])["distance"]
array([0., 1.])
)");
  module.def(
      "distance_batch",
      [](const py::sequence& models, ArrayLike pairs, PosesLike b_in_a, EngineLike engine,
         double limit, double relative_error, double absolute_error, int threads,
         CallableLike progress) {
        const ModelQueries all(models, pairs, b_in_a);
        Reporter reporter(progress);
        DistanceOptions options = to_options(engine, limit, relative_error, absolute_error);
        options.threads = threads;
        options.progress = reporter.progress();
        return from_distances(
            unlocked([&] { return distance_batch(all.models, all.queries, options); }));
      },
      py::arg("models"), py::arg("pairs"), py::arg("b_in_a"), py::kw_only(),
      py::arg("engine") = py::none(), py::arg("limit") = k_infinity,
      py::arg("relative_error") = 0.0, py::arg("absolute_error") = 0.0, py::arg("threads") = 1,
      py::arg("progress") = py::none(), "The same for many models, as for collide_batch.");
  module.def(
      "within_batch",
      [](const Model& a, const Model& b, PosesLike b_in_a, double distance,
         TANDEM_BATCH_PARAMETERS) {
        const std::vector<Pose> poses = to_poses(b_in_a, "b_in_a");
        const BatchCall call(engine, threads, progress);
        return from_bits(
            unlocked([&] { return within_batch(a, b, poses, distance, call.options()); }));
      },
      py::arg("a"), py::arg("b"), py::arg("b_in_a"), py::arg("distance"), TANDEM_BATCH_ARGUMENTS,
      "Which poses bring the models as close as that, bool of shape (n,).");
  module.def(
      "within_batch",
      [](const py::sequence& models, ArrayLike pairs, PosesLike b_in_a, double distance,
         TANDEM_BATCH_PARAMETERS) {
        const ModelQueries all(models, pairs, b_in_a);
        const BatchCall call(engine, threads, progress);
        return from_bits(unlocked(
            [&] { return within_batch(all.models, all.queries, distance, call.options()); }));
      },
      py::arg("models"), py::arg("pairs"), py::arg("b_in_a"), py::arg("distance"),
      TANDEM_BATCH_ARGUMENTS, "The same for many models, as for collide_batch.");
}

}  // namespace

py::array from_distances(const std::vector<DistanceResult>& results) {
  return owning(rows_of(results), distance_dtype());
}

void bind_distance(py::module_& module) {
  bind_results(module);
  module.def(
      "distance",
      [](const Model& a, const Model& b, PoseLike b_in_a, GuardedWitness* witness,
         EngineLike engine, double limit, double relative_error, double absolute_error,
         StatisticsLike statistics) {
        const Pose pose = to_pose(b_in_a, "b_in_a");
        const Tally<Statistics> tally(statistics);
        DistanceOptions options = to_options(engine, limit, relative_error, absolute_error);
        options.statistics = bool{tally};
        DistanceResult result = witness == nullptr
                                    ? unlocked([&] { return distance(a, b, pose, options); })
                                    : witness->change([&](DistanceWitness& known) {
                                        return distance(a, b, pose, known, options);
                                      });
        tally.add(result.statistics);
        return result;
      },
      py::arg("a"), py::arg("b"), py::arg("b_in_a") = py::none(), py::arg("witness") = py::none(),
      py::kw_only(), py::arg("engine") = py::none(), py::arg("limit") = k_infinity,
      py::arg("relative_error") = 0.0, py::arg("absolute_error") = 0.0,
      py::arg("statistics") = py::none(),
      R"(How far apart two models are: distance, pair, on_a, on_b, normal, lower_bound.

>>> import tandem
>>> box = tandem.Model(tandem.make_box(1))
>>> gap = tandem.distance(box, box, tandem.Pose.from_translation([2.5, 0, 0]))
>>> gap.distance, gap.normal
(0.5, array([1., 0., 0.]))
)");
  bind_within(module);
  bind_batches(module);
}

}  // namespace tandem::python
