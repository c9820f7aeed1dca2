// Procedural shapes: every benchmark, test and example can run without a file.
//
// The same arguments give the same bits under every compiler. Triangles of closed shapes are seen
// counter-clockwise from outside. Arguments that make no shape throw `tandem::Error`: a length that
// is not positive and finite, fewer than 1 part (3 around a tube), more than Mesh::k_max_elements.
#pragma once

#include <tandem/export.h>
#include <tandem/mesh.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace tandem {

/// A sphere of `radius` around the origin: an icosahedron whose edges are divided into `frequency`
/// parts, 20·frequency² triangles. Closed.
TANDEM_API Mesh make_icosphere(int frequency, double radius = 1);

/// A torus around the z axis with 2·around·across triangles. Closed.
TANDEM_API Mesh make_torus(int around, int across, double radius = 1, double tube_radius = 0.4);

/// A tube along the (2, 3) torus knot, 2·around·across triangles. Closed.
TANDEM_API Mesh make_knot(int around, int across, double tube_radius = 0.35);

/// A non-convex rock: an icosphere displaced by smooth noise of amplitude `roughness`, which is at
/// least 0 and below 1. Closed, and star-shaped around the origin.
TANDEM_API Mesh make_rock(int frequency, std::uint64_t seed, double roughness = 0.3);

/// A box of the given side lengths around the origin, each face divided into `divisions`² squares:
/// 12·divisions² triangles. Closed.
TANDEM_API Mesh make_box(int divisions, const Vec3d& sides = {2, 2, 2});

/// A square of side 2 in the plane z = 0, divided into `divisions`² squares: 2·divisions²
/// triangles.
TANDEM_API Mesh make_plane(int divisions);

/// `triangle_count` unconnected triangles: centres uniform in a cube of side 2, corners uniform in
/// a cube of side 2·`size` around the centre.
TANDEM_API Mesh make_soup(std::size_t triangle_count, std::uint64_t seed, double size = 0.05);

/// Each triangle becomes four, ids 4i to 4i+3, by the midpoints of its edges (shared edges share
/// their midpoint). Corners keep their positions.
TANDEM_API Mesh subdivide(const Mesh& mesh);

/// A shape that `make_shape` knows.
struct ShapeInfo {
  std::string_view name;
  std::string_view description;
};
TANDEM_API std::span<const ShapeInfo> shapes();

/// The shape called `name` with as near `triangle_count` triangles as its pattern allows (the
/// result says how many; a soup has exactly so many). `seed` matters to rock and soup. Throws
/// `tandem::Error` for an unknown name or a count of zero or over 200 million.
TANDEM_API Mesh make_shape(std::string_view name, std::size_t triangle_count,
                           std::uint64_t seed = 1);

}  // namespace tandem
