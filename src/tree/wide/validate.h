// Checks every invariant of a wide tree.
#pragma once

#include <tandem/mesh.h>

#include <string>

#include "tree/wide/tree.h"

namespace tandem::detail {

/// The first broken invariant, or "" if there is none: the levels connect, each triangle is in
/// exactly one slot, unused slots are last and overlap nothing, coordinates are those of the mesh,
/// and each box and slab encloses every triangle below it.
std::string validate_wide(const Mesh& mesh, const WideTree& tree);

}  // namespace tandem::detail
