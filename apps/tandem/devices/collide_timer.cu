#include "devices/collide_timer.h"

#include <optional>

#include "cuda/device_array.h"
#include "cuda/stopwatch.h"

namespace tandem::cli {

struct CollideTimer::OnDevice {
  explicit OnDevice(std::span<const BatchQuery> from)
      : count(static_cast<std::uint32_t>(from.size())),
        queries(from.size(), {}),
        counts(from.size(), {}) {
    queries.copy_from(from.data());
  }

  std::uint32_t count;
  cuda::DeviceArray<BatchQuery> queries;
  cuda::DeviceArray<std::uint64_t> counts;
  std::optional<cuda::DeviceArray<cuda::DeviceDistance>> distances;
  cuda::FoundPairs found;
  cuda::Stopwatch stopwatch;
};

CollideTimer::CollideTimer(cuda::Collider& collider, std::span<const BatchQuery> queries)
    : collider_(collider), on_device_(std::make_unique<OnDevice>(queries)) {}
CollideTimer::~CollideTimer() = default;

double CollideTimer::find_s() {
  OnDevice& device = *on_device_;
  return device.stopwatch.seconds(
      {}, [&] { device.found = collider_.find(device.queries.data(), device.count); });
}

double CollideTimer::count_s() {
  OnDevice& device = *on_device_;
  return device.stopwatch.seconds(
      {}, [&] { collider_.count(device.queries.data(), device.count, device.counts.data()); });
}

double CollideTimer::intersects_s() {
  OnDevice& device = *on_device_;
  return device.stopwatch.seconds(
      {}, [&] { collider_.intersects(device.queries.data(), device.count, device.counts.data()); });
}

double CollideTimer::distance_s() {
  OnDevice& device = *on_device_;
  if (!device.distances) device.distances.emplace(device.count, cuda::Place{});
  return device.stopwatch.seconds({}, [&] {
    collider_.distance(device.queries.data(), device.count, device.distances->data());
  });
}

double CollideTimer::within_s(double distance) {
  OnDevice& device = *on_device_;
  return device.stopwatch.seconds({}, [&] {
    collider_.within(device.queries.data(), device.count, distance, device.counts.data());
  });
}

std::uint64_t CollideTimer::pair_count() const {
  return on_device_->found.count;
}

struct FrameTimer::OnDevice {
  explicit OnDevice(std::span<const Pose> from) : poses(from.size(), {}) {
    poses.copy_from(from.data());
  }

  cuda::DeviceArray<Pose> poses;
  cuda::Stopwatch stopwatch;
};

FrameTimer::FrameTimer(cuda::DeviceScene& scene, std::span<const Pose> in_world)
    : scene_(scene), on_device_(std::make_unique<OnDevice>(in_world)) {}
FrameTimer::~FrameTimer() = default;

double FrameTimer::find_s() {
  return on_device_->stopwatch.seconds({}, [&] { scene_.find(on_device_->poses.data()); });
}

}  // namespace tandem::cli
