// Wide trees for new positions of the same triangles: the shape stays, what it encloses is new.
#pragma once

#include <tandem/mesh.h>

#include "tree/wide/ray_tree.h"
#include "tree/wide/tree.h"

namespace tandem::detail {

/// The tree with the shape of `older` for a mesh of as many triangles. O(n): slabs lie along mean
/// normals, and only those with few triangles are as thin as they can be.
WideTree refit_wide(const WideTree& older, const Mesh& mesh);

/// The surface of all boxes relative to that of the whole: what a query costs grows with it. 0 for
/// an empty tree.
double wide_cost(const WideTree& tree);

/// The same for wide ray trees.
WideRayTree refit_wide_rays(const WideRayTree& older, const Mesh& mesh);
double wide_cost(const WideRayTree& tree);

}  // namespace tandem::detail
