// From points of a picture to rays.
#pragma once

#include <tandem/ray.h>

#include <cmath>
#include <numbers>

#include "render/scene.h"

namespace tandem::cli {

/// The rays of a camera. Points of the picture go from 0 to 1 along each side, from the upper left.
class Lens {
 public:
  Lens(const Camera& camera, int width, int height)
      : eye_(camera.eye), forward_(normalised(camera.target - camera.eye)) {
    const double half_height = std::tan(camera.field_of_view_degrees / 2 * std::numbers::pi / 180);
    const Vec3d side = normalised(cross(forward_, camera.up));
    right_ = (half_height * width / height) * side;
    down_ = -half_height * cross(side, forward_);
    pixel_size_ = 2 * half_height / height;
  }

  /// What a pixel covers at the distance 1, in the middle of the picture.
  double pixel_size() const { return pixel_size_; }

  TANDEM_HD const Vec3d& eye() const { return eye_; }

  TANDEM_HD Ray ray(double x, double y) const {
    const Vec3d direction = normalised(forward_ + (2 * x - 1) * right_ + (2 * y - 1) * down_);
    return {Vec3f(eye_), Vec3f(direction)};
  }

 private:
  Vec3d eye_;
  Vec3d forward_;
  Vec3d right_;
  Vec3d down_;
  double pixel_size_;
};

}  // namespace tandem::cli
