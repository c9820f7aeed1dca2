// Collider: many queries between models on a device.
#include <pybind11/stl.h>
#include <tandem/cuda/collide.h>

#include <cstddef>
#include <limits>
#include <memory>
#include <optional>
#include <string>

#include "../support/batches.h"
#include "../support/guarded.h"
#include "bind.h"
#include "options.h"

namespace tandem::python {
namespace {

using cuda::Collider;
using cuda::ColliderOptions;
using cuda::CollideStep;
using cuda::DeviceDistance;
using cuda::FoundPairs;

constexpr double k_infinity = std::numeric_limits<double>::infinity();

py::dtype query_dtype() {
  static_assert(sizeof(BatchQuery) == 104 && sizeof(Pose) == 96);
  constexpr std::size_t pose = offsetof(BatchQuery, b_in_a);
  return make_dtype({{"a", "u4", offsetof(BatchQuery, a)},
                     {"b", "u4", offsetof(BatchQuery, b)},
                     {"rotation", "(3,3)f8", pose},
                     {"translation", "(3,)f8", pose + sizeof(double[9])}},
                    sizeof(BatchQuery));
}

py::dtype device_distance_dtype() {
  static_assert(sizeof(DeviceDistance) == 88);
  return make_dtype({{"distance", "f8", offsetof(DeviceDistance, distance)},
                     {"pair", "(2,)u4", offsetof(DeviceDistance, pair)},
                     {"on_a", "(3,)f8", offsetof(DeviceDistance, on_a)},
                     {"on_b", "(3,)f8", offsetof(DeviceDistance, on_b)},
                     {"normal", "(3,)f8", offsetof(DeviceDistance, normal)}},
                    sizeof(DeviceDistance));
}

/// Queries in the memory of the device, each as a `BatchQuery`, which is as large as 13 doubles.
class DeviceQueries {
 public:
  explicit DeviceQueries(ArrayLike queries) : rows_(queries.value, "queries", {{"<f8"}, {13}}) {
    if (rows_.size() > std::numeric_limits<std::uint32_t>::max()) {
      throw Error("queries has " + std::to_string(rows_.size()) + " rows; a device takes fewer");
    }
  }

  const BatchQuery* begin() const { return rows_.as<BatchQuery>(); }
  std::uint32_t size() const { return static_cast<std::uint32_t>(rows_.size()); }

 private:
  DeviceArray rows_;
};

/// A collider, and how many models it has.
class BoundCollider {
 public:
  BoundCollider(const Sources& models, const ColliderOptions& options)
      : collider_("collider",
                  models.visit([&](const auto& all) { return Collider(all, options); })),
        model_count_(models.size()) {}

  /// Calls the function with the collider, which one thread at a time may use. What the last query
  /// has left on the device is gone then.
  template <class Function>
  auto use(Function&& function) {
    return collider_.change([&](Collider& on) {
      answers_.next();
      return function(on);
    });
  }
  template <class Function>
  auto look(Function&& function) const {
    return collider_.look(std::forward<Function>(function));
  }
  /// Calls it with queries of the host.
  template <class Function>
  auto ask(ArrayLike pairs, PosesLike b_in_a, Function&& function) {
    const std::vector<BatchQuery> queries = to_queries(pairs, b_in_a, model_count_);
    return use([&](Collider& on) { return function(on, std::span<const BatchQuery>(queries)); });
  }
  /// The same with queries on the device, whose answers of type T go to `out`, which it returns.
  template <class T, class Function>
  py::object answer(ArrayLike queries, ArrayLike out, const DeviceRows& rows, Function&& function) {
    const DeviceQueries asked(queries);
    const DeviceAnswers answers(out.value, rows, asked.size());
    if (asked.size() > 0) {
      use([&](Collider& on) { function(on, asked.begin(), asked.size(), answers.as<T>()); });
    }
    return py::reinterpret_borrow<py::object>(out.value);
  }

  std::size_t model_count() const { return model_count_; }
  AnswerCount::Mark mark() const { return answers_.mark(); }

