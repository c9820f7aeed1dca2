// What a DeviceModel has in the memory of a device.
#pragma once

#include <tandem/cuda/rays.h>

#include <cstddef>
#include <cstdint>
#include <optional>

#include "cuda/check.h"
#include "cuda/device_array.h"
#include "gpu/trace_rays.h"

namespace tandem::cuda {

/// For the traversals of `ray-binary`.
struct BinaryOnDevice {
  BinaryOnDevice(const Model& model, const Place& place);
  void keep() {
    nodes.free_in(nullptr);
    triangles.free_in(nullptr);
    displacements.free_in(nullptr);
    slots.free_in(nullptr);
  }
  std::size_t bytes() const {
    return nodes.bytes() + triangles.bytes() + displacements.bytes() + slots.bytes();
  }

  DeviceArray<detail::RayNode> nodes;
  DeviceArray<TriangleF> triangles;
  DeviceArray<std::uint32_t> displacements;
  DeviceArray<std::uint32_t> slots;
  detail::KeyedRayTreeView view;
  float largest_coordinate;
};

/// For `ray-wide`; rays that float32 cannot trace need the binary tree too.
struct WideOnDevice {
  WideOnDevice(const Model& model, const Place& place);
  void keep() {
    lines.free_in(nullptr);
    binary.keep();
  }

  DeviceArray<detail::CacheLine> lines;
  BinaryOnDevice binary;
  detail::WideRayTreeView view;
};

/// One of the structures; the other members are empty.
struct DeviceModel::Data {
  Data(Structure which, std::size_t node_count, std::size_t triangle_count, const Place& place)
      : structure(which),
        nodes(node_count, place),
        triangles(triangle_count, place),
        view{nodes.data(), triangles.data(), static_cast<std::uint32_t>(node_count),
             static_cast<std::uint32_t>(triangle_count)} {
    check(cudaGetDevice(&device), "tell the current device");
  }
  /// They may outlive the stream that they are made in.
  void keep() {
    nodes.free_in(nullptr);
    triangles.free_in(nullptr);
    if (binary) binary->keep();
    if (wide) wide->keep();
  }

  int device = 0;
  Structure structure;
  DeviceArray<detail::RayPairNode> nodes;
  DeviceArray<detail::RayPairTriangle> triangles;
  detail::RayPairView view;
  std::optional<BinaryOnDevice> binary;
  std::optional<WideOnDevice> wide;
};

}  // namespace tandem::cuda
