// From where bodies stand to the points at which they press on each other.
#pragma once

#include <tandem/batch.h>
#include <tandem/contact.h>
#include <tandem/model.h>
#include <tandem/sim/simulation.h>
#include <tandem/vec.h>

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "sim/surface_features.h"

namespace tandem::sim {

/// Two bodies that are close, by their positions among the models, and how close counts.
struct CloseBodies {
  BatchQuery query;
  double margin = 0;
  /// What counts where nothing moves; `margin` is larger for bodies that may come closer than that
  /// in this step.
  double margin_at_rest = 0;
  /// How far this step moves a point p of B past A, if nothing stops it, in A's frame: by
  /// `way + cross(turn, p)`.
  Vec3d way{0, 0, 0};
  Vec3d turn{0, 0, 0};
};

/// What there is between all close bodies, in their order.
struct FoundContacts {
  /// Of each two bodies; those that do not come close have no points.
  std::vector<ContactManifold> manifolds;
  std::size_t touching_triangles = 0;
  std::size_t near_triangles = 0;
  std::size_t false_pairs = 0;
  double deepest = 0;
  double collision_s = 0;
  double contact_s = 0;

  /// Adds others, whose manifolds go to these places.
  void add(FoundContacts others, std::span<const std::size_t> places);
};

/// Finds the triangles that touch or come within the margins, and reduces their contacts to
/// manifolds. `features` are those of the models, one for each. Depends on nothing but where the
/// bodies stand: not on threads, nor on who finds the touching triangles, as long as they are all
/// there.
FoundContacts find_contacts(std::span<const Model> models,
                            std::span<const std::shared_ptr<const SurfaceFeatures>> features,
                            std::span<const CloseBodies> close, const FindTouching& find_touching,
                            int threads);

}  // namespace tandem::sim
