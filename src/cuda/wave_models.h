// The models of a collider in the memory of a device, as waves see them.
#pragma once

#include <tandem/cuda/collide.h>
#include <tandem/cuda/device_mesh.h>
#include <tandem/model.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "cuda/device_array.h"
#include "gpu/full_wide_levels.h"
#include "gpu/waves/models.h"
#include "gpu/waves/query.h"

namespace tandem::detail {
class PackedWaveModels;
}

namespace tandem::cuda {

class DeviceWaveModels {
 public:
  /// Copies of what the host makes. Waits for the stream.
  DeviceWaveModels(std::span<const Model> models, const Place& place);
  /// Builds what it needs of meshes on the device. Waits for the stream.
  DeviceWaveModels(std::span<const DeviceMesh> meshes, ColliderBuilder builder, const Place& place);

  detail::WaveModels view() const {
    return {models_.data(), blocks_.data(), leaves_.data(), triangles_.data()};
  }
  const detail::WaveShape& shape() const { return shape_; }
  /// Copies what is known of each tree beside its arrays to the memory of the device.
  void copy_trees(detail::WideTreeView* to, const Place& place) const;
  std::size_t bytes() const;

  /// Fits a model that the device has built to new positions of its vertices. Waits for the stream.
  /// Throws `tandem::Error` for one that the host has made, and for another number of positions.
  void refit(std::size_t model, const Vec3f* positions, std::size_t count, const Place& place);

 private:
  DeviceWaveModels(detail::PackedWaveModels packed, const Place& place);
  DeviceWaveModels(std::span<const DeviceMesh> meshes, detail::WideLayout layout,
                   ColliderBuilder builder, const Place& place);

  void build(std::span<const DeviceMesh> meshes, ColliderBuilder builder,
             std::span<detail::WaveModel> models, const Place& place);
  /// What kernels know of a model that has just been fitted.
  detail::WaveModel put(std::size_t model, const detail::MeshFrame& frame, bool exact,
                        const Vec3f* vertices, const Place& place);
  /// The arrays may outlive the stream that they are made in.
  void free_later();

  detail::WaveShape shape_;
  DeviceArray<detail::WaveModel> models_;
  DeviceArray<detail::HalfBlock> blocks_;
  DeviceArray<detail::HalfLeaf> leaves_;
  DeviceArray<detail::WaveTriangle> triangles_;
  DeviceArray<float> supports_;
  DeviceArray<TriangleF> own_triangles_;

  // The rest is for models that the device has built.

  static constexpr std::size_t k_not_built = ~std::size_t{0};
  struct Built {
    /// Its part of the layout; `k_not_built` for empty meshes.
    std::size_t part = k_not_built;
    /// Its first triangle in `in_order_`.
    std::size_t first_triangle = 0;
    std::size_t vertex_count = 0;
    /// Where stored corners are not exactly those of the mesh.
    std::optional<DeviceArray<TriangleF>> own_triangles = {};
  };
  detail::WideLayout layout_;
  std::vector<Built> built_;
  /// The vertices of each triangle, in the order of slots.
  DeviceArray<TriangleIndices> in_order_;
};

}  // namespace tandem::cuda
