// Which bodies sleep. Bodies that press on each other, directly or through others that move, are an
// island, which falls asleep and wakes up as one.
#pragma once

#include <tandem/sim/simulation.h>

#include <span>
#include <vector>

#include "sim/body.h"

namespace tandem::sim {

/// Wakes these bodies and their islands. `pressed` has the points of the last step.
void wake(std::span<const Body> bodies, std::span<const PressedPoint> pressed,
          std::span<const BodyId> woken, std::vector<BodyState>* states);

/// After a step: counts for how long each body has been slow, and stops the islands all of whose
/// bodies have been slow for long enough.
void fall_asleep(const Settings& settings, std::span<const Body> bodies, State* state);

}  // namespace tandem::sim
