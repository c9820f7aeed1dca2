// The files that `tandem collide` writes.
#pragma once

#include <tandem/contact.h>
#include <tandem/query.h>

#include <span>
#include <string>

namespace tandem::cli {

/// One line per pair: the triangle of A, a space, the triangle of B. {"pairs": [[a, b], ...]} when
/// the file's name ends in .json. Standard output when the file is called "-".
void write_pairs(const std::string& file, std::span<const TrianglePair> pairs);

/// What each pair shares, as Wavefront OBJ in world coordinates: one element for each pair, in the
/// order of `pairs`: `p` for a point, `l` for a segment, `f` for a polygon.
void write_segments(const std::string& file, const Model& a, const Model& b, const Pose& a_in_world,
                    const Pose& b_in_world, std::span<const TrianglePair> pairs);

/// The contact of each pair, in world coordinates and the order of `pairs`: comma-separated values
/// under a line with their names, or, when the file's name ends in .json, {"contacts": [...],
/// "manifold": [...]}.
void write_contacts(const std::string& file, const Model& a, const Model& b, const Pose& a_in_world,
                    const Pose& b_in_world, std::span<const TrianglePair> pairs);

}  // namespace tandem::cli
