// Pairs of blocks: the overlap test of 4 x 4 children, and of the boxes of 4 x 4 triangles.
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

/// The frame in lanes.
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
  }

  SideFloats matrix[3][3];
  SideFloats absolute[3][3];
  SideFloats normals[3][3];
  SideFloats translation[3];
  SideFloats box_margin;
  SideFloats slab_margin_a;
  SideFloats slab_margin_b;
};

/// row · v, with or without an addition.
HWY_INLINE SideFloats product(const SideFloats row[3], const SideFloats v[3]) {
  return times_plus(row[0], v[0], times_plus(row[1], v[1], hn::Mul(row[2], v[2])));
}
HWY_INLINE SideFloats product_plus(const SideFloats row[3], const SideFloats v[3], SideFloats z) {
  return times_plus(row[0], v[0], times_plus(row[1], v[1], times_plus(row[2], v[2], z)));
}

/// What concerns one block alone, in A's frame, of one or two pairs of blocks.
struct BlockPairs {
  /// The second pair is not looked at where only one is computed at once.
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

enum class Axis { box, slab };

/// Calls `test(distance, reach, axis)` for the pairs of children in group `g` of pair `h`, along A's axes
/// and along both slabs' normals: they overlap where no distance exceeds its reach.
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
  Floats distance =
      hn::Sub(hn::Mul(difference[2], load_repeated(a.normal[2])), load_repeated(a.offset));
  distance = times_plus(difference[1], load_repeated(a.normal[1]), distance);
  distance = times_plus(difference[0], load_repeated(a.normal[0]), distance);
  Floats reach = repeat<h>(pairs.a_thickness);
  for (int k = 0; k < 3; ++k) {
    reach = times_plus(repeat<h>(pairs.a_normal_in_b[k]), spread<g, h>(pairs.b_half[k]), reach);
  }
  test(hn::Abs(distance), reach, Axis::slab);
  // B's slab against A's box.
  distance = spread<g, h>(pairs.b_offset);
  reach = spread<g, h>(pairs.b_thickness);
  for (int k = 0; k < 3; ++k) {
    const Floats normal = spread<g, h>(pairs.b_normal_in_a[k]);
    distance = times_plus(difference[k], normal, distance);
    reach = times_plus(hn::Abs(normal), load_repeated(a.half[k]), reach);
  }
  test(hn::Abs(distance), reach, Axis::slab);
}

/// The pairs of children in group `g` of pair `h` that overlap.
template <int g, int h>
HWY_INLINE GroupMask overlap(const BlockPairs& pairs) {
  GroupMask mask = hn::FirstN(Group(), k_lanes);
  measure<g, h>(pairs, [&](Floats distance, Floats reach, Axis)
                           HWY_ATTR { mask = hn::And(mask, hn::Le(distance, reach)); });
  return mask;
}

/// Bytes that are needed soon.
HWY_INLINE void fetch_ahead(const void* address, std::size_t bytes) {
  for (std::size_t i = 0; i < bytes; i += 64) {
    hwy::Prefetch(static_cast<const char*>(address) + i);
  }
}

/// How many pairs ahead of its use a block is asked for.
inline constexpr std::size_t k_ahead = 6;

/// Appends the overlapping pairs of children of pair `h`.
template <int h>
HWY_INLINE void append_overlaps(const BlockPairs& pairs, const NodeBlock& a, const NodeBlock& b,
                                PairList out, std::size_t& written) {
  const GroupIndex d;
  const Indices first_a = hn::Add(hn::Set(d, a.first_child), child_of_a());
  const Indices first_b = hn::Set(d, b.first_child);
  TANDEM_FOR_EACH_GROUP(append(overlap<g, h>(pairs), first_a, hn::Add(first_b, child_of_b<g>()),
                               out.a, out.b, written))
}

inline KernelResult descend(const WideFrame& frame, const NodeBlock* a, const NodeBlock* b,
                            PairList in, std::size_t count, PairList out, std::size_t room) {
  const SideFrame side(frame);
  std::size_t written = 0;
  std::size_t i = 0;
  for (; i < count && written + 16 * k_at_once <= room; i += k_at_once) {
    for (std::size_t ahead = i + k_ahead; ahead < i + k_ahead + k_at_once; ++ahead) {
      if (ahead >= count) break;
      fetch_ahead(a + in.a[ahead], sizeof(NodeBlock));
      fetch_ahead(b + in.b[ahead], sizeof(NodeBlock));
    }
    // The last one may be alone.
    const std::size_t second = i + k_at_once - 1 < count ? i + k_at_once - 1 : i;
    const NodeBlock& a0 = a[in.a[i]];
    const NodeBlock& b0 = b[in.b[i]];
    const NodeBlock& a1 = a[in.a[second]];
    const NodeBlock& b1 = b[in.b[second]];
    const BlockPairs pairs(side, a0, b0, a1, b1);
    append_overlaps<0>(pairs, a0, b0, out, written);
    if constexpr (k_at_once > 1) {
      if (second != i) append_overlaps<1>(pairs, a1, b1, out, written);
    }
  }
  return {i < count ? i : count, written};
}

/// The overlapping pairs of children as bits.
HWY_INLINE unsigned overlap_bits(const SideFrame& frame, const NodeBlock& a, const NodeBlock& b) {
  const BlockPairs pairs(frame, a, b, a, b);
  unsigned bits = 0;
  TANDEM_FOR_EACH_GROUP({
    std::uint8_t bytes[8] = {};
    const GroupMask mask = overlap<g, 0>(pairs);
    hn::StoreMaskBits(Group(), mask, bytes);
    bits |= (static_cast<unsigned>(bytes[0]) | static_cast<unsigned>(bytes[1]) << 8)
            << (g * static_cast<int>(k_lanes));
  })
  return bits;
}

/// The children of A, or those of B, that overlap any child of the other.
template <bool of_a>
inline KernelResult descend_one(const WideFrame& frame, const NodeBlock* a, const NodeBlock* b,
                                PairList in, std::size_t count, PairList out, std::size_t room) {
  const SideFrame side(frame);
  std::size_t written = 0;
  std::size_t i = 0;
  for (; i < count && written + 4 <= room; ++i) {
    const unsigned bits = overlap_bits(side, a[in.a[i]], b[in.b[i]]);
    for (unsigned child = 0; child < 4; ++child) {
      // Bit 4j + i is the pair (i of A, j of B).
      const unsigned its_bits = of_a ? bits >> child & 0x1111 : bits >> 4 * child & 0xf;
      if (its_bits == 0) continue;
      out.a[written] = of_a ? a[in.a[i]].first_child + child : in.a[i];
      out.b[written++] = of_a ? in.b[i] : b[in.b[i]].first_child + child;
    }
  }
  return {i, written};
}

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace tandem::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
