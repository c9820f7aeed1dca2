// Pairs of triangles: the boxes of 4 x 4, and the float32 filter in front of the exact test, one
// pair per lane.
#if defined(TANDEM_WIDE_TRIANGLES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TANDEM_WIDE_TRIANGLES_INL
#undef TANDEM_WIDE_TRIANGLES_INL
#else
#define TANDEM_WIDE_TRIANGLES_INL
#endif

#include <hwy/highway.h>

#include <algorithm>

#include "traverse/wide/kernels.h"
#include "traverse/wide/lanes-inl.h"
#include "traverse/wide/long_edges-inl.h"
#include "traverse/wide/nodes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tandem::detail::HWY_NAMESPACE {

/// Rows become columns, in every four lanes.
template <class D, class V>
HWY_INLINE void transpose(D d, V row[4]) {
  const hn::RepartitionToWide<hn::RebindToUnsigned<D>> halves;
  const auto low01 = hn::BitCast(halves, hn::InterleaveLower(d, row[0], row[1]));
  const auto low23 = hn::BitCast(halves, hn::InterleaveLower(d, row[2], row[3]));
  const auto high01 = hn::BitCast(halves, hn::InterleaveUpper(d, row[0], row[1]));
  const auto high23 = hn::BitCast(halves, hn::InterleaveUpper(d, row[2], row[3]));
  row[0] = hn::BitCast(d, hn::InterleaveLower(halves, low01, low23));
  row[1] = hn::BitCast(d, hn::InterleaveUpper(halves, low01, low23));
  row[2] = hn::BitCast(d, hn::InterleaveLower(halves, high01, high23));
  row[3] = hn::BitCast(d, hn::InterleaveUpper(halves, high01, high23));
}

/// From the values 0 to 3, 4 to 7 and 5 to 8 of four triangles to their nine coordinates: corner,
/// then axis.
template <class D, class V>
HWY_INLINE void coordinates(D d, V first[4], V second[4], V last[4], V result[3][3]) {
  transpose(d, first);
  transpose(d, second);
  transpose(d, last);
  for (int k = 0; k < 3; ++k) result[0][k] = first[k];
  result[1][0] = first[3];
  result[1][1] = second[0];
  result[1][2] = second[1];
  result[2][0] = second[2];
  result[2][1] = second[3];
  result[2][2] = last[3];
}

/// The pairs of triangles in group `g` of pair `h` of leaves whose boxes overlap. `box` has those
/// of A's triangles, `lower` and `upper` those of B's.
template <int g, int h>
HWY_INLINE GroupMask boxes_overlap(const BoxBlock& box, const SideFloats lower[3],
                                   const SideFloats upper[3]) {
  GroupMask mask = hn::FirstN(Group(), k_lanes);
  for (int k = 0; k < 3; ++k) {
    const GroupMask begins = hn::Le(load_repeated(box.lower[k]), spread<g, h>(upper[k]));
    const GroupMask ends = hn::Le(spread<g, h>(lower[k]), load_repeated(box.upper[k]));
    mask = hn::And(mask, hn::And(begins, ends));
  }
  return mask;
}

/// By how much the corners of moved triangles may be off because of their own size, given their
/// boxes. Let X be the largest magnitude of a triangle's coordinates. Before they were moved, they
/// were not larger than √3 (X + |t|) over the scale of M, so |M||b| is at most 3 (X + |t|), and
/// corners are off by 7.01 u (3 X + 4 |t|). What is due to t is part of `leaf_margin`.
HWY_INLINE SideFloats moving_error(const SideFloats lower[3], const SideFloats upper[3]) {
  SideFloats largest = hn::Max(upper[0], hn::Neg(lower[0]));
  for (int k = 1; k < 3; ++k) {
    largest = hn::Max(largest, hn::Max(upper[k], hn::Neg(lower[k])));
  }
  return hn::Mul(largest, hn::Set(Side(), static_cast<float>(22 * 0x1p-24)));
}

/// The corners of the triangles in one or two leaves, whose rows begin here.
HWY_INLINE void load_leaves(const CornerRow* first, const CornerRow* second,
                            SideFloats corner[3][3]) {
  SideFloats first_values[4];
  SideFloats middle_values[4];
  SideFloats last_values[4];
  for (int l = 0; l < 4; ++l) {
    const float* row0 = first[l].value;
    const float* row1 = second[l].value;
    first_values[l] = load_side(row0, row1);
    middle_values[l] = load_side(row0 + 4, row1 + 4);
    last_values[l] = load_side(row0 + 5, row1 + 5);
  }
  coordinates(Side(), first_values, middle_values, last_values, corner);
}

