// Compiled once for each instruction set: Highway includes this file again and again.
#include "traverse/ray/wide.h"

#include "traverse/wide/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "traverse/ray/wide.cpp"  // NOLINT
#include <hwy/foreach_target.h>
// The targets come first.
#include <hwy/highway.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "traverse/ray/float_ray.h"
#include "traverse/ray/waiting.h"

HWY_BEFORE_NAMESPACE();
namespace tandem::detail {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

constexpr int k_width = WideRayNode::k_width;
constexpr int k_block_size = WideRayBlock::k_width;
constexpr float k_roundoff = 0x1p-24F;
constexpr float k_floor = 0x1p-120F;

/// A ray as the box test needs it: each number in every lane.
struct BoxRay {
  using D = hn::CappedTag<float, k_width>;
  using V = hn::Vec<D>;

  HWY_INLINE explicit BoxRay(const FloatRay& ray) : t_min(hn::Set(D(), ray.t_min)) {
    for (int axis = 0; axis < 3; ++axis) {
      inverse[axis] = hn::Set(D(), ray.inverse[axis]);
      near_offset[axis] = hn::Set(D(), ray.near_offset[axis]);
      far_offset[axis] = hn::Set(D(), ray.far_offset[axis]);
      const int lower = axis;
      const int upper = axis + 3;
      const bool forward = ray.inverse[axis] > 0;
      near_bound[axis] = (forward ? lower : upper) * sizeof(WideRayNode::bound[0]);
      far_bound[axis] = (forward ? upper : lower) * sizeof(WideRayNode::bound[0]);
    }
  }

  V inverse[3];
  V near_offset[3];
  V far_offset[3];
  V t_min;
  /// Offsets in bytes from the beginning of a node, so that an address is one addition.
  std::size_t near_bound[3];
  std::size_t far_bound[3];
};

/// Which children the ray hits, as bits. Stores the distances at which it enters them.
HWY_INLINE unsigned test_boxes(const WideRayNode& node, const BoxRay& ray, float limit,
                               float* HWY_RESTRICT entries) {
  const BoxRay::D d;
  unsigned bits = 0;
  const auto* const bytes = reinterpret_cast<const std::byte*>(&node);
  for (std::size_t i = 0; i < k_width; i += hn::Lanes(d)) {
    auto enter = ray.t_min;
    auto leave = hn::Set(d, limit);
    for (int axis = 0; axis < 3; ++axis) {
      const auto* const near = reinterpret_cast<const float*>(bytes + ray.near_bound[axis]);
      const auto* const far = reinterpret_cast<const float*>(bytes + ray.far_bound[axis]);
      enter = hn::Max(enter,
                      hn::MulAdd(hn::Load(d, near + i), ray.inverse[axis], ray.near_offset[axis]));
      leave =
          hn::Min(leave, hn::MulAdd(hn::Load(d, far + i), ray.inverse[axis], ray.far_offset[axis]));
    }
    hn::Store(enter, d, entries + i);
    std::uint8_t mask[8] = {};
    hn::StoreMaskBits(d, hn::Le(enter, leave), mask);
    bits |= unsigned{mask[0]} << i;
  }
  return bits;
}

/// A ray as the triangle test needs it: each number in every lane. A shear of x and y makes the ray
/// parallel to z, the axis along which its direction is largest (Woop, Benthin and Wald 2013).
struct TriangleRay {
  using D = hn::CappedTag<float, k_block_size>;
  using V = hn::Vec<D>;
  static constexpr std::size_t k_axis = sizeof(WideRayBlock::corner[0]);

