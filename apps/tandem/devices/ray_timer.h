// Rays that wait in the memory of a CUDA device, and how long it takes to trace them.
#pragma once

#include <tandem/cuda/rays.h>
#include <tandem/statistics.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace tandem::cli {

/// What a traversal needs on a device.
struct DeviceCosts {
  /// How many threads of a warp are busy when it visits a node, of 1.
  double active_threads;
  int registers;
  /// Bytes per thread, in memory of its own and in that of its block.
  std::size_t local_bytes;
  std::size_t shared_bytes;
  /// The share of the warps that a processor has room for.
  double occupancy;
};

class RayTimer {
 public:
  /// Copies the rays to the device: those that ask for the closest hit, and those that ask whether
  /// there is any. Throws `tandem::Error`.
  explicit RayTimer(std::span<const Ray> rays, std::span<const Ray> visibility = {});
  ~RayTimer();
  RayTimer(const RayTimer&) = delete;
  RayTimer& operator=(const RayTimer&) = delete;

  /// Answers each ray, and returns how many seconds the device took, by its own events.
  double trace_s(const cuda::DeviceModel& model, const cuda::RayTracing& how);

  /// What was found last.
  std::vector<Hit> hits() const;
  std::vector<std::uint8_t> any() const;

  /// What all of the rays do, and what that needs. The answers are lost.
  DeviceCosts count(const cuda::DeviceModel& model, const cuda::RayTracing& how,
                    RayStatistics* statistics);

 private:
  struct OnDevice;
  std::unique_ptr<OnDevice> on_device_;
};

}  // namespace tandem::cli
