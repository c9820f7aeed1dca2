#include "devices/device_queries.h"

#include <tandem/cuda/scene.h>
#include <tandem/error.h>

#include <vector>

#include "options/named_choices.h"

namespace tandem::cli {

namespace {

constexpr DeviceMethod k_methods[] = {
    {"best", "waves or warps, by how many queries there are", {}},
    {"waves",
     "waves of pairs through wide trees, in half precision where that decides",
     {.method = cuda::CollideMethod::waves}},
    {"warps",
     "the same trees and tests, a warp for each query",
     {.method = cuda::CollideMethod::warps}},
    {"blocked",
     "blocked hierarchies, flags and prefix sums, as in a paper",
     {.method = cuda::CollideMethod::blocked}},
    {"blocked-obb",
     "the same with oriented boxes",
     {.method = cuda::CollideMethod::blocked, .blocked = {.volume = cuda::BlockedVolume::obb}}},
    {"blocked-bytes",
     "the same with a byte for each flag",
     {.method = cuda::CollideMethod::blocked, .blocked = {.flags = cuda::BlockedFlags::bytes}}},
    {"blocked-plain",
     "the same with as many imaginary nodes as in the paper",
     {.method = cuda::CollideMethod::blocked, .blocked = {.builder = cuda::BlockedBuilder::plain}}},
    {"stackless",
     "walks without stacks through binary trees, the larger volume first",
     {.method = cuda::CollideMethod::stackless}},
    {"stackless-alternating",
     "the same, both trees alternately, as in a paper",
     {.method = cuda::CollideMethod::stackless,
      .stackless = {.order = cuda::StacklessOrder::alternating}}},
    {"stackless-scheduled",
     "the same, the level first that is larger on average",
     {.method = cuda::CollideMethod::stackless,
      .stackless = {.order = cuda::StacklessOrder::scheduled}}},
    {"stackless-whole",
     "the same, the larger volume first, one walk per query",
     {.method = cuda::CollideMethod::stackless, .stackless = {.least_walks = 1}}}};

#ifndef TANDEM_HAS_CUDA
/// Nothing of a device is made where there is none: `collider_options` has said so.
[[noreturn]] void no_device() {
  throw Error("this build of the program has no CUDA");
}
#endif

}  // namespace

std::span<const DeviceMethod> device_methods() {
  return k_methods;
}

void add_device_choice(CLI::App& app, DeviceChoice& choice) {
  add_device(app, choice.device);
  add_value(app, "--method", choice.method, "NAME",
            "how a CUDA device does it (default " + std::string(k_methods[0].name) +
                "); the names: tandem list");
}

std::optional<DeviceMethod> device_method(const DeviceChoice& choice) {
  DeviceMethod method = k_methods[0];
  if (choice.method) method = find_choice(device_methods(), *choice.method, "--method");
  if (parse_device(choice.device) == Device::cuda) return method;
  if (choice.method) throw Error("--method is for --device cuda");
  return std::nullopt;
}

#ifdef TANDEM_HAS_CUDA

struct DevicePair::OnDevice {
  cuda::Collider collider;

  static std::vector<BatchQuery> queries(std::span<const Pose> b_in_a) {
    std::vector<BatchQuery> result;
    result.reserve(b_in_a.size());
    for (const Pose& pose : b_in_a) result.push_back({0, 1, pose});
    return result;
  }
};

DevicePair::DevicePair(const Model& a, const Model& b, const DeviceMethod& method)
    : on_device_(new OnDevice{cuda::Collider(std::vector<Model>{a, b}, method.options)}) {}

BatchResult DevicePair::collide(std::span<const Pose> b_in_a) {
  return on_device_->collider.collide(OnDevice::queries(b_in_a));
}
std::vector<std::uint64_t> DevicePair::count(std::span<const Pose> b_in_a) {
  return on_device_->collider.count(OnDevice::queries(b_in_a));
}
BatchBits DevicePair::intersects(std::span<const Pose> b_in_a) {
  return on_device_->collider.intersects(OnDevice::queries(b_in_a));
}
std::vector<DistanceResult> DevicePair::distance(std::span<const Pose> b_in_a, double limit) {
  return on_device_->collider.distance(OnDevice::queries(b_in_a), limit);
}

struct SceneQueries::OnDevice {
  cuda::SceneCollider collider;

  explicit OnDevice(const cuda::ColliderOptions& options) : collider(options) {}
  SceneResult collide(const tandem::Scene& scene, const SceneOptions& options) {
    return collider.collide(scene, options);
  }
  std::vector<ObjectClearance> clearances(const tandem::Scene& scene, double distance,
                                          const SceneOptions& options) {
    return collider.clearances(scene, distance, options);
  }
};

#else

struct DevicePair::OnDevice {};
DevicePair::DevicePair(const Model&, const Model&, const DeviceMethod&) {
  no_device();
}
BatchResult DevicePair::collide(std::span<const Pose>) {
  no_device();
}
std::vector<std::uint64_t> DevicePair::count(std::span<const Pose>) {
  no_device();
}
BatchBits DevicePair::intersects(std::span<const Pose>) {
  no_device();
}
std::vector<DistanceResult> DevicePair::distance(std::span<const Pose>, double) {
  no_device();
}

struct SceneQueries::OnDevice {
  explicit OnDevice(const cuda::ColliderOptions&) { no_device(); }
  SceneResult collide(const tandem::Scene&, const SceneOptions&) { no_device(); }
  std::vector<ObjectClearance> clearances(const tandem::Scene&, double, const SceneOptions&) {
    no_device();
  }
};

#endif

DevicePair::~DevicePair() = default;

SceneQueries::SceneQueries(const DeviceChoice& choice) {
  const std::optional<DeviceMethod> method = device_method(choice);
  if (method) on_device_ = std::make_unique<OnDevice>(method->options);
}
SceneQueries::~SceneQueries() = default;

SceneResult SceneQueries::collide(const tandem::Scene& scene, const SceneOptions& options) {
  return on_device_ != nullptr ? on_device_->collide(scene, options) : scene.collide(options);
}
std::vector<ObjectClearance> SceneQueries::clearances(const tandem::Scene& scene, double distance,
                                                      const SceneOptions& options) {
  return on_device_ != nullptr ? on_device_->clearances(scene, distance, options)
                               : scene.clearances(distance, options);
}

}  // namespace tandem::cli
