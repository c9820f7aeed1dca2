// Engines by name, and what queries count.
#include <pybind11/operators.h>
#include <pybind11/stl.h>
#include <tandem/engine.h>
#include <tandem/statistics.h>

#include <string>

#include "bind.h"
#include "support/options.h"

namespace tandem::python {

Engine to_engine(EngineLike engine) {
  if (engine.is_none()) return {};
  if (!py::isinstance<Engine>(engine.value)) {
    throw Error("engine is a " + type_name(engine.value) + ", but takes a tandem.Engine");
  }
  return engine.value.cast<const Engine&>();
}

RayEngine to_ray_engine(RayEngineLike engine) {
  if (engine.is_none()) return {};
  if (!py::isinstance<RayEngine>(engine.value)) {
    throw Error("engine is a " + type_name(engine.value) + ", but takes a tandem.RayEngine");
  }
  return engine.value.cast<const RayEngine&>();
}

Reporter::Reporter(CallableLike callable) : callable_(callable.value) {
  if (!callable.is_none() && PyCallable_Check(callable_.ptr()) == 0) {
    throw Error("progress is a " + type_name(callable_) + ", but takes a callable");
  }
}

Flow to_flow(const py::object& answer) {
  if (answer.is_none()) return Flow::go_on;
  if (!py::isinstance<Flow>(answer)) {
    throw Error("sink answered with a " + type_name(answer) +
                ", but must answer None, tandem.Flow.go_on or tandem.Flow.stop");
  }
  return answer.cast<Flow>();
}

namespace {

/// Name and description of each of a kind, as the registry has them.
template <class Kind>
py::list list_names() {
  py::list names;
  for (const Kind& one : Kind::all()) {
    names.append(py::make_tuple(std::string(one.name()), std::string(one.description())));
  }
  return names;
}

template <class Kind>
py::str name_of(Kind value) {
  return std::string(value.name());
}

std::string quoted(std::string_view name) {
  return "'" + std::string(name) + "'";
}

template <class Counters>
using Counter = std::pair<const char*, std::uint64_t Counters::*>;

template <class Counters, std::size_t n>
void bind_counters(py::module_& module, const char* name, const char* doc,
                   const Counter<Counters> (&counters)[n]) {
  py::class_<Counters> type(module, name, doc);
  type.def(py::init<>());
  for (const auto& [field, member] : counters) {
    type.def_readonly(field, member);
  }
  const auto as_dict = [counters](const Counters& counted) {
    py::dict all;
    for (const auto& [field, member] : counters) all[field] = counted.*member;
    return all;
  };
  type.def("as_dict", as_dict, "All counters by their names.")
      .def(py::self += py::self)
      .def(py::self == py::self)
      .def("__repr__", [as_dict, name](const Counters& counted) {
        return std::string(name) + "(" + py::str(as_dict(counted)).cast<std::string>() + ")";
      });
}

void bind_statistics(py::module_& module) {
  bind_counters<Statistics>(module, "Statistics",
                            R"(What queries between models count, added up.

>>> import tandem
>>> ball = tandem.Model(tandem.make_icosphere(4))
>>> statistics = tandem.Statistics()
>>> tandem.count(ball, ball, tandem.Pose.from_translation([1, 0, 0]), statistics=statistics)
230
>>> statistics.triangle_overlaps
230
)",
                            {{"iterations", &Statistics::iterations},
                             {"overlaps", &Statistics::overlaps},
                             {"leaf_overlaps", &Statistics::leaf_overlaps},
                             {"node_transforms", &Statistics::node_transforms},
                             {"aligned_visits", &Statistics::aligned_visits},
                             {"tumbled_visits", &Statistics::tumbled_visits},
                             {"triangle_tests", &Statistics::triangle_tests},
                             {"triangle_overlaps", &Statistics::triangle_overlaps}});
  bind_counters<RayStatistics>(module, "RayStatistics", "What queries of rays count, added up.",
                               {{"rays", &RayStatistics::rays},
                                {"box_tests", &RayStatistics::box_tests},
                                {"node_visits", &RayStatistics::node_visits},
                                {"leaf_visits", &RayStatistics::leaf_visits},
                                {"triangle_tests", &RayStatistics::triangle_tests}});
}

}  // namespace

