// What batches of queries take: two models and many poses, or many models.
#pragma once

#include <tandem/batch.h>
#include <tandem/distance.h>

#include <cstdint>
#include <string>
#include <vector>

#include "arrays.h"
#include "options.h"
#include "poses.h"

namespace tandem::python {

/// Many models, and queries between them: row i of `pairs`, of shape (n, 2), has the positions of
/// the models of query i, and `b_in_a` its pose.
struct ModelQueries {
  ModelQueries(const py::sequence& models_in, ArrayLike pairs, PosesLike b_in_a) {
    for (const py::handle item : models_in) {
      if (!py::isinstance<Model>(item)) {
        throw Error("models[" + std::to_string(models.size()) + "] is a " + type_name(item) +
                    ", but must be a tandem.Model");
      }
      models.push_back(item.cast<const Model&>());
    }
    const Array<std::uint32_t> ids = to_ids(pairs.value, "pairs");
    const auto rows = as_pairs(ids, "pairs");
    const std::vector<Pose> poses = to_poses(b_in_a, "b_in_a");
    if (rows.size() != poses.size()) {
      throw Error("pairs has " + std::to_string(rows.size()) + " rows, but b_in_a has " +
                  std::to_string(poses.size()) + " poses");
    }
    queries.reserve(rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
      for (const std::uint32_t model : {rows[i].a, rows[i].b}) {
        if (model < models.size()) continue;
        throw Error("pairs[" + std::to_string(i) + "] names model " + std::to_string(model) +
                    ", but models has only " + std::to_string(models.size()));
      }
      queries.push_back({rows[i].a, rows[i].b, poses[i]});
    }
  }

  std::vector<Model> models;
  std::vector<BatchQuery> queries;
};

/// The options of a batch.
class BatchCall {
 public:
  BatchCall(EngineLike engine, int threads, CallableLike progress) : reporter_(progress) {
    options_.engine = to_engine(engine);
    options_.threads = threads;
    options_.progress = reporter_.progress();
  }
  BatchCall(const BatchCall&) = delete;
  BatchCall& operator=(const BatchCall&) = delete;

  const BatchOptions& options() const { return options_; }

 private:
  Reporter reporter_;
  BatchOptions options_;
};

/// bool of shape (n,).
py::array from_bits(const BatchBits& bits);

/// Pairs, and which of them belong to what: those of entry i are rows offsets[i] to offsets[i + 1].
struct PairLists {
  py::array offsets;
  py::array pairs;

  py::object at(py::ssize_t i) const;
  py::ssize_t size() const { return offsets.shape(0) - 1; }
};
PairLists pair_lists(std::vector<std::uint64_t> offsets, std::vector<TrianglePair> pairs);

/// An array of shape (n,) with the fields of `distance_dtype`.
py::array from_distances(const std::vector<DistanceResult>& results);

}  // namespace tandem::python

// The parameters of batches behind the poses, and what they are called.
#define TANDEM_BATCH_PARAMETERS EngineLike engine, int threads, CallableLike progress
#define TANDEM_BATCH_ARGUMENTS                                           \
  py::kw_only(), py::arg("engine") = py::none(), py::arg("threads") = 1, \
                 py::arg("progress") = py::none()
