// Pairs of wide trees that float32 cannot hold together, in double precision.
#pragma once

#include <tandem/sink.h>

#include <cmath>
#include <cstdint>

#include "traverse/wide/frame.h"
#include "traverse/wide/observer.h"
#include "tree/wide/tree.h"

namespace tandem::detail {

/// A box along the axes.
struct CentredBox {
  double centre[3];
  double half[3];
};

/// The box of the smaller model, in the coordinates of the larger one.
inline CentredBox box_of_smaller(const WideTreeView& a, const WideTreeView& b,
                                 const WideFrame& frame, bool b_is_smaller) {
  CentredBox box;
  if (b_is_smaller) {
    for (int i = 0; i < 3; ++i) {
      box.centre[i] = frame.exact_translation[i];
      box.half[i] = frame.position_error;
      for (int j = 0; j < 3; ++j) box.half[i] += std::fabs(frame.exact_matrix[i][j]) * b.extent[j];
    }
  } else {
    // The inverse of a nearly rigid motion: its transpose, off by some millionths.
    const double scale_sq = std::ldexp(1.0, 2 * (b.exponent - a.exponent));
    for (int j = 0; j < 3; ++j) {
      box.centre[j] = 0;
      box.half[j] = 0;
      for (int i = 0; i < 3; ++i) {
        const double entry = frame.exact_matrix[i][j] / scale_sq;
        box.centre[j] -= entry * frame.exact_translation[i];
        box.half[j] +=
            std::fabs(entry) * (a.extent[i] + frame.position_error +
                                1e-5 * (a.extent[i] + std::fabs(frame.exact_translation[i])));
      }
      for (const double move : frame.exact_translation) {
        box.half[j] += 1e-5 * std::fabs(move) / std::sqrt(scale_sq);
      }
      // B's corners are rounded when they are moved, by a few 2^-53 of their size, which can be far
      // more than all of A; so triangles that pass that close may touch.
      box.half[j] += 0x1p-46;
    }
  }
  for (int k = 0; k < 3; ++k) {
    box.half[k] = box.half[k] * 1.00001 + 0x1p-40 * std::fabs(box.centre[k]);
  }
  return box;
}

/// For models whose sizes differ by more than a factor of a million, or that are too far away:
/// tests every triangle of the larger model that comes near the smaller one against all of the
/// smaller one.
template <class LeafPair, class Observer>
Flow traverse_in_double(const WideTreeView& a, const WideTreeView& b, const WideFrame& frame,
                        LeafPair& leaf_pair, Observer& observer) {
  const bool b_is_smaller = b.exponent < a.exponent;
  const WideTreeView& large = b_is_smaller ? a : b;
  const WideTreeView& small = b_is_smaller ? b : a;
  const CentredBox near = box_of_smaller(a, b, frame, b_is_smaller);

  for (std::uint32_t leaf = 0; leaf < large.leaf_count; ++leaf) {
    const BoxBlock& box = large.boxes[leaf];
    for (std::uint32_t lane = 0; lane < k_block; ++lane) {
      const std::uint32_t in_large = large.ids[k_block * leaf + lane];
      bool meets = in_large != k_no_triangle;
      for (int k = 0; k < 3; ++k) {
        meets = meets && box.lower[k][lane] <= near.centre[k] + near.half[k] &&
                near.centre[k] - near.half[k] <= box.upper[k][lane];
      }
      if (!meets) continue;
      for (std::uint32_t slot = 0; slot < small.slot_count(); ++slot) {
        const std::uint32_t in_small = small.ids[slot];
        if (in_small == k_no_triangle) continue;
        const std::uint32_t id_a = b_is_smaller ? in_large : in_small;
        const std::uint32_t id_b = b_is_smaller ? in_small : in_large;
        observer.triangle_tests(1);
        if constexpr (TracingObserver<Observer>) observer.pair_of_triangles(id_a, id_b);
        if (leaf_pair.touches(id_a, id_b) && leaf_pair.show(id_a, id_b) == Flow::stop) {
          return Flow::stop;
        }
      }
    }
    observer.share_done((leaf + 1.0) / static_cast<double>(large.leaf_count));
  }
  return Flow::go_on;
}

}  // namespace tandem::detail
