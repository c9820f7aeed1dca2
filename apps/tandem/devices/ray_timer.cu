#include "devices/ray_timer.h"

#include "cuda/device_array.h"
#include "cuda/ray_profile.h"
#include "cuda/stopwatch.h"

namespace tandem::cli {

namespace {

/// Rays, and room for their answers.
template <class Answer>
struct Batch {
  explicit Batch(std::span<const Ray> from)
      : count(from.size()), rays(count, {}), answers(count, {}) {
    rays.copy_from(from.data());
  }

  std::vector<Answer> copied() const {
    std::vector<Answer> result(count);
    answers.copy_to(result.data());
    cuda::check(cudaStreamSynchronize(nullptr), "copy hits");
    return result;
  }

  std::size_t count;
  cuda::DeviceArray<Ray> rays;
  cuda::DeviceArray<Answer> answers;
};

}  // namespace

struct RayTimer::OnDevice {
  Batch<Hit> closest;
  Batch<std::uint8_t> any;
  cuda::Stopwatch stopwatch;
};

RayTimer::RayTimer(std::span<const Ray> rays, std::span<const Ray> visibility)
    : on_device_(new OnDevice{Batch<Hit>(rays), Batch<std::uint8_t>(visibility), {}}) {}
RayTimer::~RayTimer() = default;

double RayTimer::trace_s(const cuda::DeviceModel& model, const cuda::RayTracing& how) {
  const Batch<Hit>& closest = on_device_->closest;
  const Batch<std::uint8_t>& any = on_device_->any;
  return on_device_->stopwatch.seconds({}, [&] {
    cuda::closest_hits(model, closest.rays.data(), closest.answers.data(), closest.count, {}, how);
    cuda::any_hits(model, any.rays.data(), any.answers.data(), any.count, {}, how);
  });
}

std::vector<Hit> RayTimer::hits() const {
  return on_device_->closest.copied();
}

std::vector<std::uint8_t> RayTimer::any() const {
  return on_device_->any.copied();
}

DeviceCosts RayTimer::count(const cuda::DeviceModel& model, const cuda::RayTracing& how,
                            RayStatistics* statistics) {
  const Batch<Hit>& closest = on_device_->closest;
  const Batch<std::uint8_t>& any = on_device_->any;
  cuda::RayProfile both = cuda::profile_rays(model, closest.rays.data(), closest.answers.data(),
                                             nullptr, closest.count, how);
  const cuda::RayProfile second =
      cuda::profile_rays(model, any.rays.data(), nullptr, any.answers.data(), any.count, how);
  both.statistics += second.statistics;
  both.warp_visits += second.warp_visits;
  *statistics = both.statistics;
  return {both.active_threads(), both.registers, both.local_bytes, both.shared_bytes,
          both.occupancy};
}

}  // namespace tandem::cli
