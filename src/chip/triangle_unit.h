// The triangle intersection unit (section 3.3): the three edges of a triangle, already mapped by
// the other one's matrix, against the unit triangle.
#pragma once

#include <array>

#include "chip/config.h"
#include "chip/register_files.h"

namespace tandem::chip {

class TriangleUnit {
 public:
  explicit TriangleUnit(const Config& config)
      : tested_edge_(k_read_cycles + k_sign_cycles + k_product_cycles +
                     static_cast<Cycle>(config.multiply_stages) +
                     2 * static_cast<Cycle>(config.add_stages) + k_compare_cycles) {}

  struct Answer {
    bool pierced = false;
    Cycle cycles = 0;
  };
  /// The corners stand in d_0 to d_8. Edges are tested one after the other, until one pierces the
  /// unit triangle.
  Answer test(const DopFile& dops, const CorrespondenceFile& correspondences);

  /// Condition 4 for the edge from p to q, with its inequalities reversed when the edge comes from
  /// above (r_z < 0). Edges that do not cross the plane z = 0, or only touch it, do not pierce.
  static bool crosses_plane(float p_z, float q_z);
  /// In the order of `CorrespondenceFile::edge_pairs`.
  using OperandPairs = std::array<std::array<float, 2>, CorrespondenceFile::k_edge_pairs>;
  static bool pierces(const OperandPairs& pairs);

  Cycle busy() const { return busy_; }

 private:
  // The pair (P_z, Q_z) is read and its signs are looked at; four more pairs are read for the one
  // multiplier, while the adder subtracts P_z from Q_z. Then P_x Q_z - Q_x P_z and the same for y
  // follow, their sum, and the comparisons.
  static constexpr Cycle k_read_cycles = 1;
  static constexpr Cycle k_sign_cycles = 1;
  static constexpr Cycle k_product_cycles = 4;
  static constexpr Cycle k_compare_cycles = 1;

  Cycle tested_edge_;
  Cycle busy_ = 0;
};

}  // namespace tandem::chip
