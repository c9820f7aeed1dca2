#include <tandem/error.h>
#include <tandem/scene.h>
#include <tandem/sim/simulation.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <string>
#include <utility>

#include "sim/corner_fans.h"
#include "sim/find_contacts.h"
#include "sim/solver.h"
#include "sim/turn.h"

namespace tandem::sim {
namespace {

constexpr const char* k_static_group = "static";

bool is_finite(const Vec3d& v) {
  return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z);
}

void check(bool good, const std::string& sentence) {
  if (!good) throw Error(sentence);
}

void check_settings(const Settings& s) {
  const auto at_least_0 = [](double value, const char* what) {
    check(value >= 0 && std::isfinite(value),
          std::string(what) + " is 0 or more and finite, not " + std::to_string(value));
  };
  check(is_finite(s.gravity), "gravity is finite");
  check(s.time_step > 0 && std::isfinite(s.time_step),
        "a time step is positive and finite, not " + std::to_string(s.time_step));
  at_least_0(s.margin, "the margin of contacts");
  at_least_0(s.slop, "the depth at which bodies may rest");
  at_least_0(s.push_out_speed, "the speed at which bodies are pushed out");
  at_least_0(s.bounce_speed, "the speed from which on bodies bounce");
  check(s.push_out >= 0 && s.push_out <= 1,
        "the share of a depth that is pushed out in a step is from 0 to 1, not " +
            std::to_string(s.push_out));
  check(s.iterations >= 1 && s.push_out_iterations >= 0,
        "the solver needs at least one iteration, and no negative number of them");
}

void check_options(const BodyOptions& options) {
  check(is_finite(options.velocity) && is_finite(options.angular_velocity),
        "the velocities of a body are finite");
  check(options.friction >= 0 && std::isfinite(options.friction),
        "friction is 0 or more and finite, not " + std::to_string(options.friction));
  check(options.restitution >= 0 && options.restitution <= 1,
        "restitution is from 0 to 1, not " + std::to_string(options.restitution));
}

Matrix matrix_of(const std::array<double, 9>& rows) {
  return {{{rows[0], rows[1], rows[2]}, {rows[3], rows[4], rows[5]}, {rows[6], rows[7], rows[8]}}};
}

/// By Sylvester's criterion; a tensor that is not symmetric is none.
void check_mass(const MassProperties& mass) {
  check(mass.mass > 0 && std::isfinite(mass.mass),
        "the mass of a body is positive and finite, not " + std::to_string(mass.mass));
  check(is_finite(mass.centre), "the centre of mass of a body is finite");
  const Matrix inertia = matrix_of(mass.inertia);
  const auto [x, y, z] = inertia.rows;
  const bool symmetric = x.y == y.x && x.z == z.x && y.z == z.y;
  const bool positive = x.x > 0 && x.x * y.y - x.y * y.x > 0 && determinant(inertia) > 0 &&
                        std::isfinite(determinant(inertia));
  check(symmetric && positive,
        "the inertia of a body is a symmetric tensor with positive moments about all axes");
}

/// What does not change about a body.
struct Body {
  bool moves = true;
  double mass = 0;
  double inverse_mass = 0;
  /// In the frame of the mesh.
  Vec3d centre{0, 0, 0};
  Matrix inertia{};
  Matrix inverse_inertia{};
  double friction = 0;
  double restitution = 0;
  /// Of the smallest ball around the centre that holds the mesh, and half the shortest side of its
  /// box.
  double radius = 0;
  double half_thickness = 0;
};

Vec3d angular_momentum_of(const Body& body, const BodyState& state) {
  return in_world(rotation_of(state.orientation), body.inertia) * state.angular_velocity;
}

/// Moves a body on. Its angular momentum stays what it is, to the rounding, so that a body that
/// spins freely can gain no energy beyond what its momentum allows.
BodyState moved(const Body& body, const BodyState& state, const SolverBody& solved, double time) {
  BodyState next = state;
  next.velocity = solved.velocity;
  next.angular_velocity = solved.angular_velocity;
  const Vec3d momentum = angular_momentum_of(body, next);
  const auto velocity_at = [&](const Quaternion& orientation) {
    return in_world(rotation_of(orientation), body.inverse_inertia) * momentum;
  };
  const Quaternion half_way = turned(state.orientation, next.angular_velocity, 0.5 * time);
  const Vec3d turning = velocity_at(half_way) + solved.angular_push;
  next.centre += time * (next.velocity + solved.push);
  next.orientation = turned(state.orientation, turning, time);
  next.angular_velocity = velocity_at(next.orientation);
  return next;
}

}  // namespace

struct Simulation::Parts {
  Settings settings;
  std::vector<Body> bodies;
  std::vector<Model> models;
  /// Of each body's mesh; bodies of one model share it.
  std::vector<std::shared_ptr<const CornerFans>> fans;
  State state;
  /// Finds bodies that are close; knows where they stand.
  Scene scene;

