#include "render/paths/path_scene.h"

#include <algorithm>
#include <cmath>

#include "render/path_tracer.h"

namespace tandem::cli {

namespace {

double ray_offset(const Scene& scene) {
  // With coordinates in float32 the distance cannot be smaller.
  const Bounds box = scene.model.mesh().bounds();
  double largest = length(scene.camera.eye);
  for (int axis = 0; axis < 3; ++axis) {
    largest =
        std::max({largest, std::fabs(double{box.lower[axis]}), std::fabs(double{box.upper[axis]})});
  }
  return 0x1p-19 * std::min(largest, 4 * length(scene.camera.target - scene.camera.eye) +
                                         length(scene.camera.eye));
}

template <class Array>
auto view_of(const Array& array) {
  return ArrayView<typename Array::value_type>{array.data(), array.size()};
}

}  // namespace

PathScene path_scene(const Scene& scene, const Lights& lights, const RenderOptions& options) {
  return {.vertices = view_of(scene.model.mesh().vertices()),
          .triangles = view_of(scene.model.mesh().triangles()),
          .materials = view_of(scene.materials),
          .material_of = view_of(scene.material_of),
          .lights = view_of(lights.all),
          .brightest = lights.brightest,
          .sky = scene.sky,
          .lens = Lens(scene.camera, options.width, options.height),
          .width = static_cast<std::uint32_t>(options.width),
          .height = static_cast<std::uint32_t>(options.height),
          .samples = SampleOrders(options.samples),
          .bounces = options.bounces,
          .offset = ray_offset(scene)};
}

}  // namespace tandem::cli
