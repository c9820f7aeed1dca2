#include <algorithm>

#include "build/builders.h"
#include "build/fit.h"
#include "volume/aabb.h"

namespace tandem::detail {
namespace {

class Collapser {
 public:
  Collapser(const Mesh& mesh, const TreeShape& binary, int arity)
      : boxes_(fit_by_merging<Aabb>(mesh, binary)), view_(boxes_.view()), arity_(arity) {}

  TreeShape collapse() {
    if (!view_.empty()) place(0);
    return std::move(shape_);
  }

 private:
  void place(std::uint32_t node) {
    if (view_.is_leaf(node)) {
      shape_.push_back(Link::leaf(view_.triangle(node)));
      return;
    }
    const std::size_t placed = shape_.size();
    shape_.push_back(Link::inner(0));
    for (std::uint32_t child : children(node)) place(child);
    shape_[placed] = Link::inner(static_cast<std::uint32_t>(shape_.size()));
  }

  /// The node's children. As long as there is room, the largest inner one is replaced by its own
  /// children.
  std::vector<std::uint32_t> children(std::uint32_t node) const {
    std::vector<std::uint32_t> result = children_of(node);
    while (static_cast<int>(result.size()) < arity_) {
      auto largest = result.end();
      for (auto it = result.begin(); it != result.end(); ++it) {
        if (view_.is_leaf(*it)) continue;
        if (largest == result.end() || view_.volume(*it).size() > view_.volume(*largest).size()) {
          largest = it;
        }
      }
      if (largest == result.end()) break;
      const std::vector<std::uint32_t> grandchildren = children_of(*largest);
      const auto at = result.erase(largest);
      result.insert(at, grandchildren.begin(), grandchildren.end());
    }
    return result;
  }

  std::vector<std::uint32_t> children_of(std::uint32_t node) const {
    const std::uint32_t left = view_.first_child(node);
    return {left, view_.escape_index(left)};
  }

  Tree<Aabb> boxes_;
  TreeView<Aabb> view_;
  int arity_;
  TreeShape shape_;
};

}  // namespace

TreeShape collapse(const Mesh& mesh, const TreeShape& binary, int arity) {
  return arity == 2 ? binary : Collapser(mesh, binary, arity).collapse();
}

}  // namespace tandem::detail
