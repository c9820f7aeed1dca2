#include "build/wide/leaf.h"

#include <algorithm>
#include <cstring>
#include <limits>

#include "build/wide/fit.h"

namespace tandem::detail {
namespace {

constexpr float k_infinity = std::numeric_limits<float>::infinity();
constexpr float k_nan = std::numeric_limits<float>::quiet_NaN();

/// The mean of all corners, and how they vary around it.
void measure_corners(const ScaledMesh::Corners* t, Summary& all) {
  Float4 sum = float4(0);
  for (int i = 0; i < k_block; ++i) sum += t[i].corner[0] + t[i].corner[1] + t[i].corner[2];
  all.count = 3 * k_block;
  all.mean = sum * float4(1.0F / (3 * k_block));
  for (int i = 0; i < k_block; ++i) {
    for (const Float4 corner : t[i].corner) {
      const Float4 difference = corner - all.mean;
      all.squares += difference * difference;
      all.products += difference * turned(difference);
    }
  }
}

/// Stores the triangles with their boxes, which are transposed on the way.
void store_leaf(std::span<const std::uint32_t> ids, const ScaledMesh::Corners* t, Float4* lower,
                Float4* upper, std::size_t leaf, WideTree& tree) {
  transpose(lower);
  transpose(upper);
  BoxBlock& box = tree.boxes[leaf];
  for (int k = 0; k < 3; ++k) {
    store4(lower[k], box.lower[k]);
    store4(upper[k], box.upper[k]);
  }
  for (std::size_t lane = 0; lane < k_block; ++lane) {
    const std::size_t slot = k_block * leaf + lane;
    float* row = tree.corners[slot].value;
    if (lane < ids.size()) {
      tree.ids[slot] = ids[lane];
      // The fourth lane is overwritten by the next corner.
      store4(t[lane].corner[0], row);
      store4(t[lane].corner[1], row + 3);
      std::memcpy(row + 6, &t[lane].corner[2], 3 * sizeof(float));
      continue;
    }
    tree.ids[slot] = k_no_triangle;
    std::fill_n(row, 9, k_nan);
    for (int k = 0; k < 3; ++k) {
      box.lower[k][lane] = k_infinity;
      box.upper[k][lane] = -k_infinity;
    }
  }
}

/// A block whose children are the first `count` of a leaf's triangles.
void fit_triangles(const ScaledMesh::Corners* t, std::size_t count, std::size_t leaf,
                   NodeBlock& block) {
  Summary children[k_block];
  LeafCorners corners[k_block];
  std::size_t bounds[k_block + 1] = {};
  for (std::size_t lane = 0; lane < k_block; ++lane) {
    children[lane] = Summary::of_triangle(t[lane].corner);
    for (int c = 0; c < 3; ++c) {
      for (int k = 0; k < 3; ++k) corners[lane].value[c][k] = float4(t[lane].corner[c][k]);
    }
    bounds[lane + 1] = lane + 1;
  }
  block.first_child = static_cast<std::uint32_t>(k_block * leaf);
  block.child_count = static_cast<std::uint32_t>(count);
  fit_block(children, find_slabs(children, corners, bounds, SlabChoice::mean_normal, 1), block);
}

}  // namespace

Summary fit_leaf(const ScaledMesh& mesh, std::span<const std::uint32_t> ids, std::size_t leaf,
                 SlabChoice choice, WideTree& tree, LeafCorners& lanes) {
  ScaledMesh::Corners t[k_block];
  Float4 lower[k_block];
  Float4 upper[k_block];
  Summary all;
  for (std::size_t lane = 0; lane < k_block; ++lane) {
    t[lane] = mesh.triangle(ids[lane < ids.size() ? lane : 0]);
    const Summary triangle = Summary::of_triangle(t[lane].corner);
    lower[lane] = triangle.lower;
    upper[lane] = triangle.upper;
    all.lower = min4(all.lower, lower[lane]);
    all.upper = max4(all.upper, upper[lane]);
    all.normal += triangle.normal;
  }
  if (choice == SlabChoice::thinner_of_two) measure_corners(t, all);
  store_leaf(ids, t, lower, upper, leaf, tree);
  if (!tree.triangles.empty()) fit_triangles(t, ids.size(), leaf, tree.triangles[leaf]);
  for (int c = 0; c < 3; ++c) {
    Float4 v[4] = {t[0].corner[c], t[1].corner[c], t[2].corner[c], t[3].corner[c]};
    transpose(v);
    for (int k = 0; k < 3; ++k) lanes.value[c][k] = v[k];
  }
  return all;
}

}  // namespace tandem::detail
