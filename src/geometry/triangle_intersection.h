// The points that two triangles share, for reporting.
#pragma once

#include <tandem/triangle.h>

namespace tandem::detail {

/// Like `tandem::intersection`, for coordinates in the range of the predicates.
TriangleIntersection triangle_intersection(const Triangle& p, const Triangle& q);

}  // namespace tandem::detail
