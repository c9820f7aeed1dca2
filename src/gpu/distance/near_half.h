// How far apart children and triangles are at least and at most, in float32, from blocks in half
// precision: what traverse/wide/distance/ computes in lanes, for one thread.
//
// Distances are in A's units. Lower bounds hold whatever was rounded, so that leaving out what is
// farther than the closest pair may be loses nothing.
#pragma once

#include <tandem/host_device.h>

#include <cmath>
#include <cstdint>
#include <limits>

#include "gpu/distance/float_number.h"
#include "gpu/waves/float_filter.h"
#include "gpu/waves/models.h"
#include "gpu/waves/overlap_half.h"
#include "gpu/waves/query.h"
#include "gpu/waves/queue.h"

namespace tandem::detail {

/// A pair of triangles, which are neither closer nor farther apart than that.
template <class Number>
struct PairBounds {
  Number lower;
  Number upper;
};

class NearHalf {
 public:
  using Frame = HalfFrame;
  using Number = float;
  static constexpr int k_search_blocks = 5;

  /// The frame where threads read it again and again.
  TANDEM_HD static HalfFrame load(const HalfFrame* frame) { return load_constant(frame); }

  /// A distance in A's units, not less than the one given.
  TANDEM_HD static float above(double distance) {
    const double above = distance * (1 + 0x1p-20) + 0x1p-140;
    constexpr float k_most = std::numeric_limits<float>::max();
    return above < k_most ? static_cast<float>(above) : k_most;
  }

  /// A lower bound as the stack has it.
  TANDEM_HD static float below(float bound) { return bound; }

  /// The gap between two children that are there, along the line between their centres: in front of
  /// A's centre, A reaches as far as its box, or as its slab and box together, and so does B behind
  /// its own. With d = αn + m, whatever n and α are, the slab bounds the part along n and the box
  /// that along m.
  ///
  /// Let u = 2^-24, d the computed difference of the centres, and F the largest magnitude of a
  /// coordinate that any point of either model has or that is added up on the way
  /// (`FrameInDouble::farthest`). Centres are off by 3 u F, which the matrix passes on for B's, and
  /// moving and subtracting adds 8.1 u F (traverse/wide/frame.h): 15 u F on each axis, 26 u F |d|
  /// along d. Products of d with half sides are off by 5 u F |d| each, those with m by 7 u F |d|
  /// on each of three axes more, and B's direction Mᵀd by another 7 u |d|: 40 u F |d| for both
  /// reaches, and 7 u F |d| as half sides and thicknesses are multiplied by the scales of their
  /// blocks. With all positions off by e on each axis, that makes 73 u F + 2 e of the gap. The
  /// frame's margin is 9 u F + 2 e, of which 11 are taken. The last operations, an approximate root
  /// among them, are off by less than 1e-6.
  TANDEM_HD static float children(const HalfFrame& frame, const HalfBlock& a, int i,
                                  const HalfBlock& b, int j) {
    const Child of_a(a, i);
    const Child of_b(b, j);
    float d[3];
    for (int k = 0; k < 3; ++k) {
      d[k] = row_times(frame.matrix[k], of_b.centre, frame.translation[k]) - of_a.centre[k];
    }
    float back[3];
    for (int k = 0; k < 3; ++k) {
      const float column[3] = {frame.matrix[0][k], frame.matrix[1][k], frame.matrix[2][k]};
      back[k] = -row_times(column, d, 0);
    }
    const float length_sq = row_times(d, d, 0);
    const float gap =
        (length_sq - of_a.reach(d) - of_b.reach(back)) * quick_inverse_root(length_sq);
    const float bound = (gap - (11 * frame.margin + k_shortest)) * 0.9999F;
    // Not so for NaN, where the centres are the same.
    return bound > 0 ? bound : 0;
  }

