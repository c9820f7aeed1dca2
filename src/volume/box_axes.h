// The 15 separating axes of two boxes (Gottschalk, Lin, Manocha 1996).
#pragma once

#include <tandem/host_device.h>

#include <cmath>

namespace tandem::detail {

/// Two boxes in A's frame: half their sides along their own axes, B's axes as the columns of
/// `rotation`, and the vector `between` from A's centre to B's. `abs_rotation` is |rotation|,
/// enlarged where the rotation is not quite rigid. At most 171 operations, and 15 calls of `widen`.
template <class Real>
class BoxAxes {
 public:
  TANDEM_HD BoxAxes(const Real (&rotation)[3][3], const Real (&abs_rotation)[3][3],
                    const Real (&between)[3], const Real (&a_half)[3], const Real (&b_half)[3])
      : rotation_(rotation),
        abs_(abs_rotation),
        between_(between),
        a_half_(a_half),
        b_half_(b_half) {}

  /// Whether one of the axes separates the boxes. `widen(reach)` adds the margin that distances
  /// need.
  template <class Widen>
  TANDEM_HD bool separated(Widen widen) const {
    using std::abs;
    for (int i = 0; i < 3; ++i) {
      const Real reach =
          a_half_[i] + abs_[i][0] * b_half_[0] + abs_[i][1] * b_half_[1] + abs_[i][2] * b_half_[2];
      if (abs(between_[i]) > widen(reach)) return true;
    }
    for (int j = 0; j < 3; ++j) {
      const Real distance = between_[0] * rotation_[0][j] + between_[1] * rotation_[1][j] +
                            between_[2] * rotation_[2][j];
      const Real reach =
          abs_[0][j] * a_half_[0] + abs_[1][j] * a_half_[1] + abs_[2][j] * a_half_[2] + b_half_[j];
      if (abs(distance) > widen(reach)) return true;
    }
    for (int i = 0; i < 3; ++i) {
      const int i1 = (i + 1) % 3;
      const int i2 = (i + 2) % 3;
      for (int j = 0; j < 3; ++j) {
        const int j1 = (j + 1) % 3;
        const int j2 = (j + 2) % 3;
        const Real distance = between_[i2] * rotation_[i1][j] - between_[i1] * rotation_[i2][j];
        const Real reach = a_half_[i1] * abs_[i2][j] + a_half_[i2] * abs_[i1][j] +
                           b_half_[j1] * abs_[i][j2] + b_half_[j2] * abs_[i][j1];
        if (abs(distance) > widen(reach)) return true;
      }
    }
    return false;
  }

 private:
  const Real (&rotation_)[3][3];
  const Real (&abs_)[3][3];
  const Real (&between_)[3];
  const Real (&a_half_)[3];
  const Real (&b_half_)[3];
};

}  // namespace tandem::detail
