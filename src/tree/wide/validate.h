// Checks every invariant of a wide tree.
#pragma once

#include <tandem/mesh.h>

#include <string>

#include "tree/wide/tree.h"

namespace tandem::detail {

/// The first broken invariant, or "": the levels connect, each triangle is in exactly one slot, slots
/// that are not used are last and overlap nothing, coordinates are those of the mesh, and each box and
/// slab encloses every triangle below it.
std::string validate_wide(const Mesh& mesh, const WideTree& tree);

}  // namespace tandem::detail
