// The files that `tandem collide` writes.
#pragma once

#include <tandem/query.h>

#include <span>

#include "text/output.h"

namespace tandem::cli {

/// A pair a line: the triangle of A, a space, the triangle of B.
void write_pairs_text(std::span<const TrianglePair> pairs, const Write& write);

/// {"pairs": [[a, b], ...]}
void write_pairs_json(std::span<const TrianglePair> pairs, const Write& write);

/// What each pair shares, as Wavefront OBJ in world coordinates: one element a pair, in the order
/// of `pairs`: `p` for a point, `l` for a segment, `f` for a polygon.
void write_segments(const Model& a, const Model& b, const Pose& a_in_world, const Pose& b_in_world,
                    std::span<const TrianglePair> pairs, const Write& write);

}  // namespace tandem::cli
