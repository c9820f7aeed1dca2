// How far apart pairs of children and of triangles are at least: what searches for distances need.
//
// Distances are in A's units. What kernels call a lower bound is one whatever was rounded, so that
// leaving out what is farther than a limit loses nothing.
#if defined(TANDEM_WIDE_NEAR_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TANDEM_WIDE_NEAR_INL
#undef TANDEM_WIDE_NEAR_INL
#else
#define TANDEM_WIDE_NEAR_INL
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <limits>

#include "traverse/wide/kernels.h"
#include "traverse/wide/lane_numbers-inl.h"
#include "traverse/wide/lanes-inl.h"
#include "traverse/wide/nodes-inl.h"
#include "traverse/wide/triangles-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tandem::detail::HWY_NAMESPACE {

using LaneFloats = LaneNumber<Group>;

/// Of lower bounds only this share is kept. It makes up for the roundings of the last operations,
/// and for normals of slabs and poses that are off from unit length by some millionths.
inline constexpr float k_sure_share = 0.9999F;
inline constexpr float k_shortest = 0x1p-60F;

/// x where it is positive, 0 elsewhere, also for NaN.
HWY_INLINE Floats positive_part(Floats x) {
  return hn::IfThenElseZero(hn::Gt(x, hn::Zero(Group())), x);
}

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

/// B's children of as many pairs of blocks as are computed at once.
struct NearBlocks {
  HWY_INLINE NearBlocks(const SideFrame& frame, const NodeBlock& a0, const NodeBlock& b0,
                        const NodeBlock& a1, const NodeBlock& b1)
      : a{&a0, &a1} {
    SideFloats b_centre[3];
    for (int k = 0; k < 3; ++k) {
      b_centre[k] = load_side(b0.centre[k], b1.centre[k]);
      half[k] = load_side(b0.half[k], b1.half[k]);
      normal[k] = load_side(b0.normal[k], b1.normal[k]);
    }
    for (int k = 0; k < 3; ++k) {
      centre[k] = product_plus(frame.matrix[k], b_centre, frame.translation[k]);
    }
    offset = load_side(b0.offset, b1.offset);
    thickness = load_side(b0.thickness, b1.thickness);
  }

  const NodeBlock* a[2];
  /// In A's frame; the others are as they are stored.
  SideFloats centre[3];
  SideFloats half[3];
  SideFloats normal[3];
  SideFloats offset;
  SideFloats thickness;
};

