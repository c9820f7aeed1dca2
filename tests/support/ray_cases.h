// Rays that are hard on a ray tracer, from a seed: through vertices and edges, along axes, in the
// planes of triangles and boxes, from points on the surface, with any length of direction.
#pragma once

#include <tandem/mesh.h>
#include <tandem/ray.h>
#include <tandem/shapes.h>

#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "math/random.h"

namespace tandem::test {

class RayCases {
 public:
  static constexpr int k_kind_count = 9;

  /// The mesh has a triangle and must outlive this.
  RayCases(const Mesh& mesh, std::uint64_t seed) : mesh_(mesh), random_(seed) {
    const Bounds bounds = mesh.bounds();
    centre_ = 0.5 * (Vec3d(bounds.lower) + Vec3d(bounds.upper));
    const Vec3d sides = Vec3d(bounds.upper) - Vec3d(bounds.lower);
    size_ = std::sqrt(dot(sides, sides));
    if (size_ == 0) size_ = 1;
  }

  Ray next() { return next(static_cast<int>(random_.below(k_kind_count))); }

  Ray next(int kind) {
    switch (kind) {
      case 0:  // anywhere to anywhere
        return towards(point(1.5), point(0.5));
      case 1:  // through a vertex
        return towards(point(1.5), Vec3d(corner()));
      case 2: {  // through a point of an edge, exactly where halves of floats allow it
        const TriangleF t = triangle();
        return towards(point(1.5), 0.5 * (Vec3d(t.corner[0]) + Vec3d(t.corner[1])));
      }
      case 3: {  // along an axis, through a vertex
        Vec3d direction{0, 0, 0};
        direction[static_cast<int>(random_.below(3))] = random_.below(2) == 0 ? 1 : -1;
        const Vec3d through(corner());
        return with_length({Vec3f(through - size_ * direction), Vec3f(direction)});
      }
      case 4: {  // in a plane of two axes, through a vertex
        const Vec3d through(corner());
        Vec3d from = point(1.5);
        const int axis = static_cast<int>(random_.below(3));
        from[axis] = through[axis];
        return towards(from, through);
      }
      case 5: {  // in the plane of a triangle
        const TriangleF t = triangle();
        const Vec3d a(t.corner[0]);
        const Vec3d b(t.corner[1]);
        return {t.corner[2], Vec3f(0.25 * (b - a) + 0.5 * (a - Vec3d(t.corner[2])))};
      }
      case 6: {  // from a point on a triangle, anywhere
        return towards(surface_point(), point(1));
      }
      case 7:  // from a vertex along an edge
        return {triangle().corner[0], Vec3f(Vec3d(corner()) - Vec3d(triangle().corner[0]))};
      default: {  // an interval that ends at or near the surface
        Ray ray = towards(point(1.5), surface_point());
        ray.direction = Vec3f(surface_point() - Vec3d(ray.origin));
        ray.t_max = random_.below(2) == 0 ? 1.0F : static_cast<float>(random_.uniform(0, 2));
        ray.t_min = random_.below(2) == 0 ? 0.0F : static_cast<float>(random_.uniform(0, 1));
        return ray;
      }
    }
  }

  /// A point within so many sizes of the mesh around its centre.
  Vec3d point(double reach) {
    const double half = reach * size_ / 2;
    return centre_ + Vec3d{random_.uniform(-half, half), random_.uniform(-half, half),
                           random_.uniform(-half, half)};
  }

  detail::Random& random() { return random_; }

 private:
  TriangleF triangle() { return mesh_.triangle(random_.below(mesh_.triangle_count())); }
  Vec3f corner() { return triangle().corner[random_.below(3)]; }
  Vec3d surface_point() {
    const TriangleF t = triangle();
    const double u = random_.uniform();
    const double v = random_.uniform(0, 1 - u);
    return (1 - u - v) * Vec3d(t.corner[0]) + u * Vec3d(t.corner[1]) + v * Vec3d(t.corner[2]);
  }

  Ray towards(const Vec3d& from, const Vec3d& to) {
    // From where float32 puts the origin, so that the ray aims as well as it can.
    const Vec3f origin(from);
    return with_length({origin, Vec3f(to - Vec3d(origin))});
  }
  Ray with_length(Ray ray) {
    if (random_.below(4) == 0) {
      ray.direction = static_cast<float>(std::pow(10.0, random_.uniform(-6, 6))) * ray.direction;
    }
    return ray;
  }

  const Mesh& mesh_;
  detail::Random random_;
  Vec3d centre_;
  double size_;
};

/// Scaled and moved, so that coordinates lose low bits as those of real scenes do.
inline Mesh transformed(const Mesh& mesh, double scale, const Vec3d& offset) {
  std::vector<Vec3f> vertices;
  for (const Vec3f& v : mesh.vertices()) vertices.emplace_back(scale * (Vec3d(v) + offset));
  return {std::move(vertices), {mesh.triangles().begin(), mesh.triangles().end()}};
}

/// A mesh of any kind, small enough for brute force.
inline Mesh random_ray_mesh(detail::Random& random) {
  switch (random.below(6)) {
    case 0:
      return make_soup(1 + random.below(60), random.next(), 0.5);
    case 1:
      return make_box(1 + static_cast<int>(random.below(4)));
    case 2:
      return make_plane(1 + static_cast<int>(random.below(8)));
    case 3:
      return make_icosphere(1 + static_cast<int>(random.below(4)));
    case 4:
      return make_knot(20, 5);
    default:
      return make_rock(1 + static_cast<int>(random.below(4)), random.next());
  }
}

}  // namespace tandem::test