  HWY_INLINE TriangleRay(const ValidRay& ray, const FloatRay& prepared)
      : t_min(hn::Set(D(), std::max(0.0F, ray.t_min * (1 - 0x1p-20F) - 0x1p-149F))) {
    const Vec3f& d = ray.direction;
    int z = std::fabs(d.x) > std::fabs(d.y) ? 0 : 1;
    if (std::fabs(d.z) > std::fabs(d[z])) z = 2;
    const int axes[3] = {z == 2 ? 0 : z + 1, z == 0 ? 2 : z - 1, z};
    for (int k = 0; k < 3; ++k) {
      origin[k] = hn::Set(D(), ray.origin[axes[k]]);
      axis[k] = static_cast<std::size_t>(axes[k]) * k_axis;
    }
    const float inverse = prepared.inverse[z];
    shear_x = hn::Set(D(), d[axes[0]] * inverse);
    shear_y = hn::Set(D(), d[axes[1]] * inverse);
    inverse_z = hn::Set(D(), inverse);
    twice_inverse_z = hn::Set(D(), 2 * std::fabs(inverse));
    distance_floor = hn::Set(D(), k_floor * (1 + std::fabs(inverse)));
  }

  /// Along the ray's x, y and z.
  V origin[3];
  V shear_x;
  V shear_y;
  V inverse_z;
  V twice_inverse_z;
  V distance_floor;
  V t_min;
  /// Offsets in bytes from the beginning of a block.
  std::size_t axis[3];
};

/// Which triangles the ray may hit within the limit, as bits. It leaves out none that the ray hits.
///
/// Let q be the roundoff, s the sum of the magnitudes of the corners' sheared coordinates, and r
/// the sum of those of all three coordinates. Then a sheared coordinate is off by at most 5q·r, and
/// a volume over an edge by 6.5q·r·s + 50q²·r². The bounds below are at least twice that, with a
/// floor below which products lose bits. The interval is compared with rounded distances, so it is
/// widened by more than their rounding.
HWY_INLINE unsigned test_triangles(const WideRayBlock& block, const TriangleRay& ray, float limit) {
  const TriangleRay::D d;
  using V = TriangleRay::V;
  unsigned bits = 0;
  const auto* const bytes = reinterpret_cast<const std::byte*>(&block);
  for (std::size_t i = 0; i < k_block_size; i += hn::Lanes(d)) {
    const auto corner = [&](int axis, int k) {
      const auto* const corners = reinterpret_cast<const float*>(bytes + ray.axis[axis]);
      return hn::Sub(hn::Load(d, corners + k * k_block_size + i), ray.origin[axis]);
    };
    // The corners relative to the ray's origin, sheared so that the ray is parallel to z.
    V x[3];
    V y[3];
    V z[3];
    V size[3];
    for (int k = 0; k < 3; ++k) {
      z[k] = corner(2, k);
      x[k] = hn::NegMulAdd(z[k], ray.shear_x, corner(0, k));
      y[k] = hn::NegMulAdd(z[k], ray.shear_y, corner(1, k));
      size[k] = hn::Add(hn::Abs(x[k]), hn::Abs(y[k]));
    }
    const V across = hn::Add(hn::Add(size[0], size[1]), size[2]);
    const V depth = hn::Add(hn::Add(hn::Abs(z[0]), hn::Abs(z[1])), hn::Abs(z[2]));
    // The ray passes inside if the volumes over the edges have the same sign.
    const V u = hn::MulSub(x[2], y[1], hn::Mul(y[2], x[1]));
    const V v = hn::MulSub(x[0], y[2], hn::Mul(y[0], x[2]));
    const V w = hn::MulSub(x[1], y[0], hn::Mul(y[1], x[0]));
    const V reach = hn::Mul(hn::Set(d, 16 * k_roundoff), hn::Add(across, depth));
    const V error = hn::MulAdd(reach, hn::Add(across, reach), hn::Set(d, k_floor));
    const V least = hn::Min(u, hn::Min(v, w));
    const V most = hn::Max(u, hn::Max(v, w));
    const auto inside = hn::Or(hn::Ge(least, hn::Neg(error)), hn::Le(most, error));
    // The distance is the mean of the corners' distances, weighted by the volumes. It is the ratio
    // of a sum and the total of the volumes, and is compared without a division.
    const V total = hn::Add(u, hn::Add(v, w));
    const V sum =
        hn::Mul(hn::MulAdd(u, z[0], hn::MulAdd(v, z[1], hn::Mul(w, z[2]))), ray.inverse_z);
    const V sign = hn::And(total, hn::SignBit(d));
    const V distance = hn::Xor(sum, sign);
    const V weight = hn::Xor(total, sign);
    const V distance_error =
        hn::MulAdd(hn::Mul(error, ray.twice_inverse_z), depth, ray.distance_floor);
    const V four_errors = hn::Mul(error, hn::Set(d, 4.0F));
    const auto too_far = hn::Gt(
        hn::Sub(distance, distance_error),
        hn::Mul(hn::Set(d, limit * (1 + 0x1p-20F) + 0x1p-149F), hn::Add(weight, four_errors)));
    const auto too_near =
        hn::Lt(hn::Add(distance, distance_error), hn::Mul(ray.t_min, hn::Sub(weight, four_errors)));
    std::uint8_t mask[8] = {};
    hn::StoreMaskBits(d, hn::AndNot(hn::Or(too_far, too_near), inside), mask);
    bits |= unsigned{mask[0]} << i;
  }
  return bits;
}

/// Not inlined, so that the loop keeps its registers.
HWY_NOINLINE HWY_FLATTEN Flow test_exactly(const WideRayBlock& block, int lane, RayQuery& query) {
  return query.test(block.id[lane], block.triangle(lane));
}

template <class Observer>
HWY_INLINE Flow trace_ray(WideRayTreeView tree, const FloatRay& ray, RayQuery& query,
                          Observer& observer) {
  const BoxRay box_ray(ray);
  const TriangleRay triangle_ray(query.ray(), ray);
  Waiting stack[k_most_waiting];
  Waiting* top = stack;
  alignas(64) float entries[k_width];
  std::uint32_t child = 0;
  while (true) {
    // Go down through the nodes, always into the closest child.
    while (!WideRayTreeView::is_leaf(child)) {
      const WideRayNode& node = tree.node(child);
      observer.node_visit(child);
      observer.box_test(child, node.child_count);
      const unsigned bits = test_boxes(node, box_ray, query.limit(), entries);
      if (bits == 0) break;
      child = take_closest(tree, node, bits, entries, top);
    }
    if (WideRayTreeView::is_leaf(child)) {
      const WideRayBlock& block = tree.block(child);
      observer.leaf_visit(child);
      observer.triangle_test(child, block.count);
      for (unsigned bits = test_triangles(block, triangle_ray, query.limit()); bits != 0;
           bits &= bits - 1) {
        if (test_exactly(block, std::countr_zero(bits), query) == Flow::stop) return Flow::stop;
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
HWY_FLATTEN Flow trace_rays(WideRayTreeView tree, const RayBatch& batch,
                            const DoubleTracer& in_double, RayStatistics* statistics,
                            Observer& observer) {
  // The view is copied, so that the loop can keep it in registers.
  return trace_each(batch, [&, tree](RayQuery& query) HWY_ATTR {
    FloatRay ray;
    return make_float_ray(query.ray(), tree.largest_coordinate, &ray)
               ? trace_ray(tree, ray, query, observer)
               : in_double.trace(in_double.context, query, statistics);
  });
}

}  // namespace

Flow trace_wide_on_target(const WideRayTreeView& tree, const RayBatch& batch,
                          const DoubleTracer& in_double, RayStatistics& statistics) {
  if (!batch.statistics) {
    NullRayObserver observer;
    return trace_rays(tree, batch, in_double, nullptr, observer);
  }
  CountingRayObserver observer;
  const Flow flow = trace_rays(tree, batch, in_double, &statistics, observer);
  statistics += observer.statistics;
  return flow;
}

}  // namespace HWY_NAMESPACE
}  // namespace tandem::detail
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tandem::detail {

HWY_EXPORT(trace_wide_on_target);

Flow trace_wide(const WideRayTreeView& tree, const RayBatch& batch, const DoubleTracer& in_double,
                RayStatistics& statistics) {
  return HWY_DYNAMIC_DISPATCH(trace_wide_on_target)(tree, batch, in_double, statistics);
}

}  // namespace tandem::detail
#endif  // HWY_ONCE
