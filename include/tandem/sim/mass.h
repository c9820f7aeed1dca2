// What a body weighs and how hard it is to turn, from its mesh.
#pragma once

#include <tandem/export.h>
#include <tandem/mesh.h>
#include <tandem/vec.h>

#include <array>

namespace tandem::sim {

/// The mass of a body and where it is, in the frame of its mesh.
struct MassProperties {
  double mass = 0;
  /// The centre of mass.
  Vec3d centre{0, 0, 0};
  /// The inertia tensor about the centre of mass, row by row: symmetric.
  std::array<double, 9> inertia{};
  /// Whether the inside counts, or only the surface.
  bool solid = false;
};

/// Of a body that is filled evenly. Throws `tandem::Error` for a density that is not positive and
/// finite, and for a mesh that is not closed, is inside out or has no volume.
TANDEM_API MassProperties solid_mass(const Mesh& mesh, double density);

/// Of a hollow body whose surface weighs the same everywhere. Any mesh that has an area will do.
/// Throws `tandem::Error` for a mass per area that is not positive and finite, and for a mesh
/// without area.
TANDEM_API MassProperties shell_mass(const Mesh& mesh, double mass_per_area);

}  // namespace tandem::sim
