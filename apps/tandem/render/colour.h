// Colours: vectors of red, green and blue.
#pragma once

#include <tandem/vec.h>

namespace tandem::cli {

TANDEM_HD inline double luminance(const Vec3d& colour) {
  return 0.2126 * colour.x + 0.7152 * colour.y + 0.0722 * colour.z;
}

/// Light of the colour `a` after a filter of the colour `b`: component by component.
TANDEM_HD inline Vec3d product(const Vec3d& a, const Vec3d& b) {
  return {a.x * b.x, a.y * b.y, a.z * b.z};
}

}  // namespace tandem::cli
