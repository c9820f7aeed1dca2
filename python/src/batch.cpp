// Batches: many queries in one call.
#include <tandem/batch.h>

#include "bind.h"
#include "support/batches.h"

namespace tandem::python {

std::vector<BatchQuery> to_queries(ArrayLike pairs, PosesLike b_in_a, std::size_t model_count) {
  const Array<std::uint32_t> ids = to_ids(pairs.value, "pairs");
  const auto rows = as_pairs(ids, "pairs");
  const std::vector<Pose> poses = to_poses(b_in_a, "b_in_a");
  if (rows.size() != poses.size()) {
    throw Error("pairs has " + std::to_string(rows.size()) + " rows, but b_in_a has " +
                std::to_string(poses.size()) + " poses");
  }
  std::vector<BatchQuery> queries;
  queries.reserve(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (const std::uint32_t model : {rows[i].a, rows[i].b}) {
      if (model < model_count) continue;
      throw Error("pairs[" + std::to_string(i) + "] names model " + std::to_string(model) +
                  ", but there are only " + std::to_string(model_count) + " models");
    }
    queries.push_back({rows[i].a, rows[i].b, poses[i]});
  }
  return queries;
}

ModelQueries::ModelQueries(const py::sequence& models_in, ArrayLike pairs, PosesLike b_in_a) {
  for (const py::handle item : models_in) {
    if (!py::isinstance<Model>(item)) {
      throw Error("models[" + std::to_string(models.size()) + "] is a " + type_name(item) +
                  ", but must be a tandem.Model");
    }
    models.push_back(item.cast<const Model&>());
  }
  queries = to_queries(pairs, b_in_a, models.size());
}

py::array from_bits(const BatchBits& bits) {
  py::array_t<bool> array(static_cast<py::ssize_t>(bits.size()));
  bool* to = array.mutable_data();
  for (std::size_t i = 0; i < bits.size(); ++i) to[i] = bits[i];
  return array;
}

py::object PairLists::at(py::ssize_t i) const {
  if (i < -size() || i >= size()) {
    throw py::index_error("there are only " + std::to_string(size()) + " lists of pairs");
  }
  if (i < 0) i += size();
  const auto* offset = static_cast<const std::uint64_t*>(offsets.data());
  return pairs[py::slice(static_cast<py::ssize_t>(offset[i]),
                         static_cast<py::ssize_t>(offset[i + 1]), 1)];
}

PairLists pair_lists(std::vector<std::uint64_t> offsets, std::vector<TrianglePair> pairs) {
  return {owning(std::move(offsets), py::dtype::of<std::uint64_t>()),
          owning_pairs(std::move(pairs))};
}

namespace {

PairLists lists_of(BatchResult result) {
  return pair_lists(std::move(result.offsets), std::move(result.pairs));
}

py::array counts_of(std::vector<std::uint64_t> counts) {
  return owning(std::move(counts), py::dtype::of<std::uint64_t>());
}

/// Defines a batch for two models and for many: `query` takes either and the options, `convert`
/// makes its result one of Python.
template <class Query, class Convert>
void define(py::module_& module, const char* name, const char* doc, Query query, Convert convert) {
  module.def(
      name,
      [=](const Model& a, const Model& b, PosesLike b_in_a, TANDEM_BATCH_PARAMETERS) {
        const std::vector<Pose> poses = to_poses(b_in_a, "b_in_a");
        const BatchCall call(engine, threads, progress);
        return convert(unlocked([&] { return query(call.options(), a, b, poses); }));
      },
      py::arg("a"), py::arg("b"), py::arg("b_in_a"), TANDEM_BATCH_ARGUMENTS, doc);
  module.def(
      name,
      [=](const py::sequence& models, ArrayLike pairs, PosesLike b_in_a, TANDEM_BATCH_PARAMETERS) {
        const ModelQueries all(models, pairs, b_in_a);
        const BatchCall call(engine, threads, progress);
        return convert(unlocked([&] {
          return query(call.options(), std::span<const Model>(all.models),
                       std::span<const BatchQuery>(all.queries));
        }));
      },
      py::arg("models"), py::arg("pairs"), py::arg("b_in_a"), TANDEM_BATCH_ARGUMENTS,
      "The same for many models: pairs, uint32 of shape (n, 2), are positions in models.");
}

}  // namespace

void bind_batch(py::module_& module) {
  py::class_<PairLists>(
      module, "BatchResult",
      "The pairs of all queries, one after another; result[i] are those of query i.")
      .def_readonly("offsets", &PairLists::offsets,
                    "uint64 of shape (n + 1,): query i has rows offsets[i] to offsets[i + 1].")
      .def_readonly("pairs", &PairLists::pairs, "uint32 of shape (m, 2).")
      .def("__len__", &PairLists::size)
      .def("__getitem__", &PairLists::at, py::arg("query"))
      .def("__repr__", [](const PairLists& lists) {
        return "<tandem.BatchResult: " + std::to_string(lists.size()) + " queries, " +
               std::to_string(lists.pairs.shape(0)) + " pairs>";
      });
  define(
      module, "collide_batch",
      R"(All pairs of the same two models under many poses of B in A's frame.

Poses are an array of shape (n, 4, 4) or (n, 3, 4), or a sequence of Pose. threads=0 uses all cores.

>>> import numpy as np, tandem
>>> box, poses = tandem.Model(tandem.make_box(1)), np.tile(np.eye(4), (3, 1, 1))
>>> poses[:, 0, 3] = [1.5, 2.5, 1.5]
>>> [len(pairs) for pairs in tandem.collide_batch(box, box, poses)]
[52, 0, 52]
)",
      [](const BatchOptions& options, const auto&... of) { return collide_batch(of..., options); },
      lists_of);
  define(
      module, "count_batch",
      R"(The number of pairs of each query, uint64 of shape (n,).

>>> import tandem
>>> box, apart = tandem.Model(tandem.make_box(1)), tandem.Pose.from_translation([3, 0, 0])
>>> tandem.count_batch(box, box, [apart, apart])
array([0, 0], dtype=uint64)
)",
      [](const BatchOptions& options, const auto&... of) { return count_batch(of..., options); },
      counts_of);
  define(
      module, "intersects_batch",
      R"(Which queries have a pair, bool of shape (n,).

>>> import tandem
>>> box, apart = tandem.Model(tandem.make_box(1)), tandem.Pose.from_translation([3, 0, 0])
>>> tandem.intersects_batch([box, box], [[0, 1], [0, 1]], [tandem.Pose(), apart])
array([ True, False])
)",
      [](const BatchOptions& options, const auto&... of) {
        return intersects_batch(of..., options);
      },
      from_bits);
}

}  // namespace tandem::python
