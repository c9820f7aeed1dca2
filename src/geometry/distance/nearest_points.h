// The closest points of two triangles in doubles, and with twice as many digits.
#pragma once

#include <tandem/host_device.h>

#include <cmath>
#include <limits>

#include "geometry/distance/double_double.h"

namespace tandem::detail {

TANDEM_HD inline double choose(bool first, double x, double y) {
  return first ? x : y;
}
TANDEM_HD inline DoubleDouble choose(bool first, const DoubleDouble& x, const DoubleDouble& y) {
  return first ? x : y;
}
/// x y + z. Lanes may round it once.
TANDEM_HD inline double multiply_add(double x, double y, double z) {
  return x * y + z;
}
TANDEM_HD inline DoubleDouble multiply_add(const DoubleDouble& x, const DoubleDouble& y,
                                           const DoubleDouble& z) {
  return x * y + z;
}

TANDEM_HD inline double magnitude(double x) {
  return std::fabs(x);
}
TANDEM_HD inline DoubleDouble magnitude(const DoubleDouble& x) {
  return x.high < 0 ? -x : x;
}
TANDEM_HD inline double square_root(double x) {
  return std::sqrt(x);
}
/// To the digits of a double.
TANDEM_HD inline DoubleDouble square_root(const DoubleDouble& x) {
  return DoubleDouble(std::sqrt(x.high));
}

#define TANDEM_NEAREST TANDEM_HD inline
#include "geometry/distance/nearest_points-inl.h"
#undef TANDEM_NEAREST

}  // namespace tandem::detail
