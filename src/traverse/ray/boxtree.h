// Rays through a boxtree: boxes are derived on the way down, both children's at their parent, and
// the closer child is taken first. It recurses, since what a ray would have to remember of a node
// is its box.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <string_view>
#include <utility>

#include "traverse/ray/query.h"
#include "tree/boxtree.h"
#include "volume/margin.h"

namespace tandem::detail {

template <class Boxtree, class Triangles, class Observer>
class BoxtreeRayTraversal {
 public:
  BoxtreeRayTraversal(const Boxtree& tree, const Triangles& triangles, RayQuery& query,
                      Observer& observer)
      : tree_(tree),
        triangles_(triangles),
        slabs_(query.ray()),
        query_(query),
        observer_(observer) {}

  /// The root's box is not tested.
  Flow run() { return visit(tree_.root(), RestrictedBox<>(tree_.root_box())); }

 private:
  struct Child {
    typename Boxtree::Node node;
    RestrictedBox<> box;
    double entry;
  };

  Flow visit(const typename Boxtree::Node& node, const RestrictedBox<>& box) {
    observer_.node_visit(tree_.index(node));
    if (tree_.is_leaf(node)) {
      observer_.leaf_visit(tree_.index(node));
      return tree_.triangles(node, [&](std::uint32_t id) {
        observer_.triangle_test(id);
        return query_.test(id, triangles_.triangle(id));
      });
    }
    std::array<Child, 2> children;
    std::size_t count = 0;
    tree_.children(
        node, box, [](RestrictedBox<>& child, const Cut& cut) { child.move(cut); },
        [&](const typename Boxtree::Node& child, const RestrictedBox<>& child_box) {
          observer_.box_test(tree_.index(child));
          children[count++] = {child, child_box, entry(child_box)};
          return Flow::go_on;
        });
    if (children[1].entry < children[0].entry) std::swap(children[0], children[1]);
    for (const Child& child : children) {
      // What was hit in the closer one may be closer than the other.
      if (child.entry == k_missed || (&child == &children[1] && entry(child.box) == k_missed)) {
        continue;
      }
      if (visit(child.node, child.box) == Flow::stop) return Flow::stop;
    }
    return Flow::go_on;
  }

  static constexpr double k_missed = std::numeric_limits<double>::infinity();

  double entry(const RestrictedBox<>& box) const {
    Aabb outer;
    for (int axis = 0; axis < 3; ++axis) {
      outer.lower[axis] = round_down(box.lower(axis));
      outer.upper[axis] = round_up(box.upper(axis));
    }
    return slabs_.entry(outer, query_.limit());
  }

  Boxtree tree_;
  const Triangles& triangles_;
  RaySlabs slabs_;
  RayQuery& query_;
  Observer& observer_;
};

struct RayRecursive {
  static constexpr std::string_view k_name = "recursive";
  static constexpr std::string_view k_description = "by recursion, closer child first";
};

}  // namespace tandem::detail