void bind_engine(py::module_& module) {
  // The package makes enumerations of these.
  module.def("_names", [] {
    py::dict all;
    all["Structure"] = list_names<Structure>();
    all["Traversal"] = list_names<Traversal>();
    all["OverlapTest"] = list_names<OverlapTest>();
    all["TriangleTest"] = list_names<TriangleTest>();
    all["RayTraversal"] = list_names<RayTraversal>();
    all["Builder"] = list_names<Builder>();
    return all;
  });
  py::enum_<Flow>(module, "Flow", "What a sink answers to each result.")
      .value("go_on", Flow::go_on)
      .value("stop", Flow::stop);
  py::class_<Engine>(
      module, "Engine",
      R"(How a query between two models runs; the default is the fastest. Each part is chosen by its
name.

>>> import tandem
>>> tandem.Engine(structure="aabb", traversal="stackless").exists()
True
)")
      .def(py::init([](std::string_view structure, std::string_view traversal,
                       std::string_view overlap, std::string_view triangle_test) {
             return Engine{structure, traversal, overlap, triangle_test};
           }),
           py::arg("structure") = "automatic", py::arg("traversal") = "automatic",
           py::arg("overlap") = "automatic", py::arg("triangle_test") = "automatic")
      .def_property_readonly("structure", [](const Engine& e) { return name_of(e.structure); })
      .def_property_readonly("traversal", [](const Engine& e) { return name_of(e.traversal); })
      .def_property_readonly("overlap", [](const Engine& e) { return name_of(e.overlap); })
      .def_property_readonly("triangle_test",
                             [](const Engine& e) { return name_of(e.triangle_test); })
      .def(
          "exists", [](const Engine& engine) { return exists(engine); },
          "Whether there is an engine with these names; what is automatic may be anything.")
      .def(py::self == py::self)
      .def("__repr__", [](const Engine& e) {
        return "Engine(structure=" + quoted(e.structure.name()) +
               ", traversal=" + quoted(e.traversal.name()) +
               ", overlap=" + quoted(e.overlap.name()) +
               ", triangle_test=" + quoted(e.triangle_test.name()) + ")";
      });
  py::class_<RayEngine>(module, "RayEngine",
                        "How a query of rays runs; the default is the fastest.")
      .def(py::init([](std::string_view structure, std::string_view traversal) {
             return RayEngine{structure, traversal};
           }),
           py::arg("structure") = "automatic", py::arg("traversal") = "automatic")
      .def_property_readonly("structure", [](const RayEngine& e) { return name_of(e.structure); })
      .def_property_readonly("traversal", [](const RayEngine& e) { return name_of(e.traversal); })
      .def(
          "exists", [](const RayEngine& engine) { return exists(engine); },
          "Whether there is a ray engine with these names.")
      .def(py::self == py::self)
      .def("__repr__", [](const RayEngine& e) {
        return "RayEngine(structure=" + quoted(e.structure.name()) +
               ", traversal=" + quoted(e.traversal.name()) + ")";
      });
  module.def(
      "engines", [] { return std::vector<Engine>(engines().begin(), engines().end()); },
      "All engines, with nothing left automatic.");
  module.def(
      "ray_engines",
      [] { return std::vector<RayEngine>(ray_engines().begin(), ray_engines().end()); },
      "All ray engines.");
  module.def(
      "builds",
      [](std::string_view builder, std::string_view structure) {
        return builds(Builder(builder), Structure(structure));
      },
      py::arg("builder"), py::arg("structure"), "Whether the builder makes that structure.");
  module.def(
      "bytes_per_node",
      [](std::string_view structure) { return bytes_per_node(Structure(structure)); },
      py::arg("structure"), "Bytes per node of the structure: its volume and one link.");
  bind_statistics(module);
}

}  // namespace tandem::python
