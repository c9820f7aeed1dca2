// The inner loops of the wide traversal, compiled for every instruction set that the processor may
// have.
#pragma once

#include <cstddef>
#include <cstdint>

#include "traverse/wide/contract_frame.h"
#include "traverse/wide/frame.h"
#include "traverse/wide/pair.h"
#include "tree/wide/tree.h"

namespace tandem::detail {

/// What a kernel did: how many pairs it took from its input, how many it wrote.
struct KernelResult {
  std::size_t taken;
  std::size_t written;
};

/// Where the pairs of children go that overlap: lists that have `written` pairs already, by band.
/// Each has room for as many.
template <int bands>
struct Outlets {
  PairList list[bands];
  std::size_t written[bands];
  std::size_t room;
};

/// What the filter says of a list of pairs of triangles: how many surely touch, and how many need
/// more than float32.
struct FilterResult {
  std::size_t touching;
  std::size_t unsure;
};

/// The same of one or two pairs of leaves, of which so many were taken, and which pairs of their
/// triangles have boxes that overlap: bit 4j + i is the pair (i of A, j of B) of the pair of leaves
/// that was taken first, those of the second one are 16 bits higher.
struct LeafResult : FilterResult {
  std::size_t taken;
  std::uint32_t overlaps;
};

/// Pairs of blocks, of leaves or of triangle slots that are not too far apart, and lower bounds of
/// their distances, in A's units; negative ones mean 0. Kernels append to the `size` that there
/// are, and there is room for those and the slack.
struct NearList {
  /// No list has more pairs.
  static constexpr std::size_t k_room = 256;
  PairList pairs;
  float* bound;
  std::size_t size;
};

/// Pairs of triangles in A's frame, as the contract has them: corner, then axis, then pair.
struct TriangleColumns {
  static constexpr std::size_t k_room = 8;
  double p[3][3][k_room];
  double q[3][3][k_room];
};

/// The kernels of one instruction set. All sets lead to the same touching pairs. Sets with fused
/// multiply-add visit the same pairs of nodes, and so do sets without.
struct WideKernels {
  bool fused;

  /// For each pair of blocks, the pairs of children whose boxes and slabs overlap. Stops when an
  /// outlet may not have room for those of the next pairs, and returns how many pairs it took.
  /// Where one tree waits (`Descent`): the children of the other's block that overlap any child of
  /// the waiting block, each paired with the waiting block itself.
  template <int bands>
  using Descend = std::size_t(const WideFrame& frame, const NodeBlock* a, const NodeBlock* b,
                              PairList in, std::size_t count, Outlets<bands>& out);
  template <int bands>
  struct Descends {
    Descend<bands>* both;
    Descend<bands>* a_alone;
    Descend<bands>* b_alone;

    Descend<bands>* of(Descent descent) const {
      return descent == Descent::a_alone ? a_alone : descent == Descent::b_alone ? b_alone : both;
    }
  };
  /// In one list, and by band.
  Descends<1> descend_in_one;
  Descends<k_bands> descend_by_band;

  template <int bands>
  Descend<bands>* descend(Descent descent) const {
    if constexpr (bands == 1) {
      return descend_in_one.of(descent);
    } else {
      return descend_by_band.of(descent);
    }
  }

  /// The same for pairs of children that may be as close as the frame's `within`.
  Descends<1> descend_within;

  /// The same for those that may be as close as `limit`, with bounds. Takes all pairs.
  using DescendNear = void(const WideFrame& frame, const NodeBlock* a, const NodeBlock* b,
                           PairList in, std::size_t count, float limit, NearList& out);
  struct DescendsNear {
    DescendNear* both;
    DescendNear* a_alone;
    DescendNear* b_alone;

    DescendNear* of(Descent descent) const {
      return descent == Descent::a_alone ? a_alone : descent == Descent::b_alone ? b_alone : both;
    }
  };
  DescendsNear descend_near;

