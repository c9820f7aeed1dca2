// From a mesh and a shape to a wide tree: leaves, boxes and slabs.
#pragma once

#include "build/wide/scaled_mesh.h"
#include "build/wide/shape.h"
#include "build/wide/slabs.h"
#include "build/wide/summary.h"
#include "tree/wide/tree.h"

namespace tandem::detail {

WideTree fit_wide(const ScaledMesh& mesh, const WideShape& shape, SlabChoice choice, int threads);

/// Boxes and slabs of a block whose links are set already. `children` are four: those that are
/// missing may be any summary.
void fit_block(const Summary* children, const Slabs& slabs, NodeBlock& block);

}  // namespace tandem::detail