/// Corners of B, brought to A.
HWY_INLINE void move(const WideFrame& wide, const SideFloats corner[3][3], SideFloats moved[3][3]) {
  const SideFrame frame(wide);
  for (int k = 0; k < 3; ++k) {
    for (int v = 0; v < 3; ++v) {
      moved[v][k] = product_plus(frame.matrix[k], corner[v], frame.translation[k]);
    }
  }
}
HWY_INLINE void load_moved(const WideFrame& wide, const CornerRow* first, const CornerRow* second,
                           SideFloats moved[3][3]) {
  keep_in_memory();
  SideFloats corner[3][3];
  load_leaves(first, second, corner);
  move(wide, corner, moved);
}

/// The boxes of B's triangles in one or two leaves, along A's axes, wider by what they may be off.
template <bool spread>
struct MovedBoxes {
  HWY_INLINE MovedBoxes(const WideFrame& wide, const SideFloats corner[3][3]) {
    for (int k = 0; k < 3; ++k) {
      lower[k] = hn::Min(corner[0][k], hn::Min(corner[1][k], corner[2][k]));
      upper[k] = hn::Max(corner[0][k], hn::Max(corner[1][k], corner[2][k]));
    }
    margin = hn::Set(Side(), wide.leaf_margin);
    if constexpr (spread) margin = hn::Add(moving_error(lower, upper), margin);
    for (int k = 0; k < 3; ++k) {
      lower[k] = hn::Sub(lower[k], margin);
      upper[k] = hn::Add(upper[k], margin);
    }
  }

  SideFloats lower[3];
  SideFloats upper[3];
  SideFloats margin;
};

template <bool spread>
KernelResult boxes(const WideFrame& wide, const BoxBlock* a, const CornerRow* rows_a,
                   const CornerRow* rows_b, PairList in, std::size_t count, PairList out,
                   std::size_t room) {
  const auto rows_of = [rows_b](std::uint32_t leaf_b)
                           TANDEM_LAMBDA { return rows_b + std::size_t{k_block} * leaf_b; };
  const auto fetch = [&](std::uint32_t leaf_a, std::uint32_t leaf_b) TANDEM_LAMBDA {
    fetch_ahead(a + leaf_a, sizeof(BoxBlock));
    fetch_ahead(rows_of(leaf_b), k_block * sizeof(CornerRow) + 63);
  };
  std::size_t written = 0;
  const auto has_room = [&]() TANDEM_LAMBDA {
    return written + k_pairs_of_children * k_at_once <= room;
  };
  const auto test = [&](std::size_t first, std::size_t second) TANDEM_LAMBDA {
    SideFloats moved_b[3][3];
    load_moved(wide, rows_of(in.b[first]), rows_of(in.b[second]), moved_b);
    const MovedBoxes<spread> moved(wide, moved_b);
    GroupMask overlap[k_at_once][k_groups];
    std::size_t overlap_count[k_at_once] = {};
    for_each_pair_and_group([&]<int g, int h>() TANDEM_LAMBDA {
      overlap[h][g] =
          boxes_overlap<g, h>(a[in.a[h == 0 ? first : second]], moved.lower, moved.upper);
      overlap_count[h] += count_of(overlap[h][g]);
    });
    // Many boxes overlap where triangles are long and thin. Then it pays to look at their edges.
    // Each pair of leaves is judged alone, so that nothing depends on which are computed at once.
    if (*std::max_element(overlap_count, overlap_count + k_at_once) >= k_many_overlaps) {
      SideFloats corner_a[3][3];
      load_leaves(rows_a + std::size_t{k_block} * in.a[first],
                  rows_a + std::size_t{k_block} * in.a[second], corner_a);
      const LongEdges edges_a(corner_a);
      // Anew, as it is rarely needed: nothing is kept for it.
      SideFloats corner_b[3][3];
      load_moved(wide, rows_of(in.b[first]), rows_of(in.b[second]), corner_b);
      const LongEdges edges_b(corner_b);
      for_each_pair_and_group([&]<int g, int h>() TANDEM_LAMBDA {
        if (overlap_count[h] < k_many_overlaps) return;
        overlap[h][g] =
            hn::AndNot(apart_across_edges<g, h>(edges_a, edges_b, moved.margin), overlap[h][g]);
      });
    }
    for_each_group([&]<int g>() TANDEM_LAMBDA {
      append(overlap[0][g], children_of_a(k_block * in.a[first]),
             children_of_b<g>(k_block * in.b[first]), out, written);
    });
    if constexpr (k_at_once > 1) {
      if (second == first) return;
      for_each_group([&]<int g>() TANDEM_LAMBDA {
        append(overlap[1][g], children_of_a(k_block * in.a[second]),
               children_of_b<g>(k_block * in.b[second]), out, written);
      });
    }
  };
  const std::size_t taken = for_each_pair(in, count, has_room, fetch, test);
  return {taken, written};
}

