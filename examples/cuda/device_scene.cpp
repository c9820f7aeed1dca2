// A pile of rocks on a CUDA device: the triangles that touch, as the host finds them, to the byte.
#include <tandem/cuda/scene.h>
#include <tandem/tandem.h>

#include <iostream>
#include <vector>

int main() try {
  const std::vector<tandem::Model> models = {tandem::Model(tandem::make_shape("rock", 5'000))};
  std::vector<std::uint32_t> model_of;
  std::vector<tandem::Pose> in_world;
  tandem::Scene scene;
  for (int i = 0; i < 1'000; ++i) {
    const tandem::Vec3d place(1.8 * (i % 10), 1.8 * (i / 10 % 10), 1.8 * (i / 100));
    in_world.push_back(tandem::Pose::from_axis_angle({1, 2, 3}, 0.1 * i, place));
    model_of.push_back(0);
    scene.add(models[0], in_world.back());
  }

  // Objects that are close, and their triangles, are found on the device.
  tandem::cuda::DeviceScene on_device(models, model_of);
  const tandem::SceneResult result = on_device.collide(in_world);
  std::cout << result.objects.size() << " pairs of rocks touch in " << result.pairs.size()
            << " pairs of triangles\n";

  const bool same = result.pairs == scene.collide({.threads = 0}).pairs;
  std::cout << (same ? "the same pairs\n" : "other pairs\n");
  return same ? 0 : 1;
} catch (const tandem::Error& error) {
  std::cout << error.what() << '\n';  // such as: this machine has no CUDA driver
}
