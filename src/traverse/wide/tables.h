// Tables for the lanes of vectors, the same on every instruction set.
#pragma once

#include <array>
#include <cstdint>

namespace tandem::detail {

/// Lane 4j + i is the pair of children (i of A, j of B).
alignas(64) inline constexpr std::uint32_t k_lane_child_of_a[16] = {0, 1, 2, 3, 0, 1, 2, 3,
                                                                    0, 1, 2, 3, 0, 1, 2, 3};
alignas(64) inline constexpr std::uint32_t k_lane_child_of_b[16] = {0, 0, 0, 0, 1, 1, 1, 1,
                                                                    2, 2, 2, 2, 3, 3, 3, 3};

/// Moves the lanes of a mask of eight to the front: four bits per lane, where it comes from.
inline constexpr std::array<std::uint32_t, 256> k_packed_lanes = [] {
  std::array<std::uint32_t, 256> table{};
  for (unsigned mask = 0; mask < 256; ++mask) {
    unsigned shift = 0;
    for (unsigned lane = 0; lane < 8; ++lane) {
      if ((mask >> lane & 1) == 0) continue;
      table[mask] |= lane << shift;
      shift += 4;
    }
  }
  return table;
}();

/// Moves the lanes of a mask of four, of four bytes each, to the front: where each byte comes from.
struct alignas(16) PackedBytes {
  std::uint8_t from[16];
};
inline constexpr std::array<PackedBytes, 16> k_packed_bytes = [] {
  std::array<PackedBytes, 16> table{};
  for (unsigned mask = 0; mask < 16; ++mask) {
    unsigned to = 0;
    for (unsigned lane = 0; lane < 4; ++lane) {
      if ((mask >> lane & 1) == 0) continue;
      for (unsigned byte = 0; byte < 4; ++byte) {
        table[mask].from[to++] = static_cast<std::uint8_t>(4 * lane + byte);
      }
    }
  }
  return table;
}();

}  // namespace tandem::detail
