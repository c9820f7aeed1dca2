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

/// A pattern that is repeated `parts` times, with `around` segments for a circle.
struct PatternSize {
  int parts;
  int around;
};

/// The size whose number of triangles is nearest to `count` while `around` is within a factor of
/// two of `ideal_around` (at least 4); of several, the one with the fewest segments.
/// `count_of(parts, around)` is that number; it is linear in `parts`.
template <class CountOf>
PatternSize nearest_pattern(std::size_t count, double ideal_around, const CountOf& count_of) {
  const double target = static_cast<double>(count);
  const int first = std::max(4, static_cast<int>(std::ceil(ideal_around / std::sqrt(2.0))));
  const int last = std::max(first, static_cast<int>(std::floor(ideal_around * std::sqrt(2.0))));
  PatternSize best{};
  double best_error = 0;
  for (int around = first; around <= last; ++around) {
    const double once = count_of(1, around);
    const double each = count_of(2, around) - once;
    const double parts = 1 + std::max(0.0, std::round((target - once) / each));
    const double error = std::abs(once + (parts - 1) * each - target);
    if (around == first || error < best_error) {
      best = {static_cast<int>(parts), around};
      best_error = error;
    }
  }
  return best;
}

/// The segments of a quarter of a circle of `around` segments, at least one.
constexpr int quarter_of(int around) {
  return std::max(1, around / 4);
}

/// The flat strips of sheet metal, and the bends between them.
inline constexpr int k_sheet_flats = 5;
inline constexpr int k_sheet_bends = k_sheet_flats - 1;

/// The triangles of `make_sheet`: two faces and the wall of each hole, the bends, the rims.
constexpr double sheet_count(double holes, int around) {
  // In double from the start: the counts of shapes that are too large exceed an int.
  const double bend_steps = k_sheet_bends * static_cast<double>(quarter_of(around));
  const double flats = k_sheet_flats * holes * (2 * (around + 4.0) + 2.0 * around);
  const double bends = bend_steps * holes * 4;
  const double rims = 4 * holes + 4 * (k_sheet_flats + bend_steps);
  return flats + bends + rims;
}
inline PatternSize nearest_sheet(std::size_t count) {
  return nearest_pattern(count, std::sqrt(static_cast<double>(count) / 3), sheet_count);
}

/// The triangles of `make_pipes`: the inner and the outer wall of each pipe, and its two rims.
constexpr double pipes_count(double pipes, int around) {
  return pipes * 4.0 * around * (quarter_of(around) + 3);
}
inline PatternSize nearest_pipes(std::size_t count) {
  return nearest_pattern(count, std::cbrt(4 * static_cast<double>(count)), pipes_count);
}

/// The triangles of `make_screw`: four strips for each turn, their two ends, flange and head.
constexpr double screw_count(double turns, int around) {
  return 8 * turns * around + 2 * (around + 4.0) + 4.0 * around + 24;
}
inline PatternSize nearest_screw(std::size_t count) {
  return nearest_pattern(count, std::sqrt(0.3 * static_cast<double>(count)), screw_count);
}

}  // namespace tandem::detail
