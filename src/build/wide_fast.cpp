// The wide builder for fast builds: triangles sorted along a Morton curve.
#include <algorithm>
#include <array>
#include <cmath>

#include "build/builders.h"
#include "build/wide_fit.h"
#include "build/wide_shape.h"

namespace tandem::detail {
namespace {

constexpr int k_bits = 10;  // an axis

struct Keyed {
  std::uint32_t key;
  std::uint32_t id;
};

/// Spreads ten bits to every third.
std::uint32_t every_third(std::uint32_t x) {
  x = (x | x << 16) & 0x030000ff;
  x = (x | x << 8) & 0x0300f00f;
  x = (x | x << 4) & 0x030c30c3;
  return (x | x << 2) & 0x09249249;
}

/// Sorts by key, stably, ten bits at a time.
void sort_by_key(std::vector<Keyed>& keyed) {
  std::vector<Keyed> other(keyed.size());
  constexpr std::uint32_t k_mask = (1U << k_bits) - 1;
  for (int shift = 0; shift < 3 * k_bits; shift += k_bits) {
    std::array<std::size_t, k_mask + 2> begin{};
    for (const Keyed& k : keyed) ++begin[(k.key >> shift & k_mask) + 1];
    for (std::size_t i = 1; i < begin.size(); ++i) begin[i] += begin[i - 1];
    for (const Keyed& k : keyed) other[begin[k.key >> shift & k_mask]++] = k;
    keyed.swap(other);
  }
}

}  // namespace

WideTree build_wide_fast(const Mesh& mesh, const Progress& progress) {
  const WideScale scale(mesh);
  std::vector<Keyed> keyed(mesh.triangle_count());
  // Three times the centroid, from [-3, 3] into whole numbers of ten bits.
  constexpr float k_factor = ((1 << k_bits) - 1) / 6.0F;
  for (std::uint32_t id = 0; id < keyed.size(); ++id) {
    const TriangleF t = mesh.triangle(id);
    const Vec3f sum = scale(t.corner[0]) + scale(t.corner[1]) + scale(t.corner[2]);
    std::uint32_t key = 0;
    for (int k = 0; k < 3; ++k) {
      key |= every_third(static_cast<std::uint32_t>((sum[k] + 3) * k_factor)) << k;
    }
    keyed[id] = {key, id};
  }
  sort_by_key(keyed);
  if (progress) progress(0.5);

  WideShape shape;
  shape.order.reserve(keyed.size());
  for (const Keyed& k : keyed) shape.order.push_back(k.id);
  if (!keyed.empty()) {
    const auto first_position = [](std::size_t, std::size_t, const std::size_t* positions, int) {
      return positions[0];
    };
    WideShaper(leaf_count_for(keyed.size()), shape, first_position);
  }
  return fit_wide(mesh, scale, shape, SlabChoice::mean_normal);
}

}  // namespace tandem::detail
