#include "build/wide/fit.h"

#include <algorithm>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "build/wide/leaf.h"
#include "build/wide/summary.h"
#include "build/wide/support.h"

namespace tandem::detail {
namespace {

/// Where the boxes of a block's four children are: their centres, and the largest magnitudes of the
/// coordinates in them.
struct Places {
  Float4 centre[3];
  Float4 largest;
};

/// The boxes of a block's four children, enlarged as `NodeBlock` says.
Places fit_boxes(const Summary* children, NodeBlock& block) {
  // More than all roundings can take away from a half side.
  constexpr float k_more = 1 + 0x1p-22F;
  Float4 lower[4];
  Float4 upper[4];
  for (int i = 0; i < k_block; ++i) {
    lower[i] = children[i].lower;
    upper[i] = children[i].upper;
  }
  transpose(lower);
  transpose(upper);
  Places places;
  places.largest = float4(0);
  for (int k = 0; k < 3; ++k) {
    places.centre[k] = 0.5F * (lower[k] + upper[k]);
    places.largest = max4(places.largest, max4(upper[k], -lower[k]));
  }
  for (int k = 0; k < 3; ++k) {
    const Float4 centre = places.centre[k];
    const Float4 half = max4(upper[k] - centre, centre - lower[k]);
    store4(centre, block.centre[k]);
    store4(half * k_more + places.largest * 0x1p-18F + 0x1p-140F, block.half[k]);
  }
  return places;
}

/// Stores slabs relative to the centres of the boxes, enlarged as `NodeBlock` says.
void store_slabs(const Slabs& slabs, const Places& places, NodeBlock& block) {
  Float4 along_centre = float4(0);
  for (int k = 0; k < 3; ++k) {
    store4(slabs.normal[k], block.normal[k]);
    along_centre += slabs.normal[k] * places.centre[k];
  }
  const Float4 from = slabs.lower - along_centre;
  const Float4 to = slabs.upper - along_centre;
  const Float4 offset = 0.5F * (from + to);
  store4(offset, block.offset);
  store4(max4(to - offset, offset - from) + places.largest * 0x1p-17F + 0x1p-140F, block.thickness);
}

/// Nothing overlaps a missing child.
void clear_child(NodeBlock& block, std::uint32_t lane) {
  for (int k = 0; k < 3; ++k) {
    block.centre[k][lane] = 0;
    block.half[k][lane] = std::numeric_limits<float>::quiet_NaN();
    block.normal[k][lane] = 0;
  }
  block.offset[lane] = 0;
  block.thickness[lane] = 0;
}

}  // namespace

void fit_block(const Summary* children, const Slabs& slabs, NodeBlock& block) {
  store_slabs(slabs, fit_boxes(children, block), block);
  for (std::uint32_t lane = block.child_count; lane < k_block; ++lane) clear_child(block, lane);
}

namespace {

/// The blocks or leaves of one level: what is known of each, and where the leaves below it end.
struct Level {
  explicit Level(std::size_t size) : summaries(size), leaf_ends(size) {}
  std::vector<Summary> summaries;
  std::vector<std::size_t> leaf_ends;
};

/// Fits the blocks of a level to the level below it.
Level fit_level(std::span<const std::uint8_t> child_counts, const Level& below,
                const std::vector<LeafCorners>& leaves, SlabChoice choice,
                std::span<NodeBlock> blocks) {
  Level level(blocks.size());
  std::uint32_t child = 0;
  std::size_t leaf = 0;
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    NodeBlock& block = blocks[i];
    const std::uint32_t count = child_counts[i];
    block.first_child = child;
    block.child_count = count;
    // The first child stands in for missing ones, without leaves.
    Summary children[k_block];
    std::size_t bounds[k_block + 1] = {leaf};
    for (std::uint32_t lane = 0; lane < k_block; ++lane) {
      children[lane] = below.summaries[lane < count ? child + lane : child];
      bounds[lane + 1] = lane < count ? below.leaf_ends[child + lane] : bounds[lane];
    }
    fit_block(children, find_slabs(children, leaves.data(), bounds, choice), block);
    level.summaries[i] = Summary::of({children, count});
    leaf = bounds[k_block];
    level.leaf_ends[i] = leaf;
    child += count;
  }
  return level;
}

}  // namespace

WideTree fit_wide(const ScaledMesh& mesh, const WideShape& shape, SlabChoice choice) {
  WideTree tree;
  tree.origin = mesh.origin();
  tree.exponent = mesh.exponent();
  tree.extent = mesh.extent();
  tree.root = mesh.root();
  tree.spread = mesh.spread();
  const std::span<const std::uint32_t> order(shape.order);
  const std::size_t leaf_count = leaf_count_for(order.size());
  if (leaf_count == 0) return tree;

  tree.boxes.resize(leaf_count);
  tree.corners.resize(k_block * leaf_count);
  tree.ids.resize(k_block * leaf_count);
  std::vector<LeafCorners> leaves(leaf_count);
  Level below(leaf_count);
  for (std::size_t leaf = 0; leaf < leaf_count; ++leaf) {
    const std::size_t first = k_block * leaf;
    const std::size_t count = std::min<std::size_t>(k_block, order.size() - first);
    below.summaries[leaf] =
        fit_leaf(mesh, order.subspan(first, count), leaf, choice, tree, leaves[leaf]);
    below.leaf_ends[leaf] = leaf + 1;
  }

  tree.level_count = static_cast<int>(shape.child_counts.size());
  for (int level = 0; level < tree.level_count; ++level) {
    tree.level_begin[level + 1] =
        tree.level_begin[level] + static_cast<std::uint32_t>(shape.child_counts[level].size());
  }
  tree.blocks.resize(tree.level_begin[tree.level_count]);
  for (int level = tree.level_count; level-- > 0;) {
    below = fit_level(shape.child_counts[level], below, leaves, choice, tree.level(level));
  }
  tree.support = find_support(tree);
  return tree;
}

}  // namespace tandem::detail
