// How far apart pairs of children are at least: what searches for distances need.
//
// Distances are in A's units. What kernels call a lower bound is one whatever was rounded, so that
// leaving out what is farther than a limit loses nothing.
#if defined(TANDEM_WIDE_NEAR_NODES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TANDEM_WIDE_NEAR_NODES_INL
#undef TANDEM_WIDE_NEAR_NODES_INL
#else
#define TANDEM_WIDE_NEAR_NODES_INL
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <limits>

#include "traverse/wide/kernels.h"
#include "traverse/wide/lanes-inl.h"
#include "traverse/wide/nodes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tandem::detail::HWY_NAMESPACE {

/// Of lower bounds only this share is kept. It makes up for the roundings of the last operations,
/// and for normals of slabs and poses that are off from unit length by some millionths.
inline constexpr float k_sure_share = 0.9999F;
inline constexpr float k_shortest = 0x1p-60F;
/// Its square: what underflows in sums of squares is far less.
inline constexpr float k_shortest_sq = 0x1p-120F;

HWY_INLINE Floats sum_of_products(const Floats x[3], const Floats y[3]) {
  return hn::MulAdd(x[0], y[0], hn::MulAdd(x[1], y[1], hn::Mul(x[2], y[2])));
}
HWY_INLINE Floats sum_of_magnitudes(const Floats x[3], const Floats half[3]) {
  return hn::MulAdd(hn::Abs(x[0]), half[0],
                    hn::MulAdd(hn::Abs(x[1]), half[1], hn::Mul(hn::Abs(x[2]), half[2])));
}

/// How far a child reaches from its centre along a direction, times the length of that: as far as
/// its box, and as far as its slab and box together. Of the direction the part along the normal
/// meets the slab alone, and the rest the box.
HWY_INLINE Floats reach_along(const Floats direction[3], const Floats half[3],
                              const Floats normal[3], Floats offset, Floats thickness) {
  const Floats along = sum_of_products(direction, normal);
  Floats across[3];
  for (int k = 0; k < 3; ++k) across[k] = hn::NegMulAdd(along, normal[k], direction[k]);
  const Floats in_slab = hn::MulAdd(along, offset, hn::Mul(hn::Abs(along), thickness));
  return hn::Min(sum_of_magnitudes(direction, half),
                 hn::Add(in_slab, sum_of_magnitudes(across, half)));
}

/// As many pairs of blocks as are computed at once, and B's slabs as they are stored.
struct NearBlocks : BlockPairs {
  HWY_INLINE NearBlocks(const SideFrame& frame, const NodeBlock& a0, const NodeBlock& b0,
                        const NodeBlock& a1, const NodeBlock& b1)
      : BlockPairs(frame, a0, b0, a1, b1) {
    for (int k = 0; k < 3; ++k) b_stored_normal[k] = load_side(b0.normal[k], b1.normal[k]);
    b_stored_thickness = load_side(b0.thickness, b1.thickness);
  }

  SideFloats b_stored_normal[3];
  SideFloats b_stored_thickness;
};

/// The gaps of pairs of children that need few operations: how far apart their boxes are, B's as a
/// box along A's axes, or how far a box is from a slab, whichever is more. Negative where all of
/// these overlap: the less, the more they do.
template <int g, int h>
HWY_INLINE Floats gap_of_boxes_and_slabs(const NearBlocks& blocks, const WideFrame& frame) {
  const Group d;
  const Floats zero = hn::Zero(d);
  Floats largest = hn::Set(d, std::numeric_limits<float>::lowest());
  Floats distance_sq = hn::Set(d, -k_shortest_sq);
  measure<g, h>(blocks, [&](Floats distance, Floats reach, Axis axis) TANDEM_LAMBDA {
    Floats gap = hn::Sub(distance, reach);
    if (axis == Axis::box) {
      const Floats positive = hn::Max(gap, zero);
      distance_sq = hn::MulAdd(positive, positive, distance_sq);
    } else if (axis == Axis::slab_of_b) {
      gap = hn::Mul(gap, hn::Set(d, static_cast<float>(frame.scale)));
    }
    largest = hn::Max(largest, gap);
  });
  return hn::Max(largest, hn::Sqrt(hn::Max(distance_sq, zero)));
}

