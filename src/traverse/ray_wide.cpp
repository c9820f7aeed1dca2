#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "traverse/ray_wide.cpp"  // NOLINT
#include <hwy/foreach_target.h>
// This file is compiled once for each target, so Highway comes first.
#include <hwy/cache_control.h>
#include <hwy/highway.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "traverse/ray_wide.h"
#include "tree/tree.h"

HWY_BEFORE_NAMESPACE();
namespace tandem::detail {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

constexpr int k_width = WideRayTree::k_width;
constexpr int k_block_size = WideRayTree::k_block_size;
constexpr float k_roundoff = 0x1p-24F;
constexpr float k_floor = 0x1p-120F;

/// A child that waits: where the ray enters it, which is not negative and so compares as its bits do,
/// above its link. Closer ones are smaller.
using Waiting = std::uint64_t;

HWY_INLINE Waiting make_waiting(float entry, std::uint32_t child) {
  return std::uint64_t{std::bit_cast<std::uint32_t>(entry)} << 32 | child;
}
HWY_INLINE std::uint32_t child_of(Waiting waiting) {
  return static_cast<std::uint32_t>(waiting);
}
HWY_INLINE float entry_of(Waiting waiting) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(waiting >> 32));
}

/// Puts two in order, without a branch.
HWY_INLINE void order(Waiting& closer, Waiting& farther) {
  const Waiting least = std::min(closer, farther);
  farther = std::max(closer, farther);
  closer = least;
}

/// Which children the ray hits, as bits; their entries are stored.
HWY_INLINE unsigned test_boxes(const WideRayTree::Node& node, const WideRay& ray, float limit,
                               float* HWY_RESTRICT entries) {
  const hn::CappedTag<float, k_width> d;
  unsigned bits = 0;
  for (std::size_t i = 0; i < k_width; i += hn::Lanes(d)) {
    auto enter = hn::Set(d, ray.t_min);
    auto leave = hn::Set(d, limit);
    for (int axis = 0; axis < 3; ++axis) {
      const float* near = node.bound[ray.near_bound[axis]];
      const float* far = node.bound[ray.far_bound[axis]];
      const auto inverse = hn::Set(d, ray.inverse[axis]);
      const auto near_t =
          hn::MulAdd(hn::Load(d, near + i), inverse, hn::Set(d, ray.near_offset[axis]));
      const auto far_t =
          hn::MulAdd(hn::Load(d, far + i), inverse, hn::Set(d, ray.far_offset[axis]));
      enter = hn::Max(enter, near_t);
      leave = hn::Min(leave, far_t);
    }
    hn::Store(enter, d, entries + i);
    std::uint8_t mask[8] = {};
    hn::StoreMaskBits(d, hn::Le(enter, leave), mask);
    bits |= unsigned{mask[0]} << i;
  }
  return bits;
}

