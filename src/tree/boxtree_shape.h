// The shape that a boxtree was made of.
#pragma once

#include <cstdint>
#include <vector>

#include "tree/boxtree_view.h"
#include "tree/tree.h"
#include "volume/restricted_box.h"

namespace tandem::detail {

/// Goes down a boxtree and notes its nodes in pre-order. What was below a leaf of several triangles
/// is not known any more; halving them again and again makes no leaf deeper than it was.
template <class View>
class BoxtreeShape {
 public:
  explicit BoxtreeShape(const View& tree) : tree_(tree) {
    visit(tree.root(), RestrictedBox<>(tree.root_box()));
  }
  TreeShape take() { return std::move(shape_); }

 private:
  using Node = typename View::Node;

  void visit(const Node& node, const RestrictedBox<>& box) {
    if (tree_.is_leaf(node)) {
      triangles_.clear();
      tree_.triangles(node, [&](std::uint32_t id) {
        triangles_.push_back(id);
        return Flow::go_on;
      });
      return halve(0, triangles_.size());
    }
    const std::size_t place = begin_inner();
    const auto cut = [](RestrictedBox<>& child_box, const Cut& by) { child_box.move(by); };
    tree_.children(node, box, cut, [&](const Node& child, const RestrictedBox<>& child_box) {
      visit(child, child_box);
      return Flow::go_on;
    });
    end_inner(place);
  }

  void halve(std::size_t begin, std::size_t end) {
    if (end - begin == 1) return shape_.push_back(Link::leaf(triangles_[begin]));
    const std::size_t place = begin_inner();
    halve(begin, begin + (end - begin) / 2);
    halve(begin + (end - begin) / 2, end);
    end_inner(place);
  }

  std::size_t begin_inner() {
    shape_.push_back(Link::inner(0));
    return shape_.size() - 1;
  }
  void end_inner(std::size_t place) {
    shape_[place] = Link::inner(static_cast<std::uint32_t>(shape_.size()));
  }

  const View& tree_;
  TreeShape shape_;
  /// Of one leaf.
  std::vector<std::uint32_t> triangles_;
};

template <class View>
TreeShape shape_of_boxtree(const View& tree) {
  return BoxtreeShape<View>(tree).take();
}

}  // namespace tandem::detail
