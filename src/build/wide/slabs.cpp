#include "build/wide/slabs.h"

#include <algorithm>
#include <limits>
#include <tuple>
#include <vector>

#include "build/fit_child.h"
#include "parallel/parallel_for.h"
#include "tree/wide/tree.h"

namespace tandem::detail {
namespace {

constexpr float k_infinity = std::numeric_limits<float>::infinity();

/// One direction per child, in lanes.
struct Directions {
  Float4 axis[3];
};

/// The directions of the mean normals.
Directions mean_normals(const Summary* children) {
  Float4 normal[4] = {children[0].normal, children[1].normal, children[2].normal,
                      children[3].normal};
  transpose(normal);
  Directions result = {{normal[0], normal[1], normal[2]}};
  normalise(result.axis);
  return result;
}

/// The directions in which the corners vary least: eigenvectors of the smallest eigenvalue of their
/// covariance matrix. The adjugate has the same eigenvectors, and there that one belongs to the
/// largest eigenvalue, so the powers of the adjugate soon consist of nothing else. Zero where there
/// is no such direction, as on a line.
Directions least_directions(const Summary* children) {
  Float4 square[4] = {children[0].squares, children[1].squares, children[2].squares,
                      children[3].squares};
  Float4 mixed[4] = {children[0].products, children[1].products, children[2].products,
                     children[3].products};
  transpose(square);
  transpose(mixed);
  const auto scale_by_trace = [](Float4 trace, Float4* diagonal, Float4* others) {
    const Float4 inverse = trace > float4(0x1p-100F) ? 1 / trace : float4(0);
    for (int k = 0; k < 3; ++k) {
      diagonal[k] *= inverse;
      others[k] *= inverse;
    }
  };
  scale_by_trace(square[0] + square[1] + square[2], square, mixed);
  const auto [xx, yy, zz] = std::tie(square[0], square[1], square[2]);
  const auto [xy, yz, zx] = std::tie(mixed[0], mixed[1], mixed[2]);
  // The adjugate: its diagonal, and its entries xy, yz and zx.
  Float4 d[3] = {yy * zz - yz * yz, xx * zz - zx * zx, xx * yy - xy * xy};
  Float4 m[3] = {zx * yz - xy * zz, xy * zx - xx * yz, xy * yz - zx * yy};
  for (int power = 0; power < 4; ++power) {
    scale_by_trace(d[0] + d[1] + d[2], d, m);
    const Float4 dd[3] = {d[0] * d[0] + m[0] * m[0] + m[2] * m[2],
                          m[0] * m[0] + d[1] * d[1] + m[1] * m[1],
                          m[2] * m[2] + m[1] * m[1] + d[2] * d[2]};
    const Float4 mm[3] = {d[0] * m[0] + m[0] * d[1] + m[2] * m[1],
                          m[0] * m[2] + d[1] * m[1] + m[1] * d[2],
                          d[0] * m[2] + m[0] * m[1] + m[2] * d[2]};
    for (int k = 0; k < 3; ++k) {
      d[k] = dd[k];
      m[k] = mm[k];
    }
  }
  // Every column is a multiple of the eigenvector; the one with the largest diagonal entry is the
  // longest.
  const Float4 columns[3][3] = {{d[0], m[0], m[2]}, {m[0], d[1], m[1]}, {m[2], m[1], d[2]}};
  Directions result;
  for (int k = 0; k < 3; ++k) {
    const Float4 of_first_two = d[0] >= d[1] ? columns[0][k] : columns[1][k];
    result.axis[k] = d[2] >= max4(d[0], d[1]) ? columns[2][k] : of_first_two;
  }
  normalise(result.axis);
  return result;
}

/// How far corners reach along each of `n` directions per child: four corners side by side.
template <int n>
struct Reach {
  Float4 lower[n][k_block];
  Float4 upper[n][k_block];

