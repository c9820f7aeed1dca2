// The structures that rays are traced through, and the traversals of each.
#pragma once

#include <cstddef>
#include <string_view>
#include <type_traits>

#include "build/wide/rays.h"
#include "engine/build_choices.h"
#include "math/type_list.h"
#include "structure/rays.h"
#include "traverse/ray/binary_traversals.h"
#include "traverse/ray/boxtree.h"
#include "traverse/ray/pairs.h"
#include "traverse/ray/query.h"
#include "traverse/ray/wide.h"

namespace tandem::detail {

/// Traces rays through a binary tree.
template <class State, class Tree>
struct BinaryTracer {
  Tree tree;
  const Mesh& mesh;

  // Out of line, so that the traversal's loop keeps its registers.
  template <class Observer>
  [[gnu::noinline]] Flow operator()(RayQuery& query, Observer& observer) const {
    return trace<State>(tree, mesh, query, observer);
  }
};

struct RayBinary {
  static constexpr std::string_view k_name = "ray-binary";
  static constexpr std::string_view k_description =
      "binary tree of boxes with links to parents and siblings, for rays";
  static constexpr std::size_t k_bytes_per_node = sizeof(RayNode);
  using Builders = TypeList<>;
  static constexpr BuildChoices k_choices{};
  using RayTraversals = BinaryRayTraversals;

  template <class State>
  static auto tracer(const Structures& structures, const Progress& progress) {
    const RayTreeView tree = structures.get<RayTree>(progress).view();
    if constexpr (std::is_same_v<State, BacktrackState>) {
      const KeyedRayTreeView keyed{tree, structures.get<NodeKeys>().view()};
      return BinaryTracer<State, KeyedRayTreeView>{keyed, structures.mesh()};
    } else {
      return BinaryTracer<State, RayTreeView>{tree, structures.mesh()};
    }
  }
};

template <class State>
struct PairTracer {
  RayPairView tree;

  template <class Observer>
  [[gnu::noinline]] Flow operator()(RayQuery& query, Observer& observer) const {
    return trace_pairs<State>(tree, query, observer);
  }
};

struct RayPairs {
  static constexpr std::string_view k_name = RayPairTree::k_name;
  static constexpr std::string_view k_description =
      "binary tree with both boxes of a node side by side, for rays on devices";
  static constexpr std::size_t k_bytes_per_node = sizeof(RayPairNode);
  using Builders = RayBuilders;
  static constexpr BuildChoices k_choices{};
  using RayTraversals = TypeList<PairState<LinkStack>, PairState<LinkRing>>;

  template <class State>
  static PairTracer<State> tracer(const Structures& structures, const Progress& progress) {
    return {structures.get<RayPairTree>(progress).view()};
  }
};

/// Traces rays through the wide tree; those that float32 cannot trace go through the binary one.
struct WideTracer {
  const Structures& structures;
  WideRayTreeView tree;

  Flow trace_batch(const RayBatch& batch, RayStatistics& statistics) const {
    return trace_wide(tree, batch, {trace_in_double, &structures}, statistics);
  }

 private:
  static Flow trace_in_double(const void* context, RayQuery& query, RayStatistics* statistics) {
    const auto& structures = *static_cast<const Structures*>(context);
    const auto tracer = RayBinary::tracer<DistanceStackState>(structures, nullptr);
    if (statistics == nullptr) {
      NullRayObserver observer;
      return tracer(query, observer);
    }
    CountingRayObserver observer;
    const Flow flow = tracer(query, observer);
    *statistics += observer.statistics;
    return flow;
  }
};

struct RayWide {
  static constexpr std::string_view k_name = WideRayTree::k_name;
  static constexpr std::string_view k_description =
      "up to eight boxes per node and eight triangles per leaf, for rays";
  static constexpr std::size_t k_bytes_per_node = sizeof(WideRayNode) / WideRayNode::k_width;
  using Builders = RayBuilders;
  static constexpr BuildChoices k_choices{};
  using RayTraversals = TypeList<Lanes>;

  template <class>
  static WideTracer tracer(const Structures& structures, const Progress& progress) {
    return {structures, structures.get<WideRayTree>(progress).view()};
  }
};

struct BoxtreeTracer {
  RayBoxtree::View tree;
  const Mesh& mesh;

  template <class Observer>
  Flow operator()(RayQuery& query, Observer& observer) const {
    return BoxtreeRayTraversal(tree, mesh, query, observer).run();
  }
};

struct RayBoxtrees {
  static constexpr std::string_view k_name = "ray-boxtree";
  static constexpr std::string_view k_description = "a packed boxtree with small leaves, for rays";
  static constexpr std::size_t k_bytes_per_node = RayBoxtree::Boxtree::k_bytes_per_node;
  using Builders = TypeList<>;
  static constexpr BuildChoices k_choices{};
  using RayTraversals = TypeList<RayRecursive>;

  template <class>
  static BoxtreeTracer tracer(const Structures& structures, const Progress& progress) {
    return {structures.get<RayBoxtree>(progress).view(), structures.mesh()};
  }
};

}  // namespace tandem::detail
