// The structures on a device that `ray-pairs` is compared with.
#pragma once

#include <tandem/cuda/device.h>
#include <tandem/model.h>

#include <cstddef>
#include <cstdint>
#include <optional>

#include "cuda/device_array.h"
#include "gpu/rays/trace_rays.h"

namespace tandem::cuda {

/// The binary tree; with it, if wanted, the wide one, some of whose rays need the other.
struct ComparedTrees {
  ComparedTrees(const Model& model, bool with_wide, const Place& place);
  std::size_t bytes() const;

  DeviceArray<detail::RayNode> nodes;
  DeviceArray<TriangleF> triangles;
  DeviceArray<std::uint32_t> displacements;
  DeviceArray<std::uint32_t> slots;
  detail::KeyedRayTreeView binary;
  float largest_coordinate;
  std::optional<DeviceArray<detail::CacheLine>> lines;
  std::optional<detail::WideRayTreeView> wide;
};

}  // namespace tandem::cuda
