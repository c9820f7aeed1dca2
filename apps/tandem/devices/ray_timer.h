// Rays that wait in the memory of a CUDA device, and how long it takes to trace them.
#pragma once

#include <tandem/cuda/rays.h>

#include <memory>
#include <span>
#include <vector>

namespace tandem::cli {

class RayTimer {
 public:
  /// Copies the rays to the device. Throws `tandem::Error`.
  explicit RayTimer(std::span<const Ray> rays);
  ~RayTimer();
  RayTimer(const RayTimer&) = delete;
  RayTimer& operator=(const RayTimer&) = delete;

  /// Finds the closest hit of each ray, and returns how many seconds the device took, by its own
  /// events.
  double trace_s(const cuda::DeviceModel& model, const cuda::RayTracing& how);

  /// What was found last.
  std::vector<Hit> hits() const;

 private:
  struct OnDevice;
  std::unique_ptr<OnDevice> on_device_;
};

}  // namespace tandem::cli