/// Four values, from `offset` on, of the triangles in slots l, l + 4, … of a group.
HWY_INLINE Floats load_rows(const CornerRow* rows, const std::uint32_t* slots, int l, int offset) {
  const Four d;
  const FourFloats r0 = hn::LoadU(d, rows[slots[l]].value + offset);
#if TANDEM_LANES == 16
  const hn::Half<Group> half;
  const FourFloats r1 = hn::LoadU(d, rows[slots[l + 4]].value + offset);
  const FourFloats r2 = hn::LoadU(d, rows[slots[l + 8]].value + offset);
  const FourFloats r3 = hn::LoadU(d, rows[slots[l + 12]].value + offset);
  return hn::Combine(Group(), hn::Combine(half, r3, r2), hn::Combine(half, r1, r0));
#elif TANDEM_LANES == 8
  return hn::Combine(Group(), hn::LoadU(d, rows[slots[l + 4]].value + offset), r0);
#else
  return r0;
#endif
}

/// The corners of the triangles in a group's slots: corner, then axis.
HWY_INLINE void load_triangles(const CornerRow* rows, const std::uint32_t* slots,
                               Floats corner[3][3]) {
  Floats first[4];
  Floats second[4];
  Floats last[4];
  for (int l = 0; l < 4; ++l) {
    first[l] = load_rows(rows, slots, l, 0);
    second[l] = load_rows(rows, slots, l, 4);
    last[l] = load_rows(rows, slots, l, 5);
  }
  coordinates(Group(), first, second, last, corner);
}

/// Drops the pairs of triangle slots for which `is_dropped`, which gets a group of them, says so.
/// Returns how many are left, in front. The list needs the slack.
template <class IsDropped>
HWY_INLINE std::size_t drop_pairs(const CornerRow* a, const CornerRow* b, PairList pairs,
                                  std::size_t count, const IsDropped& is_dropped) {
  const GroupIndex d;
  std::size_t kept = 0;
  // The list is filled up to whole groups with its first pair.
  for (std::size_t i = count; i < count + k_lanes; ++i) {
    pairs.a[i] = pairs.a[0];
    pairs.b[i] = pairs.b[0];
  }
  for (std::size_t i = 0; i < count; i += k_lanes) {
    Floats p[3][3];
    Floats q[3][3];
    load_triangles(a, pairs.a + i, p);
    load_triangles(b, pairs.b + i, q);
    const auto in_list = hn::RebindMask(Group(), hn::FirstN(d, count - i));
    const Indices slots_a = hn::LoadU(d, pairs.a + i);
    const Indices slots_b = hn::LoadU(d, pairs.b + i);
    // No more than were read so far are written.
    append(hn::AndNot(is_dropped(p, q), in_list), slots_a, slots_b, pairs, kept);
  }
  return kept;
}

/// Where a value is surely positive, and where surely negative.
struct GroupSigns {
  HWY_INLINE GroupSigns() = default;
  HWY_INLINE GroupSigns(Floats x, Floats error)
      : positive(hn::Sub(error, x)), negative(hn::Add(error, x)) {}
  Truth positive;
  Truth negative;
};

/// All three are surely positive, or all surely negative.
HWY_INLINE Truth one_side(const GroupSigns sides[3]) {
  return hn::Or(all_of(sides[0].positive, sides[1].positive, sides[2].positive),
                all_of(sides[0].negative, sides[1].negative, sides[2].negative));
}

