// The canonical order of pairs.
#pragma once

#include <span>
#include <vector>

namespace tandem::detail {

/// Sorts by `a`, then by `b`: a radix sort by the one, and a sort of each few pairs that have it in
/// common by the other. For `TrianglePair` and `ObjectPair`.
template <class Pair>
void sort_pairs(std::span<Pair> pairs);

/// The pairs of all parts in that order, by up to so many threads (`parallel_for`). Empties the
/// parts.
template <class Pair>
std::vector<Pair> sorted_pairs(std::span<std::vector<Pair>> parts, int threads);

}  // namespace tandem::detail
