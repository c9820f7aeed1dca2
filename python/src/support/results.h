// Pairs of triangles as an array, or one by one into a sink of Python.
#pragma once

#include <tandem/query.h>

#include "arrays.h"
#include "options.h"

namespace tandem::python {

/// A callable of Python that is shown results, under the interpreter's lock.
class Sink {
 public:
  explicit Sink(CallableLike callable) : callable_(callable.value) {
    if (PyCallable_Check(callable_.ptr()) == 0) {
      throw Error("sink is a " + type_name(callable_) + ", but takes a callable");
    }
  }

  template <class... Results>
  Flow show(const Results&... results) const {
    const Locked lock;
    return to_flow(callable_(results...));
  }
  Flow operator()(TrianglePair pair) const { return show(pair.a, pair.b); }

 private:
  py::handle callable_;
};

/// Runs a query that takes a sink or none, and then the options that it knows: all pairs as an
/// array of shape (n, 2), or whether the sink stopped it.
template <class Query>
py::object pairs_or_stream(CallableLike sink, Options& options, Query&& query) {
  if (sink.is_none()) {
    auto result = options.run([&](const QueryOptions&) { return query(); });
    return owning_pairs(std::move(result.pairs));
  }
  const Sink show(sink);
  return py::bool_(options.run([&](const QueryOptions&) { return query(show); }).stopped);
}

}  // namespace tandem::python
