// What two models must have in common for a query.
#pragma once

#include <tandem/error.h>
#include <tandem/model.h>
#include <tandem/query.h>

namespace tandem::detail {

/// Throws `tandem::Error` when their hierarchies cannot be traversed together.
inline void check_compatible(const Model& a, const Model& b, Algorithm algorithm, Overlap overlap) {
  if (a.volume() != b.volume()) {
    throw Error("the models have different bounding volumes; build both with the same one");
  }
  if (!supports(a.volume(), overlap)) {
    throw Error(overlap == Overlap::lookup
                    ? "only boxtrees have the lookup test"
                    : "only axis-aligned boxes have a choice of overlap tests");
  }
  if (!supports(a.volume(), algorithm)) {
    throw Error(
        a.volume() == Volume::obb_relative
            ? "oriented boxes relative to their parents' are placed only on the way down: take "
              "recursive, dynamic-stack or alternating-stack"
            : "the boxes of a boxtree exist only on the way down: take recursive, dynamic-stack, "
              "alternating-stack, one-level-up or a list algorithm");
  }
}

}  // namespace tandem::detail
