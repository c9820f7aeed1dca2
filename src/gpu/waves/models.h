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
struct WaveTriangle {
  float value[9];
  std::uint32_t id;
};

/// The triangles of a leaf, each in two pieces, so that a thread loads one by three instructions.
/// Threads of a warp load triangles of different leaves, and then the first cache takes as long
/// for each instruction, however many bytes it loads.
class alignas(32) LeafTriangles {
 public:
  TANDEM_HD void set(std::uint32_t i, const WaveTriangle& triangle) {
    for (int k = 0; k < 8; ++k) most_[i].value[k] = triangle.value[k];
    rest_[i] = {triangle.value[8], triangle.id};
  }
  TANDEM_HD WaveTriangle get(std::uint32_t i) const {
    const Most most = load_constant(&most_[i]);
    const Rest rest = load_constant(&rest_[i]);
    WaveTriangle triangle;
    for (int k = 0; k < 8; ++k) triangle.value[k] = most.value[k];
    triangle.value[8] = rest.value;
    triangle.id = rest.id;
    return triangle;
  }
  TANDEM_HD std::uint32_t id(std::uint32_t i) const { return rest_[i].id; }

 private:
  struct alignas(32) Most {
    float value[8];
  };
  struct alignas(8) Rest {
    float value;
    std::uint32_t id;
  };
  Most most_[k_block];
  Rest rest_[k_block];
};
static_assert(sizeof(LeafTriangles) == 40 * k_block);

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
  const LeafTriangles* triangles = nullptr;

  /// The triangle in a slot.
  TANDEM_HD WaveTriangle triangle(std::uint32_t slot) const {
    return triangles[slot / k_block].get(slot % k_block);
  }
  TANDEM_HD std::uint32_t id(std::uint32_t slot) const {
    return triangles[slot / k_block].id(slot % k_block);
  }
  /// The corners of a triangle as the mesh has them.
  TANDEM_HD Triangle corners(const WaveModel& model, std::uint32_t slot) const {
    const WaveTriangle stored = triangle(slot);
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
