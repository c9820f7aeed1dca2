#include "sim/close_bodies.h"

#include <tandem/distance.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "parallel/parallel_for.h"
#include "sim/turn.h"

namespace tandem::sim {

/// How much closer two bodies may come in a step.
double CloseBodiesFinder::approach_of(BodyId a, BodyId b) const {
  const auto turning = [&](BodyId id) {
    return bodies[id].radius * length(state.bodies[id].angular_velocity);
  };
  double speed = length(state.bodies[b].velocity - state.bodies[a].velocity);
  // Both fall alike if both move.
  if (!bodies[a].moves || !bodies[b].moves) speed += settings.time_step * length(settings.gravity);
  if (bodies[a].moves) speed += turning(a);
  if (bodies[b].moves) speed += turning(b);
  return settings.time_step * speed;
}

std::vector<CloseBodies> CloseBodiesFinder::find() const {
  double most = 0;
  for (BodyId id = 0; id < bodies.size(); ++id) {
    if (!bodies[id].moves) continue;
    const BodyState& at = state.bodies[id];
    most = std::max(most, length(at.velocity) + settings.time_step * length(settings.gravity) +
                              bodies[id].radius * length(at.angular_velocity));
  }
  std::vector<CloseBodies> close;
  const SceneOptions options{.threads = settings.threads, .progress = {}};
  const double farthest = std::max(settings.margin, 2 * settings.time_step * most);
  for (const auto& [a, b] : scene.close_objects(farthest, options)) {
    const double margin = std::max(settings.margin, approach_of(a, b));
    if (are_apart(a, b, margin)) continue;
    close.push_back(close_bodies(a, b, margin));
  }
  keep_closest(&close);
  return close;
}

CloseBodies CloseBodiesFinder::close_bodies(BodyId a, BodyId b, double margin) const {
  // As A sees it: how fast B is at the origin of A's frame, and how it turns.
  const Vec3d origin = scene.pose(a).translation();
  const auto speed = [&](BodyId id) {
    const BodyState& at = state.bodies[id];
    const Vec3d falls = bodies[id].moves ? settings.time_step * settings.gravity : Vec3d(0, 0, 0);
    return at.velocity + falls + cross(at.angular_velocity, origin - at.centre);
  };
  const Matrix into_a = transposed(rotation_of(state.bodies[a].orientation));
  const auto in_step = [&](const Vec3d& v) { return settings.time_step * (into_a * v); };
  return {.query = {a, b, relative_pose(scene.pose(a), scene.pose(b))},
          .margin = margin,
          .margin_at_rest = settings.margin,
          .way = in_step(speed(b) - speed(a)),
          .turn = in_step(state.bodies[b].angular_velocity - state.bodies[a].angular_velocity)};
}

/// Fine meshes have very many triangles within the margin of fast bodies, of which the closest
/// meet first: what is clearly farther than these has contacts in a later step.
void CloseBodiesFinder::keep_closest(std::vector<CloseBodies>* close) const {
  constexpr std::size_t k_grain = 8;
  detail::parallel_for(close->size(), k_grain, settings.threads,
                       [&](std::size_t begin, std::size_t end) {
                         for (std::size_t i = begin; i < end; ++i) keep_closest(&(*close)[i]);
                       });
}

/// Whether they come within a distance takes a fraction of what it takes to know how far they are
/// apart, so some distances are tried. Most bodies that are that close pressed on each other in
/// the last step, and the triangles that did so still are close: then nothing is searched. That
/// changes the time alone.
void CloseBodiesFinder::keep_closest(CloseBodies* close) const {
  constexpr double k_growth = 1.4;
  // Where the closest is stopped, others go on, but rarely by more than this share of the way.
  constexpr double k_beyond = 0.15;
  const double beyond = std::max(settings.margin, k_beyond * close->margin);
  if (settings.margin == 0 || settings.margin + beyond >= close->margin) return;
  const BatchQuery& query = close->query;
  const double known = distance_of_pressed(query);
  for (double near = settings.margin; near + beyond < close->margin; near *= k_growth) {
    if (near < known && !within(models[query.a], models[query.b], query.b_in_a, near)) {
      continue;
    }
    close->margin = near + beyond;
    return;
  }
}

/// How far apart two bodies are at most, by what pressed in the last step.
double CloseBodiesFinder::distance_of_pressed(const BatchQuery& query) const {
  constexpr double k_error = 1e-6;
  double least = INFINITY;
  for (const PressedPoint& pressed : pressed_between(query.a, query.b)) {
    // The margin is the least distance that is asked for.
    if (least <= settings.margin) break;
    const double apart =
        distance(models[query.a], models[query.b], query.b_in_a, pressed.point.pair, k_error)
            .distance;
    least = std::min(least, apart * (1 + 2 * k_error));
  }
  return least;
}

std::span<const PressedPoint> CloseBodiesFinder::pressed_between(BodyId a, BodyId b) const {
  struct ByBodies {
    using Bodies = std::pair<BodyId, BodyId>;
    bool operator()(const PressedPoint& p, const Bodies& q) const { return Bodies(p.a, p.b) < q; }
    bool operator()(const Bodies& q, const PressedPoint& p) const { return q < Bodies(p.a, p.b); }
  };
  const auto [first, last] =
      std::equal_range(state.pressed.begin(), state.pressed.end(), std::pair(a, b), ByBodies());
  return {first, last};
}

/// Whether the balls around two bodies are farther apart than that.
bool CloseBodiesFinder::are_apart(BodyId a, BodyId b, double distance) const {
  if (!bodies[a].moves || !bodies[b].moves) return false;
  const double reach = bodies[a].radius + bodies[b].radius + distance;
  return length_sq(state.bodies[b].centre - state.bodies[a].centre) > reach * reach;
}

}  // namespace tandem::sim