/// How far B begins behind the end of A along the line to B's centre from the point of A's box that
/// is closest to it. Very negative where that is no way to speak of.
template <int g, int h>
HWY_INLINE Floats gap_towards_centre(const NearBlocks& blocks, const WideFrame& frame) {
  const Group d;
  const NodeBlock& a = *blocks.a[h];
  Floats between[3];
  Floats direction[3];
  Floats half_a[3];
  Floats half_b[3];
  Floats normal_a[3];
  Floats normal_b[3];
  for (int k = 0; k < 3; ++k) {
    between[k] = hn::Sub(spread<g, h>(blocks.centre[k]), load_repeated(a.centre[k]));
    half_a[k] = load_repeated(a.half[k]);
    half_b[k] = spread<g, h>(blocks.b_half[k]);
    normal_a[k] = load_repeated(a.normal[k]);
    normal_b[k] = spread<g, h>(blocks.b_stored_normal[k]);
    const Floats in_a = hn::Max(hn::Min(between[k], half_a[k]), hn::Neg(half_a[k]));
    direction[k] = hn::Sub(between[k], in_a);
  }
  Floats back[3];
  for (int k = 0; k < 3; ++k) {
    const Floats along_column =
        hn::MulAdd(hn::Set(d, frame.matrix[0][k]), direction[0],
                   hn::MulAdd(hn::Set(d, frame.matrix[1][k]), direction[1],
                              hn::Mul(hn::Set(d, frame.matrix[2][k]), direction[2])));
    back[k] = hn::Neg(along_column);
  }
  const Floats reach_of_a =
      reach_along(direction, half_a, normal_a, load_repeated(a.offset), load_repeated(a.thickness));
  const Floats reach_of_b = reach_along(back, half_b, normal_b, spread<g, h>(blocks.b_offset),
                                        spread<g, h>(blocks.b_stored_thickness));
  const Floats distance = sum_of_products(direction, between);
  const Floats length_sq = sum_of_products(direction, direction);
  const Floats gap =
      hn::Div(hn::Sub(hn::Sub(distance, reach_of_a), reach_of_b), hn::Sqrt(length_sq));
  return hn::IfThenElse(hn::Gt(length_sq, hn::Set(d, k_shortest_sq)),
                        hn::Sub(gap, hn::Set(d, frame.slab_margin_a)),
                        hn::Set(d, std::numeric_limits<float>::lowest()));
}

/// Lower bounds of the distances of the children in group `g` of pair `h`: the gap of their boxes
/// and slabs; and where that is not more than the limit for each of them, the gap along a line, if
/// it is larger. Negative where they overlap. Infinite where one is missing.
///
/// Boxes and slabs tell most pairs apart, at a third of what the line costs. The line makes use of
/// both slabs at once, which is a good bound for surfaces that face each other; and as it begins at
/// the point of A's box that is closest, it is good for children that are long and flat, whose
/// centres say little.
///
/// Let u = 2^-24. Gaps of boxes and slabs are off by what the margins of boxes and slabs allow for
/// (tree/wide/tree.h, traverse/wide/frame.h), and by roundings that grow with the distance.
///
/// Along the line, let c be the computed difference of the centres, d the computed direction,
/// whatever it is, and e the magnitude of coordinates that a child's half sides and thickness allow
/// for: along d they are too large by at least 64 u e |d|. Of those 14 u e |d| are needed for c,
/// which is off by 8.1 u e on each axis; what it is off because of the translation is part of the
/// margin. The product of d and c is off by 3 u |d| |c|. As |c| is at most the diagonals of the
/// boxes, √3 e each, and what the boxes are apart, which is no more than the true distance, that
/// takes 6 u e |d| and a few u of the distance, which the share that is kept makes up for. Reaches
/// need 19 u e |d| for the roundings of their sums, and for B, whose direction Mᵀ d is off by
/// 7 u |d| on each axis, 21 more: 60 in all.
///
/// Out of line, as several kernels need it and it is long.
template <int g, int h>
HWY_NOINLINE Floats least_distances(const NearBlocks& blocks, const WideFrame& frame, float limit) {
  const Group d;
  const Floats share = hn::Set(d, k_sure_share);
  // Sides of missing children are NaN.
  const Floats half_a = load_repeated(blocks.a[h]->half[0]);
  const Floats half_b = spread<g, h>(blocks.b_half[0]);
  const GroupMask both = hn::And(hn::Le(half_a, half_a), hn::Le(half_b, half_b));
  const Floats bound =
      hn::IfThenElse(both, hn::Mul(gap_of_boxes_and_slabs<g, h>(blocks, frame), share),
                     hn::Set(d, std::numeric_limits<float>::infinity()));
  if (hn::AllFalse(d, hn::Le(bound, hn::Set(d, limit)))) return bound;
  const Floats along = hn::Mul(gap_towards_centre<g, h>(blocks, frame), share);
  return hn::IfThenElse(hn::Gt(along, bound), along, bound);
}

/// Pairs that are not farther apart than a limit, with lower bounds or without.
struct NearOutlet {
  NearList& list;
  float limit;

