// Pictures on a CUDA device: the same as on the host, to the bit.
#include <tandem/cuda/device.h>
#include <tandem/tandem.h>

#include <cstdio>
#include <cstring>

#include "render/path_tracer.h"
#include "render/scene_builder.h"
#include "run_on_device.h"

namespace {

using tandem::cli::Device;
using tandem::cli::Image;
using tandem::cli::RenderOptions;
using tandem::cli::Reporting;
using tandem::cli::Scene;

bool same_pictures(const char* name, const Scene& scene, RenderOptions options) {
  for (const bool denoise : {false, true}) {
    options.denoise = denoise;
    options.device = Device::cpu;
    options.traversal = {};
    const Image expected = render(scene, options).image;
    options.device = Device::cuda;
    for (const char* const traversal : {"pairs", "pairs-stackless"}) {
      options.traversal = traversal;
      const Image found = render(scene, options).image;
      std::size_t different = 0;
      for (std::size_t i = 0; i < expected.pixels.size(); ++i) {
        different +=
            std::memcmp(&found.pixels[i], &expected.pixels[i], sizeof found.pixels[i]) != 0 ? 1 : 0;
      }
      std::printf("%s, %d x %d, %d samples, %d bounces, %s%s: %zu of %zu pixels differ\n", name,
                  options.width, options.height, options.samples, options.bounces, traversal,
                  denoise ? ", filtered" : "", different, expected.pixels.size());
      if (different > 0) return false;
    }
  }
  return true;
}

Scene knot() {
  tandem::cli::SceneBuilder builder;
  builder.add(tandem::make_shape("knot", 5'000), 1, tandem::Pose(),
              builder.add_material({.albedo = {0.7, 0.4, 0.2}}));
  tandem::cli::Sky sky;
  add_stage(builder, builder.bounds(), &sky);
  return std::move(builder).build("knot", sky, tandem::cli::frame_ball({0, 0, 0}, 2, {0.4, 0.4, 1}),
                                  Reporting::off);
}

}  // namespace

int main() {
  return tandem::test::run_on_device([] {
    const Scene hall = tandem::cli::make_interior({}, Reporting::off);
    // The second picture has more paths than are traced at a time.
    const bool same =
        same_pictures("hall", hall, {.width = 97, .height = 61, .samples = 5}) &&
        same_pictures("hall", hall, {.width = 320, .height = 180, .samples = 80, .bounces = 2}) &&
        same_pictures("knot", knot(), {.width = 160, .height = 120, .samples = 16}) &&
        same_pictures("knot", knot(), {.width = 1, .height = 1, .samples = 1, .bounces = 0});
    return same;
  });
}
