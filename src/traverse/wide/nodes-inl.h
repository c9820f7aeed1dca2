// Pairs of blocks: the overlap test of 4 x 4 children.
#if defined(TANDEM_WIDE_NODES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TANDEM_WIDE_NODES_INL
#undef TANDEM_WIDE_NODES_INL
#else
#define TANDEM_WIDE_NODES_INL
#endif

#include <hwy/cache_control.h>
#include <hwy/highway.h>

#include "traverse/wide/kernels.h"
#include "traverse/wide/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tandem::detail::HWY_NAMESPACE {

/// The frame in lanes: each number in every lane.
struct SideFrame {
  explicit HWY_INLINE SideFrame(const WideFrame& frame) {
    const Side d;
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) {
        matrix[i][j] = hn::Set(d, frame.matrix[i][j]);
        absolute[i][j] = hn::Set(d, frame.absolute[i][j]);
        normals[i][j] = hn::Set(d, frame.normals[i][j]);
      }
      translation[i] = hn::Set(d, frame.translation[i]);
    }
    box_margin = hn::Set(d, frame.box_margin);
    slab_margin_a = hn::Set(d, frame.slab_margin_a);
    slab_margin_b = hn::Set(d, frame.slab_margin_b);
    leaf_margin = hn::Set(d, frame.leaf_margin);
  }

  SideFloats matrix[3][3];
  SideFloats absolute[3][3];
  SideFloats normals[3][3];
  SideFloats translation[3];
  SideFloats box_margin;
  SideFloats slab_margin_a;
  SideFloats slab_margin_b;
  SideFloats leaf_margin;
};

/// Before this, nothing is loaded for what comes after it. A frame has more numbers than there are
/// registers: a loop that loads each where it is used, into every lane at once, is faster than one
/// that keeps copies of them on the stack, and short loops need not make those copies first.
HWY_INLINE void keep_in_memory() {
  asm volatile("" : : : "memory");  // NOLINT(hicpp-no-assembler)
}

// Here and in all kernels, MulAdd rounds once where the machine has an instruction for it, and
// twice elsewhere. Margins allow for both.

/// row · v
HWY_INLINE SideFloats product(const SideFloats row[3], const SideFloats v[3]) {
  return hn::MulAdd(row[0], v[0], hn::MulAdd(row[1], v[1], hn::Mul(row[2], v[2])));
}
/// row · v + z
HWY_INLINE SideFloats product_plus(const SideFloats row[3], const SideFloats v[3], SideFloats z) {
  return hn::MulAdd(row[0], v[0], hn::MulAdd(row[1], v[1], hn::MulAdd(row[2], v[2], z)));
}

/// What concerns one block alone, in A's frame, for as many pairs of blocks as are computed at
/// once.
struct BlockPairs {
  /// Where only one pair is computed at once, the second one is ignored.
  HWY_INLINE BlockPairs(const SideFrame& frame, const NodeBlock& a0, const NodeBlock& b0,
                        const NodeBlock& a1, const NodeBlock& b1)
      : a{&a0, &a1} {
    SideFloats b_centre[3];
    SideFloats a_normal[3];
    SideFloats b_normal[3];
    for (int k = 0; k < 3; ++k) {
      b_centre[k] = load_side(b0.centre[k], b1.centre[k]);
      b_half[k] = load_side(b0.half[k], b1.half[k]);
      a_normal[k] = load_side(a0.normal[k], a1.normal[k]);
      b_normal[k] = load_side(b0.normal[k], b1.normal[k]);
    }
    for (int k = 0; k < 3; ++k) {
      centre[k] = product_plus(frame.matrix[k], b_centre, frame.translation[k]);
      half[k] = product_plus(frame.absolute[k], b_half, frame.box_margin);
      b_normal_in_a[k] = product(frame.normals[k], b_normal);
      const SideFloats column[3] = {frame.matrix[0][k], frame.matrix[1][k], frame.matrix[2][k]};
      a_normal_in_b[k] = hn::Abs(product(column, a_normal));
    }
    a_thickness = hn::Add(load_side(a0.thickness, a1.thickness), frame.slab_margin_a);
    b_thickness = hn::Add(load_side(b0.thickness, b1.thickness), frame.slab_margin_b);
    b_offset = load_side(b0.offset, b1.offset);
  }

  const NodeBlock* a[2];
  /// B's boxes, as boxes along A's axes.
  SideFloats centre[3];
  SideFloats half[3];
  SideFloats b_half[3];
  SideFloats b_offset;
  SideFloats a_thickness;
  SideFloats b_thickness;
  SideFloats b_normal_in_a[3];
  SideFloats a_normal_in_b[3];
};

