// Meshes that make hierarchies do too much: strays, sizes of all magnitudes, copies, slivers, fans
// and spirals.
#pragma once

#include <tandem/mesh.h>
#include <tandem/pose.h>
#include <tandem/shapes.h>

#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "math/random.h"

namespace tandem::test {

struct ComplexityCase {
  std::string name;
  Mesh a;
  Mesh b;
  Pose b_in_a;
};

/// A soup that is filled triangle by triangle.
class SoupMaker {
 public:
  void add(const Vec3d& p, const Vec3d& q, const Vec3d& r) {
    const auto first = static_cast<std::uint32_t>(vertices_.size());
    for (const Vec3d& v : {p, q, r}) vertices_.emplace_back(v);
    triangles_.push_back({first, first + 1, first + 2});
  }
  void add(const Mesh& mesh) {
    for (std::uint32_t i = 0; i < mesh.triangle_count(); ++i) {
      const TriangleF t = mesh.triangle(i);
      add(Vec3d(t.corner[0]), Vec3d(t.corner[1]), Vec3d(t.corner[2]));
    }
  }
  Mesh take() { return {std::move(vertices_), std::move(triangles_)}; }

 private:
  std::vector<Vec3f> vertices_;
  std::vector<TriangleIndices> triangles_;
};

/// The mesh and some triangles that are `distance` away from it.
inline Mesh with_strays(const Mesh& mesh, double distance, int count = 1) {
  detail::Random random(7);
  SoupMaker soup;
  soup.add(mesh);
  for (int i = 0; i < count; ++i) {
    const auto point = [&] {
      return distance *
             Vec3d{random.uniform(0.9, 1), random.uniform(0.9, 1), random.uniform(0.9, 1)};
    };
    soup.add(point(), point(), point());
  }
  return soup.take();
}

/// Copies of one shape, each `factor` times as large as the one before, all around one point.
inline Mesh all_magnitudes(int copies, double factor) {
  const Mesh shape = make_icosphere(3);
  SoupMaker soup;
  for (int i = 0; i < copies; ++i) {
    const double size = std::pow(factor, i);
    for (std::uint32_t id = 0; id < shape.triangle_count(); ++id) {
      const TriangleF t = shape.triangle(id);
      soup.add(size * Vec3d(t.corner[0]), size * Vec3d(t.corner[1]), size * Vec3d(t.corner[2]));
    }
  }
  return soup.take();
}

/// Triangles as long as the whole and a ten-thousandth as wide, in all directions.
inline Mesh slivers(int count, std::uint64_t seed) {
  detail::Random random(seed);
  const auto point = [&] {
    return Vec3d{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)};
  };
  SoupMaker soup;
  for (int i = 0; i < count; ++i) {
    const Vec3d from = point();
    soup.add(from, point(), from + 1e-4 * point());
  }
  return soup.take();
}

/// Triangles around one corner, as at the pole of a sphere.
inline Mesh fan(int count) {
  SoupMaker soup;
  const auto rim = [count](int i) {
    const double angle = 2 * std::acos(-1.0) * i / count;
    return Vec3d{std::cos(angle), std::sin(angle), 0.1 * std::sin(5 * angle)};
  };
  for (int i = 0; i < count; ++i) soup.add({0, 0, 0.2}, rim(i), rim(i + 1));
  return soup.take();
}

/// A band that winds inwards around an axis: everywhere close to itself, and everywhere within the
/// boxes of its outer turns.
inline Mesh spiral(int count) {
  const double turns = 20;
  const auto at = [&](int i, double z) {
    const double angle = 2 * std::acos(-1.0) * turns * i / count;
    const double radius = 1 - 0.9 * i / count;
    return Vec3d{radius * std::cos(angle), radius * std::sin(angle), z};
  };
  SoupMaker soup;
  for (int i = 0; i < count; ++i) {
    soup.add(at(i, -0.5), at(i + 1, -0.5), at(i, 0.5));
    soup.add(at(i + 1, 0.5), at(i, 0.5), at(i + 1, -0.5));
  }
  return soup.take();
}

/// Each case with about `size` triangles per mesh.
inline std::vector<ComplexityCase> complexity_cases(int size) {
  const auto count = static_cast<std::size_t>(size);
  const Pose turned = Pose::from_axis_angle({1, 2, 3}, 0.7, {0.3, 0.1, 0});
  const Mesh knot = make_shape("knot", count);
  std::vector<ComplexityCase> cases;
  cases.push_back({"an ordinary knot", knot, knot, turned});
  for (const int power : {1, 3, 5, 7, 10, 15, 20, 30}) {
    const Mesh strayed = with_strays(knot, std::pow(10.0, power));
    const std::string where = "a stray at 1e" + std::to_string(power);
    cases.push_back({where + " on both sides", strayed, strayed, turned});
    cases.push_back({where + " in A", strayed, knot, turned});
    cases.push_back({where + " in B", knot, strayed, turned});
  }
  const Mesh many = with_strays(knot, 1e6, size / 20);
  cases.push_back({"one in twenty astray", many, many, turned});
  const Mesh magnitudes = all_magnitudes(size / 180 + 1, 1.5);
  cases.push_back({"all magnitudes", magnitudes, magnitudes, turned});
  const Mesh steep = all_magnitudes(12, 1e3);
  cases.push_back({"magnitudes a thousand apart", steep, steep, turned});
  const int few = size / 20;
  const Mesh copies({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}},
                    std::vector<TriangleIndices>(static_cast<std::size_t>(few), {0, 1, 2}));
  cases.push_back({"copies that touch", copies, copies, Pose()});
  cases.push_back({"copies apart", copies, copies, Pose::from_translation({0, 0, 1e-4})});
  cases.push_back({"slivers", slivers(few, 1), slivers(few, 2), Pose()});
  cases.push_back({"fans", fan(size), fan(size), Pose::from_axis_angle({1, 0, 0}, 0.3)});
  cases.push_back({"spirals", spiral(size / 2), spiral(size / 2),
                   Pose::from_axis_angle({0, 0, 1}, 0.5, {0.01, 0, 0})});
  cases.push_back({"spirals apart", spiral(size / 2), spiral(size / 2),
                   Pose::from_axis_angle({0, 0, 1}, std::acos(-1.0))});
  return cases;
}

}  // namespace tandem::test
