// Ways to trace rays. A way has the views of a structure and says how a thread does it:
//
//   empty()                    whether there is nothing to hit
//   Traveller                  what a thread keeps of a ray on its way, beside the query
//   Shared                     what the threads of a block share
//   begin(valid, thread, shared, &traveller)
//                              false when float32 arithmetic cannot trace the ray. It makes states
//                              where they stay, as it takes long to copy a stack
//   advance(traveller, query, observer, budget)
//                              goes on for about so many nodes
//   finished(traveller)        whether it has seen all that there is
//   some_nodes()               a budget after which the threads of a warp wait for each other
//   triangle(place), id(place) the triangle at a place that the query was told of
//   trace_exactly(query)       traces any ray from the beginning to the end
#pragma once

#include <cstdint>
#include <new>

#include "gpu/kernel.h"
#include "traverse/ray/binary_traversals.h"
#include "traverse/ray/pairs.h"
#include "traverse/ray/wide_levels.h"

namespace tandem::detail {

/// Through pairs of boxes.
struct PairWay {
  RayPairView tree;

  TANDEM_HD bool empty() const { return tree.empty(); }
  template <class Traveller, class Query, class Observer, class Budget>
  TANDEM_HD Flow advance(Traveller& traveller, Query& query, Observer& observer,
                         Budget budget) const {
    return traveller.state.advance(tree, FloatPairTests(traveller.ray), query, observer, budget);
  }
  template <class Traveller>
  TANDEM_HD bool finished(const Traveller& traveller) const {
    return traveller.state.finished();
  }
  TANDEM_HD static LeafBudget some_nodes() { return {}; }
  TANDEM_HD TriangleF triangle(std::uint32_t place) const { return tree.triangles[place].corners; }
  TANDEM_HD std::uint32_t id(std::uint32_t place) const { return tree.triangles[place].id; }
  template <class Query>
  TANDEM_HD Flow trace_exactly(Query& query) const {
    NullRayObserver observer;
    return trace_pairs<PairState<LinkStack>>(tree, query, observer);
  }
};

/// Through pairs of boxes, with a stack.
struct PairStackWay : PairWay {
  using Shared = NothingShared;
  struct Traveller {
    PairRay ray;
    PairState<LinkStack> state;
  };

  TANDEM_HD bool begin(const ValidRay& valid, std::uint32_t, Shared&, Traveller* traveller) const {
    new (&traveller->state) PairState<LinkStack>;
    return make_pair_ray(valid, tree.largest_coordinate(), &traveller->ray);
  }
};

/// The same without a stack. What a ray remembers is in the memory that its block shares.
template <class Ring = LinkRing>
struct PairRingWay : PairWay {
  /// The links of a thread are this far apart, so that threads do not wait for each other.
  static constexpr std::uint32_t k_most_threads = 128;
  struct Shared {
    std::uint32_t links[Ring::k_size][k_most_threads];
  };
  struct Room {
    std::uint32_t* first;
    TANDEM_HD std::uint32_t& operator[](std::uint32_t i) const { return first[i * k_most_threads]; }
  };
  struct Traveller {
    PairRay ray;
    PairState<Ring, Room> state;
  };

  TANDEM_HD bool begin(const ValidRay& valid, std::uint32_t thread, Shared& shared,
                       Traveller* traveller) const {
    traveller->state = PairState<Ring, Room>(Room{&shared.links[0][thread]});
    return make_pair_ray(valid, tree.largest_coordinate(), &traveller->ray);
  }
};

/// The corners of triangles by id.
struct TriangleCorners {
  const TriangleF* corners;
  TANDEM_HD const TriangleF& triangle(std::uint32_t id) const { return corners[id]; }
};

/// Through a binary tree, by any of its traversals.
template <class State>
struct BinaryWay {
  typename BinaryRayView<State>::Type tree;
  TriangleCorners triangles;
  float largest_coordinate;

  using Shared = NothingShared;
  struct Traveller {
    Slabs<float> slabs;
    State state;
  };

  TANDEM_HD bool empty() const { return tree.empty(); }
  TANDEM_HD bool begin(const ValidRay& valid, std::uint32_t, Shared&, Traveller* traveller) const {
    FloatRay ray;
    // A root that is a leaf needs no traversal.
    if (tree.is_leaf(0) || !make_float_ray(valid, largest_coordinate, &ray)) return false;
    traveller->slabs = Slabs<float>(valid, {ray.inverse[0], ray.inverse[1], ray.inverse[2]});
    new (&traveller->state) State(tree, traveller->slabs);
    return true;
  }
  template <class Query, class Observer, class Budget>
  TANDEM_HD Flow advance(Traveller& traveller, Query& query, Observer& observer,
                         Budget budget) const {
    return traveller.state.advance(tree, triangles, traveller.slabs, query, observer, budget);
  }
  TANDEM_HD static NodeBudget some_nodes() { return {32}; }
  TANDEM_HD TriangleF triangle(std::uint32_t place) const { return triangles.triangle(place); }
  TANDEM_HD static std::uint32_t id(std::uint32_t place) { return place; }
  TANDEM_HD bool finished(const Traveller& traveller) const { return traveller.state.finished(); }
  template <class Query>
  TANDEM_HD Flow trace_exactly(Query& query) const {
    NullRayObserver observer;
    return trace<DistanceStackState>(tree, triangles, query, observer);
  }
};

/// Through the wide tree. Rays that float32 cannot trace go through the binary one.
struct WideWay {
  WideRayTreeView tree;
  RayTreeView binary;
  TriangleCorners triangles;

  using Shared = NothingShared;
  struct Traveller {
    FloatRay ray;
    WideLevels state;
  };

  TANDEM_HD bool empty() const { return tree.empty(); }
  TANDEM_HD bool begin(const ValidRay& valid, std::uint32_t, Shared&, Traveller* traveller) const {
    new (&traveller->state) WideLevels(tree);
    return make_float_ray(valid, tree.largest_coordinate, &traveller->ray);
  }
  template <class Query, class Observer, class Budget>
  TANDEM_HD Flow advance(Traveller& traveller, Query& query, Observer& observer,
                         Budget budget) const {
    return traveller.state.advance(tree, traveller.ray, query, observer, budget);
  }
  TANDEM_HD static NodeBudget some_nodes() { return {32}; }
  TANDEM_HD TriangleF triangle(std::uint32_t place) const { return triangles.triangle(place); }
  TANDEM_HD static std::uint32_t id(std::uint32_t place) { return place; }
  TANDEM_HD bool finished(const Traveller& traveller) const { return traveller.state.finished(); }
  template <class Query>
  TANDEM_HD Flow trace_exactly(Query& query) const {
    NullRayObserver observer;
    return trace<DistanceStackState>(binary, triangles, query, observer);
  }
};

}  // namespace tandem::detail