enum class Axis { box, slab_of_a, slab_of_b };

/// Calls `test(distance, reach, axis)` for the pairs of children in group `g` of pair `h`, along
/// A's axes and along both slabs' normals. Children overlap where no distance exceeds its reach.
template <int g, int h, class Test>
HWY_INLINE void measure(const BlockPairs& pairs, const Test& test) {
  const NodeBlock& a = *pairs.a[h];
  Floats difference[3];
  for (int k = 0; k < 3; ++k) {
    difference[k] = hn::Sub(spread<g, h>(pairs.centre[k]), load_repeated(a.centre[k]));
    const Floats reach = hn::Add(spread<g, h>(pairs.half[k]), load_repeated(a.half[k]));
    test(hn::Abs(difference[k]), reach, Axis::box);
  }
  // A's slab against B's box.
  Floats distance = hn::MulSub(difference[2], load_repeated(a.normal[2]), load_repeated(a.offset));
  distance = hn::MulAdd(difference[1], load_repeated(a.normal[1]), distance);
  distance = hn::MulAdd(difference[0], load_repeated(a.normal[0]), distance);
  Floats reach = repeat<h>(pairs.a_thickness);
  for (int k = 0; k < 3; ++k) {
    reach = hn::MulAdd(repeat<h>(pairs.a_normal_in_b[k]), spread<g, h>(pairs.b_half[k]), reach);
  }
  test(hn::Abs(distance), reach, Axis::slab_of_a);
  // B's slab against A's box, in B's units.
  distance = spread<g, h>(pairs.b_offset);
  reach = spread<g, h>(pairs.b_thickness);
  for (int k = 0; k < 3; ++k) {
    const Floats normal = spread<g, h>(pairs.b_normal_in_a[k]);
    distance = hn::MulAdd(difference[k], normal, distance);
    reach = hn::MulAdd(hn::Abs(normal), load_repeated(a.half[k]), reach);
  }
  test(hn::Abs(distance), reach, Axis::slab_of_b);
}

/// The bits of a float subtracted from these give the bits of its inverse, to within an eighth.
inline constexpr std::uint32_t k_inverse = 0x7ef311c7;

/// Pairs of children that overlap: all of them, and those that stand in the first band and at the
/// end of it.
struct Overlaps {
  GroupMask all;
  GroupMask promising;
  GroupMask best;
};

/// The pairs of children in group `g` of pair `h` that overlap.
template <int g, int h>
HWY_INLINE GroupMask overlap(const BlockPairs& pairs) {
  GroupMask result = hn::FirstN(Group(), k_lanes);
  measure<g, h>(pairs, [&](Floats distance, Floats reach, Axis)
                           TANDEM_LAMBDA { result = hn::And(result, hn::Le(distance, reach)); });
  return result;
}

/// The same, with their scores.
template <int g, int h>
HWY_INLINE Overlaps scored_overlap(const BlockPairs& pairs) {
  const GroupIndex d;
  GroupMask all = hn::FirstN(Group(), k_lanes);
  Floats score = hn::Zero(Group());
  measure<g, h>(pairs, [&](Floats distance, Floats reach, Axis) TANDEM_LAMBDA {
    all = hn::And(all, hn::Le(distance, reach));
    const Indices inverse = hn::Sub(hn::Set(d, k_inverse), hn::BitCast(d, reach));
    const Floats part = hn::Mul(distance, hn::BitCast(Group(), inverse));
    score = hn::MulAdd(part, part, score);
  });
  return {all, hn::And(all, hn::Lt(score, hn::Set(Group(), k_promising))),
          hn::And(all, hn::Lt(score, hn::Set(Group(), k_best)))};
}

/// Asks for bytes that are needed soon.
HWY_INLINE void fetch_ahead(const void* address, std::size_t bytes) {
  for (std::size_t i = 0; i < bytes; i += 64) {
    hwy::Prefetch(static_cast<const char*>(address) + i);
  }
}

/// How many pairs ahead of its use a block is asked for.
inline constexpr std::size_t k_ahead = 6;

/// Runs through a list of pairs, as many at once as are computed at once, as long as `has_room()`.
/// `fetch(a, b)` asks for the memory of a later pair. `test(first, second)` tests the pairs at two
/// places of the list; where a pair is alone, both places are the same. Returns how many it took.
template <class HasRoom, class Fetch, class Test>
HWY_INLINE std::size_t for_each_pair(PairList in, std::size_t count, const HasRoom& has_room,
                                     const Fetch& fetch, const Test& test) {
  std::size_t i = 0;
  for (; i < count && has_room(); i += k_at_once) {
    for (std::size_t ahead = i + k_ahead; ahead < i + k_ahead + k_at_once; ++ahead) {
      if (ahead >= count) break;
      fetch(in.a[ahead], in.b[ahead]);
    }
    // The last pair may be alone.
    const std::size_t second = i + k_at_once - 1 < count ? i + k_at_once - 1 : i;
    test(i, second);
  }
  return i < count ? i : count;
}

