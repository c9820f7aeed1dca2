// What two models must have in common for a query.
#pragma once

#include <tandem/error.h>
#include <tandem/model.h>
#include <tandem/query.h>

namespace tandem::detail {

/// Throws `tandem::Error` when their hierarchies cannot be traversed together.
inline void check_compatible(const Model& a, const Model& b, Overlap overlap) {
  if (a.volume() != b.volume()) {
    throw Error("the models have different bounding volumes; build both with the same one");
  }
  if (overlap != Overlap::automatic && a.volume() != Volume::aabb) {
    throw Error("only axis-aligned boxes have a choice of overlap tests");
  }
}

}  // namespace tandem::detail
