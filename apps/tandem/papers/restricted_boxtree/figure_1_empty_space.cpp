// Figure 1 of the restricted boxtree paper: how much empty space there is between boxes and their
// parents' boxes. It reads the library's trees, so this file includes internal headers.
#include <algorithm>
#include <numeric>

#include "build/fit.h"
#include "papers/restricted_boxtree/restricted_boxtree.h"
#include "structure/shape.h"
#include "volume/restricted_cut.h"

namespace tandem::cli::restricted_boxtree {

namespace {

using detail::Aabb;
using detail::RestrictedBox;

// The share of its parent's box that a box leaves empty, after the best cut has removed the side of
// the split. Axes along which the parent is flat do not count.
double empty_share(const Aabb& parent, const Aabb& box) {
  RestrictedBox<> restricted(parent);
  restricted.move(best_cut(restricted, box).cut);
  const RestrictedBox<> tight(box);
  double filled = 1;
  for (int axis = 0; axis < 3; ++axis) {
    if (restricted.length(axis) > 0) filled *= tight.length(axis) / restricted.length(axis);
  }
  return 1 - filled;
}

int touching_sides(const Aabb& parent, const Aabb& box) {
  int count = 0;
  for (int axis = 0; axis < 3; ++axis) {
    count += box.lower[axis] == parent.lower[axis] ? 1 : 0;
    count += box.upper[axis] == parent.upper[axis] ? 1 : 0;
  }
  return count;
}

}  // namespace

double EmptySpace::nodes_within(double share) const {
  const auto end = std::upper_bound(shares.begin(), shares.end(), share);
  return static_cast<double>(end - shares.begin()) / static_cast<double>(shares.size());
}

EmptySpace measure_empty_space(const TumblingObject& object, Builder builder) {
  EmptySpace result{object.source, object.name, object.mesh.triangle_count(), builder, {}, 0};
  const auto boxes = detail::fit_tree<Aabb>(
      object.mesh, detail::build_shape(object.mesh, {.builder = builder.name()}, nullptr));
  const detail::TreeView<Aabb> tree = boxes.view();
  std::uint64_t touching = 0;
  for (std::uint32_t parent = 0; parent < tree.node_count(); ++parent) {
    if (tree.is_leaf(parent)) continue;
    const std::uint32_t end = tree.escape_index(parent);
    for (std::uint32_t child = tree.first_child(parent); child != end;
         child = tree.escape_index(child)) {
      result.shares.push_back(empty_share(tree.volume(parent), tree.volume(child)));
      touching +=
          static_cast<std::uint64_t>(touching_sides(tree.volume(parent), tree.volume(child)));
    }
  }
  std::sort(result.shares.begin(), result.shares.end());
  result.touching_sides = static_cast<double>(touching) / static_cast<double>(result.shares.size());
  return result;
}

}  // namespace tandem::cli::restricted_boxtree
