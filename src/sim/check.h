// Input that makes no sense.
#pragma once

#include <tandem/error.h>
#include <tandem/vec.h>

#include <cmath>
#include <string>

namespace tandem::sim {

inline bool is_finite(const Vec3d& v) {
  return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z);
}

inline void check(bool good, const std::string& sentence) {
  if (!good) throw Error(sentence);
}

}  // namespace tandem::sim
