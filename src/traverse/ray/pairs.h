// Rays through the tree of pairs, closer child first, in float32: with a stack, and with a few
// registers and no stack. On the host and on devices.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string_view>

#include "math/float_steps.h"
#include "traverse/ray/float_ray.h"
#include "traverse/ray/query.h"
#include "tree/ray_pairs.h"
#include "tree/tree.h"

namespace tandem::detail {

/// One of two values that are in registers, which have no addresses.
template <class T>
TANDEM_HD T pick(const T (&values)[2], int which) {
  return which == 0 ? values[0] : values[1];
}

/// Tests boxes in float32, for rays that `make_pair_ray` accepts.
class FloatPairTests {
 public:
  using Distance = float;

  TANDEM_HD explicit FloatPairTests(const PairRay& ray) : ray_(ray) {}

  /// Whether the ray enters the box of a child before the limit, and at which distance. This is the
  /// same for any limit.
  TANDEM_HD bool hits(const RayPairNode& node, int child, float limit, float* distance) const {
    float near[3];
    float far[3];
    for (int axis = 0; axis < 3; ++axis) {
      const float steepness = std::fabs(ray_.inverse[axis]);
      const float half = node.half[child][axis];
      const float middle =
          multiply_add(node.centre[child][axis], ray_.inverse[axis], ray_.offset[axis]);
      near[axis] = multiply_add(-half, steepness, middle);
      far[axis] = multiply_add(half, steepness, middle);
    }
    *distance = largest_of(near[0], near[1], near[2], ray_.t_min);
    return *distance <= PairRay::k_farther * smallest_of(far[0], far[1], far[2], limit);
  }

 private:
  PairRay ray_;
};

/// The same in double, for all others.
class DoublePairTests {
 public:
  using Distance = double;

  TANDEM_HD explicit DoublePairTests(const ValidRay& ray) : slabs_(ray) {}

  TANDEM_HD bool hits(const RayPairNode& node, int child, float limit, double* distance) const {
    Vec3d lower;
    Vec3d upper;
    for (int axis = 0; axis < 3; ++axis) {
      const double centre = node.centre[child][axis];
      const double half = node.half[child][axis];
      if (half < 0) return false;
      lower[axis] = centre - half;
      upper[axis] = centre + half;
    }
    *distance = slabs_.entry(lower, upper, limit);
    return *distance < std::numeric_limits<double>::infinity();
  }

 private:
  RaySlabs slabs_;
};

/// A node in one piece. Left alone, compilers for devices read the links of the children after the
/// boxes are tested, and wait a second time.
TANDEM_HD inline RayPairNode load(const RayPairNode* node) {
#if defined(__CUDA_ARCH__)
  union {
    float4 parts[4];
    RayPairNode node;
  } result;
  for (int i = 0; i < 4; ++i) {
    float4& part = result.parts[i];
    asm volatile("ld.global.nc.v4.f32 {%0, %1, %2, %3}, [%4];"
                 : "=f"(part.x), "=f"(part.y), "=f"(part.z), "=f"(part.w)
                 : "l"(reinterpret_cast<const float4*>(node) + i));
  }
  return result.node;
#else
  return *node;
#endif
}

/// Both children of a node, tested.
template <class Tests>
class TestedPair {
 public:
  TANDEM_HD TestedPair(const RayPairNode& node, const Tests& tests, float limit) {
    typename Tests::Distance distance[2] = {};
    hit_[0] = tests.hits(node, 0, limit, &distance[0]);
    hit_[1] = tests.hits(node, 1, limit, &distance[1]);
    second_first_ = hit_[1] && (!hit_[0] || distance[1] < distance[0]);
  }

  TANDEM_HD bool any() const { return hit_[0] || hit_[1]; }
  TANDEM_HD bool both() const { return hit_[0] && hit_[1]; }
  /// The one to visit first, if both are hit; or the only one that is. Equally close ones in order.
  TANDEM_HD int closer() const { return second_first_ ? 1 : 0; }

 private:
  bool hit_[2];
  bool second_first_;
};

// What remembers children that wait has two parts: a `Cursor`, which fits into registers, and a
// `Room`, whose elements need addresses.

/// Remembers all children that wait. A descent leaves one per level behind, so the depth bounds the
/// size.
struct LinkStack {
  static constexpr std::string_view k_name = "pairs";
  static constexpr std::string_view k_description =
      "with a stack, both boxes of a node at once, closer one first";

  using Room = std::array<std::uint32_t, k_max_depth + 1>;

  struct Cursor {
    std::uint32_t count = 0;

    template <class Room>
    TANDEM_HD void push(Room& room, std::uint32_t link) {
      room[count++] = link;
    }

    /// Where to go on, from the link `from`; k_none when all is done.
    template <class Room, class Tests>
    TANDEM_HD std::uint32_t next(const Room& room, const RayPairView&, const Tests&, float,
                                 std::uint32_t) {
      return count == 0 ? RayPairView::k_none : room[--count];
    }
  };
};

/// Remembers the last few children that wait, and how many older ones it has forgotten. These it
/// finds again on the way up along parents, by testing both boxes of each node as on the way down:
/// the distances to boxes do not change. From the closer child it goes on to the farther one if
/// that is still hit; from the farther one, farther up.
///
/// Boxes that are hit may be missed later, when the limit is lower, but not the other way round.
/// The box from which it comes is one that is still hit where it is the closer one: while it was
/// visited, nothing but a hit in it has lowered the limit.
template <std::uint32_t k_links>
struct LinkRingOf {
  static constexpr std::string_view k_name = "pairs-stackless";
  static constexpr std::string_view k_description =
      "the same with the last sixteen that wait and no stack, back along parents";

