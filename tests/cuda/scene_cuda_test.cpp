// Scenes on a device, against those of the host.
//
//   test_cuda_scene [small]   with `small`, as few as fit under compute-sanitizer
#include <tandem/cuda/scene.h>
#include <tandem/tandem.h>

#include <cstdint>
#include <cstdio>
#include <string_view>

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

  /// Two frames of a scene, from host memory and left on the device.
  void compare(const RandomScene& scene, const cuda::ColliderOptions& options, std::uint64_t seed) {
    const Scene on_host = scene.on_host();
    const SceneResult expected = on_host.collide({.threads = 0});
    cuda::DeviceScene on_device(scene.models, scene.model_of, options);
    cuda::SceneCollider collider(options);
    ++scenes;
    pairs += expected.pairs.size();
    for (int again = 0; again < 2; ++again) {
      if (!same(on_device.collide(scene.in_world), expected)) tell(seed, "made on the device");
      if (!same(collider.collide(on_host), expected)) tell(seed, "of the host");
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
       {cuda::CollideMethod::waves, cuda::CollideMethod::blocked, cuda::CollideMethod::stackless}) {
    for (std::uint64_t seed = 1; seed <= scene_count; ++seed) {
      comparison.compare(RandomScene(seed, seed * seed % 400, 1'000), {.method = method}, seed);
    }
  }
  return comparison.report("by all methods");
}

/// Queues that may take between 4 KB and 8 MB.
bool in_little_memory(std::uint64_t scene_count) {
  Comparison comparison;
  for (std::uint64_t seed = 1; seed <= scene_count; ++seed) {
    detail::Random random(seed);
    const std::size_t limit = std::size_t{4096} << random.below(12);
    comparison.compare(RandomScene(seed, 40, 200), {.memory_limit = limit}, seed);
  }
  return comparison.report("in little memory");
}

bool run(bool small) {
  const bool methods = all_methods(small ? 3 : 30);
  return in_little_memory(small ? 3 : 1'000) && methods;
}

}  // namespace
}  // namespace tandem::test

int main(int argc, char** argv) {
  const bool small = argc > 1 && std::string_view(argv[1]) == "small";
  return tandem::test::run_on_device([&] { return tandem::test::run(small); });
}
