// The traversals of rays through a binary tree.
#pragma once

#include "math/type_list.h"
#include "traverse/ray/automaton.h"
#include "traverse/ray/backtrack.h"
#include "traverse/ray/restart_trail.h"
#include "traverse/ray/skip.h"
#include "traverse/ray/stack.h"
#include "tree/node_keys.h"
#include "tree/ray_tree.h"

namespace tandem::detail {

using BinaryRayTraversals = TypeList<DistanceStackState, AxisStackState, AutomatonState,
                                     CompactState, SkipState, RestartTrailState, BacktrackState>;

/// What a traversal needs to see of the tree.
template <class State>
struct BinaryRayView {
  using Type = RayTreeView;
};
template <>
struct BinaryRayView<BacktrackState> {
  using Type = KeyedRayTreeView;
};

}  // namespace tandem::detail
