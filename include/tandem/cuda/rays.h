// Rays on a CUDA device. Part of tandem::cuda.
#pragma once

#include <tandem/cuda/device.h>
#include <tandem/cuda/device_mesh.h>
#include <tandem/engine.h>
#include <tandem/mesh.h>
#include <tandem/model.h>
#include <tandem/ray.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace tandem::cuda {

/// How a device builds the tree of a mesh. Both ways give the same tree each time.
enum class DeviceBuilder : std::uint8_t {
  /// Along a space-filling curve: the fastest way, and rays are nearly as fast as through the tree
  /// that the host builds.
  curve,
  /// From clusters of neighbours: takes longer. Boxes are smaller, though rays have been found to
  /// take longer (docs/gpu.md).
  clusters
};

struct DeviceBuildOptions {
  DeviceBuilder builder = DeviceBuilder::curve;
};

/// What rays need of a model, in the memory of the device that is current when it is made. Copies
/// share it. It must outlive the work that uses it, and work in other streams than its own must
/// wait until it is there.
class DeviceModel {
 public:
  /// Makes the structure `ray-pairs` of the model, unless it is there, and puts a copy of it into
  /// the stream. The model may go before the copy is done. Throws `tandem::Error` where there is no
  /// device or too little memory.
  TANDEM_API explicit DeviceModel(const Model& model, const Place& place = {});

  /// The same with another structure, for those who compare traversals: `ray-pairs`, which is the
  /// fastest, `ray-binary` or `ray-wide`.
  TANDEM_API DeviceModel(const Model& model, Structure structure, const Place& place = {});

  /// Copies a mesh and builds its tree on the device, in far less time than on the host. Otherwise
  /// as above.
  TANDEM_API explicit DeviceModel(const Mesh& mesh, const Place& place = {},
                                  const DeviceBuildOptions& options = {});

  /// The same for a mesh that is on the device already. Nothing waits; the mesh must be there until
  /// the stream has come so far.
  TANDEM_API explicit DeviceModel(const DeviceMesh& mesh, const Place& place = {},
                                  const DeviceBuildOptions& options = {});

  /// A model of the same triangles, whose vertices have moved, in far less time than a new one. The
  /// tree keeps its shape, so rays take longer the more the mesh has changed. This version stays as
  /// it is. The positions are in the memory of the model's device until the stream has come so far.
  /// Nothing waits for them, so they are not checked: if some are not finite, rays may miss what
  /// they should hit. Throws `tandem::Error` for another number of positions than the mesh had, and
  /// for another structure than `ray-pairs`.
  TANDEM_API DeviceModel refit(const Vec3f* positions, std::size_t count,
                               const Place& place = {}) const;
  /// From host memory, which may change after the call. Throws too, naming the vertex, where a
  /// coordinate is not finite.
  TANDEM_API DeviceModel refit(std::span<const Vec3f> positions, const Place& place = {}) const;

  /// On the device. Versions of a model share some of it.
  TANDEM_API std::size_t bytes() const;
  TANDEM_API Structure structure() const;

  // For the library itself.
  struct Data;
  explicit DeviceModel(std::shared_ptr<const Data> data) : data_(std::move(data)) {}
  const Data& data() const { return *data_; }

 private:
  std::shared_ptr<const Data> data_;
};

/// Models of many meshes, built together, as each would be alone. The device is as busy as with one
/// mesh of as many triangles, where small meshes one by one would leave it idle. The models share
/// memory, which stays until the last of them has gone. Throws as the constructor does, also for
/// more meshes or triangles in all than fit.
TANDEM_API std::vector<DeviceModel> make_device_models(std::span<const Mesh> meshes,
                                                       const Place& place = {},
                                                       const DeviceBuildOptions& options = {});

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
