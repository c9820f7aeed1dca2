// The hierarchies that can be looked into, each of another bounding volume. What is shown of a
// volume are its slabs: the directions in which it is bounded, and from where to where.
#pragma once

#include <tandem/model.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/boxtree.h"
#include "engine/stored.h"
#include "exports.h"
#include "math/type_list.h"
#include "query/model_access.h"
#include "volume/aabb_overlap.h"
#include "volume/kdop.h"
#include "volume/obb.h"

namespace tandem::js {

/// A slab: the points x with lower <= direction · x <= upper.
inline constexpr std::size_t k_slab_numbers = 5;
inline void put_slab(const Vec3d& direction, double lower, double upper) {
  results.add(direction);
  results.reals.insert(results.reals.end(), {lower, upper});
}

inline void put_slabs(const detail::Aabb& box) {
  for (int axis = 0; axis < 3; ++axis) {
    Vec3d direction{0, 0, 0};
    direction[axis] = 1;
    put_slab(direction, box.lower[axis], box.upper[axis]);
  }
}
inline void put_slabs(const detail::RestrictedBox<>& box) {
  for (int axis = 0; axis < 3; ++axis) {
    Vec3d direction{0, 0, 0};
    direction[axis] = 1;
    put_slab(direction, box.lower(axis), box.upper(axis));
  }
}
inline void put_slabs(const detail::Obb& box) {
  for (int j = 0; j < 3; ++j) {
    const Vec3d axis{box.axes[0][j], box.axes[1][j], box.axes[2][j]};
    const double middle = dot(axis, Vec3d(box.centre));
    put_slab(axis, middle - box.half[j], middle + box.half[j]);
  }
}
template <int K>
void put_slabs(const detail::Kdop<K>& dop) {
  for (int s = 0; s < K / 2; ++s) {
    put_slab(Vec3d(detail::Kdop<K>::direction(s)), dop.lower[s], dop.upper[s]);
  }
}

/// A tree with a volume at each node, and the test that a search compares two with.
template <detail::BoundingVolume V, class Test>
class StoredVolumes {
 public:
  using Structure = detail::Stored<V>;
  using Overlap = Test;

  explicit StoredVolumes(const Model& model)
      : tree_(detail::structures_of(model).get<detail::Tree<V>>().view()) {}

  void put(std::uint32_t node) const { put_slabs(tree_.volume(node)); }

  /// Those that many levels below the root, and of the leaves above that.
  void put_level(int level) const { put_below(0, level); }

 private:
  void put_below(std::uint32_t node, int levels) const {
    if (levels == 0 || tree_.is_leaf(node)) {
      put(node);
      return;
    }
    for_each_child(tree_, node, [&](std::uint32_t child) {
      put_below(child, levels - 1);
      return Flow::go_on;
    });
  }

  detail::TreeView<V> tree_;
};

/// A boxtree of one plane per node. Its boxes exist on the way down alone, and are written down
/// here for all nodes.
class BoxtreeVolumes {
 public:
  using Structure = detail::BoxtreeOf<detail::OnePlaneBoxtree>;
  using Overlap = detail::RestrictedSatLite<>;

  explicit BoxtreeVolumes(const Model& model)
      : tree_(detail::structures_of(model).get<detail::OnePlaneBoxtree>().view()) {
    note(tree_.root(), detail::RestrictedBox<>(tree_.root_box()), 0);
  }

  void put(std::uint32_t node) const { put_slabs(boxes_[node].box); }

  void put_level(int level) const {
    for (const Noted& noted : boxes_) {
      if (noted.level == level || (noted.leaf && noted.level < level)) put_slabs(noted.box);
    }
  }

 private:
  struct Noted {
    detail::RestrictedBox<> box;
    int level;
    bool leaf;
  };

  void note(std::uint32_t node, const detail::RestrictedBox<>& box, int level) {
    const bool leaf = tree_.is_leaf(node);
    if (boxes_.size() <= node) boxes_.resize(node + 1);
    boxes_[node] = {box, level, leaf};
    if (leaf) return;
    tree_.children(
        node, box, [](auto& child, const detail::Cut& cut) { child.move(cut); },
        [&](std::uint32_t child, const auto& child_box) {
          note(child, child_box, level + 1);
          return Flow::go_on;
        });
  }

  detail::OnePlaneView tree_;
  std::vector<Noted> boxes_;
};

using AllVolumes = detail::TypeList<  //
    StoredVolumes<detail::Aabb, detail::FifteenAxisAabbOverlap<>>,
    StoredVolumes<detail::Obb, detail::ObbOverlap<>>,
    StoredVolumes<detail::Kdop<14>, detail::KdopOverlap<14>>,
    StoredVolumes<detail::Kdop<24>, detail::KdopOverlap<24>>,  //
    BoxtreeVolumes>;

}  // namespace tandem::js
