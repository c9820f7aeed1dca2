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

/// Queries between models that are given by their positions: row i of `pairs`, of shape (n, 2), has
/// those of query i, and `b_in_a` its pose.
std::vector<BatchQuery> to_queries(ArrayLike pairs, PosesLike b_in_a, std::size_t model_count);

/// Many models, and queries between them.
struct ModelQueries {
  ModelQueries(const py::sequence& models_in, ArrayLike pairs, PosesLike b_in_a);

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