  static constexpr std::uint32_t k_size = k_links;
  using Room = std::array<std::uint32_t, k_size>;

  class Cursor {
   public:
    template <class Room>
    TANDEM_HD void push(Room& room, std::uint32_t link) {
      room[static_cast<std::uint32_t>(count_) % k_size] = link;
      ++count_;
      forgotten_ = std::max(forgotten_, count_ - static_cast<std::int32_t>(k_size));
    }

    template <class Room, class Tests>
    TANDEM_HD std::uint32_t next(const Room& room, const RayPairView& tree, const Tests& tests,
                                 float limit, std::uint32_t from) {
      --count_;
      if (count_ >= forgotten_) return room[static_cast<std::uint32_t>(count_) % k_size];
      if (count_ < 0) {
        *this = {};
        return RayPairView::k_none;
      }
      forgotten_ = count_;
      const std::uint32_t link = find_again(tree, tests, limit, from);
      // If there is none, those that were forgotten are not hit any more.
      if (link == RayPairView::k_none) *this = {};
      return link;
    }

   private:
    /// Goes up to the first child that waits. Rare, and not inlined, so that the loop around it
    /// keeps its registers.
    template <class Tests>
    [[gnu::noinline]] TANDEM_HD static std::uint32_t find_again(const RayPairView tree,
                                                                const Tests tests, float limit,
                                                                std::uint32_t from) {
      std::uint32_t parent = RayPairView::is_leaf(from)
                                 ? tree.triangles[RayPairView::first_triangle(from)].parent
                                 : tree.nodes[from].parent;
      while (parent != RayPairView::k_none) {
        const RayPairNode node = load(tree.nodes + parent);
        const TestedPair<Tests> pair(node, tests, limit);
        const int side = node.child[0] == from ? 0 : 1;
        if (side == pair.closer() && pair.both()) return pick(node.child, 1 - side);
        from = parent;
        parent = node.parent;
      }
      return RayPairView::k_none;
    }

    std::int32_t count_ = 0;
    /// How many of these, the oldest, are forgotten.
    std::int32_t forgotten_ = 0;
  };
};
using LinkRing = LinkRingOf<16>;

/// A ray on its way through a tree that is not empty. `Room` is where it remembers what waits.
template <class Memory, class Room = typename Memory::Room>
class PairState {
 public:
  static constexpr std::string_view k_name = Memory::k_name;
  static constexpr std::string_view k_description = Memory::k_description;

  PairState() = default;
  TANDEM_HD explicit PairState(const Room& room) : room_(room) {}

  TANDEM_HD bool finished() const { return link_ == RayPairView::k_none; }

  /// Goes on until the budget is spent. First down through nodes, then through a leaf: threads of a
  /// warp that do the same do it together.
  template <class Tests, class Query, class Observer, class Budget>
  TANDEM_HD Flow advance(const RayPairView& tree, const Tests& tests, Query& query,
                         Observer& observer, Budget budget) {
    // Copies, which are in registers while the loop runs.
    Cursor cursor = cursor_;
    std::uint32_t link = link_;
    const Flow flow = advance(tree, tests, query, observer, budget, cursor, link);
    cursor_ = cursor;
    link_ = link;
    return flow;
  }

 private:
  using Cursor = typename Memory::Cursor;

  template <class Tests, class Query, class Observer, class Budget>
  TANDEM_HD Flow advance(const RayPairView& tree, const Tests& tests, Query& query,
                         Observer& observer, Budget& budget, Cursor& cursor, std::uint32_t& link) {
    while (link != RayPairView::k_none) {
      while (!RayPairView::is_leaf(link)) {
        if (!budget.spend()) return Flow::go_on;
        observer.node_visit(link);
        observer.box_test(link, 2);
        const RayPairNode node = load(tree.nodes + link);
        const TestedPair<Tests> pair(node, tests, query.limit());
        const int closer = pair.closer();
        if (!pair.any()) {
          link = cursor.next(room_, tree, tests, query.limit(), link);
          continue;
        }
        if (pair.both()) cursor.push(room_, pick(node.child, 1 - closer));
        link = pick(node.child, closer);
      }
      if (link == RayPairView::k_none) break;
      const std::uint32_t first = RayPairView::first_triangle(link);
      const std::uint32_t count = RayPairView::triangle_count_of(link);
      observer.leaf_visit(link);
      observer.triangle_test(link, count);
      for (std::uint32_t i = 0; i < count; ++i) {
        const RayPairTriangle triangle = tree.triangles[first + i];
        if (query.test(triangle.id, triangle.corners, first + i) == Flow::stop) return Flow::stop;
      }
      link = cursor.next(room_, tree, tests, query.limit(), link);
      if (budget.ends_after_leaf()) return Flow::go_on;
    }
    return Flow::go_on;
  }

  Room room_;
  Cursor cursor_;
  std::uint32_t link_ = 0;
};

/// Traces a ray to its end.
template <class State, class Query, class Observer>
TANDEM_HD Flow trace_pairs(const RayPairView& tree, Query& query, Observer& observer) {
  if (tree.empty()) return Flow::go_on;
  State state;
  PairRay ray;
  if (!make_pair_ray(query.ray(), tree.largest_coordinate(), &ray)) {
    return state.advance(tree, DoublePairTests(query.ray()), query, observer, NoBudget());
  }
  FloatFiltered<Query> filtered(query);
  return state.advance(tree, FloatPairTests(ray), filtered, observer, NoBudget());
}

}  // namespace tandem::detail
