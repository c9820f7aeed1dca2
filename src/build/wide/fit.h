// From a mesh and a shape to a wide tree: leaves, boxes and slabs.
#pragma once

#include "build/wide/scaled_mesh.h"
#include "build/wide/shape.h"
#include "build/wide/slabs.h"
#include "tree/wide/tree.h"

namespace tandem::detail {

WideTree fit_wide(const ScaledMesh& mesh, const WideShape& shape, SlabChoice choice, int threads);

}  // namespace tandem::detail
