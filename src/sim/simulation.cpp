#include <tandem/scene.h>
#include <tandem/sim/simulation.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>
#include <string>
#include <utility>

#include "parallel/parallel_for.h"
#include "sim/body.h"
#include "sim/check.h"
#include "sim/close_bodies.h"
#include "sim/find_contacts.h"
#include "sim/sleep.h"
#include "sim/solver/solver.h"
#include "sim/surface_features.h"
#include "sim/turn.h"

namespace tandem::sim {
namespace {

constexpr const char* k_static_group = "static";

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
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
  at_least_0(s.bounce_speed, "the speed above which bodies bounce");
  at_least_0(s.sleep_speed, "the speed below which bodies fall asleep");
  at_least_0(s.sleep_time, "the time after which bodies fall asleep");
  check(s.push_out >= 0 && s.push_out <= 1,
        "the share of a depth that is pushed out in a step is from 0 to 1, not " +
            std::to_string(s.push_out));
  check(s.iterations >= 1 && s.push_out_iterations >= 0,
        "the solver needs at least one iteration, and no negative number of them");
}

}  // namespace

struct Simulation::Parts {
  Settings settings;
  std::vector<Body> bodies;
  std::vector<Model> models;
  /// Of each body's mesh; bodies of one model share it.
  std::vector<std::shared_ptr<const SurfaceFeatures>> features;
  State state;
  /// Finds bodies that are close; knows where they stand.
  Scene scene;

  explicit Parts(Settings given) : settings(std::move(given)) {
    scene.allow(k_static_group, k_static_group);
  }

  void check_body(BodyId body) const {
    check(body < bodies.size(), "the simulation has no body " + std::to_string(body));
  }

  BodyId add(const Model& model, const Body& body, const BodyOptions& options) {
    BodyState at = state_at(body, options.in_world);
    if (body.moves) {
      at.velocity = options.velocity;
      at.angular_velocity = options.angular_velocity;
    }
    const BodyId id = scene.add(model, pose_of(body, at),
                                {.name = {}, .group = body.moves ? "" : k_static_group});
    bodies.push_back(body);
    features.push_back(features_of(model));
    models.push_back(model);
    state.bodies.push_back(at);
    return id;
  }

  std::shared_ptr<const SurfaceFeatures> features_of(const Model& model) const {
    for (std::size_t i = models.size(); i-- > 0;) {
      if (&models[i].mesh() == &model.mesh()) return features[i];
    }
    return std::make_shared<const SurfaceFeatures>(model.mesh());
  }

  /// The impulses that a point had in the last step, where there is one like it.
  void remember(const PressedPoint& point, std::span<const PressedPoint> before,
                SolverPoint* solver_point) const {
    constexpr double k_same_direction = 0.9;
    constexpr double k_near = 0.1;
    const double radius_a = bodies[point.a].moves ? bodies[point.a].radius : INFINITY;
    const double radius_b = bodies[point.b].moves ? bodies[point.b].radius : INFINITY;
    const double farthest = k_near * std::min(radius_a, radius_b);
    double nearest_sq = farthest * farthest;
    const PressedPoint* same = nullptr;
    for (const PressedPoint& old : before) {
      if (dot(old.point.normal, point.point.normal) < k_same_direction) continue;
      const double away_sq = length_sq(old.point.position - point.point.position);
      if (away_sq < nearest_sq) {
        nearest_sq = away_sq;
        same = &old;
      }
    }
    if (same == nullptr) return;
    solver_point->impulse = same->impulse;
    for (int k = 0; k < 2; ++k) {
      solver_point->friction[k] = dot(same->friction, solver_point->tangents[k]);
    }
  }

