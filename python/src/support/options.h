// What the options of queries are in Python: keyword arguments with the names of C++.
#pragma once

#include <tandem/engine.h>
#include <tandem/query.h>
#include <tandem/sink.h>
#include <tandem/statistics.h>

#include "arguments.h"

namespace tandem::python {

Engine to_engine(EngineLike engine);
RayEngine to_ray_engine(RayEngineLike engine);

/// A progress callback of Python, or none.
class Reporter {
 public:
  explicit Reporter(CallableLike callable);

  Progress progress() {
    if (callable_.is_none()) return nullptr;
    return Progress(*this);
  }
  void operator()(double share) const {
    const Locked lock;
    py::reinterpret_borrow<py::function>(callable_)(share);
  }

 private:
  py::handle callable_;
};

/// The counters to which those of a query are added, or none.
template <class Counters>
class Tally {
 public:
  template <class Kind>
  explicit Tally(Like<Kind> value) {
    if (value.is_none()) return;
    if (!py::isinstance<Counters>(value.value)) {
      throw Error("statistics is a " + type_name(value.value) +
                  ", but takes an object of statistics, to which what the query counts is added");
    }
    counters_ = &value.value.template cast<Counters&>();
  }

  explicit operator bool() const { return counters_ != nullptr; }
  /// Where the lock is held.
  void add(const Counters& counted) const {
    if (counters_ != nullptr) *counters_ += counted;
  }

 private:
  Counters* counters_ = nullptr;
};

/// The options of one query, from the parameters that all of them have.
class Options {
 public:
  Options(EngineLike engine, StatisticsLike statistics, int threads, CallableLike progress)
      : tally_(statistics), reporter_(progress) {
    options_.engine = to_engine(engine);
    options_.statistics = bool{tally_};
    options_.threads = threads;
    options_.progress = reporter_.progress();
  }
  Options(const Options&) = delete;
  Options& operator=(const Options&) = delete;

  const QueryOptions& get() const { return options_; }

  /// Runs the query without the lock, and adds up what it counted.
  template <class Query>
  auto run(Query&& query) {
    return run_locked(
        [&](const QueryOptions& options) { return unlocked([&] { return query(options); }); });
  }

  /// The same for a query that lets go of the lock by itself.
  template <class Query>
  auto run_locked(Query&& query) {
    auto result = query(options_);
    tally_.add(result.statistics);
    return result;
  }

 private:
  Tally<Statistics> tally_;
  Reporter reporter_;
  QueryOptions options_;
};

/// A sink of Python. It answers None or Flow.go_on, or Flow.stop.
Flow to_flow(const py::object& answer);

}  // namespace tandem::python

// The parameters of queries behind the models and the pose, and what they are called.
#define TANDEM_QUERY_PARAMETERS \
  EngineLike engine, StatisticsLike statistics, int threads, CallableLike progress
#define TANDEM_QUERY_ARGUMENTS                                                       \
  py::kw_only(), py::arg("engine") = py::none(), py::arg("statistics") = py::none(), \
                 py::arg("threads") = 1, py::arg("progress") = py::none()
