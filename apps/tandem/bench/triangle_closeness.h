// How clearly two triangles touch or do not: which answers rounding may excuse.
#pragma once

#include <tandem/triangle.h>

namespace tandem::cli {

/// The distance of two triangles that do not touch, in double precision.
double distance(const Triangle& p, const Triangle& q);

/// How far one of two touching triangles has to be moved, at most, so that they do not: the least
/// overlap of their shadows on the normals, the cross products of edges, and the normals of edges
/// within each plane.
double overlap_depth(const Triangle& p, const Triangle& q);

}  // namespace tandem::cli
