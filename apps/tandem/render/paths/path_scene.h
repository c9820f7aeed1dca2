// A scene as paths see it, on the host or on a device.
#pragma once

#include <tandem/host_device.h>
#include <tandem/mesh.h>

#include <cstddef>
#include <cstdint>

#include "render/paths/lens.h"
#include "render/paths/lights.h"
#include "render/paths/pixel_random.h"
#include "render/scene.h"

namespace tandem::cli {

struct RenderOptions;

/// An array that somebody else owns.
template <class T>
struct ArrayView {
  const T* data;
  std::size_t count;

  TANDEM_HD const T& operator[](std::size_t i) const { return data[i]; }
};

struct PathScene {
  ArrayView<Vec3f> vertices;
  ArrayView<TriangleIndices> triangles;
  ArrayView<Material> materials;
  /// For each triangle.
  ArrayView<std::uint32_t> material_of;
  ArrayView<Light> lights;
  /// The luminance of the brightest light.
  double brightest;
  Sky sky;
  Lens lens;
  /// Of the picture.
  std::uint32_t width;
  std::uint32_t height;
  SampleOrders samples;
  /// Times that a path is reflected.
  int bounces;
  /// New rays begin so far off the surface, so that they do not hit it again.
  double offset;

  TANDEM_HD const Material& material(std::uint32_t triangle) const {
    return materials[material_of[triangle]];
  }
  TANDEM_HD std::size_t pixel_count() const { return std::size_t{width} * height; }
};

/// Refers to the scene and to its lights.
PathScene path_scene(const Scene& scene, const Lights& lights, const RenderOptions& options);

}  // namespace tandem::cli
