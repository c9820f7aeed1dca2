// tandem.sim: rigid bodies.
#include <pybind11/operators.h>
#include <pybind11/stl.h>
#include <tandem/sim/simulation.h>

#include <cstddef>
#include <limits>
#include <memory>
#include <string>

#include "bind.h"
#include "support/arrays.h"
#include "support/guarded.h"
#include "support/poses.h"

namespace tandem::python {
namespace {

using sim::BodyId;
using sim::BodyOptions;
using sim::BodyState;
using sim::MassProperties;
using sim::PressedPoint;
using sim::Settings;
using sim::Simulation;
using sim::State;
using sim::StepReport;
using GuardedSimulation = Guarded<Simulation>;

py::dtype pressed_dtype() {
  constexpr std::size_t point = offsetof(PressedPoint, point);
  return make_dtype({{"a", "u4", offsetof(PressedPoint, a)},
                     {"b", "u4", offsetof(PressedPoint, b)},
                     {"position", "(3,)f8", point + offsetof(ManifoldPoint, position)},
                     {"normal", "(3,)f8", point + offsetof(ManifoldPoint, normal)},
                     {"separation", "f8", point + offsetof(ManifoldPoint, separation)},
                     {"pair", "(2,)u4", point + offsetof(ManifoldPoint, pair)},
                     {"patch", "u4", point + offsetof(ManifoldPoint, patch)},
                     {"impulse", "f8", offsetof(PressedPoint, impulse)},
                     {"friction", "(3,)f8", offsetof(PressedPoint, friction)}},
                    sizeof(PressedPoint));
}

BodyId to_id(std::int64_t body) {
  if (body < 0 || body > std::numeric_limits<BodyId>::max()) {
    throw Error(std::to_string(body) + " is no id");
  }
  return static_cast<BodyId>(body);
}

/// Of a body, whose id it checks.
template <class Function>
auto of_body(const GuardedSimulation& world, std::int64_t body, Function&& function) {
  return naming("body", [&] {
    return world.look([&](const Simulation& all) { return function(all, to_id(body)); });
  });
}

BodyOptions body_options(PoseLike in_world, ArrayLike velocity, ArrayLike angular_velocity,
                         double friction, double restitution) {
  return {to_pose(in_world, "in_world"), to_vec3(velocity.value, "velocity"),
          to_vec3(angular_velocity.value, "angular_velocity"), friction, restitution};
}

void bind_mass(py::module_& module) {
  py::class_<MassProperties>(module, "MassProperties", "The mass of a body and where it is.")
      .def_readonly("mass", &MassProperties::mass)
      .def_property_readonly("centre",
                             [](const MassProperties& mass) { return from_vec3(mass.centre); })
      .def_property_readonly(
          "inertia",
          [](const MassProperties& mass) {
            py::array_t<double> rows({3, 3});
            std::copy(mass.inertia.begin(), mass.inertia.end(), rows.mutable_data());
            return rows;
          },
          "The inertia tensor about the centre of mass, float64 of shape (3, 3).")
      .def_readonly("solid", &MassProperties::solid);
  module.def("solid_mass", &sim::solid_mass, py::arg("mesh"), py::arg("density"),
             R"(Of a body that is filled evenly; its mesh is closed.

>>> import tandem
>>> tandem.sim.solid_mass(tandem.make_box(1), 1000).mass
8000.0
)");
  module.def("shell_mass", &sim::shell_mass, py::arg("mesh"), py::arg("mass_per_area"),
             "Of a hollow body whose surface weighs the same everywhere.");
}

void bind_states(py::module_& module) {
  module.attr("pressed_dtype") = pressed_dtype();
  py::class_<StepReport>(module, "StepReport", "What a step did.")
      .def_readonly("close_bodies", &StepReport::close_bodies)
      .def_readonly("touching_triangles", &StepReport::touching_triangles)
      .def_readonly("near_triangles", &StepReport::near_triangles)
      .def_readonly("points", &StepReport::points)
      .def_readonly("deepest", &StepReport::deepest)
      .def_readonly("collision_s", &StepReport::collision_s)
      .def_readonly("contact_s", &StepReport::contact_s)
      .def_readonly("solver_s", &StepReport::solver_s);
  py::class_<BodyState>(module, "BodyState", "How a body moves.")
      .def_property_readonly("centre", [](const BodyState& s) { return from_vec3(s.centre); })
      .def_readonly("orientation", &BodyState::orientation, "A quaternion w x y z.")
      .def_property_readonly("velocity", [](const BodyState& s) { return from_vec3(s.velocity); })
      .def_property_readonly("angular_velocity",
                             [](const BodyState& s) { return from_vec3(s.angular_velocity); })
      .def(py::self == py::self);
  py::class_<State>(module, "State", "A moment of a run, from which it continues to the bit.")
      .def_readonly("step", &State::step)
      .def_readonly("bodies", &State::bodies)
      .def_property_readonly(
          "pressed", [](const State& state) { return owning(state.pressed, pressed_dtype()); })
      .def(py::self == py::self);
}

using SimulationClass = py::class_<GuardedSimulation>;

void define_bodies(SimulationClass& simulation) {
  simulation
      .def(
          "add",
          [](GuardedSimulation& world, const Model& model, const MassProperties& mass,
             PoseLike in_world, ArrayLike velocity, ArrayLike angular_velocity, double friction,
             double restitution) {
            const BodyOptions options =
                body_options(in_world, velocity, angular_velocity, friction, restitution);
            return world.change([&](Simulation& all) { return all.add(model, mass, options); });
          },
          py::arg("model"), py::arg("mass"), py::arg("in_world") = py::none(), py::kw_only(),
          py::arg("velocity") = py::make_tuple(0, 0, 0),
          py::arg("angular_velocity") = py::make_tuple(0, 0, 0), py::arg("friction") = 0.5,
          py::arg("restitution") = 0.0, "Adds a body and returns its id.")
      .def(
          "add_static",
          [](GuardedSimulation& world, const Model& model, PoseLike in_world, double friction,
             double restitution) {
            BodyOptions options;
            options.in_world = to_pose(in_world, "in_world");
            options.friction = friction;
            options.restitution = restitution;
            return world.change([&](Simulation& all) { return all.add_static(model, options); });
          },
          py::arg("model"), py::arg("in_world") = py::none(), py::kw_only(),
          py::arg("friction") = 0.5, py::arg("restitution") = 0.0,
          "Adds a body that never moves and returns its id.")
      .def(
          "place",
          [](GuardedSimulation& world, std::int64_t body, PoseLike in_world, ArrayLike velocity,
             ArrayLike angular_velocity) {
            const Pose pose = to_pose(in_world, "in_world");
            const Vec3d moving = to_vec3(velocity.value, "velocity");
            const Vec3d turning = to_vec3(angular_velocity.value, "angular_velocity");
            naming("body", [&] {
              world.change([&](Simulation& all) { all.place(to_id(body), pose, moving, turning); });
            });
          },
          py::arg("body"), py::arg("in_world"), py::arg("velocity") = py::make_tuple(0, 0, 0),
          py::arg("angular_velocity") = py::make_tuple(0, 0, 0), "Puts a body elsewhere.")
      .def("__len__",
           [](const GuardedSimulation& world) {
             return world.look([](const Simulation& all) { return all.body_count(); });
           })
      .def(
          "is_static",
          [](const GuardedSimulation& world, std::int64_t body) {
            return of_body(world, body,
                           [](const Simulation& all, BodyId id) { return all.is_static(id); });
          },
          py::arg("body"))
      .def(
          "model",
          [](const GuardedSimulation& world, std::int64_t body) {
            return of_body(world, body,
                           [](const Simulation& all, BodyId id) { return all.model(id); });
          },
          py::arg("body"))
      .def(
          "pose",
          [](const GuardedSimulation& world, std::int64_t body) {
            return of_body(world, body,
                           [](const Simulation& all, BodyId id) { return all.pose(id); });
          },
          py::arg("body"), "Where the frame of the mesh stands.")
      .def(
          "body",
          [](const GuardedSimulation& world, std::int64_t body) {
            return of_body(world, body, [](const Simulation& all, BodyId id) {
              return BodyState(all.body(id));
            });
          },
          py::arg("body"));
}

void define_steps(SimulationClass& simulation) {
  simulation
      .def(
          "step",
          [](GuardedSimulation& world) {
            return world.change([](Simulation& all) { return all.step(); });
          },
          "Moves everything on by one time step.")
      .def_property_readonly(
          "step_count",
          [](const GuardedSimulation& world) {
            return world.look([](const Simulation& all) { return all.step_count(); });
          })
      .def(
          "pressed",
          [](const GuardedSimulation& world) {
            return owning(world.look([](const Simulation& all) {
              return std::vector<PressedPoint>(all.pressed().begin(), all.pressed().end());
            }),
                          pressed_dtype());
          },
          "The contacts of the last step, shape (n,) with the fields of pressed_dtype.")
      .def("state",
           [](const GuardedSimulation& world) {
             return world.look([](const Simulation& all) { return all.state(); });
           })
      .def(
          "restore",
          [](GuardedSimulation& world, const State& state) {
            world.change([&](Simulation& all) { all.restore(state); });
          },
          py::arg("state"), "Continues from a state of a simulation with the same bodies.")
      .def("kinetic_energy",
           [](const GuardedSimulation& world) {
             return world.look([](const Simulation& all) { return all.kinetic_energy(); });
           })
      .def("potential_energy",
           [](const GuardedSimulation& world) {
             return world.look([](const Simulation& all) { return all.potential_energy(); });
           })
      .def("momentum",
           [](const GuardedSimulation& world) {
             return from_vec3(world.look([](const Simulation& all) { return all.momentum(); }));
           })
      .def("angular_momentum", [](const GuardedSimulation& world) {
        return from_vec3(world.look([](const Simulation& all) { return all.angular_momentum(); }));
      });
}

}  // namespace

void bind_sim(py::module_& parent) {
  py::module_ module =
      parent.def_submodule("sim", "Rigid bodies of any meshes: gravity, contacts, friction.");
  bind_mass(module);
  bind_states(module);
  SimulationClass simulation(
      module, "Simulation",
      R"(Bodies that fall, meet, slide and rest. Lengths in metres, times in seconds, masses in
kilograms.

>>> import tandem
>>> from tandem import sim
>>> world, box = sim.Simulation(), tandem.Model(tandem.make_box(1))
>>> floor = world.add_static(tandem.Model(tandem.make_box(1, [20, 20, 2])))
>>> body = world.add(box, sim.solid_mass(box.mesh, 1000), tandem.Pose.from_translation([0, 0, 2.5]))
>>> for _ in range(100):
...     report = world.step()
>>> abs(world.body(body).centre[2] - 2) < 0.01
True
)");
  const Settings usual;
  simulation.def(py::init([](ArrayLike gravity, double time_step, double margin, double slop,
                             double push_out, double push_out_speed, double bounce_speed,
                             int iterations, int push_out_iterations, int threads) {
                   Settings settings;
                   settings.gravity = to_vec3(gravity.value, "gravity");
                   settings.time_step = time_step;
                   settings.margin = margin;
                   settings.slop = slop;
                   settings.push_out = push_out;
                   settings.push_out_speed = push_out_speed;
                   settings.bounce_speed = bounce_speed;
                   settings.iterations = iterations;
                   settings.push_out_iterations = push_out_iterations;
                   settings.threads = threads;
                   return std::make_unique<GuardedSimulation>("simulation", std::move(settings));
                 }),
                 py::kw_only(), py::arg("gravity") = py::make_tuple(0, 0, usual.gravity.z),
                 py::arg("time_step") = usual.time_step, py::arg("margin") = usual.margin,
                 py::arg("slop") = usual.slop, py::arg("push_out") = usual.push_out,
                 py::arg("push_out_speed") = usual.push_out_speed,
                 py::arg("bounce_speed") = usual.bounce_speed,
                 py::arg("iterations") = usual.iterations,
                 py::arg("push_out_iterations") = usual.push_out_iterations,
                 py::arg("threads") = usual.threads);
  define_bodies(simulation);
  define_steps(simulation);
}

}  // namespace tandem::python
