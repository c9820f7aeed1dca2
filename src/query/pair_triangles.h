// The two triangles of a pair, as the predicates see them.
#pragma once

#include <tandem/error.h>
#include <tandem/query.h>

#include <string>

#include "math/transform.h"

namespace tandem::detail {

struct PairTriangles {
  Triangle a;
  Triangle b;
};

/// Both in A's frame. Throws `tandem::Error` for an id that does not exist.
inline PairTriangles triangles_of(const Model& a, const Model& b, const Pose& b_in_a,
                                  TrianglePair pair) {
  if (pair.a >= a.mesh().triangle_count() || pair.b >= b.mesh().triangle_count()) {
    throw Error("the pair (" + std::to_string(pair.a) + ", " + std::to_string(pair.b) +
                ") names a triangle that its mesh does not have");
  }
  return {widen(a.mesh().triangle(pair.a)), transform_triangle(b_in_a, b.mesh().triangle(pair.b))};
}

}  // namespace tandem::detail