  /// The gap between two triangles along the line between their middles. As in lanes, products
  /// of its direction d with corners are off by 5.4 u |d| times the magnitude of these, their
  /// difference and what follows by 7 u |d| times both, and B's corners by the margin on each axis:
  /// 25 u F and 1.8 margins, of which each is at least 9 u F.
  TANDEM_HD static float triangles(const HalfFrame& frame, const WaveModels&, const BatchQuery&,
                                   const WaveTriangle& p, const WaveTriangle& q) {
    float b[3][3];
    float d[3];
    for (int k = 0; k < 3; ++k) {
      for (int v = 0; v < 3; ++v) {
        b[v][k] = row_times(frame.matrix[k], q.value + 3 * v, frame.translation[k]);
      }
      d[k] = (b[0][k] + (b[1][k] + b[2][k])) - (p.value[k] + (p.value[3 + k] + p.value[6 + k]));
    }
    float end = row_times(d, p.value, 0);
    float begin = row_times(d, b[0], 0);
    for (int v = 1; v < 3; ++v) {
      end = larger(end, row_times(d, p.value + 3 * v, 0));
      begin = smaller(begin, row_times(d, b[v], 0));
    }
    const float gap = (begin - end) * quick_inverse_root(row_times(d, d, 0));
    const float bound = (gap - (6 * frame.margin + k_shortest)) * 0.9999F;
    return bound > 0 ? bound : 0;
  }

  /// How far apart two triangles are. The bounds are those of near_leaves-inl.h: with M the
  /// largest magnitude of a corner relative to A's first one, each is off by less than
  /// 2 δ + 64 u M. The contract's distance is within 1e-12 of the true one, which is far less.
  TANDEM_HD static PairBounds<float> distance(const HalfFrame& frame, const WaveModels&,
                                              const BatchQuery&, const WaveEntry&,
                                              const WaveTriangle& p, const WaveTriangle& q) {
    Corners<FloatNumber> in_a;
    Corners<FloatNumber> in_b;
    float largest = 0;
    for (int k = 0; k < 3; ++k) {
      const float origin = frame.translation[k] - p.value[k];
      for (int v = 0; v < 3; ++v) {
        const float of_a = p.value[3 * v + k] - p.value[k];
        const float of_b = row_times(frame.matrix[k], q.value + 3 * v, origin);
        in_a.of[v].of[k] = FloatNumber::of(of_a);
        in_b.of[v].of[k] = FloatNumber::of(of_b);
        largest = larger(largest, larger(std::fabs(of_a), std::fabs(of_b)));
      }
    }
    const NearestPoints<FloatNumber> best = nearest_points(in_a, in_b);
    const float gap = gap_along(best.between, in_a, in_b).value;
    const float between = std::sqrt(best.distance_sq.value);
    const float error =
        2 * frame.corner_error + (64 * 0x1p-24F * (largest + frame.corner_error) + k_shortest);
    const float least = gap / between - error;
    // Nothing is sure where the square of the distance underflows.
    const bool sure = least > 0 && between > k_shortest;
    return {sure ? least : 0, between + error};
  }

  /// Whether they surely share a point.
  TANDEM_HD static bool touch(const HalfFrame& frame, const WaveModels&, const BatchQuery&,
                              const WaveEntry&, const WaveTriangle& p, const WaveTriangle& q) {
    return FloatFilter::judge(frame, p, q) == Verdict::intersecting;
  }

 private:
  /// Lengths whose squares are far from underflow are longer than this.
  static constexpr float k_shortest = 0x1p-59F;

  TANDEM_HD static float quick_inverse_root(float x) {
#if defined(__CUDA_ARCH__)
    return rsqrtf(x);
#else
    return 1 / std::sqrt(x);
#endif
  }

  /// A child of a block in the units of its tree.
  struct Child {
    float centre[3];
    float half[3];
    float normal[3];
    float offset;
    float thickness;

    TANDEM_HD Child(const HalfBlock& block, int number) {
      const int g = number / 2;
      const auto one = [&](Half2 two) {
        const TwoFloats both = widened(two);
        return number % 2 == 0 ? both.first : both.second;
      };
      for (int k = 0; k < 3; ++k) {
        centre[k] = multiply_add(block.scale, one(block.centre[k][g]), block.origin[k]);
        half[k] = block.scale * one(block.half[k][g]);
        normal[k] = one(block.normal[k][g]);
      }
      offset = block.scale * one(block.offset[g]);
      thickness = block.scale * one(block.thickness[g]);
    }

    /// How far it reaches from its centre along a direction, times the length of that.
    TANDEM_HD float reach(const float d[3]) const {
      const float along = row_times(d, normal, 0);
      float in_box = 0;
      float across = multiply_add(std::fabs(along), thickness, along * offset);
      for (int k = 0; k < 3; ++k) {
        in_box = multiply_add(std::fabs(d[k]), half[k], in_box);
        across = multiply_add(std::fabs(multiply_add(-along, normal[k], d[k])), half[k], across);
      }
      return smaller(in_box, across);
    }
  };
};

}  // namespace tandem::detail
