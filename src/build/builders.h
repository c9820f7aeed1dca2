// The builders: mesh in, shape of a hierarchy out.
#pragma once

#include <tandem/mesh.h>
#include <tandem/model.h>

#include "tree/tree.h"

namespace tandem::detail {

/// Each set of triangles is halved at the median of its centres along the longest side of its box:
/// the builder of the stackless tandem paper, section 9. Balanced whatever the input. O(n log n).
TreeShape build_median(const Mesh& mesh, const Progress& progress);

/// Each set is split where the surface area heuristic costs least, over 16 bins an axis; a set
/// whose centres coincide is halved by id. O(n log n) for usual meshes.
TreeShape build_sah(const Mesh& mesh, const Progress& progress);

/// Makes a binary shape an n-ary one: a node takes over the children of its largest inner children
/// until it has `arity` (2 to 16). Nodes have 2 to `arity` children.
TreeShape collapse(const Mesh& mesh, const TreeShape& binary, int arity);

}  // namespace tandem::detail