 private:
  Guarded<Collider> collider_;
  AnswerCount answers_;
  std::size_t model_count_;
};

using ColliderClass = py::class_<BoundCollider>;
using Queries = std::span<const BatchQuery>;

/// What answers of 64 bits are written to.
DeviceRows numbers() {
  return {{"<u8", "<i8"}};
}

void bind_steps(py::module_& module) {
  py::class_<CollideStep>(module, "CollideStep",
                          "One step of a query on a device, as it was measured.")
      .def_readonly("phase", &CollideStep::phase, "Such as boxes or triangles.")
      .def_readonly("level", &CollideStep::level, "Of the hierarchies, from the roots down.")
      .def_readonly("items", &CollideStep::items, "What the step goes through.")
      .def_readonly("bytes", &CollideStep::bytes, "Read and written, as the algorithm needs them.")
      .def_readonly("seconds", &CollideStep::seconds)
      .def("__repr__", [](const CollideStep& step) {
        return "<" + std::string(step.phase) + ", level " + std::to_string(step.level) + ": " +
               std::to_string(step.items) + " items>";
      });
}

/// From and to the memory of the host.
void define_queries(ColliderClass& collider) {
  collider
      .def(
          "collide",
          [](BoundCollider& collider, ArrayLike pairs, PosesLike b_in_a) {
            BatchResult found = collider.ask(
                pairs, b_in_a, [](Collider& on, Queries queries) { return on.collide(queries); });
            return pair_lists(std::move(found.offsets), std::move(found.pairs));
          },
          py::arg("pairs"), py::arg("b_in_a"), "All pairs of triangles, as collide_batch.")
      .def(
          "count",
          [](BoundCollider& collider, ArrayLike pairs, PosesLike b_in_a) {
            return owning(
                collider.ask(pairs, b_in_a,
                             [](Collider& on, Queries queries) { return on.count(queries); }),
                py::dtype::of<std::uint64_t>());
          },
          py::arg("pairs"), py::arg("b_in_a"),
          "The number of pairs of each query, as count_batch: uint64 of shape (n,).")
      .def(
          "intersects",
          [](BoundCollider& collider, ArrayLike pairs, PosesLike b_in_a) {
            return from_bits(collider.ask(pairs, b_in_a, [](Collider& on, Queries queries) {
              return on.intersects(queries);
            }));
          },
          py::arg("pairs"), py::arg("b_in_a"),
          "Which queries have a pair, as intersects_batch: bool of shape (n,).")
      .def(
          "within",
          [](BoundCollider& collider, ArrayLike pairs, PosesLike b_in_a, double distance) {
            return from_bits(collider.ask(pairs, b_in_a, [&](Collider& on, Queries queries) {
              return on.within(queries, distance);
            }));
          },
          py::arg("pairs"), py::arg("b_in_a"), py::arg("distance"),
          "Which queries have a pair that is at most that far apart, as within_batch.")
      .def(
          "distance",
          [](BoundCollider& collider, ArrayLike pairs, PosesLike b_in_a, double limit) {
            return from_distances(collider.ask(pairs, b_in_a, [&](Collider& on, Queries queries) {
              return on.distance(queries, limit);
            }));
          },
          py::arg("pairs"), py::arg("b_in_a"), py::kw_only(), py::arg("limit") = k_infinity,
          "How far apart the models of each query are, as distance_batch: shape (n,) with the "
          "fields of distance_dtype. Of models that touch, the pair may be another one.");
}

/// From and to the memory of the device.
void define_device_queries(ColliderClass& collider) {
  collider
      .def(
          "count",
          [](BoundCollider& collider, ArrayLike queries, ArrayLike out) {
            return collider.answer<std::uint64_t>(
                queries, out, numbers(), [](Collider& on, auto... asked) { on.count(asked...); });
          },
          py::arg("queries"), py::kw_only(), py::arg("out"),
          R"(The same in the memory of the device: queries are float64 of shape (n, 13), out is
uint64 or int64 of shape (n,).

A query is as in query_dtype: the ids of the models in the eight bytes of the first number, then
the rotation, row by row, and the translation. Nothing of it is checked.)")
      .def(
          "intersects",
          [](BoundCollider& collider, ArrayLike queries, ArrayLike out) {
            return collider.answer<std::uint64_t>(
                queries, out, numbers(),
                [](Collider& on, auto... asked) { on.intersects(asked...); });
          },
          py::arg("queries"), py::kw_only(), py::arg("out"),
          "The same in the memory of the device, as count: out is not 0 for queries with a pair.")
      .def(
          "within",
          [](BoundCollider& collider, ArrayLike queries, double distance, ArrayLike out) {
            return collider.answer<std::uint64_t>(
                queries, out, numbers(),
                [&](Collider& on, const BatchQuery* asked, std::uint32_t count,
                    std::uint64_t* any) { on.within(asked, count, distance, any); });
          },
          py::arg("queries"), py::arg("distance"), py::kw_only(), py::arg("out"),
          "The same in the memory of the device, as count: out is 1 for queries with such a pair.")
      .def(
          "distance",
          [](BoundCollider& collider, ArrayLike queries, ArrayLike out, double limit) {
            return collider.answer<DeviceDistance>(
                queries, out, {{"<f8"}, {11}},
                [&](Collider& on, const BatchQuery* asked, std::uint32_t count,
                    DeviceDistance* results) { on.distance(asked, count, results, limit); });
          },
          py::arg("queries"), py::kw_only(), py::arg("out"), py::arg("limit") = k_infinity,
          "The same in the memory of the device, as count: out is float64 of shape (n, 11), each "
          "row as in device_distance_dtype.")
      .def(
          "find",
          [](const py::object& self, ArrayLike queries) {
            auto& collider = self.cast<BoundCollider&>();
            const DeviceQueries asked(queries);
            std::optional<AnswerCount::Mark> mark;
            const FoundPairs found = collider.use([&](Collider& on) {
              mark.emplace(collider.mark());
              return asked.size() > 0 ? on.find(asked.begin(), asked.size()) : FoundPairs{};
            });
            static_assert(sizeof(cuda::FoundPair) == 12);
            return DeviceIds(self, std::move(*mark), found.pairs, found.count, 3);
          },
          py::arg("queries"),
          "All pairs of queries in the memory of the device, as count takes them, left there until "
          "the next query: rows of query, triangle of A and triangle of B, in any order.");
}

}  // namespace

void bind_device_collider(py::module_& module) {
  module.attr("query_dtype") = query_dtype();
  module.attr("device_distance_dtype") = device_distance_dtype();
  bind_steps(module);
  module.def(
      "make_queries",
      [](ArrayLike pairs, PosesLike b_in_a) {
        constexpr std::size_t k_any = std::numeric_limits<std::uint32_t>::max();
        return owning(to_queries(pairs, b_in_a, k_any), query_dtype());
      },
      py::arg("pairs"), py::arg("b_in_a"),
      R"(Queries between models as a Collider takes them in the memory of a device: an array of
shape (n,) with the fields of query_dtype.

>>> from tandem import cuda, Pose
>>> queries = cuda.make_queries([[0, 1]], [Pose.from_translation([1, 2, 3])])
>>> queries.view(float).reshape(-1, 13)[0, 1:]  # what goes to the device, without the ids
array([1., 0., 0., 0., 1., 0., 0., 0., 1., 1., 2., 3.])
)");
  ColliderClass collider(module, "Collider",
                         R"(Models in the memory of a device, and queries between them.

models are of type tandem.Model, or of tandem.Mesh or DeviceMesh, of which the device makes its own
in far less time. pairs, uint32 of shape (n, 2), are positions in models, b_in_a poses of shape
(n, 4, 4) or (n, 3, 4). memory_limit, in bytes, is for the queues of queries; builder is for meshes,
blocked and stackless are for the methods of these names.)");
  collider
      .def(py::init([](const py::sequence& models, TANDEM_COLLIDER_PARAMETERS) {
             const Sources sources(models);
             const ColliderOptions options = TANDEM_COLLIDER_OPTIONS;
             return unlocked([&] { return std::make_unique<BoundCollider>(sources, options); });
           }),
           py::arg("models"), TANDEM_COLLIDER_ARGUMENTS)
      .def("__len__", &BoundCollider::model_count)
      .def(
          "refit",
          [](BoundCollider& collider, std::int64_t model, ArrayLike positions) {
            const std::size_t which = to_model(model, collider.model_count());
            with_positions(positions, [&](auto... moved) {
              collider.use([&](Collider& on) { on.refit(which, moved...); });
            });
          },
          py::arg("model"), py::arg("positions"),
          "Moves the vertices of a model that the device has made of a mesh: float32 of shape "
          "(n, 3), here or in the memory of the device, where they are not checked.")
      .def(
          "measure",
          [](BoundCollider& collider, ArrayLike pairs, PosesLike b_in_a) {
            return collider.ask(pairs, b_in_a,
                                [](Collider& on, Queries queries) { return on.measure(queries); });
          },
          py::arg("pairs"), py::arg("b_in_a"),
          "Runs queries step by step and measures each: a list of CollideStep.")
      .def(
          "model_bytes",
          [](const BoundCollider& collider) {
            return collider.look([](const Collider& on) { return on.model_bytes(); });
          },
          "Bytes of the models on the device.")
      .def(
          "query_bytes",
          [](const BoundCollider& collider) {
            return collider.look([](const Collider& on) { return on.query_bytes(); });
          },
          "Bytes on the device that queries have needed so far.");
  define_queries(collider);
  define_device_queries(collider);
}

}  // namespace tandem::python
