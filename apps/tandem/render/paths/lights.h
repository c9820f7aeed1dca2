// The lights of a scene, as the path tracer samples them.
#pragma once

#include <cstdint>
#include <vector>

#include "render/scene.h"

namespace tandem::cli {

/// A triangle that emits light.
struct Light {
  std::uint32_t triangle;
  double brightness;
  /// The sum of brightness times area, up to and with this one: a brighter or larger one is chosen
  /// more often.
  double cumulative;
};

struct Lights {
  std::vector<Light> all;
  /// The luminance of the brightest one.
  double brightest = 0;
};

Lights find_lights(const Scene& scene);

}  // namespace tandem::cli
