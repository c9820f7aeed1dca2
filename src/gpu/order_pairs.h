// Puts what many queries have found on a device into the order of a `BatchResult`.
#pragma once

#include <tandem/cuda/collide.h>

#include <cstdint>

#include "gpu/kernel.h"

namespace tandem::detail {

using cuda::FoundPair;

/// A pair as a number: the query, then the triangle of A, then that of B, each with as many bits as
/// there may be.
struct PairKeyBits {
  int query = 0;
  int a = 0;
  int b = 0;

  /// At least one, as keys have.
  int all() const { return query + a + b > 0 ? query + a + b : 1; }
  TANDEM_HD std::uint64_t key(const FoundPair& found) const {
    return (std::uint64_t{found.query} << a | found.pair.a) << b | found.pair.b;
  }
  TANDEM_HD FoundPair found(std::uint64_t key) const {
    const auto low = [](std::uint64_t bits, int count) {
      return static_cast<std::uint32_t>(bits & ((std::uint64_t{1} << count) - 1));
    };
    return {low(key >> (a + b), query), {low(key >> b, a), low(key, b)}};
  }
};

/// One thread per pair.
struct MakePairKeys {
  using Shared = NothingShared;

  const FoundPair* found;
  std::uint32_t count;
  PairKeyBits bits;
  std::uint64_t* keys;

  template <class Threads>
  TANDEM_KERNEL void operator()(const Threads& threads, Shared&) const {
    const std::uint32_t i = threads.index();
    if (i < count) keys[i] = bits.key(found[i]);
  }
};

/// One thread per pair, and one more for the end: the pairs of keys in order. The first pair of
/// each query also says where those of its query begin, and so for the queries before it that have
/// none.
struct TakePairKeys {
  using Shared = NothingShared;

  const std::uint64_t* keys;
  std::uint32_t count;
  PairKeyBits bits;
  std::uint32_t query_count;
  TrianglePair* pairs;
  /// One more than queries.
  std::uint64_t* offsets;

  template <class Threads>
  TANDEM_KERNEL void operator()(const Threads& threads, Shared&) const {
    const std::uint32_t i = threads.index();
    if (i > count) return;
    std::uint32_t query = query_count;
    if (i < count) {
      const FoundPair here = bits.found(keys[i]);
      pairs[i] = here.pair;
      query = here.query;
    }
    const std::uint32_t first = i == 0 ? 0 : bits.found(keys[i - 1]).query + 1;
    for (std::uint32_t k = first; k <= query; ++k) offsets[k] = i;
  }
};

/// One thread per pair: how many there are of each query.
struct CountFoundPairs {
  using Shared = NothingShared;

  const FoundPair* found;
  std::uint32_t count;
  /// Zeros before.
  unsigned long long* counts;

  template <class Threads>
  TANDEM_KERNEL void operator()(const Threads& threads, Shared&) const {
    const std::uint32_t i = threads.index();
    if (i < count) threads.atomic_add(&counts[found[i].query], 1ULL);
  }
};

/// Puts the pairs of queries into their order, and where those of each query begin. `On` is as in
/// gpu/build.h, with
///
///   on.sort_keys(keys, to, count, bits)   puts keys there in the order of their lowest bits
template <class On>
void order_pairs(On& on, const FoundPair* found, std::uint32_t count, const PairKeyBits& bits,
                 std::uint32_t query_count, TrianglePair* pairs,
                 // A kernel writes there. NOLINTNEXTLINE(readability-non-const-parameter)
                 std::uint64_t* offsets) {
  const auto keys = on.template array<std::uint64_t>(count);
  const auto in_order = on.template array<std::uint64_t>(count);
  if (count > 0) {
    on.launch(MakePairKeys{found, count, bits, keys.data()}, count);
    on.sort_keys(keys.data(), in_order.data(), count, bits.all());
  }
  on.launch(TakePairKeys{in_order.data(), count, bits, query_count, pairs, offsets}, count + 1);
}

}  // namespace tandem::detail