/// Which triangles the ray may hit within the limit, as bits: none that it does hit is left out.
///
/// With sums of magnitudes over the corners, s of sheared coordinates and r of all three, and
/// roundoff q: a sheared coordinate is off by at most 5q·r, a volume over an edge by 6.5q·r·s +
/// 50q²·r². Bounds are doubled or more, with a floor below which products lose bits.
HWY_INLINE unsigned test_triangles(const WideRayTree::Block& block, const WideRay& ray,
                                   float limit) {
  const hn::CappedTag<float, k_block_size> d;
  using V = hn::Vec<decltype(d)>;
  unsigned bits = 0;
  for (std::size_t i = 0; i < k_block_size; i += hn::Lanes(d)) {
    // The corners relative to the origin, the ray along z.
    V x[3];
    V y[3];
    V z[3];
    V across = hn::Zero(d);
    V depth = hn::Zero(d);
    for (int k = 0; k < 3; ++k) {
      z[k] = hn::Sub(hn::Load(d, block.corner[ray.z][k] + i), hn::Set(d, ray.origin[ray.z]));
      x[k] = hn::NegMulAdd(
          z[k], hn::Set(d, ray.shear_x),
          hn::Sub(hn::Load(d, block.corner[ray.x][k] + i), hn::Set(d, ray.origin[ray.x])));
      y[k] = hn::NegMulAdd(
          z[k], hn::Set(d, ray.shear_y),
          hn::Sub(hn::Load(d, block.corner[ray.y][k] + i), hn::Set(d, ray.origin[ray.y])));
      across = hn::Add(across, hn::Add(hn::Abs(x[k]), hn::Abs(y[k])));
      depth = hn::Add(depth, hn::Abs(z[k]));
    }
    // Inside, when the volumes over the edges have one sign.
    const V u = hn::MulSub(x[2], y[1], hn::Mul(y[2], x[1]));
    const V v = hn::MulSub(x[0], y[2], hn::Mul(y[0], x[2]));
    const V w = hn::MulSub(x[1], y[0], hn::Mul(y[1], x[0]));
    const V reach = hn::Mul(hn::Set(d, 16 * k_roundoff), hn::Add(across, depth));
    const V error = hn::MulAdd(reach, hn::Add(across, reach), hn::Set(d, k_floor));
    const V least = hn::Min(u, hn::Min(v, w));
    const V most = hn::Max(u, hn::Max(v, w));
    const auto inside = hn::Or(hn::Ge(least, hn::Neg(error)), hn::Le(most, error));
    // The distance is the mean of the corners' ones, weighted by the volumes: the ratio of a sum and
    // the volumes' total, compared without a division.
    const V total = hn::Add(u, hn::Add(v, w));
    const V sum = hn::Mul(hn::MulAdd(u, z[0], hn::MulAdd(v, z[1], hn::Mul(w, z[2]))),
                          hn::Set(d, ray.inverse_z));
    const V sign = hn::And(total, hn::SignBit(d));
    const V distance = hn::Xor(sum, sign);
    const V weight = hn::Xor(total, sign);
    const V distance_error =
        hn::MulAdd(hn::Mul(error, hn::Set(d, 2 * std::fabs(ray.inverse_z))), depth,
                   hn::Set(d, k_floor * (1 + std::fabs(ray.inverse_z))));
    const V four_errors = hn::Mul(error, hn::Set(d, 4.0F));
    const auto too_far =
        hn::Gt(hn::Sub(distance, distance_error),
               hn::Mul(hn::Set(d, limit * (1 + 0x1p-20F)), hn::Add(weight, four_errors)));
    const auto too_near =
        hn::Lt(hn::Add(distance, distance_error),
               hn::Mul(hn::Set(d, ray.t_min * (1 - 0x1p-20F)), hn::Sub(weight, four_errors)));
    std::uint8_t mask[8] = {};
    hn::StoreMaskBits(d, hn::AndNot(hn::Or(too_far, too_near), inside), mask);
    bits |= unsigned{mask[0]} << i;
  }
  return bits;
}

HWY_INLINE void prefetch(const WideRayTree& tree, std::uint32_t child) {
  const auto* const begin = static_cast<const std::byte*>(tree.at(child));
  hwy::Prefetch(begin);
  hwy::Prefetch(begin + WideRayTree::k_line_bytes);
  hwy::Prefetch(begin + 2 * WideRayTree::k_line_bytes);
  hwy::Prefetch(begin + 3 * WideRayTree::k_line_bytes);
}

HWY_INLINE TriangleF triangle_of(const WideRayTree::Block& block, int lane) {
  TriangleF triangle;
  for (int k = 0; k < 3; ++k) {
    triangle.corner[k] = {block.corner[0][k][lane], block.corner[1][k][lane],
                          block.corner[2][k][lane]};
  }
  return triangle;
}

/// False when M·|i| would leave the range in which the bounds of `WideRay` hold; then a ray takes a
/// traversal in double instead.
HWY_INLINE bool make_wide_ray(const ValidRay& ray, float largest_coordinate, WideRay* wide) {
  const auto magnitude = [](const Vec3f& v) {
    return std::max(std::fabs(v.x), std::max(std::fabs(v.y), std::fabs(v.z)));
  };
  const float m = std::max(largest_coordinate, magnitude(ray.origin));
  // Across a zero direction: so steep that every plane but those within the margin is beyond all
  // distances, which are below 2^60.
  const float steep = 0x1p84F / m;
  float least = std::numeric_limits<float>::infinity();
  float most = 0;
  for (int axis = 0; axis < 3; ++axis) {
    const float d = ray.direction[axis];
    const float inverse = d != 0 ? 1 / d : steep;
    if (d != 0) {
      least = std::min(least, std::fabs(inverse));
      most = std::max(most, std::fabs(inverse));
    }
    const float middle = -ray.origin[axis] * inverse;
    const float margin = 12 * k_roundoff * m * std::fabs(inverse);
    wide->inverse[axis] = inverse;
    wide->near_offset[axis] = middle - margin;
    wide->far_offset[axis] = middle + margin;
    wide->near_bound[axis] = d < 0 ? axis + 3 : axis;
    wide->far_bound[axis] = d < 0 ? axis : axis + 3;
    wide->origin[axis] = ray.origin[axis];
  }
  wide->t_min = ray.t_min;
  const Vec3f& d = ray.direction;
  int z = std::fabs(d.x) > std::fabs(d.y) ? 0 : 1;
  if (std::fabs(d.z) > std::fabs(d[z])) z = 2;
  wide->z = z;
  wide->x = z == 2 ? 0 : z + 1;
  wide->y = z == 0 ? 2 : z - 1;
  wide->inverse_z = wide->inverse[z];
  wide->shear_x = d[wide->x] * wide->inverse_z;
  wide->shear_y = d[wide->y] * wide->inverse_z;
  // Products of three coordinates, and of coordinates and inverses, do not overflow, and what
  // underflows is below the bounds' floors. The least inverse is that along z.
  return m > 0x1p-40F && m < 0x1p38F && least > 0x1p-24F && least < 0x1p24F && most < 0x1p60F &&
         m * least > 0x1p-60F && m * most < 0x1p40F;
}

