// Distances of triangles, out of line: geometry/distance/triangle_distance.h is long.
#pragma once

#include <tandem/triangle.h>

namespace tandem::detail {

/// Whether the triangles are at most so far apart.
bool are_within(const Triangle& a, const Triangle& b, double distance);

/// Like `tandem::distance`, for coordinates in the range of the predicates: where the triangles
/// touch, the points are one that they share.
TriangleDistance distance_of_triangles(const Triangle& a, const Triangle& b,
                                       double relative_error = 0);

}  // namespace tandem::detail
