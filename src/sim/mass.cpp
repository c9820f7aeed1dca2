#include <tandem/error.h>
#include <tandem/mesh_info.h>
#include <tandem/sim/mass.h>

#include <cmath>
#include <string>

#include "sim/turn.h"

namespace tandem::sim {
namespace {

/// Integrals over a body of 1, x and the products of coordinates, about a point.
struct Moments {
  double zeroth = 0;
  Vec3d first{0, 0, 0};
  Matrix second{};

  void add_product(double weight, const Vec3d& v) {
    for (int i = 0; i < 3; ++i) second.rows[i] += weight * v[i] * v;
  }
};

/// Over the tetrahedron of the origin and a triangle, negative where it is seen from behind.
void add_tetrahedron(const Vec3d (&corners)[3], Moments* moments) {
  const double volume_6 = dot(corners[0], cross(corners[1], corners[2]));
  const Vec3d sum = corners[0] + corners[1] + corners[2];
  moments->zeroth += volume_6 / 6;
  moments->first += volume_6 / 24 * sum;
  for (const Vec3d& corner : corners) moments->add_product(volume_6 / 120, corner);
  moments->add_product(volume_6 / 120, sum);
}

/// Over a triangle.
void add_triangle(const Vec3d (&corners)[3], Moments* moments) {
  const double area = 0.5 * length(cross(corners[1] - corners[0], corners[2] - corners[0]));
  const Vec3d sum = corners[0] + corners[1] + corners[2];
  moments->zeroth += area;
  moments->first += area / 3 * sum;
  for (const Vec3d& corner : corners) moments->add_product(area / 12, corner);
  moments->add_product(area / 12, sum);
}

/// About the middle of the mesh's box, where sums cancel least.
template <class Add>
Moments moments_of(const Mesh& mesh, const Vec3d& middle, const Add& add) {
  Moments moments;
  for (std::size_t id = 0; id < mesh.triangle_count(); ++id) {
    const TriangleF triangle = mesh.triangle(id);
    Vec3d corners[3];
    for (int k = 0; k < 3; ++k) corners[k] = Vec3d(triangle.corner[k]) - middle;
    add(corners, &moments);
  }
  return moments;
}

MassProperties properties_of(const Moments& moments, const Vec3d& middle, double density) {
  MassProperties result;
  result.mass = density * moments.zeroth;
  const Vec3d centre = moments.first / moments.zeroth;
  result.centre = middle + centre;
  double trace = 0;
  Matrix about_centre;
  for (int i = 0; i < 3; ++i) {
    about_centre.rows[i] = density * (moments.second.rows[i] - moments.zeroth * centre[i] * centre);
    trace += about_centre.rows[i][i];
  }
  for (int i = 0; i < 3; ++i) {
    for (int j = i; j < 3; ++j) {
      const double entry = (i == j ? trace : 0) - about_centre.rows[i][j];
      result.inertia[static_cast<std::size_t>(3 * i + j)] = entry;
      result.inertia[static_cast<std::size_t>(3 * j + i)] = entry;
    }
  }
  return result;
}

Vec3d middle_of(const Mesh& mesh) {
  const Bounds box = mesh.bounds();
  return 0.5 * Vec3d(box.lower) + 0.5 * Vec3d(box.upper);
}

void check_positive(double value, const char* what) {
  if (!(value > 0) || !std::isfinite(value)) {
    throw Error(std::string(what) + " is positive and finite, not " + std::to_string(value));
  }
}

}  // namespace

MassProperties solid_mass(const Mesh& mesh, double density) {
  check_positive(density, "a density");
  const MeshInfo info = describe(mesh);
  if (!info.closed()) {
    throw Error("a solid body needs a closed mesh; this one has " +
                std::to_string(info.boundary_edge_count) + " open and " +
                std::to_string(info.non_manifold_edge_count) + " ambiguous edges");
  }
  const Vec3d middle = middle_of(mesh);
  const Moments moments = moments_of(mesh, middle, add_tetrahedron);
  if (!(moments.zeroth > 0)) {
    throw Error(moments.zeroth < 0 ? "the mesh of a solid body is inside out"
                                   : "the mesh of a solid body has no volume");
  }
  MassProperties result = properties_of(moments, middle, density);
  result.solid = true;
  return result;
}

MassProperties shell_mass(const Mesh& mesh, double mass_per_area) {
  check_positive(mass_per_area, "a mass per area");
  if (mesh.empty()) throw Error("a body without triangles has no mass");
  const Vec3d middle = middle_of(mesh);
  const Moments moments = moments_of(mesh, middle, add_triangle);
  if (!(moments.zeroth > 0)) throw Error("a body whose mesh has no area has no mass");
  return properties_of(moments, middle, mass_per_area);
}

}  // namespace tandem::sim
