// How finely to divide a shape for a wanted number of triangles.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace tandem::detail {

/// The n, at least 1, for which per_square · n² is nearest to `count`.
inline int nearest_divisions(std::size_t count, double per_square) {
  const double target = static_cast<double>(count);
  const double below = std::max(1.0, std::floor(std::sqrt(target / per_square)));
  const double above = below + 1;
  const bool take_above =
      per_square * above * above - target < std::abs(target - per_square * below * below);
  return static_cast<int>(take_above ? above : below);
}

struct TubeSize {
  int around;
  int across;
};

/// The numbers of squares, at least 3 each, whose number of triangles is nearest to `count` while
/// around / across is within a factor of two of `aspect`; of several, the one nearest to `aspect`.
inline TubeSize nearest_tube(std::size_t count, double aspect) {
  const double squares = static_cast<double>(count) / 2;
  const double ideal_across = std::sqrt(squares / aspect);
  const int first = std::max(3, static_cast<int>(std::ceil(ideal_across / std::sqrt(2.0))));
  const int last = std::max(first, static_cast<int>(std::floor(ideal_across * std::sqrt(2.0))));
  TubeSize best{};
  double best_error = 0;
  double best_ratio = 0;
  for (int across = first; across <= last; ++across) {
    const double around = std::max(3.0, std::round(squares / across));
    const double error = std::abs(around * across - squares);
    const double ratio = std::max(across / ideal_across, ideal_across / across);
    if (across == first || error < best_error || (error == best_error && ratio < best_ratio)) {
      best = {static_cast<int>(around), across};
      best_error = error;
      best_ratio = ratio;
    }
  }
  return best;
}

}  // namespace tandem::detail
