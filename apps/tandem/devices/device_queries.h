// Queries between models on a CUDA device.
#pragma once

#include <tandem/batch.h>
#include <tandem/cuda/collide.h>
#include <tandem/distance.h>
#include <tandem/scene.h>

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "devices/devices.h"

namespace tandem::cli {

/// --device and --method, for commands that ask which triangles touch.
struct DeviceChoice {
  std::string device = "cpu";
  std::optional<std::string> method;
};

void add_device_choice(CLI::App& app, DeviceChoice& choice);

/// A way to collide models on a device.
struct DeviceMethod {
  std::string_view name;
  std::string_view description;
  cuda::ColliderOptions options;
};

/// All of them, the default one first.
std::span<const DeviceMethod> device_methods();

/// How the device that is chosen collides models; nothing for the processor. Throws `tandem::Error`
/// for names that do not exist, where this build or this machine has no device, and for a method
/// without one.
std::optional<DeviceMethod> device_method(const DeviceChoice& choice);

/// Two models in the memory of a device.
class DevicePair {
 public:
  /// Throws `tandem::Error`.
  DevicePair(const Model& a, const Model& b, const DeviceMethod& method);
  ~DevicePair();
  DevicePair(const DevicePair&) = delete;
  DevicePair& operator=(const DevicePair&) = delete;

  // As in tandem/batch.h.
  BatchResult collide(std::span<const Pose> b_in_a);
  std::vector<std::uint64_t> count(std::span<const Pose> b_in_a);
  BatchBits intersects(std::span<const Pose> b_in_a);
  // As in tandem/distance.h.
  std::vector<DistanceResult> distance(std::span<const Pose> b_in_a, double limit);

 private:
  struct OnDevice;
  std::unique_ptr<OnDevice> on_device_;
};

/// Scenes on the device that is chosen, or on the processor.
class SceneQueries {
 public:
  explicit SceneQueries(const DeviceChoice& choice);
  ~SceneQueries();
  SceneQueries(const SceneQueries&) = delete;
  SceneQueries& operator=(const SceneQueries&) = delete;

  // As in tandem/scene.h.
  SceneResult collide(const tandem::Scene& scene, const SceneOptions& options);
  std::vector<ObjectClearance> clearances(const tandem::Scene& scene, double distance,
                                          const SceneOptions& options);

 private:
  struct OnDevice;
  /// Null for the processor.
  std::unique_ptr<OnDevice> on_device_;
};

}  // namespace tandem::cli
