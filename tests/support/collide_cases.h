// Pairs of small meshes with a pose, from a seed: shapes, soups and lattices of 0, 1, 2 and more
// triangles, exactly touching, degenerate, far from the origin.
#pragma once

#include <tandem/mesh.h>
#include <tandem/pose.h>
#include <tandem/shapes.h>

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "math/random.h"

namespace tandem::test {

struct CollideCase {
  Mesh a;
  Mesh b;
  Pose b_in_a;
  /// For failure messages: the seed and what was drawn.
  std::string name;
};

class CollideCases {
 public:
  explicit CollideCases(std::uint64_t seed)
      : random_(seed), name_("seed " + std::to_string(seed)) {}

  CollideCase next() {
    CollideCase c;
    c.a = mesh();
    c.b = mesh();
    if (random_.below(8) == 0) {
      const double distance = std::pow(10.0, random_.uniform(1, 7));
      c.a = moved(c.a, distance);
      if (random_.below(2) == 0) c.b = moved(c.b, distance);
      note(", far");
    }
    c.b_in_a = pose(c.a, c.b);
    c.name = name_;
    return c;
  }

 private:
  void note(const std::string& text) { name_ += text; }

  Mesh mesh() {
    switch (random_.below(12)) {
      case 0:
        note(", empty");
        return random_.below(2) == 0 ? Mesh() : Mesh({{1, 2, 3}}, {});
      case 1:
        note(", one");
        return make_soup(1, random_.next(), 1);
      case 2:
        note(", two");
        return make_soup(2, random_.next(), 1);
      case 3:
        note(", three");
        return make_soup(3, random_.next(), 1);
      case 4:
        note(", soup");
        return make_soup(1 + random_.below(120), random_.next(), 0.4);
      case 5:
        note(", sphere");
        return make_icosphere(1 + static_cast<int>(random_.below(2)));
      case 6:
        note(", knot");
        return make_knot(12 + static_cast<int>(random_.below(12)), 3);
      case 7:
        note(", rock");
        return make_rock(1 + static_cast<int>(random_.below(2)), random_.next());
      case 8:
        note(", box");
        return make_box(1 + static_cast<int>(random_.below(3)));
      case 9:
        note(", plane");
        return make_plane(1 + static_cast<int>(random_.below(6)));
      case 10:
        note(", lattice");
        return lattice(1 + random_.below(60), 2);
      default:
        note(", degenerate");
        return degenerate();
    }
  }

  float integer(int reach) {
    return static_cast<float>(static_cast<int>(random_.below(2 * reach + 1)) - reach);
  }

  /// Triangles with small integer corners: most of them touch, many have no area.
  Mesh lattice(std::size_t triangle_count, int reach) {
    std::vector<Vec3f> vertices;
    std::vector<TriangleIndices> triangles;
    for (std::uint32_t i = 0; i < triangle_count; ++i) {
      for (int k = 0; k < 3; ++k) {
        vertices.push_back({integer(reach), integer(reach), integer(reach)});
      }
      triangles.push_back({3 * i, 3 * i + 1, 3 * i + 2});
    }
    return {std::move(vertices), std::move(triangles)};
  }

  /// All in one point, on one line, or the same triangle many times.
  Mesh degenerate() {
    const Mesh one = lattice(1, 2);
    std::vector<Vec3f> v(one.vertices().begin(), one.vertices().end());
    const std::uint64_t kind = random_.below(3);
    if (kind < 2) v[2] = v[0];
    if (kind == 0) v[1] = v[0];
    return {std::move(v), std::vector<TriangleIndices>(1 + random_.below(20), {0, 1, 2})};
  }

  static Mesh moved(const Mesh& mesh, double distance) {
    std::vector<Vec3f> vertices(mesh.vertices().begin(), mesh.vertices().end());
    for (Vec3f& v : vertices) v = v + Vec3f(Vec3d{distance, -distance, distance / 2});
    return {std::move(vertices), {mesh.triangles().begin(), mesh.triangles().end()}};
  }

  /// A corner of the mesh, to bring the two together.
  Vec3d corner(const Mesh& mesh) {
    if (mesh.vertex_count() == 0) return {0, 0, 0};
    return Vec3d(mesh.vertices()[random_.below(mesh.vertex_count())]);
  }

  Vec3d in_cube(double size) {
    return {random_.uniform(-size, size), random_.uniform(-size, size),
            random_.uniform(-size, size)};
  }

  Pose pose(const Mesh& a, const Mesh& b) {
    const Vec3d to = corner(a);
    const Vec3d from = corner(b);
    switch (random_.below(6)) {
      case 0:
        note(", identity");
        return {};
      case 1:
        note(", corner to corner");
        return Pose::from_translation(to - from);
      case 2:
        note(", integer move");
        return Pose::from_translation(Vec3d(Vec3f{integer(3), integer(3), integer(3)}));
      case 3: {
        // A quarter turn in integers: B's boxes stay exact, faces still touch.
        note(", quarter turn");
        const double rows[9] = {0, -1, 0, 1, 0, 0, 0, 0, 1};
        return Pose::from_rotation(rows, to - Vec3d{-from.y, from.x, from.z});
      }
      case 4: {
        // As far from rigid as poses may be.
        note(", barely rigid");
        const double e = 4e-7;
        const double rows[9] = {1 + e, e, -e, -e, 1 - e, e, e, -e, 1 + e};
        return Pose::from_rotation(rows, to - from);
      }
      default: {
        // Turned, with a corner of B on a corner of A up to rounding.
        note(", turned");
        const Pose turn = Pose::from_axis_angle(in_cube(1), random_.uniform(-4, 4));
        Vec3d turned{0, 0, 0};
        for (int i = 0; i < 3; ++i) {
          for (int k = 0; k < 3; ++k) turned[i] += turn.rotation(i, k) * from[k];
        }
        const Vec3d jitter = random_.below(2) == 0 ? Vec3d{0, 0, 0} : in_cube(0.5);
        return Pose::from_translation(to - turned + jitter) * turn;
      }
    }
  }

  detail::Random random_;
  std::string name_;
};

}  // namespace tandem::test
