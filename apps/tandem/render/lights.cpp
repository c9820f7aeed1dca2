#include "render/lights.h"

#include <algorithm>
#include <cmath>

#include "render/colour.h"

namespace tandem::cli {

Lights::Lights(const Scene& scene) : scene_(scene) {
  for (std::uint32_t id = 0; id < scene.model.mesh().triangle_count(); ++id) {
    const Vec3d& emission = scene.material(id).emission;
    const double brightness = emission.x + emission.y + emission.z;
    if (!(brightness > 0)) continue;
    const TriangleF t = scene.model.mesh().triangle(id);
    const double area = 0.5 * length(cross(Vec3d(t.corner[1]) - Vec3d(t.corner[0]),
                                           Vec3d(t.corner[2]) - Vec3d(t.corner[0])));
    if (!(area > 0)) continue;
    brightest_ = std::max(brightest_, luminance(emission));
    total_ += brightness * area;
    lights_.push_back({id, brightness, total_});
  }
}

Lights::Sample Lights::sample(PixelRandom::Point choice, PixelRandom::Point place) const {
  const double target = choice.x * total_;
  auto chosen =
      std::upper_bound(lights_.begin(), lights_.end(), target,
                       [](double value, const Light& light) { return value < light.cumulative; });
  if (chosen == lights_.end()) --chosen;
  const TriangleF t = scene_.model.mesh().triangle(chosen->triangle);
  const Vec3d a(t.corner[0]);
  const Vec3d side1 = Vec3d(t.corner[1]) - a;
  const Vec3d side2 = Vec3d(t.corner[2]) - a;
  const double root = std::sqrt(place.x);
  return {a + (root * (1 - place.y)) * side1 + (root * place.y) * side2,
          normalised(cross(side1, side2)),
          (total_ / chosen->brightness) * scene_.material(chosen->triangle).emission};
}

}  // namespace tandem::cli
