// All structures: one line each. The first is the one that models are made for by default; for rays
// it is the first that rays can be traced through. src/CMakeLists.txt counts the lines.
#pragma once

#include "engine/boxtree.h"
#include "engine/rays.h"
#include "engine/stored.h"
#include "engine/triangles.h"
#include "engine/wide.h"
#include "math/type_list.h"
#include "volume/aabb_overlap.h"
#include "volume/kdop.h"
#include "volume/obb.h"
#include "volume/sphere.h"

namespace tandem::detail {

using StructureList = TypeList<                //
    Wide,                                      //
    Stored<Aabb>,                              //
    Stored<Sphere>,                            //
    Stored<Obb>,                               //
    RelativeObbs,                              //
    Stored<Kdop<6>>,                           //
    Stored<Kdop<14>>,                          //
    Stored<Kdop<18>>,                          //
    Stored<Kdop<24>>,                          //
    Stored<Kdop<26>>,                          //
    BoxtreeOf<OnePlaneBoxtree>,                //
    BoxtreeOf<TwoPlaneBoxtree<FloatPlanes>>,   //
    BoxtreeOf<TwoPlaneBoxtree<PackedPlanes>>,  //
    RayWide,                                   //
    RayBinary,                                 //
    RayPairs,                                  //
    RayBoxtrees,                               //
    Triangles>;

}  // namespace tandem::detail
