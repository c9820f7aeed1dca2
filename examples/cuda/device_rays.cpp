// Rays on a CUDA device: the hits of the host, to the bit.
#include <tandem/cuda/rays.h>
#include <tandem/tandem.h>

#include <iostream>
#include <vector>

int main() try {
  const tandem::Mesh knot = tandem::make_shape("knot", 100'000);
  std::vector<tandem::Ray> rays;
  for (int i = 0; i < 1'000'000; ++i) {
    const float x = 6e-3f * static_cast<float>(i % 1000) - 3;
    const float y = 6e-3f * static_cast<float>(i / 1000) - 3;
    rays.push_back({.origin = {x, y, 5}, .direction = {0, 0, -1}});
  }

  // The tree is built on the device, and the rays are copied there and the hits back.
  const tandem::cuda::DeviceModel on_device(knot);
  std::vector<tandem::Hit> hits(rays.size());
  tandem::cuda::closest_hits(on_device, rays, hits);

  std::vector<tandem::Hit> expected(rays.size());
  tandem::closest_hits(tandem::Model(knot), rays, expected, {.threads = 0});
  std::cout << (hits == expected ? "the same hits\n" : "other hits\n");
  return hits == expected ? 0 : 1;
} catch (const tandem::Error& error) {
  std::cout << error.what() << '\n';  // such as: this machine has no CUDA driver
}
