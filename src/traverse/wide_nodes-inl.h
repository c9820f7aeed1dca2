// Pairs of blocks: the overlap test of 4 x 4 children, and of the boxes of 4 x 4 triangles.
#if defined(TANDEM_WIDE_NODES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TANDEM_WIDE_NODES_INL
#undef TANDEM_WIDE_NODES_INL
#else
#define TANDEM_WIDE_NODES_INL
#endif

#include <hwy/cache_control.h>
#include <hwy/highway.h>

#include "traverse/wide_kernels.h"
#include "traverse/wide_lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tandem::detail::HWY_NAMESPACE {

/// The frame in registers.
struct FourFrame {
  explicit HWY_INLINE FourFrame(const WideFrame& frame) {
    const Four d;
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

  FourFloats matrix[3][3];
  FourFloats absolute[3][3];
  FourFloats normals[3][3];
  FourFloats translation[3];
  FourFloats box_margin;
  FourFloats slab_margin_a;
  FourFloats slab_margin_b;
};

/// row · v, with or without an addition.
HWY_INLINE FourFloats product(const FourFloats row[3], const FourFloats v[3]) {
  return times_plus(row[0], v[0], times_plus(row[1], v[1], hn::Mul(row[2], v[2])));
}
HWY_INLINE FourFloats product_plus(const FourFloats row[3], const FourFloats v[3], FourFloats z) {
  return times_plus(row[0], v[0], times_plus(row[1], v[1], times_plus(row[2], v[2], z)));
}

/// What concerns one block alone, in A's frame.
struct BlockPair {
  HWY_INLINE BlockPair(const FourFrame& frame, const NodeBlock& block_a, const NodeBlock& block_b)
      : a(block_a) {
    const Four d;
    FourFloats b_centre[3];
    FourFloats a_normal[3];
    FourFloats b_normal[3];
    for (int k = 0; k < 3; ++k) {
      b_centre[k] = hn::Load(d, block_b.centre[k]);
      b_half[k] = hn::Load(d, block_b.half[k]);
      a_normal[k] = hn::Load(d, block_a.normal[k]);
      b_normal[k] = hn::Load(d, block_b.normal[k]);
    }
    for (int k = 0; k < 3; ++k) {
      centre[k] = product_plus(frame.matrix[k], b_centre, frame.translation[k]);
      half[k] = product_plus(frame.absolute[k], b_half, frame.box_margin);
      b_normal_in_a[k] = product(frame.normals[k], b_normal);
      const FourFloats column[3] = {frame.matrix[0][k], frame.matrix[1][k], frame.matrix[2][k]};
      a_normal_in_b[k] = hn::Abs(product(column, a_normal));
    }
    a_thickness = hn::Add(hn::Load(d, block_a.thickness), frame.slab_margin_a);
    b_thickness = hn::Add(hn::Load(d, block_b.thickness), frame.slab_margin_b);
    b_offset = hn::Load(d, block_b.offset);
  }

  const NodeBlock& a;
  /// B's boxes, as boxes along A's axes.
  FourFloats centre[3];
  FourFloats half[3];
  FourFloats b_half[3];
  FourFloats b_offset;
  FourFloats a_thickness;
  FourFloats b_thickness;
  FourFloats b_normal_in_a[3];
  FourFloats a_normal_in_b[3];
};

enum class Axis { box, slab };

/// Calls `test(distance, reach, axis)` for the pairs of children in group `g` along A's axes and along
/// both slabs' normals: they overlap where no distance exceeds its reach.
template <int g, class Test>
HWY_INLINE void measure(const BlockPair& pair, const Test& test) {
  Floats difference[3];
  for (int k = 0; k < 3; ++k) {
    difference[k] = hn::Sub(spread<g>(pair.centre[k]), load_repeated(pair.a.centre[k]));
    const Floats reach = hn::Add(spread<g>(pair.half[k]), load_repeated(pair.a.half[k]));
    test(hn::Abs(difference[k]), reach, Axis::box);
  }
  // A's slab against B's box.
  Floats distance = hn::Sub(hn::Mul(difference[2], load_repeated(pair.a.normal[2])),
                            load_repeated(pair.a.offset));
  distance = times_plus(difference[1], load_repeated(pair.a.normal[1]), distance);
  distance = times_plus(difference[0], load_repeated(pair.a.normal[0]), distance);
  Floats reach = repeat(pair.a_thickness);
  for (int k = 0; k < 3; ++k) {
    reach = times_plus(repeat(pair.a_normal_in_b[k]), spread<g>(pair.b_half[k]), reach);
  }
  test(hn::Abs(distance), reach, Axis::slab);
  // B's slab against A's box.
  distance = spread<g>(pair.b_offset);
  reach = spread<g>(pair.b_thickness);
  for (int k = 0; k < 3; ++k) {
    const Floats normal = spread<g>(pair.b_normal_in_a[k]);
    distance = times_plus(difference[k], normal, distance);
    reach = times_plus(hn::Abs(normal), load_repeated(pair.a.half[k]), reach);
  }
  test(hn::Abs(distance), reach, Axis::slab);
}

/// The pairs of children in group `g` that overlap.
template <int g>
HWY_INLINE GroupMask overlap(const BlockPair& pair) {
  GroupMask mask = hn::FirstN(Group(), k_lanes);
  measure<g>(pair, [&](Floats distance, Floats reach, Axis)
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

inline KernelResult descend(const WideFrame& frame, const NodeBlock* a, const NodeBlock* b,
                            PairList in, std::size_t count, PairList out, std::size_t room) {
  const FourFrame four(frame);
  const GroupIndex d;
  std::size_t written = 0;
  std::size_t i = 0;
  for (; i < count && written + 16 <= room; ++i) {
    const std::size_t ahead = i + k_ahead < count ? i + k_ahead : i;
    fetch_ahead(a + in.a[ahead], sizeof(NodeBlock));
    fetch_ahead(b + in.b[ahead], sizeof(NodeBlock));
    const NodeBlock& block_a = a[in.a[i]];
    const NodeBlock& block_b = b[in.b[i]];
    const BlockPair pair(four, block_a, block_b);
    const Indices first_a = hn::Add(hn::Set(d, block_a.first_child), child_of_a());
    const Indices first_b = hn::Set(d, block_b.first_child);
    TANDEM_FOR_EACH_GROUP(
        append(overlap<g>(pair), first_a, hn::Add(first_b, child_of_b<g>()), out.a, out.b, written))
  }
  return {i, written};
}

/// The overlapping pairs of children as bits.
HWY_INLINE unsigned overlap_bits(const BlockPair& pair) {
  unsigned bits = 0;
  TANDEM_FOR_EACH_GROUP({
    std::uint8_t bytes[8] = {};
    hn::StoreMaskBits(Group(), overlap<g>(pair), bytes);
    bits |= (static_cast<unsigned>(bytes[0]) | static_cast<unsigned>(bytes[1]) << 8)
            << (g * static_cast<int>(k_lanes));
  })
  return bits;
}

/// The children of A, or those of B, that overlap any child of the other.
template <bool of_a>
inline KernelResult descend_one(const WideFrame& frame, const NodeBlock* a, const NodeBlock* b,
                                PairList in, std::size_t count, PairList out, std::size_t room) {
  const FourFrame four(frame);
  std::size_t written = 0;
  std::size_t i = 0;
  for (; i < count && written + 4 <= room; ++i) {
    const unsigned bits = overlap_bits(BlockPair(four, a[in.a[i]], b[in.b[i]]));
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
