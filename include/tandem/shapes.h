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

/// A point of a profile: how far from the axis, and how high.
struct ProfilePoint {
  double radius;
  double height;
};

/// What a closed profile leaves when it turns around the z axis, as on a lathe: a strip of squares
/// for each of its edges, a fan for one that ends on the axis, nothing for one along it. Closed;
/// seen from outside when the profile is counter-clockwise with radius to the right and height up.
/// A profile has at least 3 points, with radii of at least 0.
TANDEM_API Mesh make_turned(std::span<const ProfilePoint> profile, int around);

/// Sheet metal as CAD programs divide it: a channel of 5 flat strips with 4 bends between them, 2
/// long, each strip with `holes` holes of `around` segments (at least 4). Its faces are fans
/// around the holes, its bends long thin squares. Closed.
TANDEM_API Mesh make_sheet(int holes, int around);

/// A bundle of pipes with a bend in the middle, in a cube of side 2. Walls are divided `around`
/// times (at least 4) but not along the straight parts, so most triangles are long and thin. Each
/// pipe is closed.
TANDEM_API Mesh make_pipes(int pipes, int around);

/// A screw of length 2 along the z axis: a thread of so many turns and `around` segments (at least
/// 4) for each of them, a flange and a hexagonal head. The three overlap; each is closed.
TANDEM_API Mesh make_screw(int turns, int around);

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
