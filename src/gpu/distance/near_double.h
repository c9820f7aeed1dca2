// The same bounds in double precision, where float32 has no room for both models, or leaves too
// much open: boxes of children, and triangles by the first step of the contract's own distance.
#pragma once

#include <tandem/host_device.h>

#include <cmath>
#include <cstdint>
#include <limits>

#include "geometry/distance/triangle_distance.h"
#include "geometry/error_free.h"
#include "gpu/distance/near_half.h"
#include "gpu/waves/exact.h"
#include "gpu/waves/overlap_double.h"
#include "math/power_of_two.h"

namespace tandem::detail {

/// How far apart two triangles are, in the coordinates of A's mesh, as step 1 of
/// geometry/distance/triangle_distance.h finds it.
struct DistanceInDouble {
  /// The contract's own, if it is sure.
  double distance;
  bool sure;
  /// Otherwise the contract's distance is neither less nor more: the true one is between
  /// |w| - lost - 36 ε M and |w| + 39 ε M, and the contract's within 1e-12 of that.
  PairBounds<double> bounds;

  TANDEM_HD DistanceInDouble(const Triangle& p, const Triangle& q) {
    const Vec3d& origin = p.corner[0];
    const Corners<double> in_p = nearest::corners_from<double>(p, origin);
    const Corners<double> in_q = nearest::corners_from<double>(q, origin);
    const JudgedPoints<double> judged =
        judge_nearest_points(in_p, in_q, nearest::rounding_of(0.0), k_judged_error);
    distance = judged.distance;
    sure = judged.sure;
    bounds = {distance, distance};
    if (sure) return;
    double largest = 0;
    for (int v = 0; v < 3; ++v) {
      for (int k = 0; k < 3; ++k) {
        largest = larger(largest, larger(std::fabs(in_p.of[v].of[k]), std::fabs(in_q.of[v].of[k])));
      }
    }
    const double error = 40 * k_half_ulp * largest;
    const double gap = gap_along(judged.points.between, in_p, in_q);
    const double least = (gap / distance - error) * (1 - 4 * k_distance_error);
    const double most = (distance + error) * (1 + 4 * k_distance_error) + 0x1p-300;
    // Not so for NaN. Where squares underflow, nothing is sure.
    const bool normal = distance > 0x1p-400;
    bounds.lower = normal && least > 0 ? least : 0;
    bounds.upper = distance <= 0x1p400 ? most : std::numeric_limits<double>::infinity();
  }
};

class NearDouble {
 public:
  using Frame = DoubleFrame;
  using Number = double;
  static constexpr int k_search_blocks = 1;

  TANDEM_HD static const DoubleFrame& load(const DoubleFrame* frame) { return *frame; }
  TANDEM_HD static double above(double distance) {
    constexpr double k_most = std::numeric_limits<double>::max();
    return distance < k_most ? distance : k_most;
  }
  /// A lower bound as the stack has it: not negative, in float32.
  TANDEM_HD static float below(double bound) {
    constexpr float k_most = std::numeric_limits<float>::max();
    if (!(bound > 0x1p-120)) return 0;
    const double less = bound * (1 - 0x1p-23);
    return less < k_most ? static_cast<float>(less) : k_most;
  }

  TANDEM_HD static float children(const DoubleFrame& frame, const HalfBlock& a, int i,
                                  const HalfBlock& b, int j) {
    return below(
        box_gap(DoubleTests::child_of(a, i), moved_box(frame, DoubleTests::child_of(b, j))));
  }
  TANDEM_HD static float triangles(const DoubleFrame& frame, const WaveModels&, const BatchQuery&,
                                   const WaveTriangle& p, const WaveTriangle& q) {
    return below(box_gap(DoubleTests::box_of(p), moved_box(frame, DoubleTests::box_of(q))));
  }
  TANDEM_HD static PairBounds<double> distance(const DoubleFrame&, const WaveModels& models,
                                               const BatchQuery& query, const WaveEntry& slots,
                                               const WaveTriangle&, const WaveTriangle&) {
    const PlacedPair pair(models, query, slots);
    const DistanceInDouble found(pair.p, pair.q);
    const double per_unit = power_of_two(-models.models[query.a].tree.exponent);
    return {found.bounds.lower * per_unit, found.bounds.upper * per_unit};
  }
  TANDEM_HD static bool touch(const DoubleFrame&, const WaveModels& models, const BatchQuery& query,
                              const WaveEntry& slots, const WaveTriangle&, const WaveTriangle&) {
    const PlacedPair pair(models, query, slots);
    bool flat = false;
    return judge_flush(pair.p, pair.q, &flat) == Verdict::intersecting;
  }
};

}  // namespace tandem::detail
