// The inner loops of the wide traversal, compiled for every instruction set that the processor may
// have.
#pragma once

#include <cstddef>
#include <cstdint>

#include "traverse/wide/frame.h"
#include "traverse/wide/pair.h"
#include "traverse/wide/search.h"
#include "tree/wide/tree.h"

namespace tandem::detail {

/// What a kernel did: how many pairs it took from its input, how many it wrote.
struct KernelResult {
  std::size_t taken;
  std::size_t written;
};

/// What the filter says of a list of pairs of triangles: how many surely touch, and how many need
/// more than float32.
struct FilterResult {
  std::size_t touching;
  std::size_t unsure;
};

/// The kernels of one instruction set. All sets lead to the same touching pairs. Sets with fused
/// multiply-add visit the same pairs of nodes, and so do sets without.
struct WideKernels {
  bool fused;

  /// For each pair of blocks, the pairs of children whose boxes and slabs overlap. Stops when fewer
  /// than 32 of `room` are left. Where one tree waits (`Descent`): the children of the other's
  /// block that overlap any child of the waiting block, each paired with the waiting block itself.
  using Descend = KernelResult(const WideFrame& frame, const NodeBlock* a, const NodeBlock* b,
                               PairList in, std::size_t count, PairList out, std::size_t room);
  Descend* descend;
  Descend* descend_a_alone;
  Descend* descend_b_alone;

  /// Goes on with a search for one pair. Returns whether there is something to look at: pairs of
  /// triangle slots in `touching` or `unsure`.
  bool (*search)(const WideFrame& frame, WideSearch& search);

  /// For each pair of leaves, the pairs of triangle slots whose boxes overlap in A's frame.
  KernelResult (*boxes)(const WideFrame& frame, const BoxBlock* a, const CornerRow* b, PairList in,
                        std::size_t count, PairList out, std::size_t room);

  /// The filter in front of the exact test: sorts pairs of triangle slots into those that surely
  /// touch, those that need more than float32, and others, which it drops. Both outputs need room
  /// for `count` and the slack; the input needs the slack too.
  FilterResult (*triangles)(const WideFrame& frame, const CornerRow* a, const CornerRow* b,
                            PairList in, std::size_t count, PairList touching, PairList unsure);

  Descend* descend_in(Descent descent) const {
    return descent == Descent::a_alone   ? descend_a_alone
           : descent == Descent::b_alone ? descend_b_alone
                                         : descend;
  }
};

/// The kernels of the best instruction set of this machine, or of the one that
/// `UseInstructionSet` asks for.
const WideKernels& wide_kernels();

}  // namespace tandem::detail
