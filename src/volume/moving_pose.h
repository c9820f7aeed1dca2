// A pose in the number type of an overlap test, which moves centres of B's volumes into A's frame.
#pragma once

#include <tandem/pose.h>

namespace tandem::detail {

template <class Real>
struct MovingPose {
  Real rotation[3][3];
  Real translation[3];

  TANDEM_HD explicit MovingPose(const Pose& b_in_a) {
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) rotation[i][j] = b_in_a.rotation(i, j);
      translation[i] = b_in_a.translation()[i];
    }
  }

  /// rotation · point + translation. 18 operations.
  TANDEM_HD void move(const Real (&point)[3], Real (&moved)[3]) const {
    for (int i = 0; i < 3; ++i) {
      moved[i] = rotation[i][0] * point[0] + rotation[i][1] * point[1] + rotation[i][2] * point[2] +
                 translation[i];
    }
  }
};

}  // namespace tandem::detail
