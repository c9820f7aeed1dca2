// Models as waves see them: the wide trees of all models of a collider in a few arrays.
#pragma once

#include <tandem/host_device.h>
#include <tandem/pose.h>
#include <tandem/triangle.h>

#include <cstdint>

#include "gpu/warp.h"
#include "gpu/waves/blocks.h"
#include "math/power_of_two.h"
#include "math/transform.h"
#include "tree/wide/tree.h"

namespace tandem::detail {

/// A triangle's corners as in `CornerRow`, and its id.
struct alignas(8) WaveTriangle {
  float value[9];
  std::uint32_t id;
};
static_assert(sizeof(WaveTriangle) == 40);

struct WaveModel {
  /// Without its blocks, boxes, corners and ids, which are in the arrays of all models.
  WideTreeView tree;
  std::uint32_t root_block = 0;
  /// The mesh's own triangles, by id, where the tree's corners are not exact; else null.
  const TriangleF* triangles = nullptr;
};

/// Indices in blocks and queues are those of these arrays.
struct WaveModels {
  const WaveModel* models = nullptr;
  const HalfBlock* blocks = nullptr;
  const HalfLeaf* leaves = nullptr;
  const WaveTriangle* triangles = nullptr;

  /// The corners of a triangle as the mesh has them.
  TANDEM_HD Triangle corners(const WaveModel& model, std::uint32_t slot) const {
    const WaveTriangle& stored = triangles[slot];
    if (model.triangles != nullptr) return widen(model.triangles[stored.id]);
    const double unit = power_of_two(model.tree.exponent);
    Triangle result;
    for (int v = 0; v < 3; ++v) {
      for (int k = 0; k < 3; ++k) {
        // The sum is a float32 number: it is not rounded.
        result.corner[v][k] = model.tree.origin[k] + unit * stored.value[3 * v + k];
      }
    }
    return result;
  }
};

TANDEM_HD inline Triangle moved(const Pose& pose, const Triangle& triangle) {
  return {{detail::transform_point<double>(pose, triangle.corner[0]),
           detail::transform_point<double>(pose, triangle.corner[1]),
           detail::transform_point<double>(pose, triangle.corner[2])}};
}

}  // namespace tandem::detail
