// All pairs of triangle slots of two trees, as kernels take them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "traverse/wide/pair.h"

namespace tandem::test {

/// Those of slot i of A and j of B, at the place i · count_b + j.
struct SlotPairs {
  SlotPairs(std::size_t count_a, std::size_t count_b)
      : count(count_a * count_b), a(count + detail::k_list_slack), b(a.size()) {
    for (std::size_t i = 0; i < count; ++i) {
      a[i] = static_cast<std::uint32_t>(i / count_b);
      b[i] = static_cast<std::uint32_t>(i % count_b);
    }
  }
  detail::PairList list() { return {a.data(), b.data()}; }

  std::size_t count;
  std::vector<std::uint32_t> a;
  std::vector<std::uint32_t> b;
};

}  // namespace tandem::test
