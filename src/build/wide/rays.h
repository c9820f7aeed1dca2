// Builds the wide ray tree.
#pragma once

#include <tandem/mesh.h>

#include "tree/tree.h"
#include "tree/wide/ray_tree.h"
#include "volume/aabb.h"

namespace tandem::detail {

/// Collapses a binary tree of the mesh's triangles. O(n).
WideRayTree build_wide_rays(const Mesh& mesh, const TreeView<Aabb>& binary);

}  // namespace tandem::detail