/// Whether an edge of one triangle surely pierces the other triangle: then it is added to
/// `pierces`. Where it does not surely miss it, it is removed from `misses`. `from` and `to` say on
/// which side of the other's plane its ends are; x, y and z are its volumes with the other's edges.
HWY_INLINE void judge_edge(const GroupSigns& from, const GroupSigns& to, Floats x, Floats y,
                           Floats z, Floats error, Truth& pierces, Truth& misses) {
  const GroupSigns low(hn::Min(x, hn::Min(y, z)), error);
  const GroupSigns high(hn::Max(x, hn::Max(y, z)), error);
  const Truth crosses = or_both(hn::And(from.positive, to.negative), from.negative, to.positive);
  const Truth stays = or_both(hn::And(from.positive, to.positive), from.negative, to.negative);
  pierces = or_both(pierces, crosses, hn::Or(low.positive, high.negative));
  misses = and_either(misses, stays, hn::And(low.negative, high.positive));
}

struct GroupVerdict {
  GroupMask touching;
  GroupMask apart;
};

/// The corners of triangles relative to A's first one, and by how much they may be off. A's corners
/// are exact, so its edges a1 and a2 are off by one rounding each; B's corners b are off by at most
/// `delta` on each axis. La is the largest magnitude in a1 and a2, Lb that in all b, plus delta.
///
/// In spread trees, delta is computed for each pair. Let u = 2^-24, O the largest magnitude of
/// t - p0, and B that of the coordinates of b. Then |M||q| is at most 3 (B + O), as for boxes, and
/// with fused instructions b is off by 4 u |M||q| + 4 u O + u |t|, without by
/// 7 u |M||q| + 7 u O + u |t|.
template <bool spread>
struct RelativeCorners {
  HWY_INLINE RelativeCorners(const WideFrame& frame, const Floats p[3][3], const Floats q[3][3]) {
    [[maybe_unused]] Floats farthest = hn::Zero(Group());
    for (int k = 0; k < 3; ++k) {
      a1[k] = hn::Sub(p[1][k], p[0][k]);
      a2[k] = hn::Sub(p[2][k], p[0][k]);
      const Floats origin = hn::Sub(constant(frame.translation[k]), p[0][k]);
      if constexpr (spread) farthest = hn::Max(farthest, hn::Abs(origin));
      for (int v = 0; v < 3; ++v) {
        b[v][k] = hn::MulAdd(constant(frame.matrix[k][0]), q[v][0],
                             hn::MulAdd(constant(frame.matrix[k][1]), q[v][1],
                                        hn::MulAdd(constant(frame.matrix[k][2]), q[v][2], origin)));
      }
    }
    la = larger_magnitude(largest(a1), largest(a2));
    const Floats b_largest =
        larger_magnitude(largest(b[0]), larger_magnitude(largest(b[1]), largest(b[2])));
    delta = constant(HWY_NATIVE_FMA ? frame.corner_error : frame.corner_error_unfused);
    if constexpr (spread) {
      constexpr double k_roundings = (HWY_NATIVE_FMA ? 4.1 : 7.1) * 0x1p-24;
      delta = hn::MulAdd(constant(3 * k_roundings), b_largest, delta);
      delta = hn::MulAdd(constant(4 * k_roundings), farthest, delta);
    }
    lb = hn::Add(b_largest, delta);
  }

  static HWY_INLINE Floats constant(double x) { return hn::Set(Group(), static_cast<float>(x)); }

  Floats a1[3];
  Floats a2[3];
  Floats b[3][3];
  Floats la;
  Floats lb;
  Floats delta;
};

