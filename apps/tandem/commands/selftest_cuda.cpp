// The checks of tandem selftest that run on a CUDA device.
#include <tandem/cuda/collide.h>
#include <tandem/cuda/rays.h>
#include <tandem/cuda/triangles.h>
#include <tandem/tandem.h>

#include <utility>

#include "commands/selftest.h"
#include "devices/device_queries.h"
#include "render/path_tracer.h"
#include "support/ray_cases.h"
#include "support/triangle_cases.h"

namespace tandem::cli {

namespace {

constexpr const char* k_meaning = ": this is a bug in Tandem, or the device is broken";

std::uint64_t check_triangles(std::uint64_t seed, const Progress& progress) {
  constexpr std::size_t k_count = 2'000'000;
  constexpr std::size_t k_part = 100'000;
  test::TriangleCases cases(seed);
  for (std::size_t begin = 0; begin < k_count; begin += k_part) {
    std::vector<Triangle> a;
    std::vector<Triangle> b;
    for (std::size_t i = 0; i < k_part; ++i) {
      const test::TriangleCase hard = cases.next();
      a.push_back(hard.p);
      b.push_back(hard.q);
    }
    std::vector<std::uint8_t> answers(k_part);
    cuda::intersects(a, b, answers);
    for (std::size_t i = 0; i < k_part; ++i) {
      if ((answers[i] != 0) == intersects(a[i], b[i])) continue;
      throw Error("the triangle test differs for seed " + std::to_string(seed) + ", pair " +
                  std::to_string(begin + i) + k_meaning);
    }
    if (progress) progress(static_cast<double>(begin + k_part) / k_count);
  }
  return k_count;
}

/// Hard rays through a model on the device, by every traversal that its structure has.
std::uint64_t check_hits(const cuda::DeviceModel& on_device, const Model& model, std::uint64_t seed,
                         const std::string& name) {
  constexpr std::size_t k_count = 100'000;
  test::RayCases cases(model.mesh(), seed);
  std::vector<Ray> rays;
  for (std::size_t i = 0; i < k_count; ++i) rays.push_back(cases.next());
  std::vector<Hit> expected(rays.size());
  closest_hits(model, rays, expected, {.threads = 0});
  std::uint64_t count = 0;
  for (const RayEngine& engine : ray_engines()) {
    if (engine.structure != on_device.structure()) continue;
    for (const bool refill : {false, true}) {
      std::vector<Hit> hits(rays.size());
      cuda::closest_hits(on_device, rays, hits, {}, {engine.traversal, refill});
      for (std::size_t i = 0; i < hits.size(); ++i) {
        if (hits[i] == expected[i]) continue;
        throw Error("the traversal " + std::string(engine.traversal.name()) +
                    " finds other hits for seed " + std::to_string(seed) + ", " + name + ", ray " +
                    std::to_string(i) + k_meaning);
      }
      count += hits.size();
    }
  }
  return count;
}

/// Calls `check` with each of some shapes.
template <class Check>
std::uint64_t on_shapes(const Progress& progress, const Check& check) {
  const std::pair<const char*, double> shapes[] = {{"knot", 1},  {"rock", 1},    {"soup", 1},
                                                   {"pipes", 1}, {"rock", 1e-9}, {"rock", 1e25}};
  std::uint64_t count = 0;
  double done = 0;
  for (const auto& [name, scale] : shapes) {
    count += check(name, test::transformed(make_shape(name, 20'000), scale, {3, -1, 2}));
    if (progress) progress(++done / static_cast<double>(std::size(shapes)));
  }
  return count;
}

std::uint64_t check_copied(std::uint64_t seed, const Progress& progress) {
  return on_shapes(progress, [&](const std::string& name, const Mesh& mesh) {
    const Model model(mesh);
    std::uint64_t count = 0;
    for (const char* const structure : {"ray-pairs", "ray-binary", "ray-wide"}) {
      count += check_hits(cuda::DeviceModel(model, structure), model, seed, name);
    }
    return count;
  });
}

std::uint64_t check_built(std::uint64_t seed, const Progress& progress) {
  return on_shapes(progress, [&](const std::string& name, const Mesh& mesh) {
    const Model model(mesh);
    // Every vertex a little farther out, by an amount of its own.
    std::vector<Vec3f> vertices(mesh.vertices().begin(), mesh.vertices().end());
    detail::Random random(seed);
    for (Vec3f& vertex : vertices) vertex = static_cast<float>(random.uniform(1, 1.02)) * vertex;
    const Model moved(mesh.with_vertices(vertices));
    std::uint64_t count = 0;
    for (const cuda::DeviceBuilder builder :
         {cuda::DeviceBuilder::curve, cuda::DeviceBuilder::clusters}) {
      const cuda::DeviceModel built(mesh, {}, {.builder = builder});
      count += check_hits(built, model, seed, name);
      count += check_hits(built.refit(vertices), moved, seed, name + ", refitted");
    }
    return count;
  });
}

/// Shapes of different sizes against each other, at random poses and flush, by every method.
std::uint64_t check_collisions(std::uint64_t seed, const Progress& progress) {
  std::vector<Model> models;
  for (const char* const name : {"knot", "rock", "box", "sheet", "pipes", "soup"}) {
    models.emplace_back(make_shape(name, 5'000));
  }
  models.emplace_back(test::transformed(make_shape("rock", 5'000), 0x1p-9, {0.5, 0, 0}));
  detail::Random random(seed);
  std::vector<BatchQuery> queries;
  for (std::uint32_t a = 0; a < models.size(); ++a) {
    for (std::uint32_t b = 0; b < models.size(); ++b) {
      queries.push_back({a, b, Pose()});
      queries.push_back({a, b, Pose::from_translation({0.5, 0, 0})});
      for (int i = 0; i < 10; ++i) {
        const Vec3d axis{random.uniform(-1, 1), random.uniform(-1, 1), 1};
        const Vec3d at{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)};
        queries.push_back({a, b, Pose::from_axis_angle(axis, random.uniform(0, 6), at)});
      }
    }
  }
  const BatchResult expected = collide_batch(models, queries, {.threads = 0});
  double done = 0;
  for (const DeviceMethod& method : device_methods()) {
    const BatchResult found = cuda::Collider(models, method.options).collide(queries);
    if (found.pairs != expected.pairs || found.offsets != expected.offsets) {
      throw Error("the method " + std::string(method.name) + " finds other pairs for seed " +
                  std::to_string(seed) + k_meaning);
    }
    if (progress) progress(++done / static_cast<double>(device_methods().size()));
  }
  return expected.pairs.size() * device_methods().size();
}

std::uint64_t check_picture(std::uint64_t, const Progress& progress) {
  const Scene scene = load_scene(k_interior, {}, {});
  RenderOptions how{.width = 160, .height = 90, .samples = 8};
  const Image expected = render(scene, how).image;
  how.device = Device::cuda;
  how.progress = progress;
  if (render(scene, how).image.pixels != expected.pixels) {
    throw Error(std::string("the picture differs") + k_meaning);
  }
  return expected.pixels.size();
}

}  // namespace

std::vector<SelfCheck> cuda_checks() {
  return {{"exact triangle test, pairs", check_triangles},
          {"touching triangles of models", check_collisions},
          {"rays through trees of the host", check_copied},
          {"rays through trees built and refitted there", check_built},
          {"path tracer, pixels", check_picture}};
}

}  // namespace tandem::cli
