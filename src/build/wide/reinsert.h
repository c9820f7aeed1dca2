// Improving a tree of clusters after it is built.
#pragma once

#include "build/wide/clusters.h"

namespace tandem::detail {

/// A better tree for rays. One after the other, large subtrees are removed and inserted where the
/// boxes above them grow least (Meister and Bittner 2018), so that the sum of surface areas
/// decreases. Threads share the search for places; the tree does not depend on how many there are.
/// Returns the tree unchanged when the new one would be deeper than `k_max_depth`.
ClusterTree reinsert(ClusterTree clusters, int threads);

}  // namespace tandem::detail