/// Whether every outlet has room for this many pairs more.
template <int bands>
HWY_INLINE bool has_room(const Outlets<bands>& out, std::size_t more) {
  bool result = true;
  for (const std::size_t written : out.written) result = result && written + more <= out.room;
  return result;
}

/// Runs through pairs of blocks, both of which are descended, as long as `has_room()`. `Blocks` is
/// made of the blocks that are computed at once; `append.operator()<g, h>(blocks, a, b)` is called
/// for each group of pairs of children. Returns how many were taken.
template <class Blocks, class HasRoom, class Append>
HWY_INLINE std::size_t descend_both(const WideFrame& frame, const NodeBlock* a, const NodeBlock* b,
                                    PairList in, std::size_t count, const HasRoom& has_room,
                                    const Append& append) {
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
    const Blocks blocks(side, a0, b0, a1, b1);
    for_each_group([&]<int g>() TANDEM_LAMBDA {
      append.template operator()<g, 0>(blocks, children_of_a(a0.first_child),
                                       children_of_b<g>(b0.first_child));
    });
    if constexpr (k_at_once > 1) {
      if (second == first) return;
      for_each_group([&]<int g>() TANDEM_LAMBDA {
        append.template operator()<g, 1>(blocks, children_of_a(a1.first_child),
                                         children_of_b<g>(b1.first_child));
      });
    }
  };
  return for_each_pair(in, count, has_room, fetch, test);
}

inline std::size_t descend(const WideFrame& frame, const NodeBlock* a, const NodeBlock* b,
                           PairList in, std::size_t count, Outlets<1>& outlets) {
  const PairList list = outlets.list[0];
  std::size_t written = outlets.written[0];
  const std::size_t most = outlets.room - k_pairs_of_children * k_at_once;
  const std::size_t taken = descend_both<BlockPairs>(
      frame, a, b, in, count, [&]() TANDEM_LAMBDA { return written <= most; },
      [&]<int g, int h>(const BlockPairs& pairs, Indices of_a, Indices of_b)
          TANDEM_LAMBDA { append(overlap<g, h>(pairs), of_a, of_b, list, written); });
  outlets.written[0] = written;
  return taken;
}

/// The children of one pair of blocks, by group.
struct SortedChildren {
  Overlaps overlaps[k_groups];
  std::uint32_t first_a;
  std::uint32_t first_b;

  template <int h>
  HWY_INLINE void find(const BlockPairs& pairs) {
    for_each_group([&]<int g>() TANDEM_LAMBDA { overlaps[g] = scored_overlap<g, h>(pairs); });
  }
  /// Appends those that `choose` chooses.
  template <class Choose>
  HWY_INLINE void append_to(PairList out, std::size_t& written, const Choose& choose) const {
    for_each_group([&]<int g>() TANDEM_LAMBDA {
      append(choose(overlaps[g]), children_of_a(first_a), children_of_b<g>(first_b), out, written);
    });
  }
};

/// Few pairs, the best of which stand last, as the best of their children do then.
inline std::size_t descend_sorted(const WideFrame& frame, const NodeBlock* a, const NodeBlock* b,
                                  PairList in, std::size_t count, Outlets<k_bands>& outlets) {
  Outlets<k_bands> out = outlets;
  std::size_t i = 0;
  for (; i < count && has_room(out, 2 * k_pairs_of_children); i += 2) {
    const bool two = i + 1 < count;
    const std::size_t last = two ? i + 1 : i;
    const NodeBlock& a0 = a[in.a[last]];
    const NodeBlock& b0 = b[in.b[last]];
    const NodeBlock& a1 = a[in.a[i]];
    const NodeBlock& b1 = b[in.b[i]];
    keep_in_memory();
    const SideFrame side(frame);
    const BlockPairs pairs(side, a0, b0, a1, b1);
    const auto others = [](const Overlaps& x)
                            TANDEM_LAMBDA { return hn::AndNot(x.promising, x.all); };
    const auto good = [](const Overlaps& x)
                          TANDEM_LAMBDA { return hn::AndNot(x.best, x.promising); };
    const auto best = [](const Overlaps& x) TANDEM_LAMBDA { return x.best; };
    SortedChildren better{{}, a0.first_child, b0.first_child};
    better.find<0>(pairs);
    better.append_to(out.list[1], out.written[1], others);
    better.append_to(out.list[0], out.written[0], good);
    if (two) {
      SortedChildren other{{}, a1.first_child, b1.first_child};
      if constexpr (k_at_once > 1) {
        other.find<1>(pairs);
      } else {
        other.find<0>(BlockPairs(side, a1, b1, a1, b1));
      }
      other.append_to(out.list[1], out.written[1], others);
      other.append_to(out.list[0], out.written[0], good);
      other.append_to(out.list[0], out.written[0], best);
    }
    better.append_to(out.list[0], out.written[0], best);
  }
  for (int band = 0; band < k_bands; ++band) outlets.written[band] = out.written[band];
  return i < count ? i : count;
}

