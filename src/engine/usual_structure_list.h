// The structures of a small library: what queries use that name none, one tree to look into, and
// brute force. As engine/structure_list.h, which says what the order means.
#pragma once

#include "engine/rays.h"
#include "engine/stored.h"
#include "engine/triangles.h"
#include "engine/wide.h"
#include "math/type_list.h"
#include "volume/aabb_overlap.h"

namespace tandem::detail {

using StructureList = TypeList<  //
    Wide,                        //
    Stored<Aabb>,                //
    RayWide,                     //
    RayBinary,                   //
    Triangles>;

}  // namespace tandem::detail
