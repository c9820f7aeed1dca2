// Builds the binary tree that devices trace rays through.
#pragma once

#include <tandem/mesh.h>
#include <tandem/sink.h>

#include <string_view>

#include "tree/ray_pairs.h"

namespace tandem::detail {

/// A binary tree over single triangles, improved by reinsertion unless the builder is "fast" (see
/// `RayBuilders`), in which subtrees of few triangles become leaves where that costs rays less.
/// With up to so many threads, 0 for all cores; the tree does not depend on it. Throws
/// `tandem::Error` when the mesh has more triangles than links can tell apart.
RayPairTree build_ray_pairs(const Mesh& mesh, std::string_view builder, int threads,
                            const Progress& progress = nullptr);

/// The tree with the shape of `older` for a mesh of as many triangles, in O(n).
RayPairTree refit_ray_pairs(const RayPairTree& older, const Mesh& mesh);

/// The surface of all boxes relative to that of the whole: what a ray costs grows with it. 0 for an
/// empty tree.
double pair_cost(const RayPairTree& tree);

}  // namespace tandem::detail