  explicit Parts(Settings given) : settings(std::move(given)) {
    scene.allow(k_static_group, k_static_group);
  }

  void check_body(BodyId body) const {
    check(body < bodies.size(), "the simulation has no body " + std::to_string(body));
  }

  static Pose pose_of(const Body& body, const BodyState& at) {
    const auto& [w, x, y, z] = at.orientation;
    return Pose::from_quaternion(w, x, y, z, at.centre - rotation_of(at.orientation) * body.centre);
  }

  /// At rest.
  static BodyState state_at(const Body& body, const Pose& pose) {
    BodyState at;
    at.orientation = quaternion_of(pose);
    at.centre = pose.translation() + rotation_of(at.orientation) * body.centre;
    return at;
  }

  BodyId add(const Model& model, Body body, const BodyOptions& options) {
    check_options(options);
    const Bounds box = model.mesh().bounds();
    if (!model.mesh().empty()) {
      const Vec3d sides = Vec3d(box.upper) - Vec3d(box.lower);
      body.half_thickness = 0.5 * std::min({sides.x, sides.y, sides.z});
      for (const Vec3f& vertex : model.mesh().vertices()) {
        body.radius = std::max(body.radius, length(Vec3d(vertex) - body.centre));
      }
    }
    body.friction = options.friction;
    body.restitution = options.restitution;
    BodyState at = state_at(body, options.in_world);
    if (body.moves) {
      at.velocity = options.velocity;
      at.angular_velocity = options.angular_velocity;
    }
    const BodyId id = scene.add(model, pose_of(body, at),
                                {.name = {}, .group = body.moves ? "" : k_static_group});
    bodies.push_back(body);
    fans.push_back(fans_of(model));
    models.push_back(model);
    state.bodies.push_back(at);
    return id;
  }

  std::shared_ptr<const CornerFans> fans_of(const Model& model) const {
    for (std::size_t i = models.size(); i-- > 0;) {
      if (&models[i].mesh() == &model.mesh()) return fans[i];
    }
    return std::make_shared<const CornerFans>(model.mesh());
  }

  /// The turn of a pose. Of the four ways to compute it the one that divides by the largest.
  static Quaternion quaternion_of(const Pose& pose) {
    const auto r = [&](int i, int j) { return pose.rotation(i, j); };
    const double trace = r(0, 0) + r(1, 1) + r(2, 2);
    if (trace > 0) {
      return normalised({trace + 1, r(2, 1) - r(1, 2), r(0, 2) - r(2, 0), r(1, 0) - r(0, 1)});
    }
    int i = 0;
    for (int k = 1; k < 3; ++k) {
      if (r(k, k) > r(i, i)) i = k;
    }
    const int j = (i + 1) % 3;
    const int k = (i + 2) % 3;
    Quaternion q;
    q[0] = r(k, j) - r(j, k);
    q[static_cast<std::size_t>(1 + i)] = 1 + r(i, i) - r(j, j) - r(k, k);
    q[static_cast<std::size_t>(1 + j)] = r(j, i) + r(i, j);
    q[static_cast<std::size_t>(1 + k)] = r(k, i) + r(i, k);
    return normalised(q);
  }

  /// How far any point of a body may go in a step.
  double reach_of(BodyId id) const {
    const BodyState& at = state.bodies[id];
    return settings.time_step *
           (length(at.velocity) + settings.time_step * length(settings.gravity) +
            bodies[id].radius * length(at.angular_velocity));
  }

  /// The bodies that may meet in this step. A body that is so fast that it could be on the other
  /// side of another one after it has contacts from farther away.
  std::vector<CloseBodies> close_bodies() const {
    std::vector<double> beyond(bodies.size(), 0);
    double most = 0;
    for (BodyId id = 0; id < bodies.size(); ++id) {
      if (!bodies[id].moves) continue;
      beyond[id] = std::max(0.0, reach_of(id) - 0.5 * bodies[id].half_thickness);
      most = std::max(most, beyond[id]);
    }
    std::vector<CloseBodies> close;
    const SceneOptions options{.threads = settings.threads, .progress = {}};
    for (const auto& [a, b] : scene.close_objects(settings.margin + 2 * most, options)) {
      close.push_back({{a, b, relative_pose(scene.pose(a), scene.pose(b))},
                       settings.margin + beyond[a] + beyond[b]});
    }
    return close;
  }

