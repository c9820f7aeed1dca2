// Rays through the wide ray tree, one box after the other: for the threads of devices, each of
// which traces a ray of its own.
#pragma once

#include <cstdint>
#include <limits>

#include "math/bits.h"
#include "math/float_steps.h"
#include "traverse/ray/float_ray.h"
#include "traverse/ray/query.h"
#include "tree/tree.h"
#include "tree/wide/ray_tree.h"

namespace tandem::detail {

/// A ray on its way through a tree that is not empty. For each level it keeps a node and which of
/// its children still wait. Whenever it comes to a node, it tests these and goes on to the closest
/// one. So it needs a twelfth of the memory that a stack of children would take, and it never
/// visits a child that is too far away by now; for that, some boxes are tested several times.
class WideLevels {
 public:
  /// Of no tree yet.
  WideLevels() = default;
  TANDEM_HD explicit WideLevels(const WideRayTreeView& tree) { visit(tree, 0); }

  TANDEM_HD bool finished() const { return count_ == 0; }

  /// Goes on for about so many nodes.
  template <class Query, class Observer, class Budget>
  TANDEM_HD Flow advance(const WideRayTreeView& tree, const FloatRay& ray, Query& query,
                         Observer& observer, Budget budget) {
    while (!finished() && budget.spend()) {
      Level& level = levels_[count_ - 1];
      const WideRayNode& node = tree.node(level.node);
      observer.node_visit(level.node);
      observer.box_test(level.node, count_bits(level.waiting));
      float closest = std::numeric_limits<float>::infinity();
      std::uint32_t next = 0;
      std::uint32_t hit = 0;
      for (std::uint32_t waiting = level.waiting; waiting != 0; waiting &= waiting - 1) {
        const auto child = static_cast<std::uint32_t>(lowest_bit(waiting));
        const float entry = entry_of(node, child, ray, query.limit());
        if (entry == std::numeric_limits<float>::infinity()) continue;
        hit |= 1U << child;
        if (entry < closest) {
          closest = entry;
          next = child;
        }
      }
      if (hit == 0) {
        --count_;
        continue;
      }
      level.waiting = hit & ~(1U << next);
      if (level.waiting == 0) --count_;
      const std::uint32_t link = node.child[next];
      if (!WideRayTreeView::is_leaf(link)) {
        visit(tree, link);
      } else if (visit_block(tree, link, query, observer) == Flow::stop) {
        return Flow::stop;
      }
    }
    return Flow::go_on;
  }

 private:
  struct Level {
    std::uint32_t node;
    /// One bit per child.
    std::uint32_t waiting;
  };

  TANDEM_HD void visit(const WideRayTreeView& tree, std::uint32_t link) {
    levels_[count_++] = {link, (1U << tree.node(link).child_count) - 1};
  }

  /// The distance at which the ray enters the box of a child; infinity when it does not before the
  /// limit.
  TANDEM_HD static float entry_of(const WideRayNode& node, std::uint32_t child, const FloatRay& ray,
                                  float limit) {
    float enter = ray.t_min;
    float leave = limit;
    for (int axis = 0; axis < 3; ++axis) {
      const float lower = node.bound[axis][child];
      const float upper = node.bound[axis + 3][child];
      const bool forward = ray.inverse[axis] > 0;
      enter = larger(
          enter, multiply_add(forward ? lower : upper, ray.inverse[axis], ray.near_offset[axis]));
      leave = smaller(
          leave, multiply_add(forward ? upper : lower, ray.inverse[axis], ray.far_offset[axis]));
    }
    return enter <= leave ? enter : std::numeric_limits<float>::infinity();
  }

  template <class Query, class Observer>
  TANDEM_HD static Flow visit_block(const WideRayTreeView& tree, std::uint32_t link, Query& query,
                                    Observer& observer) {
    const WideRayBlock& block = tree.block(link);
    observer.leaf_visit(link);
    observer.triangle_test(link, block.count);
    for (std::uint32_t i = 0; i < block.count; ++i) {
      const TriangleF triangle = block.triangle(static_cast<int>(i));
      if (query.test(block.id[i], triangle, block.id[i]) == Flow::stop) return Flow::stop;
    }
    return Flow::go_on;
  }

  Level levels_[k_max_depth + 1];
  std::uint32_t count_ = 0;
};

}  // namespace tandem::detail
