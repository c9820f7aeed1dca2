// Rays on a CUDA device. Part of tandem::cuda.
#pragma once

#include <tandem/cuda/device.h>
#include <tandem/engine.h>
#include <tandem/mesh.h>
#include <tandem/model.h>
#include <tandem/ray.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace tandem::cuda {

/// What rays need of a model, in the memory of the device that is current when it is made. Copies
/// share it. It must outlive the work that uses it.
class DeviceModel {
 public:
  /// Makes the structure `ray-pairs` of the model, unless it is there, and puts a copy of it into
  /// the stream. The model may go before the copy is done. Throws `tandem::Error` where there is no
  /// device or too little memory.
  TANDEM_API explicit DeviceModel(const Model& model, const Place& place = {});

  /// The same with another structure: `ray-pairs`, which is the fastest, `ray-binary` or `ray-wide`,
  /// for those who compare traversals.
  TANDEM_API DeviceModel(const Model& model, Structure structure, const Place& place = {});

  /// Copies a mesh and builds its tree on the device, along a space-filling curve: in far less time
  /// than on the host, and rays through it take longer. Otherwise as above.
  TANDEM_API explicit DeviceModel(const Mesh& mesh, const Place& place = {});

  /// On the device.
  TANDEM_API std::size_t bytes() const;
  TANDEM_API Structure structure() const;

  struct Data;
  const Data& data() const { return *data_; }

 private:
  std::shared_ptr<const Data> data_;
};

/// How a device traces rays; the hits do not depend on it.
struct RayTracing {
  /// One of those of the model's structure on the device: `pairs` or `pairs-stackless`; those of
  /// `ray-binary`; or `lanes`, where one thread tests a node's boxes one after the other.
  RayTraversal traversal = {};
  /// Threads that are done early get new rays. Pays where some rays take much longer than their
  /// neighbours.
  bool refill = false;
};

/// Puts work into the stream that writes the closest hit of each ray to its position in `hits`: the
/// hits that `tandem::closest_hits` finds, to the bit. Both arrays are in the memory of the
/// model's device. Nothing waits; throws `tandem::Error` where CUDA does not accept the work.
TANDEM_API void closest_hits(const DeviceModel& model, const Ray* rays, Hit* hits,
                             std::size_t count, const Place& place = {},
                             const RayTracing& how = {});

/// The same with 1 for each ray that hits anything, 0 for the others.
TANDEM_API void any_hits(const DeviceModel& model, const Ray* rays, std::uint8_t* hits,
                         std::size_t count, const Place& place = {}, const RayTracing& how = {});

/// Rays and hits in host memory: copies them there and back, and waits for the stream. Throws
/// `tandem::Error` when the spans have different lengths.
TANDEM_API void closest_hits(const DeviceModel& model, std::span<const Ray> rays,
                             std::span<Hit> hits, const Place& place = {},
                             const RayTracing& how = {});
TANDEM_API void any_hits(const DeviceModel& model, std::span<const Ray> rays,
                         std::span<std::uint8_t> hits, const Place& place = {},
                         const RayTracing& how = {});

}  // namespace tandem::cuda
