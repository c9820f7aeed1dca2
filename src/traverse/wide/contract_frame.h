// How the coordinates that two wide trees store become those that the triangle test decides on.
#pragma once

#include <tandem/pose.h>

#include "math/power_of_two.h"
#include "tree/wide/tree.h"

namespace tandem::detail {

/// A's as they are in its mesh, B's moved to A as `transform_point` does. Exact for trees that are.
struct ContractFrame {
  /// Of one tree: coordinates of its mesh are `origin + unit * stored`.
  struct Units {
    double unit;
    Vec3d origin;
  };

  ContractFrame(const Pose& b_in_a, const WideTreeView& tree_a, const WideTreeView& tree_b)
      : a{power_of_two(tree_a.exponent), tree_a.origin},
        b{power_of_two(tree_b.exponent), tree_b.origin},
        translation(b_in_a.translation()) {
    for (int i = 0; i < 3; ++i) {
      rows[i] = {b_in_a.rotation(i, 0), b_in_a.rotation(i, 1), b_in_a.rotation(i, 2)};
    }
  }

  Units a;
  Units b;
  /// Of the pose.
  Vec3d rows[3];
  Vec3d translation;
};

}  // namespace tandem::detail
