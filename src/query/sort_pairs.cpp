#include "query/sort_pairs.h"

#include <tandem/query.h>
#include <tandem/scene.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <utility>

#include "parallel/parallel_for.h"

namespace tandem::detail {
namespace {

/// Fewer pairs than this are sorted by comparisons.
constexpr std::size_t k_few = 64;
/// Fewer pairs than this are sorted by one thread.
constexpr std::size_t k_many = std::size_t{1} << 12;
/// Threads share pairs by ranges of `a`, about as many as this, and parts by as many groups.
constexpr std::uint32_t k_ranges = 128;
constexpr std::size_t k_groups = 64;

/// Sorts by `a` alone, the last digits first.
template <class Pair>
void radix_sort(std::span<Pair> pairs, int bits) {
  constexpr int k_most_bits = 11;
  const int digits = (bits + k_most_bits - 1) / k_most_bits;
  const auto memory = std::make_unique_for_overwrite<Pair[]>(pairs.size());
  std::span<Pair> from = pairs;
  std::span<Pair> to(memory.get(), pairs.size());
  for (int digit = 0; digit < digits; ++digit) {
    const int shift = bits * digit / digits;
    const std::uint32_t mask = (1U << (bits * (digit + 1) / digits - shift)) - 1;
    std::array<std::uint32_t, (1 << k_most_bits) + 1> begin;
    std::fill_n(begin.begin(), mask + 2, 0);
    for (const Pair& pair : from) ++begin[(pair.a >> shift & mask) + 1];
    for (std::uint32_t i = 0; i <= mask; ++i) begin[i + 1] += begin[i];
    for (const Pair& pair : from) to[begin[pair.a >> shift & mask]++] = pair;
    std::swap(from, to);
  }
  if (from.data() != pairs.data()) std::copy(from.begin(), from.end(), pairs.begin());
}

/// Moves the pairs of all parts together into one array.
template <class Pair>
std::vector<Pair> joined(std::span<std::vector<Pair>> parts, std::size_t size) {
  std::vector<Pair> all;
  all.reserve(size);
  for (std::vector<Pair>& part : parts) {
    all.insert(all.end(), part.begin(), part.end());
    part = {};
  }
  return all;
}

}  // namespace

template <class Pair>
void sort_pairs(std::span<Pair> pairs) {
  if (pairs.size() < k_few || pairs.size() > 0xffffffff) {
    std::sort(pairs.begin(), pairs.end());
    return;
  }
  std::uint32_t all = 0;
  for (const Pair& pair : pairs) all |= pair.a;
  radix_sort(pairs, std::bit_width(all));
  // Most have few partners.
  for (auto first = pairs.begin(); first != pairs.end();) {
    auto last = first + 1;
    while (last != pairs.end() && last->a == first->a) ++last;
    if (last - first > 1) std::sort(first, last);
    first = last;
  }
}

template <class Pair>
std::vector<Pair> sorted_pairs(std::span<std::vector<Pair>> parts, int threads) {
  std::size_t size = 0;
  for (const std::vector<Pair>& part : parts) size += part.size();
  if (size < k_many) {
    std::vector<Pair> all = joined(parts, size);
    sort_pairs(std::span(all));
    return all;
  }
  const auto for_each = [&](std::size_t count, const auto& work) {
    parallel_for(count, 1, threads, [&](std::size_t i, std::size_t) { work(i); });
  };
  const std::size_t groups = std::min(parts.size(), k_groups);
  const auto group = [&](std::size_t i) {
    const std::size_t begin = parts.size() * i / groups;
    return parts.subspan(begin, parts.size() * (i + 1) / groups - begin);
  };
  // From where to where `a` ranges.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> bounds(groups);
  for_each(groups, [&](std::size_t i) {
    std::uint32_t least = std::numeric_limits<std::uint32_t>::max();
    std::uint32_t most = 0;
    for (const std::vector<Pair>& part : group(i)) {
      for (const Pair& pair : part) {
        least = std::min(least, pair.a);
        most = std::max(most, pair.a);
      }
    }
    bounds[i] = {least, most};
  });
  std::uint32_t least = std::numeric_limits<std::uint32_t>::max();
  std::uint32_t most = 0;
  for (const auto& [group_least, group_most] : bounds) {
    least = std::min(least, group_least);
    most = std::max(most, group_most);
  }
  // How many pairs of each range each group has, and so where they go: range by range.
  const std::uint32_t width = (most - least) / k_ranges + 1;
  const auto range_of = [&](const Pair& pair) { return (pair.a - least) / width; };
  std::vector<std::array<std::size_t, k_ranges>> place(groups);
  for_each(groups, [&](std::size_t i) {
    for (const std::vector<Pair>& part : group(i)) {
      for (const Pair& pair : part) ++place[i][range_of(pair)];
    }
  });
  std::array<std::size_t, k_ranges + 1> range_begin{};
  std::size_t next = 0;
  for (std::uint32_t range = 0; range < k_ranges; ++range) {
    range_begin[range] = next;
    for (auto& of_group : place) next += std::exchange(of_group[range], next);
  }
  range_begin[k_ranges] = next;
  std::vector<Pair> all(size);
  for_each(groups, [&](std::size_t i) {
    for (std::vector<Pair>& part : group(i)) {
      for (const Pair& pair : part) all[place[i][range_of(pair)]++] = pair;
      part = {};
    }
  });
  for_each(k_ranges, [&](std::size_t range) {
    sort_pairs(
        std::span(all).subspan(range_begin[range], range_begin[range + 1] - range_begin[range]));
  });
  return all;
}

template void sort_pairs(std::span<TrianglePair> pairs);
template void sort_pairs(std::span<ObjectPair> pairs);
template std::vector<TrianglePair> sorted_pairs(std::span<std::vector<TrianglePair>> parts,
                                                int threads);
template std::vector<ObjectPair> sorted_pairs(std::span<std::vector<ObjectPair>> parts,
                                              int threads);

}  // namespace tandem::detail
