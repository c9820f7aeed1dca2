// The kernels of the blocked tandem paper, section 2: pairs of blocks are tested level by level.
#pragma once

#include <tandem/batch.h>
#include <tandem/cuda/collide.h>

#include <cstddef>
#include <cstdint>

#include "geometry/triangle_axes.h"
#include "geometry/triangle_test.h"
#include "gpu/blocked/flags.h"
#include "gpu/blocked/overlap.h"
#include "gpu/kernel.h"
#include "math/transform.h"
#include "tree/blocked.h"

namespace tandem::detail {

using cuda::FoundPair;

/// A collision pair of the paper: two blocks, whose nodes make sixteen pairs, in one of the
/// queries.
struct BlockPair {
  std::uint32_t a;
  std::uint32_t b;
  std::uint32_t query;

  /// What is below two nodes of a pair of blocks. A block of leaves waits until the other hierarchy
  /// has come to its leaves.
  TANDEM_HD static BlockPair of_nodes(const BlockPair& pair, const BlockedLink& a,
                                      const BlockedLink& b) {
    return {a.kind == BlockedKind::inner ? a.index : pair.a,
            b.kind == BlockedKind::inner ? b.index : pair.b, pair.query};
  }
};

/// Two triangles whose boxes overlap, by their places in the forest.
struct LeafCandidate {
  std::uint32_t a;
  std::uint32_t b;
  std::uint32_t query;

  TANDEM_HD static LeafCandidate of_nodes(const BlockPair& pair, const BlockedLink& a,
                                          const BlockedLink& b) {
    return {a.index, b.index, pair.query};
  }
};

inline constexpr std::uint32_t k_pairs_in_blocks = k_blocked_nodes * k_blocked_nodes;

/// What all kernels see of the hierarchies and queries.
struct BlockedScene {
  BlockedForestView forest;
  const BatchQuery* queries;
  const BlockedFrame* frames;

  template <class V>
  TANDEM_HD const NodeQuad* node(std::uint32_t block, std::uint32_t number) const {
    return forest.quads + (std::size_t{block} * k_blocked_nodes + number) * V::k_quads;
  }
};

/// One thread per query: its frame, and the pair of roots.
struct BeginQueries {
  using Shared = NothingShared;

  BlockedForestView forest;
  const BatchQuery* queries;
  std::uint32_t count;
  BlockedFrame* frames;
  BlockPair* pairs;

  template <class Threads>
  TANDEM_KERNEL void operator()(const Threads& threads, Shared&) const {
    const std::uint32_t i = threads.index();
    if (i >= count) return;
    const BatchQuery& query = queries[i];
    const BlockedRoot& a = forest.roots[query.a];
    const BlockedRoot& b = forest.roots[query.b];
    frames[i] = BlockedFrame::of(query.b_in_a, a.units, b.units);
    pairs[i] = {a.block, b.block, i};
  }
};

/// Sixteen threads per pair of blocks, which share its loads: each loads one quad of the eight
/// boxes, or two of the oriented ones, and tests one pair of nodes. A pair of inner nodes is
/// flagged for the next level, a pair of leaves for the triangle test. An inner node that meets
/// leaves is flagged once, with the first of them: its children are paired with their whole block
/// (figure 3).
template <class V, class Flags>
struct TestBlocks {
  using Shared = NothingShared;

  BlockedScene scene;
  const BlockPair* pairs;
  std::uint32_t count;
  Flags inner;
  Flags leaves;

  template <class Threads>
  TANDEM_KERNEL void operator()(const Threads& threads, Shared&) const {
    const std::uint32_t number = threads.index() / k_pairs_in_blocks;
    const std::uint32_t k = threads.lane() % k_pairs_in_blocks;
    // Threads without a pair test imaginary nodes, as all threads of a warp must shuffle.
    const BlockPair pair = number < count ? pairs[number] : BlockPair{0, 0, 0};

    // The eight nodes are quads 0 to 8 · k_quads - 1, A's first. Thread k has quad k, and k + 16.
    constexpr std::uint32_t k_half = k_blocked_nodes * V::k_quads;
    constexpr std::uint32_t k_loads = 2 * k_half / k_pairs_in_blocks;
    NodeQuad loaded[k_loads];
    for (std::uint32_t i = 0; i < k_loads; ++i) {
      const std::uint32_t quad = k_pairs_in_blocks * i + k;
      loaded[i] =
          quad < k_half ? scene.node<V>(pair.a, 0)[quad] : scene.node<V>(pair.b, 0)[quad - k_half];
    }
    NodeQuad quads_a[V::k_quads];
    NodeQuad quads_b[V::k_quads];
    constexpr std::uint32_t k_quads = V::k_quads;
    const std::uint32_t first = threads.lane() - k;
    for (std::uint32_t i = 0; i < k_quads; ++i) {
      const std::uint32_t from_a = k / k_blocked_nodes * k_quads + i;
      const std::uint32_t from_b = k_half + k % k_blocked_nodes * k_quads + i;
      quads_a[i] = shuffled(threads, loaded[0], first + from_a);
      quads_b[i] = shuffled(threads, loaded[k_loads - 1], first + from_b % k_pairs_in_blocks);
    }

    const BlockedKind kind_a = BlockedLink::load(quads_a).kind;
    const BlockedKind kind_b = BlockedLink::load(quads_b).kind;
    bool meet = kind_a != BlockedKind::imaginary && kind_b != BlockedKind::imaginary;
    if (meet) meet = overlaps(pair.query, V::load(quads_a), V::load(quads_b));
    const std::uint32_t all = threads.ballot(meet) >> first & 0xffff;
    const bool a_is_leaf = kind_a == BlockedKind::leaf;
    const bool b_is_leaf = kind_b == BlockedKind::leaf;
    // Among the nodes of B for this node of A, and the other way round.
    const std::uint32_t before = (1U << k) - 1;
    const bool first_of_a = (all & before & 0xfU << (k & ~3U)) == 0;
    const bool first_of_b = (all & before & 0x1111U << (k & 3U)) == 0;
    const bool goes_on =
        a_is_leaf != b_is_leaf ? (b_is_leaf ? first_of_a : first_of_b) : !a_is_leaf;
    inner.write(threads, count * k_pairs_in_blocks, meet && goes_on);
    leaves.write(threads, count * k_pairs_in_blocks, meet && a_is_leaf && b_is_leaf);
  }

