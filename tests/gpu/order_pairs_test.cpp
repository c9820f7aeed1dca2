// The kernels that put the pairs of many queries into order, run by the executor on the CPU.
#include <gtest/gtest.h>
#include <tandem/batch.h>

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "gpu/on_cpu.h"
#include "gpu/order_pairs.h"
#include "math/random.h"

namespace tandem::test {
namespace {

using cuda::FoundPair;
using detail::PairKeyBits;

BatchResult ordered(const std::vector<FoundPair>& found, std::uint32_t query_count,
                    const PairKeyBits& bits, std::uint64_t seed) {
  BatchResult result;
  result.pairs.resize(found.size());
  result.offsets.assign(query_count + 1, 12345);
  OnCpu on(seed);
  detail::order_pairs(on, found.data(), static_cast<std::uint32_t>(found.size()), bits, query_count,
                      result.pairs.data(), result.offsets.data());
  return result;
}

TEST(OrderPairs, QueriesWithoutPairsAreEmpty) {
  EXPECT_EQ(ordered({}, 0, {}, 1).offsets, std::vector<std::uint64_t>{0});
  EXPECT_EQ(ordered({}, 3, {2, 0, 0}, 1).offsets, std::vector<std::uint64_t>(4, 0));
  // The only pair that one query of two triangles can have needs no bits.
  const BatchResult one = ordered({{0, {0, 0}}}, 1, {}, 1);
  EXPECT_EQ(one.offsets, (std::vector<std::uint64_t>{0, 1}));
  EXPECT_EQ(one.pairs, std::vector<TrianglePair>(1));
}

TEST(OrderPairs, AsOnTheHost) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    detail::Random random(seed);
    const PairKeyBits bits{static_cast<int>(random.below(8)), static_cast<int>(random.below(31)),
                           static_cast<int>(random.below(31))};
    const auto query_count = static_cast<std::uint32_t>(1 + random.below(1U << bits.query));
    std::vector<std::vector<TrianglePair>> expected(query_count);
    std::vector<FoundPair> found;
    for (std::uint64_t i = random.below(400); i > 0; --i) {
      const FoundPair pair = {static_cast<std::uint32_t>(random.below(query_count)),
                              {static_cast<std::uint32_t>(random.below(1U << bits.a)),
                               static_cast<std::uint32_t>(random.below(1U << bits.b))}};
      found.push_back(pair);
      expected[pair.query].push_back(pair.pair);
    }
    const BatchResult result = ordered(found, query_count, bits, seed);
    std::vector<unsigned long long> counts(query_count);
    if (!found.empty()) {
      OnCpu on(seed);
      const auto count = static_cast<std::uint32_t>(found.size());
      on.launch(detail::CountFoundPairs{found.data(), count, counts.data()}, count);
    }
    ASSERT_EQ(result.offsets[query_count], found.size());
    for (std::uint32_t i = 0; i < query_count; ++i) {
      std::sort(expected[i].begin(), expected[i].end());
      const auto pairs = result.pairs_of(i);
      ASSERT_TRUE(std::equal(pairs.begin(), pairs.end(), expected[i].begin(), expected[i].end()));
      ASSERT_EQ(counts[i], expected[i].size());
    }
  }
}

}  // namespace
}  // namespace tandem::test
