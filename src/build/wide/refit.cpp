// A subtree is fitted before its neighbours, so that the corners of its leaves are still in the
// cache when the slabs of its blocks are measured.
#include "build/wide/refit.h"

#include <algorithm>
#include <span>
#include <vector>

#include "build/wide/fit.h"
#include "build/wide/leaf.h"
#include "build/wide/scaled_mesh.h"
#include "build/wide/slabs.h"
#include "build/wide/summary.h"
#include "build/wide/support.h"

namespace tandem::detail {
namespace {

/// Blocks with at most so many levels of blocks below them have slabs that are measured corner by
/// corner: 4^5 leaves at most, whose corners fit into a second-level cache.
constexpr int k_measured_levels = 4;

class WideRefitter {
 public:
  WideRefitter(const WideTree& older, const Mesh& mesh) : older_(older), mesh_(mesh) {}

  WideTree refit() {
    mesh_.frame().put_into(tree_);
    if (older_.empty()) return std::move(tree_);
    tree_.blocks.resize(older_.blocks.size());
    tree_.boxes.resize(older_.boxes.size());
    tree_.corners.resize(older_.corners.size());
    tree_.ids.resize(older_.ids.size());
    tree_.triangles.resize(older_.triangles.size());
    tree_.level_count = older_.level_count;
    std::copy(std::begin(older_.level_begin), std::end(older_.level_begin), tree_.level_begin);
    leaves_.reserve(std::size_t{1} << (2 * (k_measured_levels + 1)));
    fit(0, 0);
    tree_.support = find_support(tree_, 1);
    return std::move(tree_);
  }

 private:
  /// Fits block number `index` of a level and all below it.
  Summary fit(int level, std::uint32_t index) {
    const NodeBlock& older = older_.level(level)[index];
    const bool above_leaves = level + 1 == tree_.level_count;
    const bool measured = tree_.level_count - 1 - level <= k_measured_levels;
    const std::uint32_t count = older.child_count;
    Summary children[k_block];
    if (is_top_of_measured(level)) leaves_.clear();
    const std::size_t begin = leaves_.size();
    std::size_t bounds[k_block + 1];
    std::fill(std::begin(bounds), std::end(bounds), begin);
    for (std::uint32_t lane = 0; lane < count; ++lane) {
      const std::uint32_t child = older.first_child + lane;
      children[lane] = above_leaves ? fit_leaf_number(child) : fit(level + 1, child);
      std::fill(bounds + lane + 1, std::end(bounds), leaves_.size());
    }
    // The first child stands in for missing ones, without leaves.
    std::fill(children + count, std::end(children), children[0]);
    NodeBlock& block = tree_.level(level)[index];
    block.first_child = older.first_child;
    block.child_count = count;
    fit_block(children,
              measured ? find_slabs(children, leaves_.data(), bounds, SlabChoice::mean_normal, 1)
                       : slabs_of_boxes(children),
              block);
    return Summary::of({children, count});
  }
  bool is_top_of_measured(int level) const {
    return tree_.level_count - 1 - level == k_measured_levels || level == 0;
  }

  Summary fit_leaf_number(std::uint32_t leaf) {
    const std::uint32_t* const ids = older_.ids.data() + std::size_t{k_block} * leaf;
    const auto count = static_cast<std::size_t>(std::find(ids, ids + k_block, k_no_triangle) - ids);
    leaves_.emplace_back();
    return fit_leaf(mesh_, std::span(ids, count), leaf, SlabChoice::mean_normal, tree_,
                    leaves_.back());
  }

  const WideTree& older_;
  ScaledMesh mesh_;
  WideTree tree_;
  /// The corners of the leaves that are below the block at hand and have been fitted.
  std::vector<LeafCorners> leaves_;
};

}  // namespace

WideTree refit_wide(const WideTree& older, const Mesh& mesh) {
  return WideRefitter(older, mesh).refit();
}

double wide_cost(const WideTree& tree) {
  // Coordinates are at most 1, or 2^36 where the mesh is spread: nothing overflows in double.
  double sum = 0;
  double root = 0;
  for (std::size_t i = 0; i < tree.blocks.size(); ++i) {
    const NodeBlock& block = tree.blocks[i];
    for (std::uint32_t lane = 0; lane < block.child_count; ++lane) {
      const double x = block.half[0][lane];
      const double y = block.half[1][lane];
      const double z = block.half[2][lane];
      sum += x * y + (x + y) * z;
    }
    if (i == 0) root = sum;
  }
  return root > 0 ? sum / root : 0;
}

}  // namespace tandem::detail