 private:
  template <class Threads>
  TANDEM_KERNEL static NodeQuad shuffled(const Threads& threads, const NodeQuad& quad,
                                         std::uint32_t lane) {
    return {threads.shuffle(quad.x, lane), threads.shuffle(quad.y, lane),
            threads.shuffle(quad.z, lane), threads.shuffle(quad.word, lane)};
  }

  TANDEM_KERNEL bool overlaps(std::uint32_t query, const V& a, const V& b) const {
    const BlockedFrame frame = scene.frames[query];
    if (frame.in_range()) return overlap(frame, a, b);
    const BatchQuery& q = scene.queries[query];
    return overlap_in_double(q.b_in_a, scene.forest.roots[q.a].units, scene.forest.roots[q.b].units,
                             a, b);
  }
};

/// One thread per flag: puts pairs of nodes behind each other, as pairs of blocks for the next
/// level or as leaves.
template <class V, class Flags, class To>
struct CollectPairs {
  using Shared = NothingShared;

  BlockedScene scene;
  const BlockPair* pairs;
  std::uint32_t count;
  Flags flags;
  To* to;

  template <class Threads>
  TANDEM_KERNEL void operator()(const Threads& threads, Shared&) const {
    const std::uint32_t i = threads.index();
    if (i >= count * k_pairs_in_blocks || !flags.is_set(i)) return;
    const BlockPair pair = pairs[i / k_pairs_in_blocks];
    const std::uint32_t k = i % k_pairs_in_blocks;
    to[flags.place(i)] =
        To::of_nodes(pair, BlockedLink::load(scene.node<V>(pair.a, k / k_blocked_nodes)),
                     BlockedLink::load(scene.node<V>(pair.b, k % k_blocked_nodes)));
  }
};

/// The test of all queries, and that of the paper.
struct ExactTriangleTest {
  TANDEM_HD static bool touch(const Triangle& a, const Triangle& b) {
    return test_triangles(a, b).intersects;
  }
};
struct AxesTriangleTest {
  TANDEM_HD static bool touch(const Triangle& a, const Triangle& b) {
    return triangle_axes_intersect(a, b);
  }
};

/// One thread per pair of triangles: B's is brought into A's frame as on the host.
template <class Test>
struct TestBlockedLeaves {
  using Shared = NothingShared;

  BlockedScene scene;
  const LeafCandidate* candidates;
  std::uint32_t count;
  BitFlags flags;

  template <class Threads>
  TANDEM_KERNEL void operator()(const Threads& threads, Shared&) const {
    const std::uint32_t i = threads.index();
    bool touch = false;
    if (i < count) {
      const LeafCandidate candidate = candidates[i];
      const TriangleF& b = scene.forest.triangles[candidate.b].corners;
      const Pose& b_in_a = scene.queries[candidate.query].b_in_a;
      Triangle moved;
      for (int k = 0; k < 3; ++k) moved.corner[k] = transform_point(b_in_a, b.corner[k]);
      touch = Test::touch(widen(scene.forest.triangles[candidate.a].corners), moved);
    }
    flags.write(threads, count, touch);
  }
};

/// One thread per pair of triangles: puts those that touch behind each other.
struct CollectFound {
  using Shared = NothingShared;

  BlockedScene scene;
  const LeafCandidate* candidates;
  std::uint32_t count;
  BitFlags flags;
  FoundPair* to;

  template <class Threads>
  TANDEM_KERNEL void operator()(const Threads& threads, Shared&) const {
    const std::uint32_t i = threads.index();
    if (i >= count || !flags.is_set(i)) return;
    const LeafCandidate candidate = candidates[i];
    to[flags.place(i)] = {
        candidate.query,
        {scene.forest.triangles[candidate.a].id, scene.forest.triangles[candidate.b].id}};
  }
};

}  // namespace tandem::detail
