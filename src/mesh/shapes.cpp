// Every coordinate here comes from additions, multiplications, divisions and square roots alone, so
// a shape is the same to the bit under every compiler and C library.
#include <tandem/error.h>
#include <tandem/shapes.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "math/random.h"
#include "mesh/circle.h"
#include "mesh/edges.h"
#include "mesh/icosphere.h"
#include "mesh/noise.h"
#include "mesh/readers.h"
#include "mesh/shape_counts.h"
#include "mesh/shape_parts.h"

namespace tandem {

namespace {

void check_tube(int around, int across, double tube_radius) {
  detail::check_parts(around, 3, "the number of squares around");
  detail::check_parts(across, 3, "the number of squares across");
  detail::check_length(tube_radius, "the tube radius");
  detail::check_size(2, around, across);
}

/// Adds the ring around `centre` that starts in the direction `u` and continues towards `v`.
void add_ring(std::vector<Vec3f>& vertices, const Vec3d& centre, const Vec3d& u, const Vec3d& v,
              int across, double tube_radius) {
  for (int j = 0; j < across; ++j) {
    const auto [cosine, sine] = detail::circle_point(j, across);
    vertices.emplace_back(centre + tube_radius * (cosine * u + sine * v));
  }
}

/// A closed tube of rings that are stored one after the other in `vertices`; the last is connected
/// to the first.
Mesh join_rings(std::vector<Vec3f> vertices, int around, int across) {
  std::vector<TriangleIndices> triangles;
  triangles.reserve(2 * vertices.size());
  const auto vertex = [&](int i, int j) {
    return static_cast<std::uint32_t>(i % around) * static_cast<std::uint32_t>(across) +
           static_cast<std::uint32_t>(j % across);
  };
  for (int i = 0; i < around; ++i) {
    for (int j = 0; j < across; ++j) {
      detail::add_square(triangles, vertex(i, j), vertex(i + 1, j), vertex(i + 1, j + 1),
                         vertex(i, j + 1));
    }
  }
  return Mesh(std::move(vertices), std::move(triangles));
}

}  // namespace

Mesh make_icosphere(int frequency, double radius) {
  detail::check_parts(frequency, 1, "the frequency");
  detail::check_length(radius, "the radius");
  detail::check_size(20, frequency, frequency);
  return detail::Icosphere(frequency).mesh(
      [&](const Vec3d& direction) { return Vec3f(radius * direction); });
}

Mesh make_torus(int around, int across, double radius, double tube_radius) {
  check_tube(around, across, tube_radius);
  detail::check_length(radius, "the radius");
  std::vector<Vec3f> vertices;
  vertices.reserve(static_cast<std::size_t>(around) * static_cast<std::size_t>(across));
  for (int i = 0; i < around; ++i) {
    const auto [cosine, sine] = detail::circle_point(i, around);
    const Vec3d outward(cosine, sine, 0);
    add_ring(vertices, radius * outward, outward, Vec3d(0, 0, 1), across, tube_radius);
  }
  return join_rings(std::move(vertices), around, across);
}

Mesh make_knot(int around, int across, double tube_radius) {
  check_tube(around, across, tube_radius);
  std::vector<Vec3f> vertices;
  vertices.reserve(static_cast<std::size_t>(around) * static_cast<std::size_t>(across));
  for (int i = 0; i < around; ++i) {
    // The knot winds twice around the z axis and three times around the tube of a torus with the
    // radii 2 and 1.
    const auto [c2, s2] = detail::circle_point(2 * std::uint64_t(i), around);
    const auto [c3, s3] = detail::circle_point(3 * std::uint64_t(i), around);
    const double distance = 2 + c3;
    const Vec3d centre(distance * c2, distance * s2, s3);
    const Vec3d velocity(-3 * s3 * c2 - 2 * distance * s2, -3 * s3 * s2 + 2 * distance * c2,
                         3 * c3);
    // The torus's normal is perpendicular to the knot and returns to itself: a frame with no seam.
    const Vec3d normal(c3 * c2, c3 * s2, s3);
    const Vec3d tangent = 1 / std::sqrt(dot(velocity, velocity)) * velocity;
    add_ring(vertices, centre, normal, cross(normal, tangent), across, tube_radius);
  }
  return join_rings(std::move(vertices), around, across);
}

Mesh make_rock(int frequency, std::uint64_t seed, double roughness) {
  detail::check_parts(frequency, 1, "the frequency");
  detail::check_size(20, frequency, frequency);
  if (!(roughness >= 0 && roughness < 1)) {
    throw Error("the roughness must be at least 0 and below 1, not " + std::to_string(roughness));
  }
  // Every distance from the centre stays positive, so the rock is star-shaped: it never folds over.
  constexpr int k_octaves = 4;
  constexpr double k_lumps = 1.7;
  const detail::Noise noise(seed);
  return detail::Icosphere(frequency).mesh([&](const Vec3d& direction) {
    return Vec3f((1 + roughness * noise(k_lumps * direction, k_octaves)) * direction);
  });
}

Mesh make_box(int divisions, const Vec3d& sides) {
  detail::check_parts(divisions, 1, "the number of divisions");
  detail::check_size(12, divisions, divisions);
  for (int axis = 0; axis < 3; ++axis) detail::check_length(sides[axis], "a side of the box");
  const auto n = static_cast<std::uint32_t>(divisions);

  // The lattice points of the surface, layer by layer in z: the bottom and top layers are full, the
  // others only a ring of 4n points that starts at (0, 0) and turns counter-clockwise.
  const std::uint32_t full = (n + 1) * (n + 1);
  const auto index = [&](std::uint32_t i, std::uint32_t j, std::uint32_t k) {
    if (k == 0) return j * (n + 1) + i;
    if (k == n) return full + (n - 1) * 4 * n + j * (n + 1) + i;
    const std::uint32_t ring = j == 0 ? i : i == n ? n + j : j == n ? 3 * n - i : 4 * n - j;
    return full + (k - 1) * 4 * n + ring;
  };
  std::vector<Vec3f> vertices(2 * std::size_t{full} + std::size_t{n - 1} * 4 * n);
  std::vector<TriangleIndices> triangles;
  triangles.reserve(12 * std::size_t{n} * n);

  // Each face spans two axes u and v with u × v pointing along its normal; `w` is the third axis.
  for (int w = 0; w < 3; ++w) {
    for (const bool upper : {false, true}) {
      const int u = upper ? (w + 1) % 3 : (w + 2) % 3;
      const int v = upper ? (w + 2) % 3 : (w + 1) % 3;
      const auto vertex = [&](std::uint32_t p, std::uint32_t q) {
        std::array<std::uint32_t, 3> lattice{};
        lattice[u] = p;
        lattice[v] = q;
        lattice[w] = upper ? n : 0;
        const std::uint32_t id = index(lattice[0], lattice[1], lattice[2]);
        for (int axis = 0; axis < 3; ++axis) {
          vertices[id][axis] = static_cast<float>(sides[axis] * (lattice[axis] / double(n) - 0.5));
        }
        return id;
      };
      for (std::uint32_t p = 0; p < n; ++p) {
        for (std::uint32_t q = 0; q < n; ++q) {
          detail::add_square(triangles, vertex(p, q), vertex(p + 1, q), vertex(p + 1, q + 1),
                             vertex(p, q + 1));
        }
      }
    }
  }
  return Mesh(std::move(vertices), std::move(triangles));
}

Mesh make_plane(int divisions) {
  detail::check_parts(divisions, 1, "the number of divisions");
  detail::check_size(2, divisions, divisions);
  const auto n = static_cast<std::uint32_t>(divisions);
  std::vector<Vec3f> vertices;
  vertices.reserve((std::size_t{n} + 1) * (std::size_t{n} + 1));
  const auto coordinate = [&](std::uint32_t i) { return static_cast<float>(2.0 * i / n - 1); };
  for (std::uint32_t j = 0; j <= n; ++j) {
    for (std::uint32_t i = 0; i <= n; ++i) vertices.emplace_back(coordinate(i), coordinate(j), 0.f);
  }
  std::vector<TriangleIndices> triangles;
  triangles.reserve(2 * std::size_t{n} * n);
  for (std::uint32_t j = 0; j < n; ++j) {
    for (std::uint32_t i = 0; i < n; ++i) {
      const std::uint32_t here = j * (n + 1) + i;
      detail::add_square(triangles, here, here + 1, here + n + 2, here + n + 1);
    }
  }
  return Mesh(std::move(vertices), std::move(triangles));
}

Mesh make_soup(std::size_t triangle_count, std::uint64_t seed, double size) {
  detail::check_length(size, "the size of a soup's triangles");
  if (triangle_count > Mesh::k_max_elements / 3) {
    throw Error("a soup has at most " + std::to_string(Mesh::k_max_elements / 3) + " triangles");
  }
  detail::Random random(seed);
  const auto in_cube = [&](double half_side) {
    const double x = random.uniform(-half_side, half_side);
    const double y = random.uniform(-half_side, half_side);
    const double z = random.uniform(-half_side, half_side);
    return Vec3d(x, y, z);
  };
  std::vector<Vec3f> vertices;
  vertices.reserve(3 * triangle_count);
  std::vector<TriangleIndices> triangles;
  triangles.reserve(triangle_count);
  for (std::size_t i = 0; i < triangle_count; ++i) {
    const Vec3d centre = in_cube(1);
    const auto first = static_cast<std::uint32_t>(vertices.size());
    for (int corner = 0; corner < 3; ++corner) vertices.emplace_back(centre + in_cube(size));
    triangles.push_back({first, first + 1, first + 2});
  }
  return Mesh(std::move(vertices), std::move(triangles));
}

Mesh subdivide(const Mesh& mesh) {
  if (mesh.triangle_count() > Mesh::k_max_elements / 4) {
    throw Error("the subdivided mesh would have more than " + std::to_string(Mesh::k_max_elements) +
                " triangles");
  }
  // Every edge once, sorted; its position in that order is the number of its midpoint.
  std::vector<std::uint64_t> edges;
  edges.reserve(3 * mesh.triangle_count());
  for (const auto& [a, b, c] : mesh.triangles()) {
    for (const std::uint64_t edge :
         {detail::edge_key(a, b), detail::edge_key(b, c), detail::edge_key(c, a)}) {
      edges.push_back(edge);
    }
  }
  std::ranges::sort(edges);
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  if (edges.size() > Mesh::k_max_elements - mesh.vertex_count()) {
    throw Error("the subdivided mesh would have more than " + std::to_string(Mesh::k_max_elements) +
                " vertices");
  }

  std::vector<Vec3f> vertices(mesh.vertices().begin(), mesh.vertices().end());
  vertices.reserve(vertices.size() + edges.size());
  for (const std::uint64_t edge : edges) {
    const Vec3d lower(mesh.vertices()[detail::lower_end(edge)]);
    const Vec3d upper(mesh.vertices()[detail::upper_end(edge)]);
    vertices.emplace_back(0.5 * (lower + upper));
  }
  const auto midpoint = [&](std::uint32_t a, std::uint32_t b) {
    const auto place = std::ranges::lower_bound(edges, detail::edge_key(a, b));
    return static_cast<std::uint32_t>(mesh.vertex_count() +
                                      static_cast<std::size_t>(place - edges.begin()));
  };
  std::vector<TriangleIndices> triangles;
  triangles.reserve(4 * mesh.triangle_count());
  for (const auto& [a, b, c] : mesh.triangles()) {
    const std::uint32_t ab = midpoint(a, b);
    const std::uint32_t bc = midpoint(b, c);
    const std::uint32_t ca = midpoint(c, a);
    for (const TriangleIndices& part :
         {TriangleIndices{a, ab, ca}, {ab, b, bc}, {ca, bc, c}, {ab, bc, ca}}) {
      triangles.push_back(part);
    }
  }
  return Mesh(std::move(vertices), std::move(triangles));
}

namespace {

constexpr ShapeInfo k_shapes[] = {
    {"sphere", "a ball of radius 1, closed"},
    {"torus", "a ring of radius 1 with a tube of radius 0.4, closed"},
    {"knot", "a tube of radius 0.35 along the (2, 3) torus knot, closed"},
    {"rock", "a ball of radius 1 with lumps and dents, closed; a seed gives each its own form"},
    {"box", "a cube of side 2, closed"},
    {"plane", "a square of side 2 in the plane z = 0"},
    {"sheet", "sheet metal: a bent channel of length 2 with rows of holes, closed"},
    {"pipes", "a bundle of bent pipes in a cube of side 2, each closed"},
    {"screw", "a screw of length 2: thread, flange and hexagonal head, each closed"},
    {"soup", "small unconnected triangles in a cube of side 2, placed by the seed"},
};
constexpr std::size_t k_largest_shape = 200'000'000;

}  // namespace

std::span<const ShapeInfo> shapes() {
  return k_shapes;
}

Mesh make_shape(std::string_view name, std::size_t triangle_count, std::uint64_t seed) {
  if (triangle_count == 0 || triangle_count > k_largest_shape) {
    throw Error("a shape has 1 to " + std::to_string(k_largest_shape) + " triangles, not " +
                std::to_string(triangle_count));
  }
  // The ratio of the length around to the length across, so that the cells are nearly square.
  constexpr double k_torus_aspect = 2.5;
  constexpr double k_knot_aspect = 14.5;
  if (name == "sphere") return make_icosphere(detail::nearest_divisions(triangle_count, 20));
  if (name == "torus") {
    const auto [around, across] = detail::nearest_tube(triangle_count, k_torus_aspect);
    return make_torus(around, across);
  }
  if (name == "knot") {
    const auto [around, across] = detail::nearest_tube(triangle_count, k_knot_aspect);
    return make_knot(around, across);
  }
  if (name == "rock") return make_rock(detail::nearest_divisions(triangle_count, 20), seed);
  if (name == "box") return make_box(detail::nearest_divisions(triangle_count, 12));
  if (name == "plane") return make_plane(detail::nearest_divisions(triangle_count, 2));
  if (name == "sheet") {
    const auto [holes, around] = detail::nearest_sheet(triangle_count);
    return make_sheet(holes, around);
  }
  if (name == "pipes") {
    const auto [pipes, around] = detail::nearest_pipes(triangle_count);
    return make_pipes(pipes, around);
  }
  if (name == "screw") {
    const auto [turns, around] = detail::nearest_screw(triangle_count);
    return make_screw(turns, around);
  }
  if (name == "soup") return make_soup(triangle_count, seed);

  std::string known;
  for (const ShapeInfo& shape : k_shapes) {
    known += known.empty() ? "" : &shape == std::end(k_shapes) - 1 ? " and " : ", ";
    known += shape.name;
  }
  throw Error("there is no shape called " + detail::quoted(name) + "; there are " + known);
}

}  // namespace tandem
