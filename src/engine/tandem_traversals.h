// All traversals of two structures: one line each. Lists and names follow this order.
#pragma once

#include "math/type_list.h"
#include "traverse/tandem/brute_force.h"
#include "traverse/tandem/leaf.h"
#include "traverse/tandem/list.h"
#include "traverse/tandem/one_level_up.h"
#include "traverse/tandem/recursive.h"
#include "traverse/tandem/scheduled.h"
#include "traverse/tandem/stack.h"
#include "traverse/tandem/stackless.h"
#include "traverse/tandem/trail.h"
#include "traverse/wide/blocks.h"

namespace tandem::detail {

using TandemTraversals = TypeList<  //
    Blocks,                         //
    BruteForce,                     //
    Recursive,                      //
    Leaf,                           //
    DynamicStack,                   //
    AlternatingStack,               //
    Stackless,                      //
    StacklessPost,                  //
    Trail,                          //
    Scheduled,                      //
    OneLevelUp,                     //
    List,                           //
    ListPairs,                      //
    ListFours>;

}  // namespace tandem::detail
