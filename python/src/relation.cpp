// Touching or crossing, inside or apart.
#include <tandem/relation.h>

#include "bind.h"
#include "support/arrays.h"
#include "support/options.h"
#include "support/poses.h"

namespace tandem::python {

void bind_relation(py::module_& module) {
  py::enum_<Meeting>(module, "Meeting", "How surfaces meet.")
      .value("apart", Meeting::apart)
      .value("touching", Meeting::touching)
      .value("crossing", Meeting::crossing);
  py::enum_<SolidRelation>(module, "SolidRelation", "How solids meet.")
      .value("apart", SolidRelation::apart)
      .value("touching", SolidRelation::touching)
      .value("crossing", SolidRelation::crossing)
      .value("a_inside_b", SolidRelation::a_inside_b)
      .value("b_inside_a", SolidRelation::b_inside_a);
  module.def(
      "meeting",
      [](const Model& a, const Model& b, PoseLike b_in_a, ArrayLike pair, EngineLike engine,
         int threads, CallableLike progress) {
        const Pose pose = to_pose(b_in_a, "b_in_a");
        if (!pair.is_none()) {
          const TrianglePair ids = to_pair(pair.value, "pair");
          return naming("pair", [&] { return meeting(a, b, pose, ids); });
        }
        const Options options(engine, {py::none()}, threads, progress);
        return unlocked([&] { return meeting(a, b, pose, options.get()); });
      },
      py::arg("a"), py::arg("b"), py::arg("b_in_a") = py::none(), py::arg("pair") = py::none(),
      py::kw_only(), py::arg("engine") = py::none(), py::arg("threads") = 1,
      py::arg("progress") = py::none(),
      R"(Whether two surfaces are apart, touch or cross; with a pair, whether these two triangles
do. Exact.

>>> import tandem
>>> box = tandem.Model(tandem.make_box(1))
>>> tandem.meeting(box, box, tandem.Pose.from_translation([2, 0, 0]))
<Meeting.touching: 1>
)");
  module.def(
      "solid_relation",
      [](const Model& a, const Model& b, PoseLike b_in_a, EngineLike engine, int threads,
         CallableLike progress) {
        const Pose pose = to_pose(b_in_a, "b_in_a");
        const Options options(engine, {py::none()}, threads, progress);
        return unlocked([&] { return solid_relation(a, b, pose, options.get()); });
      },
      py::arg("a"), py::arg("b"), py::arg("b_in_a") = py::none(), py::kw_only(),
      py::arg("engine") = py::none(), py::arg("threads") = 1, py::arg("progress") = py::none(),
      R"(How the solids meet that two closed meshes bound: apart, touching, crossing or one inside
the other.

>>> import tandem
>>> hall, cup = tandem.Model(tandem.make_box(1)), tandem.Model(tandem.make_icosphere(2, 0.1))
>>> tandem.solid_relation(hall, cup)
<SolidRelation.b_inside_a: 4>
)");
}

}  // namespace tandem::python
