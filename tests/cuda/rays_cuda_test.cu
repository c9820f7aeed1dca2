// Rays on a CUDA device: slab tests and triangle tests give the same bits as on the host.
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "cuda/device.h"
#include "geometry/ray_triangle.h"
#include "math/random.h"
#include "volume/ray_box.h"

namespace {

using tandem::Hit;
using tandem::Ray;
using tandem::TriangleF;
using tandem::Vec3d;
using tandem::Vec3f;
using namespace tandem::detail;

/// All zero for a ray that is not valid.
struct RayAnswer {
  double entry;
  float distance;
  float u;
  float v;
  /// 1: the box is hit; 2: the triangle is hit; from bit 2 on: the octant.
  std::uint32_t flags;
};

struct RayCase {
  Ray ray;
  TriangleF triangle;
  Aabb box;
};

struct Trace {
  const RayCase* cases;

  TANDEM_HD RayAnswer operator()(int i) const {
    const RayCase& c = cases[i];
    RayAnswer answer{};
    ValidRay ray;
    if (!validate_ray(c.ray, &ray)) return answer;
    const RaySlabs slabs(ray);
    answer.entry = slabs.entry(c.box, ray.t_max);
    answer.flags = (slabs.hits(c.box, ray.t_max) ? 1U : 0U) | slabs.octant() << 2;
    Hit hit;
    if (!intersect(ray, c.triangle, ray.t_max, &hit)) return answer;
    answer.distance = hit.distance;
    answer.u = hit.u;
    answer.v = hit.v;
    answer.flags |= 2U;
    return answer;
  }
};

/// Rays towards triangles: every fourth one exactly through an edge, every fifth one along an axis.
std::vector<RayCase> ray_cases(int count) {
  Random random(7);
  const auto number = [&] { return static_cast<float>(random.uniform(-1, 1)); };
  const auto point = [&] { return Vec3f{number(), number(), number()}; };
  std::vector<RayCase> cases;
  for (int i = 0; i < count; ++i) {
    RayCase c;
    for (Vec3f& corner : c.triangle.corner) corner = point();
    c.box = Aabb::fit(c.triangle.corner);
    // Coordinates in a coarse grid, so that the target and the direction are exact.
    const auto on_grid = [](const Vec3f& p) {
      return Vec3f{std::round(p.x * 1024), std::round(p.y * 1024), std::round(p.z * 1024)};
    };
    if (i % 4 == 0) {
      for (Vec3f& corner : c.triangle.corner) corner = on_grid(corner);
      c.box = Aabb::fit(c.triangle.corner);
      c.ray.origin = on_grid(point());
      c.ray.direction = 0.5F * (c.triangle.corner[0] + c.triangle.corner[1]) - c.ray.origin;
    } else {
      c.ray.origin = 2.0F * point();
      c.ray.direction = 0.4F * c.triangle.corner[0] + 0.3F * c.triangle.corner[1] +
                        0.3F * c.triangle.corner[2] + 0.4F * point() - c.ray.origin;
    }
    if (i % 5 == 0) c.ray.direction = {0, i % 2 == 0 ? 1.0F : -1.0F, 0};
    cases.push_back(c);
  }
  return cases;
}

}  // namespace

int main() {
  if (!tandem::test::has_device()) return tandem::test::k_skipped;
  const int count = std::getenv("TANDEM_EXHAUSTIVE") != nullptr ? 10'000'000 : 1'000'000;
  const std::vector<RayCase> cases = ray_cases(count);
  tandem::test::DeviceArray<RayCase> device_cases(cases);
  const bool same =
      tandem::test::same_answers("rays", count, Trace{cases.data()}, Trace{device_cases.data()});
  return same ? 0 : 1;
}
