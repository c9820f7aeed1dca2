// The inner loops of the wide traversal, compiled for every instruction set that Highway knows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "traverse/wide/frame.h"
#include "traverse/wide/search.h"
#include "tree/wide/tree.h"

namespace tandem::detail {

/// What a kernel did: how many pairs it took from its input, how many it wrote.
struct KernelResult {
  std::size_t taken;
  std::size_t written;
};

/// One instruction set's kernels. All lead to the same touching pairs; those with fused operations
/// take up the same pairs of nodes, and so do those without.
struct WideKernels {
  const char* name;
  bool fused;

  /// For each pair of blocks, the pairs of children whose boxes and slabs overlap. Stops when fewer
  /// than 32 of `room` are left.
  KernelResult (*descend)(const WideFrame& frame, const NodeBlock* a, const NodeBlock* b,
                          PairList in, std::size_t count, PairList out, std::size_t room);
  /// The same for A's or B's side alone: the children of one that overlap any child of the other,
  /// each with the other's block as it was. Each pair writes at most 4.
  KernelResult (*descend_a)(const WideFrame& frame, const NodeBlock* a, const NodeBlock* b,
                            PairList in, std::size_t count, PairList out, std::size_t room);
  KernelResult (*descend_b)(const WideFrame& frame, const NodeBlock* a, const NodeBlock* b,
                            PairList in, std::size_t count, PairList out, std::size_t room);
  /// Goes on with a search for one pair. Returns whether there is something to look at: pairs of
  /// triangle slots in `touching` or `unsure`.
  bool (*search)(const WideFrame& frame, WideSearch& search);
  /// For each pair of leaves, the pairs of triangle slots whose boxes overlap in A's frame.
  KernelResult (*boxes)(const WideFrame& frame, const BoxBlock* a, const CornerRow* b, PairList in,
                        std::size_t count, PairList out, std::size_t room);
  /// For pairs of triangle slots: `touching` gets those that surely touch, `unsure` those that need
  /// more than float32. Both may have room for `count` and the slack. Returns their numbers.
  struct Split {
    std::size_t touching;
    std::size_t unsure;
  };
  Split (*triangles)(const WideFrame& frame, const CornerRow* a, const CornerRow* b, PairList in,
                     std::size_t count, PairList touching, PairList unsure);
};

/// Those that this machine can run, the best first.
const std::vector<const WideKernels*>& wide_kernels();

}  // namespace tandem::detail
