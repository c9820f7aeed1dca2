// A space-filling curve: places that are close to each other on it are close in space.
#pragma once

#include <tandem/host_device.h>

#include <cstdint>

namespace tandem::detail {

/// The most levels of a curve: its keys have 48 bits then.
inline constexpr int k_most_curve_levels = 16;

/// Every third bit: the bits of a number, two zeros between any two of them. In 64 bits there is
/// room for 16 of them, in 32 bits for ten.
TANDEM_HD inline std::uint64_t spread_bits(std::uint64_t bits) {
  bits = (bits | bits << 32) & 0x001f00000000ffff;
  bits = (bits | bits << 16) & 0x001f0000ff0000ff;
  bits = (bits | bits << 8) & 0x100f00f00f00f00f;
  bits = (bits | bits << 4) & 0x10c30c30c30c30c3;
  return (bits | bits << 2) & 0x1249249249249249;
}
TANDEM_HD inline std::uint32_t spread_bits(std::uint32_t bits) {
  bits = (bits | bits << 16) & 0x030000ff;
  bits = (bits | bits << 8) & 0x0300f00f;
  bits = (bits | bits << 4) & 0x030c30c3;
  return (bits | bits << 2) & 0x09249249;
}

/// Where a cell of a grid of 2^levels cells along each axis is on the Hilbert curve (Skilling
/// 2004). Keys that begin with the same bits are those of one cell of a coarser grid, or of half or
/// a quarter of one.
template <class Key>
TANDEM_HD Key hilbert_key(std::uint32_t x, std::uint32_t y, std::uint32_t z, int levels) {
  const std::uint32_t top = std::uint32_t{1} << (levels - 1);
  const auto turn = [&](std::uint32_t bit, std::uint32_t& other) {
    const std::uint32_t lower_bits = bit - 1;
    const bool set = (other & bit) != 0;
    const std::uint32_t swapped = (x ^ other) & lower_bits;
    x ^= set ? lower_bits : swapped;
    other ^= set ? 0 : swapped;
  };
  for (std::uint32_t bit = top; bit > 1; bit >>= 1) {
    if ((x & bit) != 0) x ^= bit - 1;
    turn(bit, y);
    turn(bit, z);
  }
  y ^= x;
  z ^= y;
  // Each bit of z that is set flips all bits below it.
  std::uint32_t flipped = z >> 1;
  for (int step = 1; step < k_most_curve_levels; step *= 2) flipped ^= flipped >> step;
  x ^= flipped;
  y ^= flipped;
  z ^= flipped;
  return spread_bits(Key{x}) << 2 | spread_bits(Key{y}) << 1 | spread_bits(Key{z});
}

}  // namespace tandem::detail