/// The method of geometry/triangle_filter.h, with all corners relative to A's first one. Let
/// u = 2^-24, and the rest as in `RelativeCorners`. Then
///
///   a1 x a2         is off by 10 u La² in each component;
///   (a1 x a2) · b   by 48 u La² Lb for rounding, and by |a1 x a2|₁ delta for b;
///   a · (b x b')    by 36 u La Lb² for rounding, and by 12 La Lb delta for b and b';
///   b · (b' x b'')  by 36 u Lb³ for rounding, and by 18 Lb² delta for all three;
///   sums of those   by the sum of their errors, and by one rounding for each addition.
///
/// The bounds below are larger, which leaves room for their own rounding.
///
/// Lanes outside of `in_list` may get any verdict.
template <bool spread>
HWY_INLINE GroupVerdict judge(const WideFrame& frame, const Floats p[3][3], const Floats q[3][3],
                              GroupMask in_list) {
  const auto constant = [](double x)
                            TANDEM_LAMBDA { return hn::Set(Group(), static_cast<float>(x)); };
  constexpr double u = 0x1p-24;
  const RelativeCorners<spread> relative(frame, p, q);
  const auto& [a1, a2, b, la, lb, delta] = relative;
  // Products may underflow below this: then nothing is sure.
  const Floats tiny = constant(0x1p-100);

  // Heights of q's corners over the plane of p.
  Floats normal[3];
  cross(a1, a2, normal);
  const Floats height[3] = {dot(normal, b[0]), dot(normal, b[1]), dot(normal, b[2])};
  const Floats normal_sum =
      hn::Add(hn::Abs(normal[0]), hn::Add(hn::Abs(normal[1]), hn::Abs(normal[2])));
  const Floats height_error = hn::MulAdd(
      normal_sum, delta, hn::MulAdd(hn::Mul(constant(64 * u), hn::Mul(la, la)), lb, tiny));

  // All corners of one triangle are strictly on one side of the other's plane. Where models hardly
  // touch, this decides most groups.
  GroupSigns q_side[3];
  for (int v = 0; v < 3; ++v) q_side[v] = GroupSigns(height[v], height_error);
  const Truth q_apart = one_side(q_side);
  if (hn::AllFalse(Group(), hn::AndNot(where(q_apart), in_list))) {
    return {hn::Xor(in_list, in_list), where(q_apart)};
  }

  // Volumes of the edges p0p1 and p0p2 with q's edges; that of p1p2 follows from them.
  Floats m[3][3];
  for (int j = 0; j < 3; ++j) cross(b[j], b[(j + 1) % 3], m[j]);
  const Floats b_error = hn::MulAdd(constant(8 * u), lb, delta);
  const Floats volume_error_0 = hn::MulAdd(hn::Mul(constant(12), hn::Mul(la, lb)), b_error, tiny);
  const Floats volume_error = hn::Mul(constant(2), hn::Add(volume_error_0, height_error));
  Floats volume[3][3];
  for (int j = 0; j < 3; ++j) {
    const Floats s = dot(a1, m[j]);
    const Floats r = dot(a2, m[j]);
    volume[0][j] = s;
    volume[1][j] = hn::Add(hn::Sub(height[(j + 1) % 3], height[j]), hn::Sub(r, s));
    volume[2][j] = hn::Neg(r);
  }

  // Heights of p's corners over the plane of q.
  const Floats det = dot(b[0], m[1]);
  const Floats p_error =
      hn::MulAdd(constant(3), volume_error_0,
                 hn::MulAdd(hn::Mul(constant(18), hn::Mul(lb, lb)), b_error, tiny));
  const Floats sum_s = hn::Add(volume[0][0], hn::Add(volume[0][1], volume[0][2]));
  const Floats sum_r = hn::Add(volume[2][0], hn::Add(volume[2][1], volume[2][2]));
  const GroupSigns p_side[3] = {GroupSigns(hn::Neg(det), p_error),
                                GroupSigns(hn::Sub(sum_s, det), p_error),
                                GroupSigns(hn::Neg(hn::Add(sum_r, det)), p_error)};

  Truth pierces = hn::Zero(Group());
  Truth misses = constant(-1);
  for (int e = 0; e < 3; ++e) {
    const int next = (e + 1) % 3;
    judge_edge(q_side[e], q_side[next], volume[0][e], volume[1][e], volume[2][e], volume_error,
               pierces, misses);
    judge_edge(p_side[e], p_side[next], volume[e][0], volume[e][1], volume[e][2], volume_error,
               pierces, misses);
  }
  const GroupMask apart = where(any_of(misses, q_apart, one_side(p_side)));
  return {hn::AndNot(apart, where(pierces)), apart};
}

/// The slots of a group. Where there are fewer than lanes, the first one stands in the others; what
/// is said of these copies is ignored. Most were written just before. Copying them one by one is
/// faster than writing behind them, as vectors that are read from there would have to wait.
class GroupSlots {
 public:
  HWY_INLINE GroupSlots(const std::uint32_t* slots, std::size_t count)
      : first_(count < k_lanes ? copies_ : slots) {
    if (count >= k_lanes) return;
    for (std::size_t l = 0; l < k_lanes; ++l) copies_[l] = slots[l < count ? l : 0];
  }
  HWY_INLINE const std::uint32_t* first() const { return first_; }