  /// The impulses that a point had in the last step, where there is one like it.
  void remember(const PressedPoint& point, std::span<const PressedPoint> before,
                SolverPoint* solver_point) const {
    constexpr double k_same_direction = 0.9;
    constexpr double k_near = 0.1;
    const double radius_a = bodies[point.a].moves ? bodies[point.a].radius : INFINITY;
    const double radius_b = bodies[point.b].moves ? bodies[point.b].radius : INFINITY;
    double nearest = k_near * std::min(radius_a, radius_b);
    const PressedPoint* same = nullptr;
    for (const PressedPoint& old : before) {
      if (dot(old.point.normal, point.point.normal) < k_same_direction) continue;
      const double away = length(old.point.position - point.point.position);
      if (away < nearest) {
        nearest = away;
        same = &old;
      }
    }
    if (same == nullptr) return;
    solver_point->impulse = same->impulse;
    for (int k = 0; k < 2; ++k) {
      solver_point->friction[k] = dot(same->friction, solver_point->tangents[k]);
    }
  }

  SolverPoint solver_point(const PressedPoint& pressed) const {
    const Matrix rotation = rotation_of(state.bodies[pressed.a].orientation);
    const Vec3d position = transform_point(scene.pose(pressed.a), pressed.point.position);
    SolverPoint point;
    point.normal = rotation * pressed.point.normal;
    make_tangents(point.normal, point.tangents);
    point.arm_a = position - state.bodies[pressed.a].centre;
    point.arm_b = position - state.bodies[pressed.b].centre;
    point.separation = pressed.point.separation;
    return point;
  }

  std::vector<SolverBody> solver_bodies() const {
    std::vector<SolverBody> result(bodies.size());
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      if (!bodies[i].moves) continue;
      const BodyState& at = state.bodies[i];
      result[i].inverse_mass = bodies[i].inverse_mass;
      result[i].inverse_inertia = in_world(rotation_of(at.orientation), bodies[i].inverse_inertia);
      result[i].velocity = at.velocity + settings.time_step * settings.gravity;
      result[i].angular_velocity = at.angular_velocity;
    }
    return result;
  }

  StepReport step() {
    // Contacts.
    const std::vector<CloseBodies> close = close_bodies();
    const FoundContacts found =
        find_contacts(models, fans, close, settings.find_touching, settings.threads);
    const auto begin = std::chrono::steady_clock::now();
    std::vector<SolverPair> pairs;
    std::vector<SolverPoint> points;
    std::vector<PressedPoint> pressed;
    auto before = state.pressed.cbegin();
    for (std::size_t i = 0; i < close.size(); ++i) {
      const auto [a, b] = std::pair(close[i].query.a, close[i].query.b);
      const auto& manifold = found.manifolds[i].points;
      // Both lists are sorted by bodies.
      const auto is_before = [&](const PressedPoint& p) {
        return std::pair(p.a, p.b) < std::pair(a, b);
      };
      while (before != state.pressed.cend() && is_before(*before)) ++before;
      auto last = before;
      while (last != state.pressed.cend() && last->a == a && last->b == b) ++last;
      if (manifold.empty()) continue;
      const std::size_t first = points.size();
      for (const ManifoldPoint& point : manifold) {
        pressed.push_back({.a = a, .b = b, .point = point});
        points.push_back(solver_point(pressed.back()));
        remember(pressed.back(), {before, last}, &points.back());
      }
      pairs.push_back({.a = a,
                       .b = b,
                       .first = first,
                       .last = points.size(),
                       .friction = std::sqrt(bodies[a].friction * bodies[b].friction),
                       .restitution = std::max(bodies[a].restitution, bodies[b].restitution)});
    }

    // Impulses.
    std::vector<SolverBody> solved = solver_bodies();
    solve(settings, solved, pairs, points);
    for (std::size_t i = 0; i < points.size(); ++i) {
      pressed[i].impulse = points[i].impulse;
      pressed[i].friction = points[i].friction[0] * points[i].tangents[0] +
                            points[i].friction[1] * points[i].tangents[1];
    }

    // Where the bodies go. All poses are made before any body moves, as one may be out of range.
    std::vector<BodyState> next = state.bodies;
    std::vector<Pose> poses(bodies.size());
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      if (!bodies[i].moves) continue;
      next[i] = moved(bodies[i], state.bodies[i], solved[i], settings.time_step);
      poses[i] = pose_of(bodies[i], next[i]);
    }
    for (BodyId id = 0; id < bodies.size(); ++id) {
      if (bodies[id].moves) scene.move(id, poses[id]);
    }
    state.bodies = std::move(next);
    state.pressed = std::move(pressed);
    ++state.step;
    const std::chrono::duration<double> solver_time = std::chrono::steady_clock::now() - begin;
    return {.close_bodies = close.size(),
            .touching_triangles = found.touching_triangles,
            .near_triangles = found.near_triangles,
            .points = points.size(),
            .deepest = found.deepest,
            .false_pairs = found.false_pairs,
            .collision_s = found.collision_s,
            .contact_s = found.contact_s,
            .solver_s = solver_time.count()};
  }

  static void check_state(const BodyState& at) {
    double size = 0;
    for (const double part : at.orientation) size += part * part;
    check(is_finite(at.centre) && is_finite(at.velocity) && is_finite(at.angular_velocity) &&
              std::fabs(size - 1) < 1e-6,
          "the state of a body is finite, with an orientation of length 1");
  }

  /// Of bodies that move.
  template <class Value>
  auto sum(const Value& value) const {
    decltype(value(bodies[0], state.bodies[0])) total{};
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      if (bodies[i].moves) total += value(bodies[i], state.bodies[i]);
    }
    return total;
  }
};

