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

/// A pair of children in each lane: their boxes and slabs, and how to compare them along a
/// direction.
class NearChildren {
 public:
  template <int g, int h>
  static HWY_INLINE NearChildren of(const NearBlocks& blocks, const WideFrame& frame) {
    const NodeBlock& block = *blocks.a[h];
    NearChildren result(frame);
    for (int k = 0; k < 3; ++k) {
      result.between_[k] = hn::Sub(spread<g, h>(blocks.centre[k]), load_repeated(block.centre[k]));
      result.half_a_[k] = load_repeated(block.half[k]);
      result.normal_a_[k] = load_repeated(block.normal[k]);
      result.half_b_[k] = spread<g, h>(blocks.half[k]);
      result.normal_b_[k] = spread<g, h>(blocks.normal[k]);
    }
    result.offset_a_ = load_repeated(block.offset);
    result.thickness_a_ = load_repeated(block.thickness);
    result.offset_b_ = spread<g, h>(blocks.offset);
    result.thickness_b_ = spread<g, h>(blocks.thickness);
    return result;
  }

  /// Sides of missing children are NaN.
  HWY_INLINE GroupMask are_there() const {
    return hn::And(hn::Le(half_a_[0], half_a_[0]), hn::Le(half_b_[0], half_b_[0]));
  }

  /// From A's centre to B's.
  HWY_INLINE const Floats (&between_centres() const)[3] { return between_; }

  /// From a point of A's box to one of B's, which are nearly the closest ones: B's centre goes to
  /// the closest point of A's box, that to the closest one of B's, and so on, twice.
  HWY_INLINE void between_boxes(Floats (&direction)[3]) const {
    Floats to_centre[3];  // from the point of A
    for (int k = 0; k < 3; ++k) {
      to_centre[k] = hn::Sub(between_[k], clamped(between_[k], half_a_[k]));
    }
    go_to_b(to_centre, direction);
    for (int k = 0; k < 3; ++k) {
      const Floats of_b = hn::Add(hn::Sub(between_[k], to_centre[k]), direction[k]);
      to_centre[k] = hn::Sub(between_[k], clamped(of_b, half_a_[k]));
    }
    go_to_b(to_centre, direction);
  }

  /// How far B begins behind the end of A along a direction; NaN along none.
  HWY_INLINE Floats gap_along(const Floats (&direction)[3]) const {
    Floats back[3];
    for (int k = 0; k < 3; ++k) back[k] = hn::Neg(product_with_column(frame_.matrix, k, direction));
    const Floats reach_of_a = reach_along(direction, half_a_, normal_a_, offset_a_, thickness_a_);
    const Floats reach_of_b = reach_along(back, half_b_, normal_b_, offset_b_, thickness_b_);
    const Floats distance = sum_of_products(direction, between_);
    return hn::Div(hn::Sub(hn::Sub(distance, reach_of_a), reach_of_b),
                   hn::Sqrt(sum_of_products(direction, direction)));
  }

 private:
  explicit HWY_INLINE NearChildren(const WideFrame& frame) : frame_(frame) {}

  static HWY_INLINE Floats clamped(Floats x, Floats half) {
    return hn::Max(hn::Min(x, half), hn::Neg(half));
  }
  static HWY_INLINE Floats product_with_column(const float (&matrix)[3][3], int k,
                                               const Floats x[3]) {
    const Group d;
    return hn::MulAdd(
        hn::Set(d, matrix[0][k]), x[0],
        hn::MulAdd(hn::Set(d, matrix[1][k]), x[1], hn::Mul(hn::Set(d, matrix[2][k]), x[2])));
  }
  /// From a point, given by the way from there to B's centre, to the closest one of B's box. The
  /// frame's `normals` are the transpose of the inverse of its matrix.
  HWY_INLINE void go_to_b(const Floats (&to_centre)[3], Floats (&way)[3]) const {
    const Group d;
    Floats in_b[3];
    for (int k = 0; k < 3; ++k) {
      const Floats x = product_with_column(frame_.normals, k, to_centre);
      in_b[k] = hn::Sub(x, clamped(x, half_b_[k]));
    }
    for (int k = 0; k < 3; ++k) {
      way[k] = hn::MulAdd(hn::Set(d, frame_.matrix[k][0]), in_b[0],
                          hn::MulAdd(hn::Set(d, frame_.matrix[k][1]), in_b[1],
                                     hn::Mul(hn::Set(d, frame_.matrix[k][2]), in_b[2])));
    }
  }

  const WideFrame& frame_;
  /// In A's frame; what is of B is in B's.
  Floats between_[3];
  Floats half_a_[3];
  Floats half_b_[3];
  Floats normal_a_[3];
  Floats normal_b_[3];
  Floats offset_a_;
  Floats offset_b_;
  Floats thickness_a_;
  Floats thickness_b_;
};

/// Lower bounds of the distances of the children in group `g` of pair `h`: the gap along the line
/// between their centres; and where that is not more than the limit, along the one between nearly
/// closest points of their boxes, if it is larger. Negative where that gap is: the less, the more
/// they overlap. Infinite where one is missing.
///
/// The first line is good for surfaces that face each other, as it is close to the normals of both
/// slabs; the second one for long and flat children, whose centres say little.
///
/// Let u = 2^-24, c the computed difference of the centres, d a computed direction, whatever it is,
/// and e the magnitude of coordinates that a child's half sides and thickness allow for
/// (tree/wide/tree.h): along d they are too large by at least 64 u e |d|. Of those 14 u e |d| are
/// needed for c, which is off by 8.1 u e on each axis; what it is off because of the translation is
/// part of the margin. The product of d and c is off by 3 u |d| |c|. As |c| is at most the
/// diagonals of the boxes, √3 e each, and what the boxes are apart, which is no more than the true
/// distance, that takes 6 u e |d| and a few u of the distance, which the share that is kept makes
/// up for. Reaches need 19 u e |d| for the roundings of their sums, and for B, whose direction Mᵀ d
/// is off by 7 u |d| on each axis, 21 more: 60 in all.
///
/// Out of line, as several kernels need it and it is long.
template <int g, int h>
HWY_NOINLINE Floats least_distances(const NearBlocks& blocks, const WideFrame& frame, float limit) {
  const Group d;
  const NearChildren children = NearChildren::of<g, h>(blocks, frame);
  const auto bound_along = [&](const Floats(&direction)[3]) TANDEM_LAMBDA {
    const Floats gap = children.gap_along(direction);
    const Floats bound =
        hn::Mul(hn::Sub(gap, hn::Set(d, frame.slab_margin_a)), hn::Set(d, k_sure_share));
    // Also for NaN.
    const Floats least = hn::Set(d, std::numeric_limits<float>::lowest());
    return hn::IfThenElse(hn::Gt(bound, least), bound, least);
  };
  Floats bound = hn::IfThenElse(children.are_there(), bound_along(children.between_centres()),
                                hn::Set(d, std::numeric_limits<float>::infinity()));
  if (hn::AllFalse(d, hn::Le(bound, hn::Set(d, limit)))) return bound;
  Floats direction[3];
  children.between_boxes(direction);
  return hn::Max(bound, bound_along(direction));
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
