// The wide builder for fast builds: triangles sorted along a Hilbert curve.
#include <algorithm>
#include <array>
#include <span>
#include <utility>
#include <vector>

#include "build/wide/builders.h"
#include "build/wide/fit.h"
#include "build/wide/shape.h"
#include "parallel/parallel_for.h"

namespace tandem::detail {
namespace {

constexpr int k_bits = 10;  // per axis

struct Keyed {
  std::uint32_t key;
  std::uint32_t id;
};

/// Spreads ten bits to every third bit.
std::uint32_t every_third(std::uint32_t x) {
  x = (x | x << 16) & 0x030000ff;
  x = (x | x << 8) & 0x0300f00f;
  x = (x | x << 4) & 0x030c30c3;
  return (x | x << 2) & 0x09249249;
}

/// A Hilbert curve visits the octants of a cube, and within each octant its octants by the same
/// rule in another orientation. A state is an orientation: which axis plays which part (6 ways),
/// which axes are reversed (8 ways), and whether the curve is followed backwards (2 ways). The rule
/// is Skilling's (2004).
struct HilbertStep {
  std::uint8_t digit;
  std::uint8_t next;
};
constexpr int k_states = 96;
constexpr std::array<std::array<int, 3>, 6> k_axes = {
    {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}}};

constexpr std::array<std::array<HilbertStep, 8>, k_states> k_hilbert = [] {
  std::array<std::array<HilbertStep, 8>, k_states> table{};
  for (int state = 0; state < k_states; ++state) {
    for (int octant = 0; octant < 8; ++octant) {
      // The octant's bits in this orientation, x first.
      std::array<int, 3> axes = k_axes[state / 16];
      std::array<int, 3> flips = {state >> 3 & 1, state >> 2 & 1, state >> 1 & 1};
      int bits[3] = {};
      for (int i = 0; i < 3; ++i) bits[i] = (octant >> axes[i] & 1) ^ flips[i];
      // The orientation within the octant.
      for (int i = 0; i < 3; ++i) {
        if (bits[i] != 0) {
          flips[0] ^= 1;
        } else {
          std::swap(axes[0], axes[i]);
          std::swap(flips[0], flips[i]);
        }
      }
      // The octant's place along the curve: a Gray code.
      const int backwards = state & 1;
      const int gray[3] = {bits[0], bits[0] ^ bits[1], bits[0] ^ bits[1] ^ bits[2]};
      int digit = 0;
      for (const int bit : gray) digit = digit << 1 | (bit ^ backwards);
      int axes_number = 0;
      while (k_axes[axes_number] != axes) ++axes_number;
      const int next =
          axes_number * 16 | flips[0] << 3 | flips[1] << 2 | flips[2] << 1 | (backwards ^ gray[2]);
      table[state][octant] = {static_cast<std::uint8_t>(digit), static_cast<std::uint8_t>(next)};
    }
  }
  return table;
}();

/// Two steps at once: from six interleaved bits of x, y and z to six bits of the place along the
/// curve, and above them the next state.
constexpr std::array<std::array<std::uint16_t, 64>, k_states> k_two_steps = [] {
  std::array<std::array<std::uint16_t, 64>, k_states> table{};
  for (int state = 0; state < k_states; ++state) {
    for (int octants = 0; octants < 64; ++octants) {
      const HilbertStep first = k_hilbert[state][octants >> 3];
      const HilbertStep second = k_hilbert[first.next][octants & 7];
      table[state][octants] =
          static_cast<std::uint16_t>(second.next << 6 | first.digit << 3 | second.digit);
    }
  }
  return table;
}();

/// From the interleaved bits of x, y and z to the place along the curve.
std::uint32_t to_hilbert(std::uint32_t interleaved) {
  std::uint32_t place = 0;
  unsigned state = 0;
  static_assert(k_bits % 2 == 0);
  for (int shift = 3 * (k_bits - 2); shift >= 0; shift -= 6) {
    const unsigned step = k_two_steps[state][interleaved >> shift & 63];
    place = place << 6 | (step & 63);
    state = step >> 6;
  }
  return place;
}

/// Triangles that a thread takes at a time.
constexpr std::size_t k_grain = 1 << 15;

/// Sorts by key, stably, ten bits at a time.
void sort_by_key(LargeVector<Keyed>& keyed, int threads) {
  LargeVector<Keyed> other(keyed.size());
  constexpr std::uint32_t k_mask = (1U << k_bits) - 1;
  // For each piece, how many keys have each digit, and then where they go.
  std::vector<std::array<std::uint32_t, k_mask + 1>> places((keyed.size() + k_grain - 1) / k_grain);
  for (int shift = 0; shift < 3 * k_bits; shift += k_bits) {
    const auto digit_of = [shift](const Keyed& k) { return k.key >> shift & k_mask; };
    const auto for_each_piece = [&](const auto& work) {
      parallel_for(keyed.size(), k_grain, threads, [&](std::size_t begin, std::size_t end) {
        work(places[begin / k_grain], std::span(keyed).subspan(begin, end - begin));
      });
    };
    for_each_piece([&](auto& counts, std::span<const Keyed> piece) {
      counts.fill(0);
      for (const Keyed& k : piece) ++counts[digit_of(k)];
    });
    std::uint32_t next = 0;
    for (std::uint32_t digit = 0; digit <= k_mask; ++digit) {
      for (auto& place : places) next += std::exchange(place[digit], next);
    }
    for_each_piece([&](auto& place, std::span<const Keyed> piece) {
      for (const Keyed& k : piece) other[place[digit_of(k)]++] = k;
    });
    keyed.swap(other);
  }
}

/// The order of the triangles and the blocks above them.
WideShape fast_shape(const ScaledMesh& mesh, int threads, const Progress& progress) {
  const std::size_t count = mesh.triangle_count();
  LargeVector<Keyed> keyed(count);
  // Three times the centroid, from [-3, 3] into whole numbers of ten bits. What is farther away, in
  // spread meshes, is moved to the border.
  constexpr float k_factor = ((1 << k_bits) - 1) / 6.0F;
  parallel_for(count, k_grain, threads, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const auto id = static_cast<std::uint32_t>(i);
      const ScaledMesh::Corners t = mesh.triangle(id);
      const Float4 sum = min4(max4(t.corner[0] + t.corner[1] + t.corner[2], float4(-3)), float4(3));
      std::uint32_t interleaved = 0;
      for (int k = 0; k < 3; ++k) {
        interleaved |= every_third(static_cast<std::uint32_t>((sum[k] + 3) * k_factor)) << k;
      }
      keyed[i] = {to_hilbert(interleaved), id};
    }
  });
  sort_by_key(keyed, threads);
  if (progress) progress(0.5);

  WideShape shape;
  shape.order.resize(count);
  parallel_for(count, k_grain, threads, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) shape.order[i] = keyed[i].id;
  });
  auto first_position = [](std::size_t, std::size_t, const std::size_t* positions, int) {
    return positions[0];
  };
  const auto same = [&](const LeafRange&) { return first_position; };
  shape.child_counts = WideShaper(first_position, same, threads).run(leaf_count_for(count));
  return shape;
}

}  // namespace

WideTree WideFast::build(const Mesh& mesh, int threads, const Progress& progress) {
  WideTree tree;
  with_threads(threads, [&] {
    const ScaledMesh scaled(mesh, threads);
    const WideShape shape = mesh.empty() ? WideShape() : fast_shape(scaled, threads, progress);
    tree = fit_wide(scaled, shape, SlabChoice::mean_normal, threads);
  });
  return tree;
}

}  // namespace tandem::detail