  HWY_INLINE bool has_room() const {
    return true;  // the caller sees to it
  }
  HWY_INLINE void append(Floats bound, Indices a, Indices b) const {
    const GroupIndex d;
    const Packing pack(hn::Le(bound, hn::Set(Group(), limit)));
    hn::StoreU(pack(a), d, list.pairs.a + list.size);
    hn::StoreU(pack(b), d, list.pairs.b + list.size);
    hn::StoreU(hn::BitCast(Group(), pack(hn::BitCast(d, bound))), Group(), list.bound + list.size);
    list.size += pack.count();
  }
};
struct WithinOutlet {
  PairList list;
  std::size_t& written;
  std::size_t room;
  float limit;

  HWY_INLINE bool has_room() const { return written + k_pairs_of_children * k_at_once <= room; }
  HWY_INLINE void append(Floats bound, Indices a, Indices b) const {
    HWY_NAMESPACE::append(hn::Le(bound, hn::Set(Group(), limit)), a, b, list, written);
  }
};

/// Pairs of blocks, both of which are descended. Returns how many were taken.
template <class Outlet>
HWY_INLINE std::size_t descend_to(const WideFrame& frame, const NodeBlock* a, const NodeBlock* b,
                                  PairList in, std::size_t count, const Outlet& out) {
  return descend_both<NearBlocks>(
      frame, a, b, in, count, [&]() TANDEM_LAMBDA { return out.has_room(); },
      [&]<int g, int h>(const NearBlocks& blocks, Indices of_a, Indices of_b) TANDEM_LAMBDA {
        out.append(least_distances<g, h>(blocks, frame, out.limit), of_a, of_b);
      });
}

/// Pairs of blocks, one of which waits: a child's bound is the least of those with the waiting
/// block's children. `take(bound, a, b)` is called for those below the limit.
template <Descent descent, class Take>
HWY_INLINE void descend_alone_to(const WideFrame& frame, const NodeBlock& block_a,
                                 const NodeBlock& block_b, std::uint32_t a, std::uint32_t b,
                                 float limit, const Take& take) {
  constexpr bool k_in_a = descent == Descent::a_alone;
  constexpr std::size_t k_step = k_in_a ? k_block : 1;
  const SideFrame side(frame);
  const NearBlocks blocks(side, block_a, block_b, block_a, block_b);
  alignas(64) float bounds[k_pairs_of_children];
  for_each_group([&]<int g>() TANDEM_LAMBDA {
    hn::Store(least_distances<g, 0>(blocks, frame, limit), Group(), bounds + g * k_lanes);
  });
  for (unsigned child = 0; child < k_block; ++child) {
    const float* its = bounds + (k_in_a ? child : k_block * child);
    const float least =
        std::min(std::min(its[0], its[k_step]), std::min(its[2 * k_step], its[3 * k_step]));
    if (!(least <= limit)) continue;
    take(least, k_in_a ? block_a.first_child + child : a, k_in_a ? b : block_b.first_child + child);
  }
}

template <Descent descent>
void descend_near(const WideFrame& frame, const NodeBlock* a, const NodeBlock* b, PairList in,
                  std::size_t count, float limit, NearList& out) {
  if constexpr (descent == Descent::both) {
    descend_to(frame, a, b, in, count, NearOutlet{out, limit});
  } else {
    const auto take = [&](float bound, std::uint32_t child_a, std::uint32_t child_b) TANDEM_LAMBDA {
      out.pairs.a[out.size] = child_a;
      out.pairs.b[out.size] = child_b;
      out.bound[out.size++] = bound;
    };
    for (std::size_t i = 0; i < count; ++i) {
      descend_alone_to<descent>(frame, a[in.a[i]], b[in.b[i]], in.a[i], in.b[i], limit, take);
    }
  }
}

template <Descent descent>
std::size_t descend_within(const WideFrame& frame, const NodeBlock* a, const NodeBlock* b,
                           PairList in, std::size_t count, Outlets<1>& out) {
  const auto limit = static_cast<float>(frame.within);
  if constexpr (descent == Descent::both) {
    return descend_to(frame, a, b, in, count,
                      WithinOutlet{out.list[0], out.written[0], out.room, limit});
  } else {
    const auto take = [&](float, std::uint32_t child_a, std::uint32_t child_b) TANDEM_LAMBDA {
      const std::size_t place = out.written[0]++;
      out.list[0].a[place] = child_a;
      out.list[0].b[place] = child_b;
    };
    std::size_t i = 0;
    for (; i < count && has_room(out, k_block); ++i) {
      descend_alone_to<descent>(frame, a[in.a[i]], b[in.b[i]], in.a[i], in.b[i], limit, take);
    }
    return i;
  }
}

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace tandem::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
