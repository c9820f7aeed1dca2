#include "sim/sleep.h"

#include <algorithm>
#include <numeric>

namespace tandem::sim {
namespace {

/// For each body the lowest one of its island. Bodies that never move join no islands.
std::vector<BodyId> islands_of(std::span<const Body> bodies,
                               std::span<const PressedPoint> pressed) {
  std::vector<BodyId> lowest(bodies.size());
  std::iota(lowest.begin(), lowest.end(), BodyId{0});
  const auto find = [&](BodyId id) {
    while (lowest[id] != id) {
      lowest[id] = lowest[lowest[id]];
      id = lowest[id];
    }
    return id;
  };
  for (const PressedPoint& point : pressed) {
    if (!bodies[point.a].moves || !bodies[point.b].moves) continue;
    const auto [low, high] = std::minmax({find(point.a), find(point.b)});
    lowest[high] = low;
  }
  for (BodyId id = 0; id < lowest.size(); ++id) lowest[id] = find(id);
  return lowest;
}

}  // namespace

void wake(std::span<const Body> bodies, std::span<const PressedPoint> pressed,
          std::span<const BodyId> woken, std::vector<BodyState>* states) {
  const std::vector<BodyId> islands = islands_of(bodies, pressed);
  std::vector<bool> wakes(bodies.size(), false);
  for (const BodyId id : woken) wakes[islands[id]] = true;
  for (BodyId id = 0; id < bodies.size(); ++id) {
    if (!wakes[islands[id]]) continue;
    (*states)[id].asleep = false;
    (*states)[id].slow_steps = 0;
  }
}

void fall_asleep(const Settings& settings, std::span<const Body> bodies, State* state) {
  const std::vector<BodyId> islands = islands_of(bodies, state->pressed);
  std::vector<bool> is_restless(bodies.size(), false);
  for (BodyId id = 0; id < bodies.size(); ++id) {
    BodyState& at = state->bodies[id];
    if (!bodies[id].moves || at.asleep) continue;
    const double speed = length(at.velocity) + bodies[id].radius * length(at.angular_velocity);
    at.slow_steps = speed < settings.sleep_speed ? at.slow_steps + 1 : 0;
    if (at.slow_steps * settings.time_step < settings.sleep_time) is_restless[islands[id]] = true;
  }
  for (BodyId id = 0; id < bodies.size(); ++id) {
    BodyState& at = state->bodies[id];
    if (!bodies[id].moves || at.asleep || is_restless[islands[id]]) continue;
    at.asleep = true;
    at.velocity = at.angular_velocity = {0, 0, 0};
  }
}

}  // namespace tandem::sim
