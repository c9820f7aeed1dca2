// How far apart two models surely are, and how far one of them has moved since: what is apart stays
// apart until it has moved that far.
#pragma once

#include <tandem/host_device.h>
#include <tandem/pose.h>
#include <tandem/sink.h>

#include <cmath>
#include <cstdint>

#include "math/power_of_two.h"
#include "traverse/wide/frame.h"
#include "traverse/wide/kernels.h"
#include "traverse/wide/lists.h"
#include "traverse/wide/pair.h"
#include "tree/wide/tree.h"

namespace tandem::detail {

/// No point of a mesh is moved farther than this from where one pose puts it to where another does,
/// as queries compute it: the centre of its box is moved by some vector, and other points by at
/// most the norm of the difference of the rotations times their distance from the centre more.
///
/// The difference of two rotations has the singular values s, s and 0: its norm is s, and the root
/// of the sum of its squared entries √2 s. Poses are off from rotations by some millionths.
TANDEM_HD inline double farthest_move(const RootBox& box, const Pose& from, const Pose& to) {
  double move_sq = 0;
  double turn_sq = 0;
  double largest = 0;
  for (int i = 0; i < 3; ++i) {
    double move = to.translation()[i] - from.translation()[i];
    largest += std::fabs(to.translation()[i]) + std::fabs(from.translation()[i]);
    for (int j = 0; j < 3; ++j) {
      const double turn = to.rotation(i, j) - from.rotation(i, j);
      move += turn * box.centre[j];
      turn_sq += turn * turn;
    }
    move_sq += move * move;
  }
  // As in `roots_apart`, the margin is far larger than what double precision is off.
  const double margin = 0x1p-40 * (largest + box.farthest) + 1e-59;
  const double entries = std::sqrt(turn_sq);
  const double norm = std::fmin(entries, entries * 0.70711 + 1e-5);
  return std::sqrt(move_sq) + norm * box.radius + margin;
}

/// Stops at the first two triangles whose boxes cannot be told apart.
struct AnyCandidate {
  Pose pose;

  const Pose& b_in_a() const { return pose; }
  bool filtered() const { return false; }
  double within() const { return 0; }
  bool touches(std::uint32_t, std::uint32_t) const { return true; }
  Flow show(std::uint32_t, std::uint32_t) const { return Flow::stop; }
};

/// True when every point of A is surely farther than `distance` from every point of B. It may be
/// false for those that are, as it looks at boxes and slabs, not at triangles.
template <class Observer>
bool surely_farther(const WideKernels& kernels, const WideTreeView& a, const WideTreeView& b,
                    const Pose& b_in_a, double distance, Observer& observer) {
  if (a.empty() || b.empty()) return true;
  WideFrame frame(b_in_a, a, b);
  frame.widen(distance * power_of_two(-a.exponent));
  if (!frame.in_range) return false;
  const WidePair trees{a, b};
  AnyCandidate candidates{b_in_a};
  return WideLists<k_bands, false, AnyCandidate, Observer>(kernels, trees, frame, candidates,
                                                           observer)
             .run() == Flow::go_on;
}

}  // namespace tandem::detail
