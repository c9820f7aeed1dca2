// Undirected edges as sortable numbers.
#pragma once

#include <algorithm>
#include <cstdint>

namespace tandem::detail {

/// The same for (a, b) and (b, a), different for every other pair.
constexpr std::uint64_t edge_key(std::uint32_t a, std::uint32_t b) {
  return std::uint64_t{std::min(a, b)} << 32 | std::max(a, b);
}

constexpr std::uint32_t lower_end(std::uint64_t edge) {
  return static_cast<std::uint32_t>(edge >> 32);
}

constexpr std::uint32_t upper_end(std::uint64_t edge) {
  return static_cast<std::uint32_t>(edge);
}

}  // namespace tandem::detail
