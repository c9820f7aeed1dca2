// The kernels of the path tracer, run by the executor on the CPU: the pictures are those of the
// renderer that traces path by path, to the bit.
#include <gtest/gtest.h>
#include <tandem/tandem.h>

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

#include "gpu/on_cpu.h"
#include "render/denoise.h"
#include "render/path_tracer.h"
#include "render/paths/wavefront.h"
#include "render/scene_builder.h"

namespace tandem::test {
namespace {

using cli::Image;
using cli::RenderOptions;
using cli::Reporting;
using cli::Scene;

/// What `Wavefront` runs on: rays are traced by the library.
class PathsOnCpu : public OnCpu {
 public:
  PathsOnCpu(const Model& model, std::uint64_t seed) : OnCpu(seed), model_(model) {}

  template <class T>
  void fetch(const T* from, T* to, std::size_t count) {
    std::copy_n(from, count, to);
  }
  void closest_hits(const Ray* rays, Hit* hits, std::size_t count) {
    tandem::closest_hits(model_, {rays, count}, {hits, count});
  }
  void any_hits(const Ray* rays, std::uint8_t* hits, std::size_t count) {
    tandem::any_hits(model_, {rays, count}, {hits, count});
  }

 private:
  const Model& model_;
};

/// Without the filter, and with it: that one depends on what the paths met first.
struct Pictures {
  Image raw;
  Image filtered;
};

Pictures path_by_path(const Scene& scene, RenderOptions options) {
  options.denoise = false;
  Image raw = render(scene, options).image;
  options.denoise = true;
  return {std::move(raw), render(scene, options).image};
}

Pictures wave_by_wave(const Scene& scene, const RenderOptions& options, std::uint32_t most_paths,
                      std::uint64_t seed) {
  const cli::Lights lights = find_lights(scene);
  const cli::PathScene paths = path_scene(scene, lights, options);
  Image raw(options.width, options.height);
  cli::Features features{options.width, options.height, paths.lens.pixel_size(), {}};
  features.pixels.resize(raw.pixels.size());
  PathsOnCpu on(scene.model, seed);
  double reported = 0;
  const auto progress = [&](double share) {
    EXPECT_LE(reported, share);
    reported = share;
  };
  cli::Wavefront(on, paths, most_paths).trace(raw.pixels.data(), features.pixels.data(), progress);
  EXPECT_EQ(reported, 1);
  Image filtered = denoised(raw, features, 1);
  return {std::move(raw), std::move(filtered)};
}

bool same_bits(const Image& a, const Image& b) {
  return a.pixels.size() == b.pixels.size() &&
         std::memcmp(a.pixels.data(), b.pixels.data(), a.pixels.size() * sizeof(Vec3d)) == 0;
}

void expect_same_pictures(const Scene& scene, const RenderOptions& options) {
  const Pictures expected = path_by_path(scene, options);
  std::uint64_t seed = 0;
  // Parts of the picture one sample at a time, all of it two samples at a time, all at once.
  for (const std::uint32_t most_paths : {100U, 800U, 1U << 20}) {
    const Pictures found = wave_by_wave(scene, options, most_paths, ++seed);
    EXPECT_TRUE(same_bits(found.raw, expected.raw)) << most_paths;
    EXPECT_TRUE(same_bits(found.filtered, expected.filtered)) << most_paths;
  }
}

enum class Lit { no, yes };

Scene knot(Lit lit) {
  cli::SceneBuilder builder;
  builder.add(make_shape("knot", 500), 1, Pose(),
              builder.add_material({.albedo = {0.7, 0.4, 0.2}, .glow = {0.1, 0, 0}}));
  cli::Sky sky{.zenith = {1, 1, 2}, .horizon = {2, 1, 1}};
  if (lit == Lit::yes) add_stage(builder, builder.bounds(), &sky);
  return std::move(builder).build("knot", sky, cli::frame_ball({0, 0, 0}, 2, {0.4, 0.4, 1}),
                                  Reporting::off);
}

TEST(PathKernels, TheHallIsTheSame) {
  expect_same_pictures(cli::make_interior({}, Reporting::off),
                       {.width = 24, .height = 16, .samples = 3});
}

TEST(PathKernels, AKnotIsTheSameWithLightsAndUnderTheSkyAlone) {
  expect_same_pictures(knot(Lit::yes), {.width = 24, .height = 16, .samples = 3});
  expect_same_pictures(knot(Lit::no), {.width = 24, .height = 16, .samples = 3});
}

TEST(PathKernels, TheShortestPathsAndTheSmallestPicturesAreTheSame) {
  const Scene scene = knot(Lit::yes);
  for (const int bounces : {0, 1}) {
    expect_same_pictures(scene, {.width = 24, .height = 16, .samples = 1, .bounces = bounces});
    expect_same_pictures(scene, {.width = 1, .height = 1, .samples = 5, .bounces = bounces});
  }
}

}  // namespace
}  // namespace tandem::test
