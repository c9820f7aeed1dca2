// Scenes on a device, against those of the host.
#include <tandem/cuda/scene.h>
#include <tandem/tandem.h>

#include <cmath>
#include <cstdio>
#include <vector>

#include "cuda/run_on_device.h"
#include "math/random.h"

namespace tandem::test {
namespace {

struct Objects {
  std::vector<Model> models;
  std::vector<std::uint32_t> model_of;
  std::vector<Pose> in_world;
};

Objects random_objects(std::uint64_t seed, std::uint32_t count) {
  detail::Random random(seed);
  Objects objects;
  objects.models = {Model(make_shape("knot", 2'000)), Model(make_soup(3, seed)), Model(Mesh()),
                    Model(make_shape("box", 48)), Model(make_shape("rock", 1'000))};
  const double half = random.uniform(0.7, 2) * std::cbrt(count);
  const double far = random.below(3) == 0 ? 1e6 : 0;
  for (std::uint32_t i = 0; i < count; ++i) {
    objects.model_of.push_back(static_cast<std::uint32_t>(random.below(objects.models.size())));
    const auto place = [&] { return random.uniform(-half, half); };
    objects.in_world.push_back(Pose::from_axis_angle({place(), place(), 3 * half},
                                                     random.below(4) == 0 ? 0 : place(),
                                                     {far + place(), place(), place()}));
  }
  return objects;
}

bool same(const SceneResult& one, const SceneResult& other) {
  return one.objects == other.objects && one.offsets == other.offsets && one.pairs == other.pairs;
}

bool run() {
  int failures = 0;
  std::size_t pairs = 0;
  for (const cuda::CollideMethod method :
       {cuda::CollideMethod::waves, cuda::CollideMethod::warps, cuda::CollideMethod::blocked,
        cuda::CollideMethod::stackless}) {
    for (std::uint64_t seed = 1; seed <= 30; ++seed) {
      const auto count = static_cast<std::uint32_t>(seed * seed % 400);
      const Objects objects = random_objects(seed, count);
      Scene scene;
      for (std::size_t i = 0; i < count; ++i) {
        scene.add(objects.models[objects.model_of[i]], objects.in_world[i]);
      }
      const SceneResult expected = scene.collide({.threads = 0});
      pairs += expected.pairs.size();
      cuda::DeviceScene on_device(objects.models, objects.model_of, {.method = method});
      cuda::SceneCollider collider({.method = method});
      for (int again = 0; again < 2; ++again) {
        if (!same(on_device.collide(objects.in_world), expected)) {
          std::printf("seed %llu: a scene on the device differs\n",
                      static_cast<unsigned long long>(seed));
          ++failures;
        }
        if (!same(collider.collide(scene), expected)) {
          std::printf("seed %llu: a scene of the host differs on the device\n",
                      static_cast<unsigned long long>(seed));
          ++failures;
        }
      }
    }
  }
  std::printf("60 scenes with %zu pairs of triangles, %d differences\n", pairs, failures);
  return failures == 0;
}

}  // namespace
}  // namespace tandem::test

int main() {
  return tandem::test::run_on_device(tandem::test::run);
}
