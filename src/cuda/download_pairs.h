// Brings what queries have found on a device to the host, in order.
#pragma once

#include <tandem/batch.h>
#include <tandem/cuda/collide.h>

#include <cstddef>
#include <cstdint>
#include <limits>

#include "cuda/check.h"
#include "cuda/on_stream.h"
#include "gpu/order_pairs.h"
#include "math/bits.h"

namespace tandem::cuda {

/// Pairs are put into order by keys of 64 bits, and counted in 32.
constexpr std::uint64_t k_most_ordered_pairs = std::numeric_limits<std::uint32_t>::max() - 1;

/// So many bits tell numbers below `count` apart.
inline int bits_for(std::size_t count) {
  return count == 0 ? 0 : detail::bit_width(count - 1);
}

/// The pairs of some queries, whose first is number `first` of the result, are put behind those
/// that the result has. They are few enough, and meshes have triangles of so many bits.
inline void download_pairs(const FoundPairs& found, std::uint32_t query_count, int triangle_bits,
                           const Place& place, std::size_t first, BatchResult& result) {
  OnStream on(place);
  const auto pair_count = static_cast<std::uint32_t>(found.count);
  const auto pairs = on.array<TrianglePair>(pair_count);
  const auto offsets = on.array<std::uint64_t>(std::size_t{query_count} + 1);
  const detail::PairKeyBits bits{bits_for(query_count), triangle_bits, triangle_bits};
  detail::order_pairs(on, found.pairs, pair_count, bits, query_count, pairs.data(), offsets.data());
  const std::size_t before = result.pairs.size();
  result.pairs.resize(before + pair_count);
  pairs.copy_to(result.pairs.data() + before);
  offsets.copy_to(result.offsets.data() + first);
  check(cudaStreamSynchronize(place.stream), "copy pairs of triangles");
  for (std::size_t i = first; i <= first + query_count; ++i) result.offsets[i] += before;
}

}  // namespace tandem::cuda
