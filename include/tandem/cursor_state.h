// What cursors remember: plain values, on host and device.
#pragma once

#include <tandem/export.h>
#include <tandem/host_device.h>

#include <cstdint>

namespace tandem {

/// What a stackless traversal is doing: walking both trees together, or, with a leaf of one, the
/// nodes below the anchor in the other.
enum class StacklessPhase : std::uint32_t { together, below_a, below_b, finished };

/// Everything that a stackless traversal remembers: 16 bytes.
struct TANDEM_API StacklessState {
  std::uint32_t a = 0;
  std::uint32_t b = 0;
  std::uint32_t anchor = 0;
  StacklessPhase phase = StacklessPhase::together;

  TANDEM_HD bool finished() const { return phase == StacklessPhase::finished; }
};

/// Everything that the trail traversal remembers: 24 bytes. Bit i of the trail tells which tree the
/// i-th descent went down.
struct TANDEM_API TrailState {
  static constexpr std::uint32_t k_finished = 0xffffffff;

  std::uint64_t trail[2] = {0, 0};
  std::uint32_t a = 0;
  std::uint32_t b = 0;

  TANDEM_HD bool finished() const { return a == k_finished; }
};

}  // namespace tandem
