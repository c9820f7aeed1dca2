// Checks every invariant of a boxtree, by going down.
#pragma once

#include <tandem/mesh.h>

#include <string>
#include <vector>

#include "tree/boxtree_view.h"
#include "tree/tree.h"

namespace tandem::detail {

/// `Boxtree` is a view.
template <class Boxtree>
class BoxtreeValidator {
 public:
  BoxtreeValidator(const Mesh& mesh, const Boxtree& tree)
      : mesh_(mesh), tree_(tree), seen_(mesh.triangle_count()) {}

  std::string validate() {
    visit(tree_.root(), RestrictedBox<>(tree_.root_box()), 0);
    for (std::size_t id = 0; id < seen_.size() && problem_.empty(); ++id) {
      if (!seen_[id]) problem_ = "triangle " + std::to_string(id) + " is in no leaf";
    }
    return problem_;
  }

 private:
  using Node = typename Boxtree::Node;

  void visit(const Node& node, const RestrictedBox<>& box, int depth) {
    if (depth > k_max_depth) return fail("a leaf is too deep");
    if (tree_.is_leaf(node)) {
      tree_.triangles(node, [&](std::uint32_t id) { return check(id, box); });
      return;
    }
    int cut_count = 0;
    const auto make_cut = [&](RestrictedBox<>& child_box, const Cut& cut) {
      // What a box encloses its ancestors do, as long as every cut goes inward.
      if (!(child_box.move(cut) >= 0)) fail("a cut goes outward");
      if (++cut_count > k_max_cuts / k_max_depth) fail("a node has too many cuts");
    };
    tree_.children(node, box, make_cut, [&](const Node& child, const RestrictedBox<>& child_box) {
      cut_count = 0;
      visit(child, child_box, depth + 1);
      return problem_.empty() ? Flow::go_on : Flow::stop;
    });
  }

  Flow check(std::uint32_t id, const RestrictedBox<>& box) {
    if (id >= seen_.size() || seen_[id]) {
      fail("triangle " + std::to_string(id) + " is in two leaves or does not exist");
      return Flow::stop;
    }
    seen_[id] = true;
    for (const Vec3f& corner : mesh_.triangle(id).corner) {
      for (int i = 0; i < 3; ++i) {
        if (corner[i] < box.lower(i) || corner[i] > box.upper(i)) {
          fail("the box of a leaf does not enclose triangle " + std::to_string(id));
        }
      }
    }
    return problem_.empty() ? Flow::go_on : Flow::stop;
  }

  void fail(std::string problem) {
    if (problem_.empty()) problem_ = std::move(problem);
  }

  const Mesh& mesh_;
  Boxtree tree_;
  std::vector<bool> seen_;
  std::string problem_;
};

/// The first broken invariant, or "": each triangle is in exactly one leaf and in the derived boxes
/// of the leaf and of all its ancestors, and no leaf is deeper than the bound.
inline std::string validate(const Mesh& mesh, const OnePlaneView& tree) {
  return BoxtreeValidator(mesh, tree).validate();
}
template <class Planes>
std::string validate(const Mesh& mesh, const TwoPlaneView<Planes>& tree) {
  return BoxtreeValidator(mesh, tree).validate();
}

}  // namespace tandem::detail
