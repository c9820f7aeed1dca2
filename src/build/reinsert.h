// Improving a binary hierarchy after it is built.
#pragma once

#include "tree/tree.h"
#include "volume/aabb.h"

namespace tandem::detail {

/// The shape of a better tree for rays: large subtrees are taken out and put back where the boxes above
/// them grow least (Meister and Bittner 2018, one after the other), so that the sum of surface areas
/// shrinks. The shape as it is when that makes it deeper than `k_max_depth`.
TreeShape reinsert(const Tree<Aabb>& tree);

}  // namespace tandem::detail
