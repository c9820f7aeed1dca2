// Builds the wide ray tree.
#pragma once

#include <tandem/mesh.h>
#include <tandem/sink.h>

#include "tree/wide/ray_tree.h"

namespace tandem::detail {

/// A binary tree of clusters of triangles, improved by reinsertion and collapsed. With up to so
/// many threads, 0 for all cores; the tree does not depend on it. O(n log n) for usual meshes.
WideRayTree build_wide_rays(const Mesh& mesh, int threads, const Progress& progress = nullptr);

}  // namespace tandem::detail
