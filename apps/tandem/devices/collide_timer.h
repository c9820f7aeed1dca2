// Queries that wait in the memory of a CUDA device, and how long it takes to answer them.
#pragma once

#include <tandem/cuda/collide.h>
#include <tandem/cuda/scene.h>

#include <cstdint>
#include <memory>
#include <span>

namespace tandem::cli {

class CollideTimer {
 public:
  /// Copies the queries, which name models of the collider, to the device. Throws `tandem::Error`.
  CollideTimer(cuda::Collider& collider, std::span<const BatchQuery> queries);
  ~CollideTimer();
  CollideTimer(const CollideTimer&) = delete;
  CollideTimer& operator=(const CollideTimer&) = delete;

  /// Finds all pairs, and returns how many seconds the device took, by its own events.
  double find_s();
  /// The same for the number of pairs of each query, and for whether it has any.
  double count_s();
  double intersects_s();
  /// The same for distances, and for pairs that are at most `distance` apart.
  double distance_s();
  double within_s(double distance);
  /// How many pairs `find_s` has found last.
  std::uint64_t pair_count() const;

 private:
  struct OnDevice;
  cuda::Collider& collider_;
  std::unique_ptr<OnDevice> on_device_;
};

/// The same for whole frames of a scene, whose poses wait on the device.
class FrameTimer {
 public:
  /// Copies the poses, one for each object, to the device. Throws `tandem::Error`.
  FrameTimer(cuda::DeviceScene& scene, std::span<const Pose> in_world);
  ~FrameTimer();
  FrameTimer(const FrameTimer&) = delete;
  FrameTimer& operator=(const FrameTimer&) = delete;

  /// Finds close objects and their touching triangles.
  double find_s();

 private:
  struct OnDevice;
  cuda::DeviceScene& scene_;
  std::unique_ptr<OnDevice> on_device_;
};

}  // namespace tandem::cli
