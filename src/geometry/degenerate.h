// Zero-area triangles.
#pragma once

#include <tandem/triangle.h>

#include "geometry/predicates.h"

namespace tandem::detail {

/// True when the three corners are collinear or coincide; exact.
TANDEM_HD inline bool is_degenerate(const Triangle& t) {
  Projection plane;
  return !find_projection(t.corner[0], t.corner[1], t.corner[2], &plane);
}

}  // namespace tandem::detail
