// How clearly two triangles touch or do not touch: whether rounding could have changed the answer.
#pragma once

#include <tandem/triangle.h>

namespace tandem::cli {

/// The distance of two triangles that do not touch, in double precision.
double triangle_distance(const Triangle& p, const Triangle& q);

/// An upper bound of how far one of two touching triangles must be moved to separate them: the
/// smallest overlap of their projections onto the normals, the cross products of edges, and the
/// normals of edges within each plane.
double overlap_depth(const Triangle& p, const Triangle& q);

}  // namespace tandem::cli
