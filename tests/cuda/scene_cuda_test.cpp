// Scenes on a device, against those of the host.
//
//   test_cuda_scene [small]   with `small`, as few as fit under compute-sanitizer
#include <tandem/cuda/scene.h>
#include <tandem/tandem.h>

#include <cstdint>
#include <cstdio>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "cuda/run_on_device.h"
#include "math/random.h"
#include "support/random_scenes.h"

namespace tandem::test {
namespace {

bool same(const SceneResult& one, const SceneResult& other) {
  return one.objects == other.objects && one.offsets == other.offsets && one.pairs == other.pairs;
}

/// What has been compared so far.
struct Comparison {
  int scenes = 0;
  std::size_t pairs = 0;
  int differences = 0;

  /// Two frames of a scene whose objects move on the device.
  void compare(const RandomScene& scene, const SceneResult& expected,
               const cuda::ColliderOptions& options, std::uint64_t seed) {
    cuda::DeviceScene on_device(scene.models, scene.model_of, options);
    ++scenes;
    pairs += expected.pairs.size();
    for (int again = 0; again < 2; ++again) {
      if (!same(on_device.collide(scene.in_world), expected)) tell(seed, "made on the device");
    }
  }
  /// The same where the device has made the models, before and after vertices have moved.
  void compare_built(const RandomScene& scene, const SceneResult& expected,
                     const cuda::ColliderOptions& options, std::uint64_t seed) {
    std::vector<Mesh> meshes;
    for (const Model& model : scene.models) meshes.push_back(model.mesh());
    cuda::DeviceScene on_device(std::span<const Mesh>(meshes), scene.model_of, options);
    ++scenes;
    pairs += expected.pairs.size();
    for (int again = 0; again < 2; ++again) {
      if (!same(on_device.collide(scene.in_world), expected)) tell(seed, "built on the device");
    }
    RandomScene later = scene;
    for (std::size_t i = 0; i < meshes.size(); i += 2) {
      std::vector<Vec3f> vertices(meshes[i].vertices().begin(), meshes[i].vertices().end());
      for (Vec3f& vertex : vertices) vertex = 1.25F * vertex;
      on_device.refit(i, vertices);
      later.models[i] = Model(meshes[i].with_vertices(std::move(vertices)));
    }
    const SceneResult moved = later.on_host().collide({.threads = 0});
    pairs += moved.pairs.size();
    if (!same(on_device.collide(scene.in_world), moved)) tell(seed, "refitted on the device");
  }
  /// Two of a scene of the host.
  void compare(const Scene& scene, const SceneResult& expected,
               const cuda::ColliderOptions& options, std::uint64_t seed) {
    cuda::SceneCollider collider(options);
    for (int again = 0; again < 2; ++again) {
      if (!same(collider.collide(scene), expected)) tell(seed, "of the host");
    }
  }

  bool report(const char* what) const {
    std::printf("%s: %d scenes with %zu pairs of triangles, %d differences\n", what, scenes, pairs,
                differences);
    std::fflush(stdout);
    return differences == 0;
  }

 private:
  void tell(std::uint64_t seed, const char* of_what) {
    std::printf("seed %llu: a scene %s differs on the device\n",
                static_cast<unsigned long long>(seed), of_what);
    ++differences;
  }
};

bool all_methods(std::uint64_t scene_count) {
  Comparison comparison;
  for (const cuda::CollideMethod method :
       {cuda::CollideMethod::best, cuda::CollideMethod::waves, cuda::CollideMethod::warps,
        cuda::CollideMethod::blocked, cuda::CollideMethod::stackless}) {
    for (std::uint64_t seed = 1; seed <= scene_count; ++seed) {
      const RandomScene scene(seed, seed * seed % 400, 1'000);
      const Scene on_host = scene.on_host();
      const SceneResult expected = on_host.collide({.threads = 0});
      comparison.compare(scene, expected, {.method = method}, seed);
      comparison.compare(on_host, expected, {.method = method}, seed);
    }
  }
  return comparison.report("by all methods");
}

/// Scenes whose models the device makes and refits.
bool built_on_the_device(std::uint64_t scene_count) {
  Comparison comparison;
  for (const cuda::ColliderBuilder builder :
       {cuda::ColliderBuilder::bisection, cuda::ColliderBuilder::curve}) {
    for (std::uint64_t seed = 1; seed <= scene_count; ++seed) {
      const RandomScene scene(seed, seed * seed % 400, 1'000);
      comparison.compare_built(scene, scene.on_host().collide({.threads = 0}), {.builder = builder},
                               seed);
    }
  }
  return comparison.report("built on the device");
}

/// Queues that may take between 32 KB and 4 MB.
bool in_little_memory(std::uint64_t scene_count) {
  Comparison comparison;
  for (std::uint64_t seed = 1; seed <= scene_count; ++seed) {
    detail::Random random(seed);
    const std::size_t limit = std::size_t{1} << (15 + random.below(8));
    const RandomScene scene(seed, 30, 150);
    comparison.compare(scene, scene.on_host().collide({.threads = 0}), {.memory_limit = limit},
                       seed);
  }
  return comparison.report("in little memory");
}

bool run(bool small) {
  const bool methods = all_methods(small ? 3 : 30);
  const bool built = built_on_the_device(small ? 3 : 30);
  return in_little_memory(small ? 3 : 1'000) && built && methods;
}

}  // namespace
}  // namespace tandem::test

int main(int argc, char** argv) {
  const bool small = argc > 1 && std::string_view(argv[1]) == "small";
  return tandem::test::run_on_device([&] { return tandem::test::run(small); });
}
