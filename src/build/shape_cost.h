// How good a shape is for a mesh.
#pragma once

#include <tandem/mesh.h>

#include "tree/tree.h"
#include "volume/aabb.h"

namespace tandem::detail {

/// The surface of the boxes of all inner nodes relative to that of the root's: what a query costs
/// grows with it, whatever the volumes. 0 for an empty tree and for a single triangle.
double shape_cost(const TreeView<Aabb>& boxes);
/// O(n).
double shape_cost(const Mesh& mesh, const TreeShape& shape);

}  // namespace tandem::detail
