// What a `DeviceModel` is made of.
#pragma once

#include <tandem/cuda/rays.h>
#include <tandem/error.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "cuda/check.h"
#include "cuda/compared_trees.h"
#include "cuda/device_array.h"
#include "tree/ray_pairs.h"

namespace tandem::cuda {

inline int current_device() {
  int device = 0;
  check(cudaGetDevice(&device), "tell the current device");
  return device;
}

/// The memory of one tree or of many. It may outlive the stream that it is made in.
struct TreeMemory {
  TreeMemory(std::size_t node_count, std::size_t triangle_count, const Place& place)
      : nodes(node_count, place), triangles(triangle_count, place) {
    nodes.free_in(nullptr);
    triangles.free_in(nullptr);
  }

  DeviceArray<detail::RayPairNode> nodes;
  DeviceArray<detail::RayPairTriangle> triangles;
};

/// The vertices of each triangle, in the order of the tree: what refits need, and do not change.
struct CornerMemory {
  CornerMemory(std::size_t triangle_count, const Place& place) : corners(triangle_count, place) {
    corners.free_in(nullptr);
  }

  DeviceArray<TriangleIndices> corners;
};

struct DeviceModel::Data {
  int device = current_device();
  /// The members below are for `ray-pairs`, the last for the others.
  Structure structure = "ray-pairs";
  std::shared_ptr<const TreeMemory> tree_memory;
  std::shared_ptr<const CornerMemory> corner_memory;
  /// In this memory.
  detail::RayPairView view;
  const TriangleIndices* corners = nullptr;
  /// As `RefitPairs` has it.
  bool nodes_in_order = false;
  std::size_t vertex_count = 0;
  std::shared_ptr<const ComparedTrees> compared;
};

/// Throws unless a model on this device is on the current one.
inline void check_device(int device) {
  const int current = current_device();
  if (current == device) return;
  throw Error("the model is on CUDA device " + std::to_string(device) +
              ", and the current one is " + std::to_string(current));
}
inline void check_device(const DeviceModel::Data& data) {
  check_device(data.device);
}

/// Throws for a model that is not there.
inline void check_model(std::size_t model, std::size_t count) {
  if (model < count) return;
  throw Error("there is no model " + std::to_string(model) + "; there are " +
              std::to_string(count));
}

/// Throws for a vertex that is not finite.
inline void check_finite(std::span<const Vec3f> vertices) {
  for (std::size_t i = 0; i < vertices.size(); ++i) {
    for (int axis = 0; axis < 3; ++axis) {
      if (std::isfinite(vertices[i][axis])) continue;
      throw Error("vertex " + std::to_string(i) + " has a coordinate that is not finite");
    }
  }
}

}  // namespace tandem::cuda
