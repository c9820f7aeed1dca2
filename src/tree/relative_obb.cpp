#include "tree/relative_obb.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace tandem::detail {
namespace {

/// A frame in the mesh's: axes as columns, and an origin.
struct Frame {
  double axes[3][3];
  Vec3d origin;

  Vec3d axis(int j) const { return {axes[0][j], axes[1][j], axes[2][j]}; }

  /// The rows of the inverse of the axes. Their transpose would pass on, doubled at each level, how
  /// far from orthonormal they are.
  std::array<Vec3d, 3> inverse() const {
    const Vec3d first = cross(axis(1), axis(2));
    const double volume = dot(axis(0), first);
    return {(1 / volume) * first, (1 / volume) * cross(axis(2), axis(0)),
            (1 / volume) * cross(axis(0), axis(1))};
  }
};

/// The box with its sides in order and its axes right-handed.
Obb sorted(const Obb& box) {
  std::array<int, 3> order = {0, 1, 2};
  std::sort(order.begin(), order.end(), [&](int i, int j) { return box.half[i] > box.half[j]; });
  Obb result = box;
  for (int j = 0; j < 3; ++j) {
    result.half[j] = box.half[order[j]];
    for (int i = 0; i < 3; ++i) result.axes[i][j] = box.axes[i][order[j]];
  }
  const auto column = [&](int j) {
    return Vec3d{result.axes[0][j], result.axes[1][j], result.axes[2][j]};
  };
  if (dot(cross(column(0), column(1)), column(2)) < 0) {
    for (auto& row : result.axes) row[2] = -row[2];
  }
  return result;
}

class RelativeBoxes {
 public:
  explicit RelativeBoxes(const TreeView<Obb>& boxes) : boxes_(boxes) {}

  Tree<Obb> make() {
    if (boxes_.empty()) return {};
    const TreeShape shape = shape_of(boxes_);
    for (const Link link : shape) nodes_.push_back({Obb{}, link});
    const Obb& root = boxes_.volume(0);
    root_reach_ = root.half.x + root.half.y + root.half.z;
    place(0, {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {0, 0, 0}}, 0);
    return {std::move(nodes_), shape};
  }

 private:
  /// `way`: how far the centres of the boxes above are apart, one after the other.
  void place(std::uint32_t node, const Frame& parent, double way) {
    const Obb box = sorted(boxes_.volume(node));
    Obb& relative = nodes_[node].volume;
    const Vec3d offset = Vec3d(box.centre) - parent.origin;
    const std::array<Vec3d, 3> to_parent = parent.inverse();
    for (int i = 0; i < 3; ++i) {
      relative.centre[i] = static_cast<float>(dot(to_parent[i], offset));
      for (int j = 0; j < 3; ++j) {
        const Vec3d axis{box.axes[0][j], box.axes[1][j], box.axes[2][j]};
        relative.axes[i][j] = static_cast<float>(dot(to_parent[i], axis));
      }
    }
    // Where that is, rounded: what descendants are relative to.
    Frame frame{};
    for (int i = 0; i < 3; ++i) {
      frame.origin[i] = parent.origin[i];
      for (int k = 0; k < 3; ++k) {
        frame.origin[i] += parent.axes[i][k] * double{relative.centre[k]};
        for (int j = 0; j < 3; ++j) {
          frame.axes[i][j] += parent.axes[i][k] * double{relative.axes[k][j]};
        }
      }
    }
    const Vec3d moved = frame.origin - Vec3d(box.centre);
    const double sum = double{box.half.x} + box.half.y + box.half.z;
    const double margin =
        std::sqrt(dot(moved, moved)) + k_relative_axis_error * (4 * sum + root_reach_ + way);
    for (int j = 0; j < 3; ++j) relative.half[j] = round_up(box.half[j] + margin);
    if (boxes_.is_leaf(node)) return;
    if (node != 0) way += std::sqrt(dot(offset, offset));
    const std::uint32_t end = boxes_.escape_index(node);
    for (std::uint32_t child = boxes_.first_child(node); child != end;
         child = boxes_.escape_index(child)) {
      place(child, frame, way);
    }
  }

  TreeView<Obb> boxes_;
  std::vector<Tree<Obb>::Node> nodes_;
  double root_reach_ = 0;
};

}  // namespace

RelativeObbTree::RelativeObbTree(const TreeView<Obb>& boxes) : tree_(RelativeBoxes(boxes).make()) {}

}  // namespace tandem::detail