  struct Leaves {
    /// For each pair of leaves, the pairs of triangle slots whose boxes overlap in A's frame, less
    /// those that are seen apart along the product of their longest edges.
    KernelResult (*boxes)(const WideFrame& frame, const BoxBlock* a, const CornerRow* rows_a,
                          const CornerRow* rows_b, PairList in, std::size_t count, PairList out,
                          std::size_t room);

    /// The filter in front of the exact test: sorts pairs of triangle slots into those that surely
    /// touch, those that need more than float32, and others, which it drops. Both outputs need room
    /// for `count` and the slack; the input needs the slack too.
    FilterResult (*triangles)(const WideFrame& frame, const CornerRow* a, const CornerRow* b,
                              PairList in, std::size_t count, PairList touching, PairList unsure);

    /// Of pairs of triangle slots that need more than float32 by that filter, as flush faces do,
    /// drops those that are surely apart in a projection. Returns how many are left, in front. The
    /// list needs the slack.
    std::size_t (*drop_apart_in_projection)(const WideFrame& frame, const CornerRow* a,
                                            const CornerRow* b, PairList pairs, std::size_t count);

    /// The filter for all triangles of one or two pairs of leaves whose boxes overlap: the last
    /// pair of leaves, and if none surely touch there the first one. The outputs need room for all
    /// pairs of triangles and the slack.
    LeafResult (*until_touch)(const WideFrame& frame, const BoxBlock* a, const CornerRow* rows_a,
                              const CornerRow* rows_b, PairList in, std::size_t count,
                              PairList touching, PairList unsure);

    /// Like `boxes`, for pairs that may be as close as the frame's `within`.
    KernelResult (*within)(const WideFrame& frame, const BoxBlock* a, const CornerRow* rows_a,
                           const CornerRow* rows_b, PairList in, std::size_t count, PairList out,
                           std::size_t room);

    /// For each pair of leaves, the pairs of triangle slots that may be as close as `limit`, with
    /// bounds.
    void (*near)(const WideFrame& frame, const CornerRow* rows_a, const CornerRow* rows_b,
                 PairList in, std::size_t count, float limit, NearList& out);

    /// How far apart pairs of triangle slots are at least and at most, in A's units. Input and
    /// outputs need the slack.
    void (*distances)(const WideFrame& frame, const CornerRow* a, const CornerRow* b, PairList in,
                      std::size_t count, float* lower, float* upper);
  };
  /// For most trees, and for those that are spread.
  Leaves compact_leaves;
  Leaves spread_leaves;

  /// Sorts pairs of triangle slots that need more than float32 into those that surely touch and
  /// those that need more than doubles, and drops those that are surely apart; for trees that are
  /// `exact`. Both outputs need room for `count` and the slack; the input, which may be `unsure`
  /// too, needs the slack. Null where nothing is fused.
  FilterResult (*flush)(const ContractFrame& frame, const CornerRow* a, const CornerRow* b,
                        PairList in, std::size_t count, PairList touching, PairList unsure);

  /// Drops the pairs of a list that are farther apart than `limit`, and moves those with the least
  /// bounds to `taken`, at most `most` of them. Returns how many. What is left has infinite bounds
  /// at the places of pairs that were taken.
  std::size_t (*take_nearest)(NearList& list, float limit, PairList taken, std::size_t most);

  /// The distances of pairs of triangles as `triangle_distance` has them, to the bit, or NaN where
  /// doubles are not enough for that. There is room for `TriangleColumns::k_room` of them; columns
  /// behind `count` may have any values.
  void (*exact_distances)(const TriangleColumns& pairs, std::size_t count, double* distances);

  /// For pairs of triangle slots of one tree: drops those that have a corner or an edge in common
  /// and surely meet in no more than that. Returns how many are left, in front. `exact` says that
  /// no stored coordinate was rounded. The list needs the slack.
  std::size_t (*neighbours)(const CornerRow* rows, bool exact, PairList pairs, std::size_t count);

  const Leaves& leaves(const WideFrame& frame) const {
    return frame.spread ? spread_leaves : compact_leaves;
  }
};

/// The kernels of the best instruction set of this machine, or of the one that
/// `UseInstructionSet` asks for.
const WideKernels& wide_kernels();

}  // namespace tandem::detail
