// Top-down construction, which every binary builder shares. A builder decides where to split a set
// of triangles; the code here recurses, limits the depth and stores the nodes in pre-order.
//
// The build room decides the shape of hierarchies and fits volumes to a shape. It uses the mesh and
// tree rooms.
#pragma once

#include <tandem/mesh.h>
#include <tandem/sink.h>

#include <algorithm>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "tree/tree.h"
#include "volume/aabb.h"

namespace tandem::detail {

/// What builders know of a triangle: its box and its id. Builders reorder these, so that the
/// triangles of a subtree are next to each other in memory.
struct BoxedTriangle {
  Vec3f lower;
  std::uint32_t id;
  Vec3f upper;
  /// Keeps the bounds 16 bytes apart.
  std::uint32_t unused;

  Aabb box() const { return {lower, upper}; }
  /// Twice the centre of the box.
  double centre(int axis) const { return double{lower[axis]} + upper[axis]; }
};
using TriangleSet = std::span<BoxedTriangle>;

inline std::vector<BoxedTriangle> boxed_triangles(const Mesh& mesh) {
  std::vector<BoxedTriangle> result;
  result.reserve(mesh.triangle_count());
  for (std::uint32_t id = 0; id < mesh.triangle_count(); ++id) {
    const Aabb box = Aabb::fit(mesh.triangle(id).corner);
    result.push_back({box.lower, id, box.upper, 0});
  }
  return result;
}

/// The box of a set.
inline Aabb enclose(std::span<const BoxedTriangle> set) {
  Aabb box = set[0].box();
  for (const BoxedTriangle& triangle : set) box = Aabb::merge(box, triangle.box());
  return box;
}

/// Orders by centres along an axis, and by id where they are equal: results are the same on every
/// machine.
struct ByCentre {
  int axis;

  bool operator()(const BoxedTriangle& a, const BoxedTriangle& b) const {
    const double x = a.centre(axis);
    const double y = b.centre(axis);
    return x != y ? x < y : a.id < b.id;
  }
};

/// Halves the set at the median of its centres along `axis`; the halves are not sorted. Returns the
/// size of the first half.
inline std::size_t halve(TriangleSet set, int axis) {
  const std::size_t half = set.size() / 2;
  std::nth_element(set.begin(), set.begin() + static_cast<std::ptrdiff_t>(half), set.end(),
                   ByCentre{axis});
  return half;
}

/// The same with sorted halves, for builders whose result depends on the order within a set.
inline std::size_t halve_in_order(TriangleSet set, int axis) {
  std::sort(set.begin(), set.end(), ByCentre{axis});
  return set.size() / 2;
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

/// How a builder splits. `split(set, context)` reorders a set of two or more triangles and returns
/// the size of the first part, at least one and not all. The context is what a builder knows about
/// the ancestors of a set: `root(set)` makes that of the whole, `below(context, part)` that of a
/// part.
template <class Splitter>
concept SplitRule = requires(Splitter splitter, TriangleSet set,
                             const typename Splitter::Context& context) {
  { splitter.split(set, context) } -> std::same_as<std::size_t>;
  { splitter.root(set) } -> std::same_as<typename Splitter::Context>;
  { splitter.below(context, set) } -> std::same_as<typename Splitter::Context>;
};

/// For builders that need no context.
struct SetAlone {
  struct Context {};
  static Context root(TriangleSet) { return {}; }
  static Context below(Context, TriangleSet) { return {}; }
};

/// Splits down to single triangles, at most `k_max_depth` levels below the root: where a split by
/// the rule could exceed that, the set is halved instead.
template <SplitRule Splitter>
class TopDownBuilder {
 public:
  TopDownBuilder(Splitter splitter, const Progress& progress)
      : splitter_(std::move(splitter)), progress_(progress) {}

  TreeShape build(std::vector<BoxedTriangle> triangles) {
    if (triangles.empty()) return {};
    triangle_count_ = triangles.size();
    shape_.reserve(2 * triangles.size() - 1);
    place(triangles, splitter_.root(triangles), k_max_depth);
    return std::move(shape_);
  }

 private:
  using Context = typename Splitter::Context;

  void place(TriangleSet set, const Context& context, int levels_left) {
    if (set.size() == 1) {
      shape_.push_back(Link::leaf(set[0].id));
      report();
      return;
    }
    const bool must_halve = static_cast<int>(std::bit_width(set.size() - 1)) >= levels_left;
    const std::size_t first_count = must_halve ? halve_in_order(set, longest_axis(enclose(set)))
                                               : splitter_.split(set, context);
    const std::size_t node = shape_.size();
    shape_.push_back(Link::inner(0));
    for (const TriangleSet part : {set.first(first_count), set.subspan(first_count)}) {
      place(part, splitter_.below(context, part), levels_left - 1);
    }
    shape_[node] = Link::inner(static_cast<std::uint32_t>(shape_.size()));
  }

  void report() {
    constexpr std::size_t k_interval = 1 << 14;
    if (++placed_count_ % k_interval == 0 && progress_) {
      progress_(static_cast<double>(placed_count_) / static_cast<double>(triangle_count_));
    }
  }

  Splitter splitter_;
  const Progress& progress_;
  std::size_t triangle_count_ = 0;
  std::size_t placed_count_ = 0;
  TreeShape shape_;
};

}  // namespace tandem::detail
