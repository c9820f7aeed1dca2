// Improving a binary hierarchy after it is built.
#pragma once

#include "tree/tree.h"
#include "volume/aabb.h"

namespace tandem::detail {

/// The shape of a better tree for rays. One after the other, large subtrees are removed and
/// inserted where the boxes above them grow least (Meister and Bittner 2018), so that the sum of
/// surface areas decreases. Returns the shape unchanged when the new one would be deeper than
/// `k_max_depth`.
TreeShape reinsert(const TreeView<Aabb>& tree);

}  // namespace tandem::detail
