// The lights of a scene, as the path tracer samples them.
#pragma once

#include <cstdint>
#include <vector>

#include "render/pixel_random.h"
#include "render/scene.h"

namespace tandem::cli {

/// The triangles that emit light. A brighter or larger one is chosen more often.
class Lights {
 public:
  /// Refers to the scene.
  explicit Lights(const Scene& scene);

  bool empty() const { return lights_.empty(); }
  /// The luminance of the brightest one.
  double brightest() const { return brightest_; }

  /// A point on a light, and its emission divided by the probability density of the point.
  struct Sample {
    Vec3d point;
    Vec3d normal;
    Vec3d weight;
  };
  Sample sample(PixelRandom::Point choice, PixelRandom::Point place) const;

 private:
  struct Light {
    std::uint32_t triangle;
    double brightness;
    /// The sum of brightness times area, up to and with this one.
    double cumulative;
  };
  const Scene& scene_;
  std::vector<Light> lights_;
  double total_ = 0;
  double brightest_ = 0;
};

}  // namespace tandem::cli
