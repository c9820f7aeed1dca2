#include "devices/ray_timer.h"

#include "cuda/device_array.h"
#include "cuda/stopwatch.h"

namespace tandem::cli {

struct RayTimer::OnDevice {
  explicit OnDevice(std::span<const Ray> from)
      : count(from.size()), rays(count, {}), hits(count, {}) {
    rays.copy_from(from.data());
  }

  std::size_t count;
  cuda::DeviceArray<Ray> rays;
  cuda::DeviceArray<Hit> hits;
  cuda::Stopwatch stopwatch;
};

RayTimer::RayTimer(std::span<const Ray> rays) : on_device_(std::make_unique<OnDevice>(rays)) {}
RayTimer::~RayTimer() = default;

double RayTimer::trace_s(const cuda::DeviceModel& model, const cuda::RayTracing& how) {
  OnDevice& device = *on_device_;
  return device.stopwatch.seconds({}, [&] {
    cuda::closest_hits(model, device.rays.data(), device.hits.data(), device.count, {}, how);
  });
}

std::vector<Hit> RayTimer::hits() const {
  std::vector<Hit> result(on_device_->count);
  on_device_->hits.copy_to(result.data());
  cuda::check(cudaStreamSynchronize(nullptr), "copy hits");
  return result;
}

}  // namespace tandem::cli
