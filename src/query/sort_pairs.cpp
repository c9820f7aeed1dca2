#include "query/sort_pairs.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace tandem::detail {
namespace {

/// Fewer pairs than this are sorted by comparisons.
constexpr std::size_t k_few = 64;

/// Sorts by triangle of A alone, the last digits first.
void radix_sort(std::vector<TrianglePair>& pairs, int bits) {
  constexpr int k_most_bits = 11;
  const int digits = (bits + k_most_bits - 1) / k_most_bits;
  std::vector<TrianglePair> other(pairs.size());
  for (int digit = 0; digit < digits; ++digit) {
    const int shift = bits * digit / digits;
    const std::uint32_t mask = (1U << (bits * (digit + 1) / digits - shift)) - 1;
    std::array<std::uint32_t, (1 << k_most_bits) + 1> begin;
    std::fill_n(begin.begin(), mask + 2, 0);
    for (const TrianglePair& pair : pairs) ++begin[(pair.a >> shift & mask) + 1];
    for (std::uint32_t i = 0; i <= mask; ++i) begin[i + 1] += begin[i];
    for (const TrianglePair& pair : pairs) other[begin[pair.a >> shift & mask]++] = pair;
    pairs.swap(other);
  }
}

}  // namespace

void sort_pairs(std::vector<TrianglePair>& pairs) {
  if (pairs.size() < k_few || pairs.size() > 0xffffffff) {
    std::sort(pairs.begin(), pairs.end());
    return;
  }
  std::uint32_t all = 0;
  for (const TrianglePair& pair : pairs) all |= pair.a;
  radix_sort(pairs, std::bit_width(all));
  // Most triangles touch a few others.
  for (auto first = pairs.begin(); first != pairs.end();) {
    auto last = first + 1;
    while (last != pairs.end() && last->a == first->a) ++last;
    if (last - first > 1) std::sort(first, last);
    first = last;
  }
}

}  // namespace tandem::detail