  /// `rotation` is that of A.
  SolverPoint solver_point(const PressedPoint& pressed, const Matrix& rotation) const {
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

  /// The contacts of all close bodies of which one is awake; manifolds of others have no points.
  /// Sleeping bodies that others meet wake up.
  FoundContacts find_awake_contacts(const std::vector<CloseBodies>& close,
                                    std::vector<BodyState>* states) const {
    FoundContacts all;
    all.manifolds.resize(close.size());
    std::vector<bool> is_known(close.size(), false);
    const auto is_awake = [&](BodyId id) { return bodies[id].moves && !(*states)[id].asleep; };
    while (true) {
      std::vector<std::size_t> places;
      std::vector<CloseBodies> asked;
      for (std::size_t i = 0; i < close.size(); ++i) {
        const BatchQuery& query = close[i].query;
        if (is_known[i] || (!is_awake(query.a) && !is_awake(query.b))) continue;
        is_known[i] = true;
        places.push_back(i);
        asked.push_back(close[i]);
      }
      if (asked.empty()) return all;
      FoundContacts found =
          find_contacts(models, features, asked, settings.find_touching, settings.threads);
      std::vector<BodyId> met;
      for (std::size_t k = 0; k < asked.size(); ++k) {
        if (found.manifolds[k].points.empty()) continue;
        for (const BodyId id : {asked[k].query.a, asked[k].query.b}) {
          if ((*states)[id].asleep) met.push_back(id);
        }
      }
      all.add(std::move(found), places);
      if (met.empty()) return all;
      wake(bodies, state.pressed, met, states);
    }
  }

  /// What the solver gets, and where its impulses go.
  struct Contacts {
    std::vector<SolverPair> pairs;
    std::vector<SolverPoint> points;
    /// Of the points, and of sleeping bodies, sorted by bodies.
    std::vector<PressedPoint> pressed;
    /// Where each point is among the pressed ones.
    std::vector<std::size_t> places;
  };

  Contacts make_contacts(const std::vector<CloseBodies>& close, const FoundContacts& found,
                         const std::vector<BodyState>& states) const {
    Contacts contacts;
    // The points that each pair had before.
    std::vector<std::span<const PressedPoint>> remembered;
    auto before = state.pressed.cbegin();
    for (std::size_t i = 0; i < close.size(); ++i) {
      const BodyId a = close[i].query.a;
      const BodyId b = close[i].query.b;
      // Both lists are sorted by bodies.
      const auto is_before = [&](const PressedPoint& p) {
        return std::pair(p.a, p.b) < std::pair(a, b);
      };
      while (before != state.pressed.cend() && is_before(*before)) ++before;
      auto last = before;
      while (last != state.pressed.cend() && last->a == a && last->b == b) ++last;
      if (states[a].asleep || states[b].asleep) {
        contacts.pressed.insert(contacts.pressed.end(), before, last);
        continue;
      }
      const auto& manifold = found.manifolds[i].points;
      if (manifold.empty()) continue;
      const std::size_t first = contacts.places.size();
      for (const ManifoldPoint& point : manifold) {
        contacts.places.push_back(contacts.pressed.size());
        contacts.pressed.push_back({.a = a, .b = b, .point = point});
      }
      remembered.emplace_back(before, last);
      contacts.pairs.push_back(
          {.a = a,
           .b = b,
           .first = first,
           .last = contacts.places.size(),
           .friction = std::sqrt(bodies[a].friction * bodies[b].friction),
           .restitution = std::max(bodies[a].restitution, bodies[b].restitution)});
    }
    contacts.points.resize(contacts.places.size());
    constexpr std::size_t k_grain = 64;
    detail::parallel_for(contacts.pairs.size(), k_grain, settings.threads,
                         [&](std::size_t begin, std::size_t end) {
                           for (std::size_t i = begin; i < end; ++i) {
                             fill_points(contacts.pairs[i], remembered[i], &contacts);
                           }
                         });
    return contacts;
  }

  void fill_points(const SolverPair& pair, std::span<const PressedPoint> before,
                   Contacts* contacts) const {
    const Matrix rotation = rotation_of(state.bodies[pair.a].orientation);
    for (std::size_t i = pair.first; i < pair.last; ++i) {
      const PressedPoint& pressed = contacts->pressed[contacts->places[i]];
      contacts->points[i] = solver_point(pressed, rotation);
      remember(pressed, before, &contacts->points[i]);
    }
  }

  StepReport step() {
    auto begin = Clock::now();
    const std::vector<CloseBodies> close =
        CloseBodiesFinder{settings, bodies, models, state, scene}.find();
    const double broad_phase_s = seconds_since(begin);
    std::vector<BodyState> next = state.bodies;
    const FoundContacts found = find_awake_contacts(close, &next);
    begin = Clock::now();
    Contacts contacts = make_contacts(close, found, next);

    // Impulses.
    std::vector<SolverBody> solved = solver_bodies();
    solve(settings, solved, contacts.pairs, contacts.points);
    for (std::size_t i = 0; i < contacts.points.size(); ++i) {
      const SolverPoint& point = contacts.points[i];
      PressedPoint& pressed = contacts.pressed[contacts.places[i]];
      pressed.impulse = point.impulse;
      pressed.friction =
          point.friction[0] * point.tangents[0] + point.friction[1] * point.tangents[1];
    }

    // Where the bodies go. All poses are made before any body moves, as one may be out of range.
    const auto goes_on = [&](BodyId id) { return bodies[id].moves && !next[id].asleep; };
    std::vector<Pose> poses(bodies.size());
    for (BodyId id = 0; id < bodies.size(); ++id) {
      if (!goes_on(id)) continue;
      next[id] = moved(bodies[id], next[id], solved[id], settings.time_step);
      poses[id] = pose_of(bodies[id], next[id]);
    }
    for (BodyId id = 0; id < bodies.size(); ++id) {
      if (goes_on(id)) scene.move(id, poses[id]);
    }
    state.bodies = std::move(next);
    state.pressed = std::move(contacts.pressed);
    ++state.step;
    if (settings.sleep_speed > 0) fall_asleep(settings, bodies, &state);
    const auto asleep = std::count_if(state.bodies.begin(), state.bodies.end(),
                                      [](const BodyState& at) { return at.asleep; });
    return {.close_bodies = close.size(),
            .touching_triangles = found.touching_triangles,
            .near_triangles = found.near_triangles,
            .points = contacts.points.size(),
            .deepest = found.deepest,
            .asleep = static_cast<std::size_t>(asleep),
            .false_pairs = found.false_pairs,
            .broad_phase_s = broad_phase_s,
            .collision_s = found.collision_s,
            .contact_s = found.contact_s,
            .solver_s = seconds_since(begin)};
  }

  /// A body is taken away: what rested on it does so no more. One that never moves may be put into
  /// the way of any other.
  void wake_around(BodyId body) {
    if (settings.sleep_speed == 0) return;
    std::vector<BodyId> woken = {body};
    if (!bodies[body].moves) {
      woken.resize(bodies.size());
      std::iota(woken.begin(), woken.end(), BodyId{0});
    }
    wake(bodies, state.pressed, woken, &state.bodies);
  }

  void check_state(const BodyState& at) const {
    check(!at.asleep || settings.sleep_speed > 0,
          "the state has bodies that sleep, and the settings have none");
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
  return parts_->add(model, moving_body(model, mass, options), options);
}

BodyId Simulation::add_static(const Model& model, const BodyOptions& options) {
  return parts_->add(model, static_body(model, options), options);
}

StepReport Simulation::step() {
  return parts_->step();
}

const Settings& Simulation::settings() const {
  return parts_->settings;
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
const MassProperties& Simulation::mass(BodyId body) const {
  parts_->check_body(body);
  return parts_->bodies[body].properties;
}
double Simulation::friction(BodyId body) const {
  parts_->check_body(body);
  return parts_->bodies[body].friction;
}
double Simulation::restitution(BodyId body) const {
  parts_->check_body(body);
  return parts_->bodies[body].restitution;
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
  BodyState at = state_at(parts_->bodies[body], in_world);
  if (parts_->bodies[body].moves) {
    at.velocity = velocity;
    at.angular_velocity = angular_velocity;
  }
  parts_->scene.move(body, pose_of(parts_->bodies[body], at));
  parts_->wake_around(body);
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
  for (const BodyState& body : state.bodies) parts_->check_state(body);
  for (const PressedPoint& point : state.pressed) {
    check(point.a < point.b && point.b < body_count(),
          "a contact of the state is of no two bodies");
    check(std::isfinite(point.impulse) && is_finite(point.friction) &&
              is_finite(point.point.position) && is_finite(point.point.normal),
          "a contact of the state is not finite");
    const TrianglePair pair = point.point.pair;
    check(pair.a < parts_->models[point.a].mesh().triangle_count() &&
              pair.b < parts_->models[point.b].mesh().triangle_count(),
          "a contact of the state is of a triangle that is not there");
  }
  std::vector<Pose> poses;
  for (BodyId id = 0; id < body_count(); ++id) {
    poses.push_back(pose_of(parts_->bodies[id], state.bodies[id]));
  }
  for (BodyId id = 0; id < body_count(); ++id) parts_->scene.move(id, poses[id]);
  parts_->state = state;
}

double Simulation::kinetic_energy() const {
  return parts_->sum([](const Body& body, const BodyState& at) {
    return 0.5 * (body.properties.mass * length_sq(at.velocity) +
                  dot(at.angular_velocity, angular_momentum_of(body, at)));
  });
}
double Simulation::potential_energy() const {
  return parts_->sum([this](const Body& body, const BodyState& at) {
    return -body.properties.mass * dot(parts_->settings.gravity, at.centre);
  });
}
Vec3d Simulation::momentum() const {
  return parts_->sum(
      [](const Body& body, const BodyState& at) { return body.properties.mass * at.velocity; });
}
Vec3d Simulation::angular_momentum() const {
  return parts_->sum([](const Body& body, const BodyState& at) {
    return angular_momentum_of(body, at) + cross(at.centre, body.properties.mass * at.velocity);
  });
}

}  // namespace tandem::sim
