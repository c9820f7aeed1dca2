#include "render/paths/lights.h"

#include <algorithm>

#include "render/colour.h"

namespace tandem::cli {

Lights find_lights(const Scene& scene) {
  Lights lights;
  double total = 0;
  for (std::uint32_t id = 0; id < scene.model.mesh().triangle_count(); ++id) {
    const Vec3d& emission = scene.material(id).emission;
    const double brightness = emission.x + emission.y + emission.z;
    if (!(brightness > 0)) continue;
    const TriangleF t = scene.model.mesh().triangle(id);
    const double area = 0.5 * length(cross(Vec3d(t.corner[1]) - Vec3d(t.corner[0]),
                                           Vec3d(t.corner[2]) - Vec3d(t.corner[0])));
    if (!(area > 0)) continue;
    lights.brightest = std::max(lights.brightest, luminance(emission));
    total += brightness * area;
    lights.all.push_back({id, brightness, total});
  }
  return lights;
}

}  // namespace tandem::cli