template <class Observer>
HWY_INLINE Flow trace_ray(const WideRayTree& tree, const WideRay& ray, RayQuery& query,
                          Observer& observer) {
  // A node leaves all but one child behind; the tree is no deeper than the binary one it came from.
  Waiting stack[(k_max_depth + 1) * (k_width - 1) + 1];
  Waiting* top = stack;
  std::uint32_t child = 0;
  while (true) {
    // Down through the nodes, always into the closest child.
    while (!WideRayTree::is_leaf(child)) {
      const WideRayTree::Node& node = tree.node(child);
      observer.node_visit(child);
      observer.box_test(child, node.child_count);
      alignas(64) float entries[k_width];
      unsigned bits = test_boxes(node, ray, query.limit(), entries);
      if (bits == 0) break;
      const auto next = [&] {
        const int lane = std::countr_zero(bits);
        bits &= bits - 1;
        prefetch(tree, node.child[lane]);
        return make_waiting(entries[lane], node.child[lane]);
      };
      // The closest child comes next; the others wait, the closer ones on top.
      if ((bits & (bits - 1)) == 0) {
        child = node.child[std::countr_zero(bits)];
        continue;
      }
      Waiting a = next();
      if (bits == 0) {
        child = child_of(a);
        continue;
      }
      Waiting b = next();
      order(a, b);
      if (bits == 0) {
        *top++ = b;
        child = child_of(a);
        continue;
      }
      Waiting c = next();
      order(b, c);
      order(a, b);
      Waiting* const bottom = top;
      *top++ = c;
      *top++ = b;
      while (bits != 0) {
        Waiting more = next();
        order(a, more);
        Waiting* place = top++;
        for (; place != bottom && place[-1] < more; --place) *place = place[-1];
        *place = more;
      }
      child = child_of(a);
    }
    if (WideRayTree::is_leaf(child)) {
      const WideRayTree::Block& block = tree.block(child);
      observer.leaf_visit(child);
      observer.triangle_test(child, block.count);
      for (unsigned bits = test_triangles(block, ray, query.limit()); bits != 0; bits &= bits - 1) {
        const int lane = std::countr_zero(bits);
        if (query.test(block.id[lane], triangle_of(block, lane)) == Flow::stop) return Flow::stop;
      }
    }
    do {
      if (top == stack) return Flow::go_on;
      --top;
    } while (entry_of(*top) > query.limit());
    child = child_of(*top);
  }
}

template <class Observer>
HWY_FLATTEN Flow trace_rays(const WideRayTree& tree, const WideRequest& request,
                            Observer& observer) {
  const float largest_coordinate = tree.largest_coordinate();
  for (std::size_t i = 0; i < request.rays.size(); ++i) {
    ValidRay valid;
    Hit hit;
    if (!tree.empty() && validate_ray(request.rays[i], &valid)) {
      RayQuery query(valid, request.wanted, request.sink, request.first_index + i);
      WideRay ray;
      const Flow flow = make_wide_ray(valid, largest_coordinate, &ray)
                            ? trace_ray(tree, ray, query, observer)
                            : request.trace_in_double(request.context, query, request.statistics);
      if (flow == Flow::stop && request.wanted == Wanted::all) return Flow::stop;
      hit = query.best();
    }
    if (request.hits != nullptr) request.hits[i] = hit;
    if (request.any != nullptr) request.any[i] = hit ? 1 : 0;
  }
  return Flow::go_on;
}

}  // namespace

Flow trace_wide_on_target(const WideRayTree& tree, const WideRequest& request) {
  if (request.statistics == nullptr) {
    NullRayObserver observer;
    return trace_rays(tree, request, observer);
  }
  CountingRayObserver observer;
  const Flow flow = trace_rays(tree, request, observer);
  *request.statistics += observer.statistics;
  return flow;
}

}  // namespace HWY_NAMESPACE
}  // namespace tandem::detail
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tandem::detail {

HWY_EXPORT(trace_wide_on_target);

Flow trace_wide(const WideRayTree& tree, const WideRequest& request) {
  return HWY_DYNAMIC_DISPATCH(trace_wide_on_target)(tree, request);
}

}  // namespace tandem::detail
#endif  // HWY_ONCE