 private:
  const std::uint32_t* first_;
  std::uint32_t copies_[k_lanes];
};

/// Fills a list up to whole groups with its first pair. What is said of these copies is ignored.
HWY_INLINE void fill_up(PairList in, std::size_t count) {
  for (std::size_t i = count; i < count + k_lanes; ++i) {
    in.a[i] = in.a[0];
    in.b[i] = in.b[0];
  }
}

template <bool spread>
FilterResult triangles(const WideFrame& frame, const CornerRow* a, const CornerRow* b, PairList in,
                       std::size_t count, PairList touching, PairList unsure) {
  const GroupIndex d;
  std::size_t touching_count = 0;
  std::size_t unsure_count = 0;
  for (std::size_t i = 0; i < count; i += k_lanes) {
    Floats p[3][3];
    Floats q[3][3];
    load_triangles(a, GroupSlots(in.a + i, count - i).first(), p);
    load_triangles(b, GroupSlots(in.b + i, count - i).first(), q);
    const auto in_list = hn::RebindMask(Group(), hn::FirstN(d, count - i));
    const GroupVerdict verdict = judge<spread>(frame, p, q, in_list);
    const Indices slots_a = hn::LoadU(d, in.a + i);
    const Indices slots_b = hn::LoadU(d, in.b + i);
    append(hn::And(in_list, verdict.touching), slots_a, slots_b, touching, touching_count);
    const GroupMask sure = hn::Or(verdict.touching, verdict.apart);
    append(hn::AndNot(sure, in_list), slots_a, slots_b, unsure, unsure_count);
  }
  return {touching_count, unsure_count};
}

/// Pairs of leaves have 4 x 4 pairs of triangles, whose corners need not be fetched one by one.
template <bool is_spread>
LeafResult leaves_until_touch(const WideFrame& wide, const BoxBlock* a, const CornerRow* rows_a,
                              const CornerRow* rows_b, PairList in, std::size_t count,
                              PairList touching, PairList unsure) {
  const auto row = [](const CornerRow* rows, std::uint32_t leaf)
                       TANDEM_LAMBDA { return rows + std::size_t{k_block} * leaf; };
  LeafResult result{};
  while (result.taken < count && result.touching == 0) {
    const std::size_t at = count - 1 - result.taken;
    const std::size_t before = k_at_once > 1 && at > 0 ? at - 1 : at;
    keep_in_memory();
    SideFloats corner_a[3][3];
    SideFloats corner_b[3][3];
    SideFloats moved_b[3][3];
    load_leaves(row(rows_a, in.a[at]), row(rows_a, in.a[before]), corner_a);
    load_leaves(row(rows_b, in.b[at]), row(rows_b, in.b[before]), corner_b);
    move(wide, corner_b, moved_b);
    const MovedBoxes<is_spread> moved(wide, moved_b);
    const auto test = [&]<int h>(std::uint32_t leaf_a, std::uint32_t leaf_b) TANDEM_LAMBDA {
      for_each_group([&]<int g>() TANDEM_LAMBDA {
        Floats p[3][3];
        Floats q[3][3];
        for (int v = 0; v < 3; ++v) {
          for (int k = 0; k < 3; ++k) {
            p[v][k] = repeat<h>(corner_a[v][k]);
            q[v][k] = spread<g, h>(corner_b[v][k]);
          }
        }
        const GroupMask overlap = boxes_overlap<g, h>(a[leaf_a], moved.lower, moved.upper);
        const GroupVerdict verdict = judge<is_spread>(wide, p, q, overlap);
        const GroupMask sure = hn::Or(verdict.touching, verdict.apart);
        const Indices slots_a = children_of_a(k_block * leaf_a);
        const Indices slots_b = children_of_b<g>(k_block * leaf_b);
        append(hn::And(overlap, verdict.touching), slots_a, slots_b, touching, result.touching);
        append(hn::AndNot(sure, overlap), slots_a, slots_b, unsure, result.unsure);
        result.overlaps |= bits_of_group<g>(overlap) << (k_pairs_of_children * result.taken);
      });
      ++result.taken;
    };
    test.template operator()<0>(in.a[at], in.b[at]);
    if constexpr (k_at_once > 1) {
      if (before != at && result.touching == 0) {
        test.template operator()<1>(in.a[before], in.b[before]);
      }
    }
  }
  return result;
}

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace tandem::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
