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
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "parallel/parallel_for.h"

namespace tandem::detail {
namespace {

/// Fewer pairs than this are sorted by comparisons.
constexpr std::size_t k_few = 64;
/// Fewer pairs than this are sorted by one thread.
constexpr std::size_t k_many = std::size_t{1} << 12;
/// Threads share pairs by at most so many ranges of `a`, and parts by so many groups.
constexpr int k_range_bits = 7;
constexpr std::size_t k_ranges = std::size_t{1} << k_range_bits;
constexpr std::size_t k_groups = 32;

/// Room for pairs that are yet to be written. (An array of pairs would be set to 0 by one thread.)
template <class Pair>
class PairRoom {
 public:
  explicit PairRoom(std::size_t size)
      : bytes_(std::make_unique_for_overwrite<std::byte[]>(size * sizeof(Pair))), size_(size) {}

  std::span<Pair> pairs() const { return {reinterpret_cast<Pair*>(bytes_.get()), size_}; }

 private:
  static_assert(std::is_trivially_copyable_v<Pair> && alignof(Pair) <= alignof(std::max_align_t));

  std::unique_ptr<std::byte[]> bytes_;
  std::size_t size_;
};

/// Sorts by the last bits of `a`, the last digits first. Writes to both arrays, which have the same
/// size; returns the one that is sorted.
template <class Pair>
std::span<Pair> radix_sort(std::span<Pair> pairs, std::span<Pair> other, int bits) {
  constexpr int k_most_bits = 11;
  const int digits = (bits + k_most_bits - 1) / k_most_bits;
  for (int digit = 0; digit < digits; ++digit) {
    const int shift = bits * digit / digits;
    const std::uint32_t mask = (1U << (bits * (digit + 1) / digits - shift)) - 1;
    std::array<std::uint32_t, (1 << k_most_bits) + 1> begin;
    std::fill_n(begin.begin(), mask + 2, 0);
    for (const Pair& pair : pairs) ++begin[(pair.a >> shift & mask) + 1];
    for (std::uint32_t i = 0; i <= mask; ++i) begin[i + 1] += begin[i];
    for (const Pair& pair : pairs) other[begin[pair.a >> shift & mask]++] = pair;
    std::swap(pairs, other);
  }
  return pairs;
}

/// Sorts pairs whose `a` differ in the last bits alone. Writes to both arrays; returns the one that
/// is sorted.
template <class Pair>
std::span<Pair> sort_by_last_bits(std::span<Pair> pairs, std::span<Pair> other, int bits) {
  const std::span<Pair> sorted = radix_sort(pairs, other, bits);
  // Most have few partners.
  for (auto first = sorted.begin(); first != sorted.end();) {
    auto last = first + 1;
    while (last != sorted.end() && last->a == first->a) ++last;
    if (last - first > 1) std::sort(first, last);
    first = last;
  }
  return sorted;
}

/// Radix sorts are for neither few pairs nor more than 32 bits count.
bool is_for_comparisons(std::size_t size) {
  return size < k_few || size > std::numeric_limits<std::uint32_t>::max();
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

/// Sorts the pairs of many parts on several threads: moves them together by ranges of `a`, then
/// sorts each range. Threads take some neighbouring parts at a time, a group.
template <class Pair>
class PartSort {
 public:
  PartSort(std::span<std::vector<Pair>> parts, std::size_t size, int threads)
      : parts_(parts), threads_(threads), counts_(std::min(parts.size(), k_groups)), room_(size) {}

  std::vector<Pair> run() {
    std::vector<Pair> all;
    parallel_for(2, 1, threads_, [&](std::size_t i, std::size_t) {
      // Only one thread can make room for the result; the others need not wait for it.
      if (i == 1) {
        all.resize(room_.pairs().size());
        return;
      }
      choose_ranges();
      for_each(counts_.size(), [&](std::size_t group) { count(group); });
      for_each(counts_.size(), [&](std::size_t group) { move(group); });
    });
    const Places begin = places_of(0);
    for_each(k_ranges, [&](std::size_t range) {
      const std::size_t end = range + 1 < k_ranges ? begin[range + 1] : all.size();
      const auto here = [&](std::span<Pair> pairs) {
        return pairs.subspan(begin[range], end - begin[range]);
      };
      sort_into(here(room_.pairs()), here(std::span(all)));
    });
    return all;
  }

 private:
  /// A number for each range.
  using Places = std::array<std::size_t, k_ranges>;

  template <class Work>
  void for_each(std::size_t count, const Work& work) const {
    parallel_for(count, 1, threads_, [&](std::size_t i, std::size_t) { work(i); });
  }

  std::span<std::vector<Pair>> group(std::size_t i) const {
    const std::size_t begin = parts_.size() * i / counts_.size();
    return parts_.subspan(begin, parts_.size() * (i + 1) / counts_.size() - begin);
  }

  std::size_t range_of(const Pair& pair) const { return (pair.a - least_) >> shift_; }

  void choose_ranges() {
    struct Extent {
      std::uint32_t least = std::numeric_limits<std::uint32_t>::max();
      std::uint32_t most = 0;
    };
    std::vector<Extent> extents(counts_.size());
    for_each(counts_.size(), [&](std::size_t i) {
      Extent extent;
      for (const std::vector<Pair>& part : group(i)) {
        for (const Pair& pair : part) {
          extent.least = std::min(extent.least, pair.a);
          extent.most = std::max(extent.most, pair.a);
        }
      }
      extents[i] = extent;
    });
    Extent all;
    for (const Extent& extent : extents) {
      all.least = std::min(all.least, extent.least);
      all.most = std::max(all.most, extent.most);
    }
    least_ = all.least;
    shift_ = std::max(0, static_cast<int>(std::bit_width(all.most - all.least)) - k_range_bits);
  }

  /// How many pairs of each range a group has.
  void count(std::size_t i) {
    Places counts{};
    for (const std::vector<Pair>& part : group(i)) {
      for (const Pair& pair : part) ++counts[range_of(pair)];
    }
    counts_[i] = counts;
  }

  /// Where the pairs of a group go: range by range, and group by group within each.
  Places places_of(std::size_t i) const {
    Places places{};
    Places sums{};
    for (std::size_t other = 0; other < counts_.size(); ++other) {
      for (std::size_t range = 0; range < k_ranges; ++range) {
        if (other < i) places[range] += counts_[other][range];
        sums[range] += counts_[other][range];
      }
    }
    std::size_t begin = 0;
    for (std::size_t range = 0; range < k_ranges; ++range) {
      places[range] += begin;
      begin += sums[range];
    }
    return places;
  }

  void move(std::size_t i) {
    Places places = places_of(i);
    const std::span<Pair> by_range = room_.pairs();
    for (std::vector<Pair>& part : group(i)) {
      for (const Pair& pair : part) by_range[places[range_of(pair)]++] = pair;
      part = {};
    }
  }

  /// Sorts the pairs of a range.
  void sort_into(std::span<Pair> pairs, std::span<Pair> result) const {
    if (is_for_comparisons(pairs.size())) {
      std::copy(pairs.begin(), pairs.end(), result.begin());
      std::sort(result.begin(), result.end());
      return;
    }
    // From the range's first `a`, the others differ in few bits.
    const std::uint32_t least = least_ + (static_cast<std::uint32_t>(range_of(pairs[0])) << shift_);
    for (Pair& pair : pairs) pair.a -= least;
    const std::span<Pair> sorted = sort_by_last_bits(pairs, result, shift_);
    for (std::size_t k = 0; k < sorted.size(); ++k) {
      result[k] = {sorted[k].a + least, sorted[k].b};
    }
  }

  std::span<std::vector<Pair>> parts_;
  int threads_;
  std::vector<Places> counts_;
  PairRoom<Pair> room_;
  std::uint32_t least_ = 0;
  int shift_ = 0;
};

}  // namespace

template <class Pair>
void sort_pairs(std::span<Pair> pairs) {
  if (is_for_comparisons(pairs.size())) {
    std::sort(pairs.begin(), pairs.end());
    return;
  }
  std::uint32_t all = 0;
  for (const Pair& pair : pairs) all |= pair.a;
  const PairRoom<Pair> room(pairs.size());
  const std::span<Pair> sorted = sort_by_last_bits(pairs, room.pairs(), std::bit_width(all));
  if (sorted.data() != pairs.data()) std::copy(sorted.begin(), sorted.end(), pairs.begin());
}

template <class Pair>
std::vector<Pair> sorted_pairs(std::span<std::vector<Pair>> parts, int threads) {
  std::size_t size = 0;
  for (const std::vector<Pair>& part : parts) size += part.size();
  if (size >= k_many) return PartSort<Pair>(parts, size, threads).run();
  std::vector<Pair> all = joined(parts, size);
  sort_pairs(std::span(all));
  return all;
}

template void sort_pairs(std::span<TrianglePair> pairs);
template void sort_pairs(std::span<ObjectPair> pairs);
template std::vector<TrianglePair> sorted_pairs(std::span<std::vector<TrianglePair>> parts,
                                                int threads);
template std::vector<ObjectPair> sorted_pairs(std::span<std::vector<ObjectPair>> parts,
                                              int threads);

}  // namespace tandem::detail
