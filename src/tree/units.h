// The coordinates that a tree stores, so that float32 can hold them.
#pragma once

#include <tandem/vec.h>

namespace tandem::detail {

/// A stored coordinate is (x - origin) / 2^exponent, exactly, except that magnitudes below 2^-149
/// may vanish.
struct TreeUnits {
  int exponent = 0;
  Vec3d origin{0, 0, 0};
  /// The largest magnitude of a stored coordinate on each axis.
  Vec3d extent{0, 0, 0};
};

}  // namespace tandem::detail
