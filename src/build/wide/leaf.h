// The leaves of a wide tree: boxes, corners and ids of up to four triangles each.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "build/wide/scaled_mesh.h"
#include "build/wide/slabs.h"
#include "build/wide/summary.h"
#include "tree/wide/tree.h"

namespace tandem::detail {

/// Fills leaf number `leaf` of the tree with the triangles `ids`, one to four. Returns what the
/// choice of slabs needs to know of them, and writes their corners to `lanes`. Where the tree has
/// room for blocks of triangles, fits the leaf's.
Summary fit_leaf(const ScaledMesh& mesh, std::span<const std::uint32_t> ids, std::size_t leaf,
                 SlabChoice choice, WideTree& tree, LeafCorners& lanes);

}  // namespace tandem::detail
