// The shape of a binary or n-ary tree, by the builder that a plan names.
#pragma once

#include <tandem/mesh.h>
#include <tandem/sink.h>

#include "structure/structures.h"
#include "tree/tree.h"

namespace tandem::detail {

TreeShape build_shape(const Mesh& mesh, const BuildPlan& plan, const Progress& progress);

}  // namespace tandem::detail
