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
  if (!works_with(overlap, a.volume())) {
    throw Error(overlap == Overlap::lookup
                    ? "only boxtrees have the lookup test"
                    : "only axis-aligned boxes have a choice of overlap tests");
  }
  if (!works_with(algorithm, a.volume())) {
    if (a.volume() == Volume::wide) {
      throw Error(
          "models with the volume wide have a traversal of their own; for this algorithm build "
          "them "
          "with another volume, such as aabb");
    }
    if (a.volume() == Volume::obb_relative) {
      throw Error(
          "oriented boxes relative to their parents' are placed only on the way down: take "
          "recursive, dynamic-stack or alternating-stack");
    }
    throw Error(
        "the boxes of a boxtree exist only on the way down: take recursive, dynamic-stack, "
        "alternating-stack, one-level-up or a list algorithm");
  }
}

}  // namespace tandem::detail
