// What two close triangles may have between them, for many pairs at once: most have nothing, and
// lanes see that soon.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "sim/placed_triangle.h"

namespace tandem::sim {

/// How far beside a triangle a point may be over it, as a share of the square of its size: no
/// point falls between two triangles.
inline constexpr double k_beside = 1e-12;

/// Two placed triangles, by their places.
struct PlacedPair {
  std::uint32_t a;
  std::uint32_t b;
};

/// A bit that is not set says that there is no such contact; one that is set says that there may
/// be one. Peaks and ridges are those that belong to the triangles (see `SurfaceFeatures`).
struct PairClues {
  /// Bit k: peak k is over the front of the other triangle, or below it.
  std::uint16_t b_over_a = 0;
  std::uint16_t a_over_b = 0;
  /// Bit 3 i + k: feature i of A is close to feature k of B. Corners are peaks, edges ridges.
  std::uint16_t corners = 0;
  std::uint16_t corners_and_edges = 0;
  std::uint16_t edges_and_corners = 0;
  std::uint16_t edges = 0;
  /// Whether the triangles clearly share no point: their boxes do not, or one of them is on one
  /// side of the other's plane.
  bool apart = false;

  bool has_features() const {
    return (b_over_a | a_over_b | corners | corners_and_edges | edges_and_corners | edges) != 0;
  }
};

/// The clues of each pair: the same with every instruction set. It is fastest where pairs of the
/// same triangle of A follow each other.
void find_clues(std::span<const PlacedTriangle> of_a, std::span<const PlacedTriangle> of_b,
                std::span<const PlacedPair> pairs, double margin, std::span<PairClues> clues);

}  // namespace tandem::sim
