// What rays do on a device, for those who compare traversals. Not part of the public interface.
#pragma once

#include <tandem/cuda/rays.h>
#include <tandem/statistics.h>

#include <cstddef>
#include <cstdint>

namespace tandem::cuda {

struct RayProfile {
  /// Counted by kernels that do the same as those that trace, and take longer. Rays that are left
  /// for exact arithmetic count as far as the others' arithmetic has come.
  RayStatistics statistics;
  /// Visits of nodes, where threads of a warp that visit one together count once.
  std::uint64_t warp_visits = 0;
  /// What a thread of the kernel that traces needs: registers, and bytes of the memory of its own
  /// and of that which its block shares.
  int registers = 0;
  std::size_t local_bytes = 0;
  std::size_t shared_bytes = 0;
  /// The share of the warps that a processor has room for.
  double occupancy = 0;

  /// How many threads of a warp are busy when it visits a node, of 1.
  double active_threads() const {
    return warp_visits == 0 ? 0
                            : static_cast<double>(statistics.node_visits) /
                                  (32.0 * static_cast<double>(warp_visits));
  }
};

/// As `closest_hits` or, where `hits` is null, `any_hits`; and waits for it. Answers of rays that
/// are left for exact arithmetic are not written.
TANDEM_API RayProfile profile_rays(const DeviceModel& model, const Ray* rays, Hit* hits,
                                   std::uint8_t* any, std::size_t count, const RayTracing& how);

}  // namespace tandem::cuda