  Reach() {
    std::fill_n(&lower[0][0], n * k_block, float4(k_infinity));
    std::fill_n(&upper[0][0], n * k_block, float4(-k_infinity));
  }
  void add(const Reach& other) {
    for (int i = 0; i < n; ++i) {
      for (int child = 0; child < k_block; ++child) {
        lower[i][child] = min4(lower[i][child], other.lower[i][child]);
        upper[i][child] = max4(upper[i][child], other.upper[i][child]);
      }
    }
  }
  /// Adds the corners of those of a child's leaves that are from `begin` to `end` - 1.
  void add(const Directions* directions, int child, const LeafCorners* leaves, std::size_t begin,
           std::size_t end) {
    Float4 normal[n][3];
    for (int i = 0; i < n; ++i) {
      for (int k = 0; k < 3; ++k) normal[i][k] = float4(directions[i].axis[k][child]);
    }
    for (std::size_t leaf = begin; leaf < end; ++leaf) {
      for (const Float4* corner : leaves[leaf].value) {
        for (int i = 0; i < n; ++i) {
          const Float4 along =
              normal[i][0] * corner[0] + normal[i][1] * corner[1] + normal[i][2] * corner[2];
          lower[i][child] = min4(lower[i][child], along);
          upper[i][child] = max4(upper[i][child], along);
        }
      }
    }
  }
};

/// The slabs along each of `n` directions per child.
template <int n>
void measure_slabs(const Directions* directions, const LeafCorners* leaves,
                   const std::size_t* bounds, int threads, Slabs* slabs) {
  constexpr std::size_t k_grain = 2048;
  const auto measure = [&](std::size_t begin, std::size_t end) {
    Reach<n> reach;
    for (int child = 0; child < k_block; ++child) {
      reach.add(directions, child, leaves, std::max(begin, bounds[child]),
                std::min(end, bounds[child + 1]));
    }
    return reach;
  };
  const std::size_t count = bounds[k_block] - bounds[0];
  Reach<n> reach;
  if (count <= k_grain) {
    reach = measure(bounds[0], bounds[k_block]);
  } else {
    std::vector<Reach<n>> pieces((count + k_grain - 1) / k_grain);
    parallel_for(count, k_grain, threads, [&](std::size_t begin, std::size_t end) {
      pieces[begin / k_grain] = measure(bounds[0] + begin, bounds[0] + end);
    });
    for (const Reach<n>& piece : pieces) reach.add(piece);
  }
  for (int i = 0; i < n; ++i) {
    Float4* const lower = reach.lower[i];
    Float4* const upper = reach.upper[i];
    transpose(lower);
    transpose(upper);
    for (int k = 0; k < 3; ++k) slabs[i].normal[k] = directions[i].axis[k];
    slabs[i].lower = min4(min4(lower[0], lower[1]), min4(lower[2], lower[3]));
    slabs[i].upper = max4(max4(upper[0], upper[1]), max4(upper[2], upper[3]));
  }
}

/// Infinite where there is no direction, which a normal of zero says.
Float4 thickness_of(const Slabs& s) {
  const Float4 length_sq =
      s.normal[0] * s.normal[0] + s.normal[1] * s.normal[1] + s.normal[2] * s.normal[2];
  return length_sq > float4(0.5F) ? s.upper - s.lower : float4(k_infinity);
}

}  // namespace

Slabs find_slabs(const Summary* children, const LeafCorners* leaves, const std::size_t* bounds,
                 SlabChoice choice, int threads) {
  Directions directions[2] = {mean_normals(children), {}};
  Slabs slabs[2];
  if (choice == SlabChoice::mean_normal) {
    measure_slabs<1>(directions, leaves, bounds, threads, slabs);
    return slabs[0];
  }
  directions[1] = least_directions(children);
  measure_slabs<2>(directions, leaves, bounds, threads, slabs);
  const auto second = thickness_of(slabs[1]) < thickness_of(slabs[0]);
  Slabs thinner;
  for (int k = 0; k < 3; ++k) {
    thinner.normal[k] = second ? slabs[1].normal[k] : slabs[0].normal[k];
  }
  thinner.lower = second ? slabs[1].lower : slabs[0].lower;
  thinner.upper = second ? slabs[1].upper : slabs[0].upper;
  return thinner;
}

Slabs slabs_of_boxes(const Summary* children) {
  const Directions directions = mean_normals(children);
  Float4 lower[k_block];
  Float4 upper[k_block];
  for (int i = 0; i < k_block; ++i) {
    lower[i] = children[i].lower;
    upper[i] = children[i].upper;
  }
  transpose(lower);
  transpose(upper);
  const BoxReach<Float4> reach(directions.axis, lower, upper);
  return {{directions.axis[0], directions.axis[1], directions.axis[2]}, reach.lower, reach.upper};
}

}  // namespace tandem::detail
