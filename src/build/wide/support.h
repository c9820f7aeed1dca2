// The support function of a mesh, found with the help of its wide tree.
#pragma once

#include <vector>

#include "tree/wide/tree.h"

namespace tandem::detail {

/// The values of the tree's `SupportMap`. The tree is complete but for these, and not empty.
std::vector<float> find_support(const WideTree& tree, int threads);

}  // namespace tandem::detail