Simulation::Simulation(Settings settings) {
  check_settings(settings);
  parts_ = std::make_unique<Parts>(std::move(settings));
}
Simulation::~Simulation() = default;
Simulation::Simulation(Simulation&& other) noexcept = default;
Simulation& Simulation::operator=(Simulation&& other) noexcept = default;

BodyId Simulation::add(const Model& model, const MassProperties& mass, const BodyOptions& options) {
  check_mass(mass);
  Body body;
  body.mass = mass.mass;
  body.inverse_mass = 1 / mass.mass;
  body.centre = mass.centre;
  body.inertia = matrix_of(mass.inertia);
  body.inverse_inertia = inverse(body.inertia);
  return parts_->add(model, body, options);
}

BodyId Simulation::add_static(const Model& model, const BodyOptions& options) {
  Body body;
  body.moves = false;
  return parts_->add(model, body, options);
}

StepReport Simulation::step() {
  return parts_->step();
}

std::uint64_t Simulation::step_count() const {
  return parts_->state.step;
}
std::size_t Simulation::body_count() const {
  return parts_->bodies.size();
}
bool Simulation::is_static(BodyId body) const {
  parts_->check_body(body);
  return !parts_->bodies[body].moves;
}
const Model& Simulation::model(BodyId body) const {
  parts_->check_body(body);
  return parts_->models[body];
}
Pose Simulation::pose(BodyId body) const {
  parts_->check_body(body);
  return parts_->scene.pose(body);
}
const BodyState& Simulation::body(BodyId body) const {
  parts_->check_body(body);
  return parts_->state.bodies[body];
}

void Simulation::place(BodyId body, const Pose& in_world, const Vec3d& velocity,
                       const Vec3d& angular_velocity) {
  parts_->check_body(body);
  check(is_finite(velocity) && is_finite(angular_velocity), "the velocities of a body are finite");
  BodyState at = Parts::state_at(parts_->bodies[body], in_world);
  if (parts_->bodies[body].moves) {
    at.velocity = velocity;
    at.angular_velocity = angular_velocity;
  }
  parts_->scene.move(body, Parts::pose_of(parts_->bodies[body], at));
  parts_->state.bodies[body] = at;
  std::erase_if(parts_->state.pressed,
                [&](const PressedPoint& point) { return point.a == body || point.b == body; });
}

std::span<const PressedPoint> Simulation::pressed() const {
  return parts_->state.pressed;
}
State Simulation::state() const {
  return parts_->state;
}

void Simulation::restore(const State& state) {
  check(state.bodies.size() == body_count(), "a state of " + std::to_string(state.bodies.size()) +
                                                 " bodies does not fit a simulation of " +
                                                 std::to_string(body_count()));
  for (const BodyState& body : state.bodies) Parts::check_state(body);
  for (const PressedPoint& point : state.pressed) {
    check(point.a < point.b && point.b < body_count(),
          "a contact of the state is of no two bodies");
    check(std::isfinite(point.impulse) && is_finite(point.friction) &&
              is_finite(point.point.position) && is_finite(point.point.normal),
          "a contact of the state is not finite");
  }
  std::vector<Pose> poses;
  for (BodyId id = 0; id < body_count(); ++id) {
    poses.push_back(Parts::pose_of(parts_->bodies[id], state.bodies[id]));
  }
  for (BodyId id = 0; id < body_count(); ++id) parts_->scene.move(id, poses[id]);
  parts_->state = state;
}

double Simulation::kinetic_energy() const {
  return parts_->sum([](const Body& body, const BodyState& at) {
    return 0.5 * (body.mass * length_sq(at.velocity) +
                  dot(at.angular_velocity, angular_momentum_of(body, at)));
  });
}
double Simulation::potential_energy() const {
  return parts_->sum([this](const Body& body, const BodyState& at) {
    return -body.mass * dot(parts_->settings.gravity, at.centre);
  });
}
Vec3d Simulation::momentum() const {
  return parts_->sum([](const Body& body, const BodyState& at) { return body.mass * at.velocity; });
}
Vec3d Simulation::angular_momentum() const {
  return parts_->sum([](const Body& body, const BodyState& at) {
    return angular_momentum_of(body, at) + cross(at.centre, body.mass * at.velocity);
  });
}

}  // namespace tandem::sim
