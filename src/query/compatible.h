// What two models must have in common for a query.
#pragma once

#include <tandem/error.h>
#include <tandem/model.h>
#include <tandem/query.h>

namespace tandem::detail {

/// Throws `tandem::Error` when their hierarchies cannot be traversed together in that way.
inline void check_compatible(const Model& a, const Model& b, Algorithm algorithm, Overlap overlap) {
  if (a.volume() != b.volume()) {
    throw Error("the models have different bounding volumes; build both with the same one");
  }
  if (overlap != Overlap::automatic && a.volume() != Volume::aabb) {
    throw Error("only models with the volume aabb have a choice of overlap tests");
  }
  if (!works_with(algorithm, a.volume())) {
    throw Error(
        "models with the volume wide have a traversal of their own; for this algorithm build them "
        "with another volume, such as aabb");
  }
}

}  // namespace tandem::detail
