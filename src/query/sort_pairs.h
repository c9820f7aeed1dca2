// The canonical order of pairs.
#pragma once

#include <tandem/query.h>

#include <vector>

namespace tandem::detail {

/// Sorts by triangle of A, then by triangle of B: a radix sort by the one, and a sort of each few
/// pairs that have it in common by the other.
void sort_pairs(std::vector<TrianglePair>& pairs);

}  // namespace tandem::detail
