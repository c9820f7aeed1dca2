#include "build/wide/fit.h"

#include <algorithm>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "build/fit_child.h"
#include "build/wide/leaf.h"
#include "build/wide/summary.h"
#include "build/wide/support.h"
#include "parallel/parallel_for.h"
#include "tree/wide/large_pages.h"

namespace tandem::detail {
namespace {

/// The boxes of a block's four children.
FittedBox<Float4> fit_boxes(const Summary* children) {
  Float4 lower[4];
  Float4 upper[4];
  for (int i = 0; i < k_block; ++i) {
    lower[i] = children[i].lower;
    upper[i] = children[i].upper;
  }
  transpose(lower);
  transpose(upper);
  return {lower, upper};
}

}  // namespace

void fit_block(const Summary* children, const Slabs& slabs, NodeBlock& block) {
  const FittedBox<Float4> boxes = fit_boxes(children);
  const FittedSlab<Float4> fitted(slabs.normal, slabs.lower, slabs.upper, boxes);
  for (int k = 0; k < 3; ++k) {
    store4(boxes.centre[k], block.centre[k]);
    store4(boxes.half[k], block.half[k]);
    store4(slabs.normal[k], block.normal[k]);
  }
  store4(fitted.offset, block.offset);
  store4(fitted.thickness, block.thickness);
  for (std::uint32_t lane = block.child_count; lane < k_block; ++lane) clear_child(block, lane);
}

namespace {

/// The blocks or leaves of one level: what is known of each, and where the leaves below it end.
struct Level {
  explicit Level(std::size_t size) : summaries(size), leaf_ends(size) {}
  LargeVector<Summary> summaries;
  LargeVector<std::size_t> leaf_ends;
};

/// Blocks or leaves that a thread takes at a time, at most; and how many blocks are too few for
/// threads to share them.
constexpr std::size_t k_grain = 256;
constexpr std::size_t k_few = 32;

/// Up to so many leaves have blocks of their own. A small mesh has large triangles, at angles to
/// each other: the boxes and slabs of its leaves enclose much that none of the triangles is near.
constexpr std::size_t k_leaves_with_blocks = 512;

/// Fits one block to the level below it.
void fit_to_level(std::uint32_t first_child, std::uint32_t count, const Level& below,
                  const LeafCorners* leaves, SlabChoice choice, int threads, NodeBlock& block,
                  Summary& summary, std::size_t& leaf_end) {
  block.first_child = first_child;
  block.child_count = count;
  // The first child stands in for missing ones, without leaves.
  Summary children[k_block];
  std::size_t bounds[k_block + 1] = {first_child == 0 ? 0 : below.leaf_ends[first_child - 1]};
  for (std::uint32_t lane = 0; lane < k_block; ++lane) {
    children[lane] = below.summaries[lane < count ? first_child + lane : first_child];
    bounds[lane + 1] = lane < count ? below.leaf_ends[first_child + lane] : bounds[lane];
  }
  fit_block(children, find_slabs(children, leaves, bounds, choice, threads), block);
  summary = Summary::of({children, count});
  leaf_end = bounds[k_block];
}

/// Fits the blocks of a level to the level below it. Threads share the blocks, or the leaves below
/// each of them where there are only a few.
Level fit_level(std::span<const std::uint8_t> child_counts, const Level& below,
                const LeafCorners* leaves, SlabChoice choice, int threads,
                std::span<NodeBlock> blocks) {
  Level level(blocks.size());
  std::vector<std::uint32_t> first_child(blocks.size());
  std::exclusive_scan(child_counts.begin(), child_counts.end(), first_child.begin(), 0U);
  const bool few = blocks.size() < k_few;
  const std::size_t grain =
      few ? blocks.size() : std::clamp<std::size_t>(blocks.size() / 1024, 1, k_grain);
  parallel_for(blocks.size(), grain, threads, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      fit_to_level(first_child[i], child_counts[i], below, leaves, choice, few ? threads : 1,
                   blocks[i], level.summaries[i], level.leaf_ends[i]);
    }
  });
  return level;
}

}  // namespace

WideTree fit_wide(const ScaledMesh& mesh, const WideShape& shape, SlabChoice choice, int threads) {
  WideTree tree;
  mesh.frame().put_into(tree);
  const std::span<const std::uint32_t> order(shape.order);
  const std::size_t leaf_count = leaf_count_for(order.size());
  if (leaf_count == 0) return tree;

  tree.boxes.resize(leaf_count);
  tree.corners.resize(k_block * leaf_count);
  tree.ids.resize(k_block * leaf_count);
  if (leaf_count <= k_leaves_with_blocks) tree.triangles.resize(leaf_count);
  LargeVector<LeafCorners> leaves(leaf_count);
  Level below(leaf_count);
  parallel_for(leaf_count, k_grain, threads, [&](std::size_t begin, std::size_t end) {
    for (std::size_t leaf = begin; leaf < end; ++leaf) {
      const std::size_t first = k_block * leaf;
      const std::size_t count = std::min<std::size_t>(k_block, order.size() - first);
      below.summaries[leaf] =
          fit_leaf(mesh, order.subspan(first, count), leaf, choice, tree, leaves[leaf]);
      below.leaf_ends[leaf] = leaf + 1;
    }
  });

  tree.level_count = static_cast<int>(shape.child_counts.size());
  for (int level = 0; level < tree.level_count; ++level) {
    tree.level_begin[level + 1] =
        tree.level_begin[level] + static_cast<std::uint32_t>(shape.child_counts[level].size());
  }
  tree.blocks.resize(tree.level_begin[tree.level_count]);
  for (int level = tree.level_count; level-- > 0;) {
    below = fit_level(shape.child_counts[level], below, leaves.data(), choice, threads,
                      tree.level(level));
  }
  tree.support = find_support(tree, threads);
  return tree;
}

}  // namespace tandem::detail
