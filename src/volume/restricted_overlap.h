// The overlap tests of restricted boxes (restricted boxtree paper, section 3.2). After a cut, a
// test updates what it knows about a box instead of computing it again, and compares only what
// moved.
//
// Four tests, with the operations for a pair whose boxes have both moved since it was last tested:
//
//   RestrictedSatLite      the axes of both boxes                              22 operations
//   RestrictedAlignment    B's box along A's axes                              12
//   RestrictedLookup       the same with products from a table                 10
//   RestrictedSat          all fifteen axes                                    70
//
// What a test knows about a box of A is its type `BoxA`, about one of B `BoxB`; `root_a` and
// `root_b` are those of the roots. There are two ways to use a test:
//
//   - Where one cut makes a child's box, `cut_a` and `cut_b` keep everything up to date. `meets`
//     compares what the last cut of either box moved, given that their parents met.
//   - Where several cuts make it, `move_a` and `move_b` only move sides, `settle_a` and `settle_b`
//     compute the rest once, and `meets_fully` compares everything.
#pragma once

#include "math/type_list.h"
#include "volume/restricted_alignment.h"
#include "volume/restricted_lookup.h"
#include "volume/restricted_sat.h"
#include "volume/restricted_sat_lite.h"

namespace tandem::detail {

/// By default a query takes the first one.
using RestrictedOverlapTests =
    TypeList<RestrictedSatLite<>, RestrictedAlignment<>, RestrictedLookup<>, RestrictedSat<>>;

}  // namespace tandem::detail