/// Lower bounds of the distances of the children in group `g` of pair `h`: the gap along the line
/// between their centres. Infinite where one is missing.
///
/// Let u = 2^-24, d the computed difference of the centres, and e the magnitude of coordinates that
/// a child's half sides and thickness allow for (tree/wide/tree.h): along d they are too large by
/// at least 64 u e |d|. Of those 14 u e |d| are needed for d, which is off by 8.1 u e on each axis;
/// what it is off because of the translation is part of the margin. Reaches need 19 u e |d| for
/// the roundings of their sums, and for B, whose direction Mᵀ d is off by 7 u |d| on each axis, 21
/// more: 54 in all.
template <int g, int h>
HWY_INLINE Floats least_distances(const NearBlocks& blocks, const WideFrame& frame) {
  const NodeBlock& block = *blocks.a[h];
  const auto constant = [](float x) TANDEM_LAMBDA { return hn::Set(Group(), x); };
  Floats between[3];
  Floats half[3];
  Floats normal[3];
  for (int k = 0; k < 3; ++k) {
    between[k] = hn::Sub(spread<g, h>(blocks.centre[k]), load_repeated(block.centre[k]));
    half[k] = load_repeated(block.half[k]);
    normal[k] = load_repeated(block.normal[k]);
  }
  const Floats reach_of_a = reach_along(between, half, normal, load_repeated(block.offset),
                                        load_repeated(block.thickness));
  // Sides of missing children are NaN.
  const GroupMask a_is_there = hn::Le(half[0], half[0]);
  Floats back[3];
  for (int k = 0; k < 3; ++k) {
    back[k] = hn::Neg(hn::MulAdd(constant(frame.matrix[0][k]), between[0],
                                 hn::MulAdd(constant(frame.matrix[1][k]), between[1],
                                            hn::Mul(constant(frame.matrix[2][k]), between[2]))));
    half[k] = spread<g, h>(blocks.half[k]);
    normal[k] = spread<g, h>(blocks.normal[k]);
  }
  const Floats reach_of_b =
      reach_along(back, half, normal, spread<g, h>(blocks.offset), spread<g, h>(blocks.thickness));
  const GroupMask there = hn::And(a_is_there, hn::Le(half[0], half[0]));
  const Floats length_sq = sum_of_products(between, between);
  const Floats gap =
      hn::Div(hn::Sub(hn::Sub(length_sq, reach_of_a), reach_of_b), hn::Sqrt(length_sq));
  const Floats bound =
      hn::Mul(positive_part(hn::Sub(gap, constant(frame.slab_margin_a))), constant(k_sure_share));
  return hn::IfThenElse(there, bound, constant(std::numeric_limits<float>::infinity()));
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
  const auto room = [&]() TANDEM_LAMBDA { return out.has_room(); };
  const auto fetch = [&](std::uint32_t block_a, std::uint32_t block_b) TANDEM_LAMBDA {
    fetch_ahead(a + block_a, sizeof(NodeBlock));
    fetch_ahead(b + block_b, sizeof(NodeBlock));
  };
  const auto test = [&](std::size_t first, std::size_t second) TANDEM_LAMBDA {
    const NodeBlock& a0 = a[in.a[first]];
    const NodeBlock& b0 = b[in.b[first]];
    const NodeBlock& a1 = a[in.a[second]];
    const NodeBlock& b1 = b[in.b[second]];
    keep_in_memory();
    const SideFrame side(frame);
    const NearBlocks blocks(side, a0, b0, a1, b1);
    for_each_group([&]<int g>() TANDEM_LAMBDA {
      out.append(least_distances<g, 0>(blocks, frame), children_of_a(a0.first_child),
                 children_of_b<g>(b0.first_child));
    });
    if constexpr (k_at_once > 1) {
      if (second == first) return;
      for_each_group([&]<int g>() TANDEM_LAMBDA {
        out.append(least_distances<g, 1>(blocks, frame), children_of_a(a1.first_child),
                   children_of_b<g>(b1.first_child));
      });
    }
  };
  return for_each_pair(in, count, room, fetch, test);
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
    hn::Store(least_distances<g, 0>(blocks, frame), Group(), bounds + g * k_lanes);
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

/// The corners of the triangles in one or two pairs of leaves, both in A's frame.
template <bool spread>
struct NearLeaves {
  HWY_INLINE NearLeaves(const WideFrame& frame, const CornerRow* a0, const CornerRow* b0,
                        const CornerRow* a1, const CornerRow* b1) {
    load_leaves(a0, a1, a);
    load_moved(frame, b0, b1, b);
    margin = hn::Set(Side(), frame.leaf_margin);
    a_largest = largest_of(a);
    b_largest = largest_of(b);
    if constexpr (spread) {
      // As for `moving_error`.
      margin = hn::MulAdd(b_largest, hn::Set(Side(), static_cast<float>(22 * 0x1p-24)), margin);
    }
  }

  SideFloats a[3][3];
  SideFloats b[3][3];
  SideFloats a_largest;
  SideFloats b_largest;
  /// B's corners are off by at most that on each axis.
  SideFloats margin;

 private:
  static HWY_INLINE SideFloats largest_of(const SideFloats corner[3][3]) {
    SideFloats result = hn::Abs(corner[0][0]);
    for (int v = 0; v < 3; ++v) {
      for (int k = 0; k < 3; ++k) result = hn::Max(result, hn::Abs(corner[v][k]));
    }
    return result;
  }
};

/// Lower bounds of the distances of the triangles in group `g` of pair `h` of leaves: the gap along
/// the line between their middles. NaN or 0 where one is missing.
///
/// With u = 2^-24 and d the computed direction, whatever it is, products of d with corners are off
/// by 3.1 u |d|₁ <= 5.4 u |d| times the corners' largest magnitude, and differences and quotients
/// by 7 u |d| times the sum of these; corners of B by the margin on each axis.
template <int g, int h, bool is_spread>
HWY_INLINE Floats least_distances(const NearLeaves<is_spread>& leaves) {
  Floats a[3][3];
  Floats b[3][3];
  Floats between[3];
  for (int k = 0; k < 3; ++k) {
    for (int v = 0; v < 3; ++v) {
      a[v][k] = repeat<h>(leaves.a[v][k]);
      b[v][k] = spread<g, h>(leaves.b[v][k]);
    }
    between[k] = hn::Sub(hn::Add(b[0][k], hn::Add(b[1][k], b[2][k])),
                         hn::Add(a[0][k], hn::Add(a[1][k], a[2][k])));
  }
  const Floats end =
      hn::Max(sum_of_products(between, a[0]),
              hn::Max(sum_of_products(between, a[1]), sum_of_products(between, a[2])));
  const Floats begin =
      hn::Min(sum_of_products(between, b[0]),
              hn::Min(sum_of_products(between, b[1]), sum_of_products(between, b[2])));
  const Floats gap = hn::Div(hn::Sub(begin, end), hn::Sqrt(sum_of_products(between, between)));
  const Floats sizes = hn::Add(repeat<h>(leaves.a_largest), spread<g, h>(leaves.b_largest));
  const Floats error = hn::MulAdd(hn::Set(Group(), static_cast<float>(16 * 0x1p-24)), sizes,
                                  hn::MulAdd(hn::Set(Group(), 1.8F), spread<g, h>(leaves.margin),
                                             hn::Set(Group(), k_shortest)));
  // A direction so short that its square underflows says nothing.
  const GroupMask sure =
      hn::Gt(hn::Max(hn::Abs(between[0]), hn::Max(hn::Abs(between[1]), hn::Abs(between[2]))),
             hn::Set(Group(), k_shortest));
  const Floats bound = hn::IfThenElseZero(sure, positive_part(hn::Sub(gap, error)));
  // The corners of missing triangles are NaN.
  return hn::IfThenElse(hn::Le(sizes, sizes), bound,
                        hn::Set(Group(), std::numeric_limits<float>::infinity()));
}

/// Pairs of leaves: their pairs of triangle slots. Returns how many were taken.
template <bool spread, class Outlet>
HWY_INLINE std::size_t leaves_to(const WideFrame& frame, const CornerRow* rows_a,
                                 const CornerRow* rows_b, PairList in, std::size_t count,
                                 const Outlet& out) {
  const auto rows_of = [](const CornerRow* rows, std::uint32_t leaf)
                           TANDEM_LAMBDA { return rows + std::size_t{k_block} * leaf; };
  const auto room = [&]() TANDEM_LAMBDA { return out.has_room(); };
  const auto fetch = [&](std::uint32_t leaf_a, std::uint32_t leaf_b) TANDEM_LAMBDA {
    fetch_ahead(rows_of(rows_a, leaf_a), k_block * sizeof(CornerRow) + 63);
    fetch_ahead(rows_of(rows_b, leaf_b), k_block * sizeof(CornerRow) + 63);
  };
  const auto test = [&](std::size_t first, std::size_t second) TANDEM_LAMBDA {
    const NearLeaves<spread> leaves(frame, rows_of(rows_a, in.a[first]),
                                    rows_of(rows_b, in.b[first]), rows_of(rows_a, in.a[second]),
                                    rows_of(rows_b, in.b[second]));
    for_each_group([&]<int g>() TANDEM_LAMBDA {
      out.append(least_distances<g, 0>(leaves), children_of_a(k_block * in.a[first]),
                 children_of_b<g>(k_block * in.b[first]));
    });
    if constexpr (k_at_once > 1) {
      if (second == first) return;
      for_each_group([&]<int g>() TANDEM_LAMBDA {
        out.append(least_distances<g, 1>(leaves), children_of_a(k_block * in.a[second]),
                   children_of_b<g>(k_block * in.b[second]));
      });
    }
  };
  return for_each_pair(in, count, room, fetch, test);
}

template <bool spread>
void leaves_near(const WideFrame& frame, const CornerRow* rows_a, const CornerRow* rows_b,
                 PairList in, std::size_t count, float limit, NearList& out) {
  leaves_to<spread>(frame, rows_a, rows_b, in, count, NearOutlet{out, limit});
}

template <bool spread>
KernelResult leaves_within(const WideFrame& frame, const BoxBlock*, const CornerRow* rows_a,
                           const CornerRow* rows_b, PairList in, std::size_t count, PairList out,
                           std::size_t room) {
  std::size_t written = 0;
  const std::size_t taken =
      leaves_to<spread>(frame, rows_a, rows_b, in, count,
                        WithinOutlet{out, written, room, static_cast<float>(frame.within)});
  return {taken, written};
}

/// How far apart pairs of triangles are, at least and at most.
///
/// The points that `nearest_points` finds are w apart, so the distance is at most |w|, and at least
/// the gap along w over |w|, but for errors. Let u = 2^-24, M the largest magnitude of a corner
/// relative to A's first one, and δ as in `RelativeCorners`: B's corners are off by δ, A's by
/// u M. So the true distance is off by 1.74 (δ + u M) from that of the triangles that the lanes
/// see. On those, w is off by 17 u M on each axis, 30 u M in all, from the vector between two of
/// their points (geometry/distance/triangle_distance.h has the sums; here corners are exact), and
/// |w| by 3 u |w|, which is 11 u M at most. The gap is the difference of two products, each off
/// by 3.1 u M |w|₁: 10.8 u M |w|, and 3.5 u M |w| for the difference; over |w| that rounds thrice
/// more, by 11 u M. Each is less than 2 δ + 64 u M. What underflows is at most some 2^-147 in a
/// product, so where |w| is at least 2^-60, it is covered by adding that.
template <bool spread>
void distances(const WideFrame& frame, const CornerRow* a, const CornerRow* b, PairList in,
               std::size_t count, float* lower, float* upper) {
  fill_up(in, count);
  for (std::size_t i = 0; i < count; i += k_lanes) {
    Floats p[3][3];
    Floats q[3][3];
    load_triangles(a, in.a + i, p);
    load_triangles(b, in.b + i, q);
    const RelativeCorners<spread> relative(frame, p, q);
    Corners<LaneFloats> in_a;
    Corners<LaneFloats> in_b;
    for (int k = 0; k < 3; ++k) {
      in_a.of[0].of[k] = LaneFloats(0.0);
      in_a.of[1].of[k] = relative.a1[k];
      in_a.of[2].of[k] = relative.a2[k];
      for (int v = 0; v < 3; ++v) in_b.of[v].of[k] = relative.b[v][k];
    }
    const NearestPoints<LaneFloats> best = nearest_points(in_a, in_b);
    const Floats gap = gap_along(best.between, in_a, in_b).value;
    const Floats distance = hn::Sqrt(best.distance_sq.value);
    const Floats largest = hn::Max(relative.la, relative.lb);
    const Floats error = hn::MulAdd(hn::Set(Group(), 2.0F), relative.delta,
                                    hn::MulAdd(hn::Set(Group(), static_cast<float>(64 * 0x1p-24)),
                                               largest, hn::Set(Group(), k_shortest)));
    // Nothing is sure where w is so short that its square underflows.
    const Floats least = hn::Sub(hn::Div(gap, distance), error);
    const GroupMask sure =
        hn::And(hn::Gt(least, hn::Zero(Group())), hn::Gt(distance, hn::Set(Group(), k_shortest)));
    hn::StoreU(hn::IfThenElseZero(sure, least), Group(), lower + i);
    hn::StoreU(hn::Add(distance, error), Group(), upper + i);
  }
}

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace tandem::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
