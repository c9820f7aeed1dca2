// The builders: mesh in, shape of a hierarchy out.
#pragma once

#include <tandem/mesh.h>
#include <tandem/model.h>

#include "tree/tree.h"
#include "tree/wide/tree.h"

namespace tandem::detail {

/// Each set of triangles is halved at the median of its centres along the longest side of its box:
/// the builder of the stackless tandem paper, section 9. Balanced whatever the input. O(n log n).
TreeShape build_median(const Mesh& mesh, const Progress& progress);

/// Each set is split where the surface area heuristic costs least, over 16 bins an axis; a set
/// whose centres coincide is halved by id. O(n log n) for usual meshes.
TreeShape build_sah(const Mesh& mesh, const Progress& progress);

/// Each set is split so that its two parts take the least volume as restricted boxes: the builder of
/// the restricted boxtree paper, section 4. All axes, or only that of the longest side; the triangles
/// in the order given or in a random one; by the volumes of the parts alone or by those of their best
/// parts as well. O(n log n) for usual meshes.
TreeShape build_volume(const Mesh& mesh, const Progress& progress);
TreeShape build_volume_longest(const Mesh& mesh, const Progress& progress);
TreeShape build_volume_random(const Mesh& mesh, const Progress& progress);
TreeShape build_volume_ahead(const Mesh& mesh, const Progress& progress);

/// Makes a binary shape an n-ary one: a node takes over the children of its largest inner children
/// until it has `arity` (2 to 16). Nodes have 2 to `arity` children.
TreeShape collapse(const Mesh& mesh, const TreeShape& binary, int arity);

/// A wide tree for fast queries: sets are bisected near the middle along the axis of least cost, and
/// each child gets the thinner of two slabs. O(n log n).
WideTree build_wide_best(const Mesh& mesh, const Progress& progress);

/// A wide tree made fast: triangles in the order of a space-filling curve, slabs along mean normals.
/// O(n).
WideTree build_wide_fast(const Mesh& mesh, const Progress& progress);

}  // namespace tandem::detail
