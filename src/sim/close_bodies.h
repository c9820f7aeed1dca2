// Which bodies may meet in a step, and how close counts.
#pragma once

#include <tandem/batch.h>
#include <tandem/model.h>
#include <tandem/scene.h>
#include <tandem/sim/simulation.h>

#include <span>
#include <vector>

#include "sim/body.h"
#include "sim/find_contacts.h"

namespace tandem::sim {

/// Finds them. Depends on nothing but what it is given here.
struct CloseBodiesFinder {
  const Settings& settings;
  std::span<const Body> bodies;
  /// Of each body.
  std::span<const Model> models;
  const State& state;
  /// Knows where the bodies stand.
  const Scene& scene;

  /// The bodies that may meet in this step, and how close counts: at least as close as they may
  /// come, so that none is inside another one before they have contacts.
  std::vector<CloseBodies> find() const;

 private:
  double approach_of(BodyId a, BodyId b) const;
  CloseBodies close_bodies(BodyId a, BodyId b, double margin) const;
  void keep_closest(std::vector<CloseBodies>* close) const;
  void keep_closest(CloseBodies* close) const;
  double distance_of_pressed(const BatchQuery& query) const;
  std::span<const PressedPoint> pressed_between(BodyId a, BodyId b) const;
  bool are_apart(BodyId a, BodyId b, double distance) const;
};

}  // namespace tandem::sim
