// Points around a mesh, from a seed: on its triangles, close to them, at any distance.
#pragma once

#include <tandem/mesh.h>
#include <tandem/vec.h>

#include <cmath>
#include <cstdint>

#include "math/random.h"

namespace tandem::test {

class PointCases {
 public:
  PointCases(const Mesh& mesh, std::uint64_t seed) : mesh_(mesh), random_(seed) {
    for (const Vec3f& v : mesh.vertices()) {
      for (int axis = 0; axis < 3; ++axis) {
        size_ = std::fmax(size_, std::fabs(static_cast<double>(v[axis])));
      }
    }
    if (size_ == 0) size_ = 1;
  }

  Vec3d next() {
    if (mesh_.empty()) return in_cube(1);
    const std::uint64_t kind = random_.below(9);
    if (kind < 2) return in_cube(1.5 * size_);
    if (kind == 2) return in_cube(size_ * std::pow(10.0, random_.uniform(-6, 12)));
    const TriangleF t = mesh_.triangle(random_.below(mesh_.triangle_count()));
    const Vec3d c[3] = {Vec3d(t.corner[0]), Vec3d(t.corner[1]), Vec3d(t.corner[2])};
    if (kind == 3) return c[random_.below(3)];
    if (kind == 4) return 0.5 * (c[0] + c[1]);
    const double u = random_.uniform();
    const double v = random_.uniform() * (1 - u);
    const Vec3d inside = c[0] + u * (c[1] - c[0]) + v * (c[2] - c[0]);
    if (kind == 5) return inside;
    if (kind == 6) return Vec3d(Vec3f(inside));
    return inside + in_cube(size_ * std::pow(10.0, random_.uniform(-17, 0)));
  }

 private:
  Vec3d in_cube(double size) {
    return {random_.uniform(-size, size), random_.uniform(-size, size),
            random_.uniform(-size, size)};
  }

  const Mesh& mesh_;
  detail::Random random_;
  double size_ = 0;
};

}  // namespace tandem::test
