// A CUDA device that finds the touching triangles of a simulation. Only where the build has CUDA.
#pragma once

#include <tandem/batch.h>
#include <tandem/cuda/collide.h>
#include <tandem/model.h>

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace tandem::cli {

/// The models of one simulation on a device, each mesh once, however many bodies show it.
class DeviceBackEnd {
 public:
  explicit DeviceBackEnd(cuda::CollideMethod method) : method_(method) {}

  /// As `collide_batch`: copies the queries to the device and the pairs back.
  BatchResult collide(std::span<const Model> models, std::span<const BatchQuery> queries);
  /// How many seconds the device takes for queries that are there already and pairs that stay
  /// there: by its own events, the median of three.
  double find_s(std::span<const Model> models, std::span<const BatchQuery> queries);

 private:
  /// The queries for the models on the device, which are copied there the first time; there until
  /// the next call.
  std::span<const BatchQuery> on_device(std::span<const Model> models,
                                        std::span<const BatchQuery> queries);

  cuda::CollideMethod method_;
  std::unique_ptr<cuda::Collider> collider_;
  /// The meshes of the models as they were given, and where each is on the device.
  std::vector<const Mesh*> meshes_;
  std::vector<std::uint32_t> place_of_;
  std::vector<BatchQuery> placed_;
};

}  // namespace tandem::cli
