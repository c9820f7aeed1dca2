// Cursors: queries that stop after a budget and resume from a few bytes.
#include <tandem/cursor.h>

#include <cstring>
#include <string>
#include <variant>

#include "bind.h"
#include "support/guarded.h"
#include "support/options.h"
#include "support/poses.h"
#include "support/results.h"

namespace tandem::python {
namespace {

/// Of either kind, whichever the traversal needs.
class Cursor {
 public:
  Cursor(const Model& a, const Model& b, const Pose& b_in_a, const Traversal& traversal,
         std::string_view state)
      : cursor_(make(a, b, b_in_a, traversal, state)) {}

  AdvanceResult advance(std::uint64_t budget, PairSink sink) {
    return std::visit([&](auto& cursor) { return cursor.advance(budget, sink); }, cursor_);
  }
  bool finished() const {
    return std::visit([](const auto& cursor) { return cursor.finished(); }, cursor_);
  }
  std::string state() const {
    return std::visit(
        [](const auto& cursor) {
          return std::string(reinterpret_cast<const char*>(&cursor.state()),
                             sizeof(cursor.state()));
        },
        cursor_);
  }

 private:
  using Either = std::variant<StacklessCursor, TrailCursor>;

  template <class State>
  static State state_of(std::string_view bytes) {
    State state;
    if (bytes.empty()) return state;
    if (bytes.size() != sizeof state) {
      throw Error("state has " + std::to_string(bytes.size()) +
                  " bytes, but those of this traversal have " + std::to_string(sizeof state));
    }
    std::memcpy(&state, bytes.data(), sizeof state);
    return state;
  }

  static Either make(const Model& a, const Model& b, const Pose& b_in_a, Traversal traversal,
                     std::string_view state) {
    if (cursor_kind(traversal) == CursorKind::trail) {
      return TrailCursor(a, b, b_in_a, traversal, state_of<TrailState>(state));
    }
    return StacklessCursor(a, b, b_in_a, traversal, state_of<StacklessState>(state));
  }

  Either cursor_;
};

using GuardedCursor = Guarded<Cursor>;

/// What a step did, and the pairs that it showed.
struct Step {
  AdvanceResult result;
  py::array pairs;
};

Step advance(GuardedCursor& cursor, std::uint64_t budget) {
  std::vector<TrianglePair> pairs;
  const auto collect = [&](TrianglePair pair) {
    pairs.push_back(pair);
    return Flow::go_on;
  };
  const AdvanceResult result =
      cursor.change([&](Cursor& of) { return of.advance(budget, collect); });
  return {result, owning_pairs(std::move(pairs))};
}

}  // namespace

void bind_cursor(py::module_& module) {
  py::class_<Step>(module, "AdvanceResult", "What Cursor.advance did.")
      .def_readonly("pairs", &Step::pairs, "uint32 of shape (n, 2), in the order of the traversal.")
      .def_property_readonly("finished", [](const Step& step) { return step.result.finished; })
      .def_property_readonly("iterations", [](const Step& step) { return step.result.iterations; });
  py::class_<GuardedCursor>(
      module, "Cursor",
      R"(A query in progress, which stops after a budget and resumes from a few bytes.

The models are made for a structure that has the traversal: stackless, stackless-post, scheduled or
trail.

>>> import tandem
>>> ball = tandem.Model(tandem.make_icosphere(8), structure="aabb")
>>> pose = tandem.Pose.from_translation([1, 0, 0])
>>> cursor = tandem.Cursor(ball, ball, pose, "stackless")
>>> first = cursor.advance(1000)
>>> rest = tandem.Cursor(ball, ball, pose, "stackless", cursor.state).advance(10**9)
>>> len(first.pairs) + len(rest.pairs) == tandem.count(ball, ball, pose)
True
)")
      .def(py::init([](const Model& a, const Model& b, PoseLike b_in_a,
                       const std::string& traversal, const py::bytes& state) {
             const Pose pose = to_pose(b_in_a, "b_in_a");
             const Traversal way(traversal);
             const std::string bytes = state;
             return unlocked(
                 [&] { return std::make_unique<GuardedCursor>("cursor", a, b, pose, way, bytes); });
           }),
           py::arg("a"), py::arg("b"), py::arg("b_in_a"), py::arg("traversal"),
           py::arg("state") = py::bytes())
      .def("advance", &advance, py::arg("budget"),
           "Visits at most that many pairs of nodes and returns the pairs of triangles among them.")
      .def_property_readonly("finished",
                             [](const GuardedCursor& cursor) {
                               return cursor.look([](const Cursor& of) { return of.finished(); });
                             })
      .def_property_readonly(
          "state",
          [](const GuardedCursor& cursor) {
            return py::bytes(cursor.look([](const Cursor& of) { return of.state(); }));
          },
          "16 or 24 bytes, from which a cursor of the same models, pose and traversal resumes.");
}

}  // namespace tandem::python
