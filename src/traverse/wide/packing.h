// Tables for moving the lanes of a mask to the front.
#pragma once

#include <array>
#include <cstdint>

namespace tandem::detail {

/// For masks of eight lanes: four bits a lane, where it comes from.
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

/// For masks of four lanes of four bytes: where each byte comes from.
struct alignas(16) PackedBytes : std::array<std::uint8_t, 16> {};
inline constexpr std::array<PackedBytes, 16> k_packed_bytes = [] {
  std::array<PackedBytes, 16> table{};
  for (unsigned mask = 0; mask < 16; ++mask) {
    unsigned to = 0;
    for (unsigned lane = 0; lane < 4; ++lane) {
      if ((mask >> lane & 1) == 0) continue;
      for (unsigned byte = 0; byte < 4; ++byte) {
        table[mask][to++] = static_cast<std::uint8_t>(4 * lane + byte);
      }
    }
  }
  return table;
}();

}  // namespace tandem::detail
