#include <tandem/cuda/triangles.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "cuda/check.h"
#include "cuda/device_array.h"
#include "cuda/launch.h"
#include "gpu/test_triangles.h"

namespace tandem::cuda {
namespace {

void check_corners(const char* which, std::span<const Triangle> triangles) {
  for (std::size_t i = 0; i < triangles.size(); ++i) {
    for (const Vec3d& corner : triangles[i].corner) {
      for (int axis = 0; axis < 3; ++axis) {
        if (std::fabs(corner[axis]) <= detail::k_largest_coordinate) continue;
        throw Error("triangle " + std::to_string(i) + " of " + which +
                    " has a coordinate that is not finite or exceeds 1e60");
      }
    }
  }
}

}  // namespace

void intersects(const Triangle* a, const Triangle* b, std::uint8_t* answers, std::size_t count,
                const Place& place) {
  constexpr int k_block_size = 128;
  constexpr std::size_t k_most_pairs = std::size_t{1} << 30;
  for (std::size_t begin = 0; begin < count; begin += k_most_pairs) {
    const auto part = static_cast<std::uint32_t>(std::min(count - begin, k_most_pairs));
    launch<k_block_size>(detail::TestTriangles{a + begin, b + begin, answers + begin, part},
                         (part + k_block_size - 1) / k_block_size, place.stream);
  }
}

void intersects(std::span<const Triangle> a, std::span<const Triangle> b,
                std::span<std::uint8_t> answers, const Place& place) {
  if (a.size() != b.size() || a.size() != answers.size()) {
    throw Error("there are " + std::to_string(a.size()) + " and " + std::to_string(b.size()) +
                " triangles, and room for " + std::to_string(answers.size()) + " answers");
  }
  require_device();
  check_corners("a", a);
  check_corners("b", b);
  DeviceArray<Triangle> device_a(a.size(), place);
  DeviceArray<Triangle> device_b(b.size(), place);
  DeviceArray<std::uint8_t> device_answers(answers.size(), place);
  device_a.copy_from(a.data());
  device_b.copy_from(b.data());
  intersects(device_a.data(), device_b.data(), device_answers.data(), a.size(), place);
  device_answers.copy_to(answers.data());
  check(cudaStreamSynchronize(place.stream), "test triangles");
}

}  // namespace tandem::cuda
