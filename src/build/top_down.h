// Top-down construction: the frame that every builder shares. A builder says where to split a set
// of triangles; the frame recurses, keeps the depth within bounds and lays the nodes out in
// pre-order.
//
// The build room decides the shape of hierarchies and fits volumes to a shape. It uses the mesh and
// tree rooms.
#pragma once

#include <tandem/mesh.h>
#include <tandem/model.h>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <numeric>
#include <span>
#include <vector>

#include "tree/tree.h"
#include "volume/aabb.h"

namespace tandem::detail {

/// The boxes of a mesh's triangles, by id.
class TriangleBoxes {
 public:
  explicit TriangleBoxes(const Mesh& mesh) {
    boxes_.reserve(mesh.triangle_count());
    for (std::size_t id = 0; id < mesh.triangle_count(); ++id) {
      boxes_.push_back(Aabb::fit(mesh.triangle(id).corner));
    }
  }

  std::size_t size() const { return boxes_.size(); }
  const Aabb& operator[](std::uint32_t id) const { return boxes_[id]; }

  /// Twice the centre of a triangle's box.
  double centre(std::uint32_t id, int axis) const {
    return double{boxes_[id].lower[axis]} + boxes_[id].upper[axis];
  }

  /// The box of a set.
  Aabb enclose(std::span<const std::uint32_t> ids) const {
    Aabb box = boxes_[ids[0]];
    for (std::uint32_t id : ids) box = Aabb::merge(box, boxes_[id]);
    return box;
  }

 private:
  std::vector<Aabb> boxes_;
};

/// Halves the set at the median of its centres along `axis`; equal centres are ordered by id, so
/// the result is the same on every machine. Returns the size of the first half.
inline std::size_t halve(const TriangleBoxes& boxes, std::span<std::uint32_t> ids, int axis) {
  const std::size_t half = ids.size() / 2;
  std::nth_element(ids.begin(), ids.begin() + static_cast<std::ptrdiff_t>(half), ids.end(),
                   [&](std::uint32_t a, std::uint32_t b) {
                     const double x = boxes.centre(a, axis);
                     const double y = boxes.centre(b, axis);
                     return x != y ? x < y : a < b;
                   });
  return half;
}

inline int longest_axis(const Aabb& box) {
  int longest = 0;
  double length = -1;
  for (int axis = 0; axis < 3; ++axis) {
    const double side = double{box.upper[axis]} - box.lower[axis];
    if (side > length) {
      length = side;
      longest = axis;
    }
  }
  return longest;
}

/// `split(boxes, ids)` reorders a set of two or more triangles and returns how many come first, at
/// least one and not all. Down to single triangles, at most `k_max_depth` levels below the root:
/// where a further free split could exceed that, the set is halved instead.
template <class Split>
class TopDownBuilder {
 public:
  TopDownBuilder(const Mesh& mesh, Split split, const Progress& progress)
      : boxes_(mesh), split_(split), progress_(progress) {}

  TreeShape build() {
    if (boxes_.size() == 0) return {};
    std::vector<std::uint32_t> ids(boxes_.size());
    std::iota(ids.begin(), ids.end(), 0U);
    shape_.reserve(2 * ids.size() - 1);
    place(ids, k_max_depth);
    return std::move(shape_);
  }

 private:
  void place(std::span<std::uint32_t> ids, int levels_left) {
    if (ids.size() == 1) {
      shape_.push_back(Link::leaf(ids[0]));
      report();
      return;
    }
    const bool must_halve = static_cast<int>(std::bit_width(ids.size() - 1)) >= levels_left;
    const std::size_t first_count =
        must_halve ? halve(boxes_, ids, longest_axis(boxes_.enclose(ids))) : split_(boxes_, ids);
    const std::size_t node = shape_.size();
    shape_.push_back(Link::inner(0));
    place(ids.first(first_count), levels_left - 1);
    place(ids.subspan(first_count), levels_left - 1);
    shape_[node] = Link::inner(static_cast<std::uint32_t>(shape_.size()));
  }

  void report() {
    constexpr std::size_t k_interval = 1 << 14;
    if (++placed_count_ % k_interval == 0 && progress_) {
      progress_(static_cast<double>(placed_count_) / static_cast<double>(boxes_.size()));
    }
  }

  TriangleBoxes boxes_;
  Split split_;
  const Progress& progress_;
  std::size_t placed_count_ = 0;
  TreeShape shape_;
};

}  // namespace tandem::detail