/// The same of group `g`, where they stand among all groups.
template <int g>
HWY_INLINE unsigned bits_of_group(GroupMask mask) {
  return bits_of(mask) << (g * static_cast<int>(k_lanes));
}

/// Of pairs of children as bits, those of one tree that are in any of them, as four bits. Bit
/// 4j + i is the pair (i of A, j of B).
template <Descent descent>
HWY_INLINE unsigned children_in(unsigned pairs) {
  if constexpr (descent == Descent::a_alone) {
    pairs |= pairs >> 8;
    return (pairs | pairs >> 4) & 0xf;
  } else {
    pairs |= pairs >> 2;
    pairs = (pairs | pairs >> 1) & 0x1111;
    // Bits 0, 4, 8 and 12 move to bits 12 to 15, each by a bit of its own.
    return (pairs * 0x1248) >> 12 & 0xf;
  }
}

/// Appends some children of one tree's block, each paired with the waiting block of the other.
/// Writes four pairs in any case, which needs no branch.
template <Descent descent>
HWY_INLINE void append_alone(unsigned children, std::uint32_t first, std::uint32_t waiting,
                             PairList out, std::size_t& written) {
  for (unsigned child = 0; child < k_block; ++child) {
    const bool in_a = descent == Descent::a_alone;
    out.a[written] = in_a ? first + child : waiting;
    out.b[written] = in_a ? waiting : first + child;
    written += children >> child & 1;
  }
}

/// The children of one tree's block that overlap any child of the other's, which waits. A child is
/// promising if any of its pairs is.
template <Descent descent, int bands>
std::size_t descend_alone(const WideFrame& frame, const NodeBlock* a, const NodeBlock* b,
                          PairList in, std::size_t count, Outlets<bands>& outlets) {
  constexpr bool k_in_a = descent == Descent::a_alone;
  Outlets<bands> out = outlets;
  const auto fetch = [&](std::uint32_t block_a, std::uint32_t block_b) TANDEM_LAMBDA {
    fetch_ahead(k_in_a ? a + block_a : b + block_b, sizeof(NodeBlock));
  };
  const auto test = [&](std::size_t first, std::size_t second) TANDEM_LAMBDA {
    keep_in_memory();
    const SideFrame side(frame);
    const BlockPairs pairs(side, a[in.a[first]], b[in.b[first]], a[in.a[second]], b[in.b[second]]);
    const auto append_children = [&]<int h>(std::size_t at) TANDEM_LAMBDA {
      unsigned all = 0;
      [[maybe_unused]] unsigned promising = 0;
      for_each_group([&]<int g>() TANDEM_LAMBDA {
        if constexpr (bands == 1) {
          all |= bits_of_group<g>(overlap<g, h>(pairs));
        } else {
          const Overlaps overlaps = scored_overlap<g, h>(pairs);
          all |= bits_of_group<g>(overlaps.all);
          promising |= bits_of_group<g>(overlaps.promising);
        }
      });
      const std::uint32_t child = k_in_a ? a[in.a[at]].first_child : b[in.b[at]].first_child;
      const std::uint32_t waiting = k_in_a ? in.b[at] : in.a[at];
      all = children_in<descent>(all);
      if constexpr (bands == 2) {
        promising = children_in<descent>(promising);
        append_alone<descent>(promising, child, waiting, out.list[0], out.written[0]);
      }
      append_alone<descent>(all & ~promising, child, waiting, out.list[bands - 1],
                            out.written[bands - 1]);
    };
    append_children.template operator()<0>(first);
    if constexpr (k_at_once > 1) {
      if (second != first) append_children.template operator()<1>(second);
    }
  };
  const std::size_t taken = for_each_pair(
      in, count, [&]() TANDEM_LAMBDA { return has_room(out, k_block * k_at_once); }, fetch, test);
  for (int band = 0; band < bands; ++band) outlets.written[band] = out.written[band];
  return taken;
}

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace tandem::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
