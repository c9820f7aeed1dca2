// Whether the volumes of two nodes of blocked hierarchies overlap, in float32.
#pragma once

#include <tandem/host_device.h>
#include <tandem/pose.h>

#include <cmath>

#include "traverse/wide/double_boxes.h"
#include "traverse/wide/frame.h"
#include "tree/blocked.h"
#include "volume/box_axes.h"

namespace tandem::detail {

/// What the threads of a query know of its pose. A point b of B is at scale · rotation · b +
/// translation in A's coordinates, those that A's tree stores.
///
/// All fifteen separating axes are tested, and no rounding may separate boxes whose triangles
/// touch. Let u = 2^-24, e_a and e_b the largest magnitudes of a coordinate below the two nodes, s
/// the scale, m that of the translation, and S = 1.74 s e_b + m + e_a, where 1.74 bounds what a row
/// or column of the rotation sums up to.
///
///   - The vector between the centres: rounding the rotation and the translation, six operations
///     and one subtraction make up to 8.1 u S on each axis. Turned to the axes of A's box, it is
///     off by 1.74 · 8.1 u S, and three products and their sums make up to 1.74 · 3 u S: 20 u S in
///     all (for boxes along the axes, 8.1 u S).
///   - Along an axis of A 20 u S is needed; along an axis of B, whose column of the rotation is
///     taken as it is rounded, 1.74 · (20 + 1.74 · 3) u S < 44 u S; along a product of two axes, of
///     length l, at most √2 l · (20 + 1.74 · 2.1) u S < 34 l u S.
///   - Sums of half sides are rounded by less than 5 u of what is added, which is less than
///     1.74 · 5 u (s e_b + e_a).
///
/// What of this grows with e_a and e_b is part of the half sides: 128 u e each
/// (`k_blocked_rounding`) is more than 1.74 · 44 u + 9 u along every axis of length 1, and along
/// products as far as they are long. What grows with m is `margin`, which also has what positions
/// are off in the first place.
///
///   - Axes of B that are not quite at right angles, by 3e-6 in a pose that is just accepted, make
///     B's box reach farther along its own axes, by 3e-6 of the sum of its half sides:
///     `k_blocked_stretch`. Along other axes, and for products of axes that are not what they would
///     be in a rotation (by 7.5e-6) or that are rounded (by 20 u), entries of the rotation count as
///     larger by `k_axis_error`.
///   - What underflows is less than FLT_MIN.
struct BlockedFrame {
  float rotation[3][3];
  float translation[3];
  float scale;
  /// Negative where float32 has no room for both models: then `overlap_in_double` is to be asked.
  float margin;
  float unused[2];

  static constexpr float k_axis_error = 2e-5F;

  TANDEM_HD static BlockedFrame of(const Pose& b_in_a, const TreeUnits& a, const TreeUnits& b) {
    const FrameInDouble exact(b_in_a, a, b);
    BlockedFrame frame{};
    frame.margin = -1;
    if (!exact.in_range) return frame;
    constexpr double u = 0x1p-24;
    frame.margin = static_cast<float>(64 * u * exact.move + 4 * exact.position_error);
    frame.scale = static_cast<float>(exact.scale);
    for (int i = 0; i < 3; ++i) {
      frame.translation[i] = static_cast<float>(exact.exact_translation[i]);
      for (int j = 0; j < 3; ++j) frame.rotation[i][j] = static_cast<float>(b_in_a.rotation(i, j));
    }
    return frame;
  }

  TANDEM_HD bool in_range() const { return margin >= 0; }

  /// From A's centre to B's.
  TANDEM_HD Vec3f between(const Vec3f& centre_a, const Vec3f& centre_b) const {
    Vec3f result;
    for (int i = 0; i < 3; ++i) {
      const float turned =
          rotation[i][0] * centre_b.x + rotation[i][1] * centre_b.y + rotation[i][2] * centre_b.z;
      result[i] = scale * turned + translation[i] - centre_a[i];
    }
    return result;
  }
  /// A direction of B in A's coordinates.
  TANDEM_HD Vec3f turned(const Vec3f& v) const {
    Vec3f result;
    for (int i = 0; i < 3; ++i) {
      result[i] = rotation[i][0] * v.x + rotation[i][1] * v.y + rotation[i][2] * v.z;
    }
    return result;
  }

  /// Whether boxes with these half sides overlap, where `axes` are B's axes along those of A, as
  /// columns, and `between` is a vector along those.
  TANDEM_HD bool overlap(const float (&axes)[3][3], const float (&between)[3], const Vec3f& half_a,
                         const Vec3f& half_b) const {
    float absolute[3][3];
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) absolute[i][j] = std::fabs(axes[i][j]) + k_axis_error;
    }
    const float a[3] = {half_a.x, half_a.y, half_a.z};
    const float b[3] = {scale * half_b.x, scale * half_b.y, scale * half_b.z};
    const BoxAxes<float> test(axes, absolute, between, a, b);
    return !test.separated([&](float reach) { return reach + margin; });
  }
};
static_assert(sizeof(BlockedFrame) == 64);

TANDEM_HD inline bool overlap(const BlockedFrame& frame, const BlockedBox& a, const BlockedBox& b) {
  const Vec3f v = frame.between(a.centre, b.centre);
  const float between[3] = {v.x, v.y, v.z};
  return frame.overlap(frame.rotation, between, a.half, b.half);
}

TANDEM_HD inline bool overlap(const BlockedFrame& frame, const BlockedObb& a, const BlockedObb& b) {
  const Vec3f axes_a[3] = {a.axis[0], a.axis[1], a.third_axis()};
  const Vec3f axes_b[3] = {frame.turned(b.axis[0]), frame.turned(b.axis[1]),
                           frame.turned(b.third_axis())};
  const Vec3f v = frame.between(a.centre, b.centre);
  float axes[3][3];
  float between[3];
  for (int i = 0; i < 3; ++i) {
    between[i] = dot(axes_a[i], v);
    for (int j = 0; j < 3; ++j) axes[i][j] = dot(axes_a[i], axes_b[j]);
  }
  return frame.overlap(axes, between, a.half, b.half);
}

/// The box along the axes around a volume.
TANDEM_HD inline CentredBox box_around(const BlockedBox& box) {
  return {Vec3d(box.centre), Vec3d(box.half)};
}
TANDEM_HD inline CentredBox box_around(const BlockedObb& box) {
  const Vec3d axes[3] = {Vec3d(box.axis[0]), Vec3d(box.axis[1]), Vec3d(box.third_axis())};
  CentredBox result{Vec3d(box.centre), {0, 0, 0}};
  for (int i = 0; i < 3; ++i) {
    // The axes have length 1 and are at right angles but for some u.
    for (int j = 0; j < 3; ++j) {
      result.half[i] += (std::fabs(axes[j][i]) + 1e-6) * double{box.half[j]};
    }
  }
  return result;
}

/// The same for models that float32 cannot hold together.
template <class V>
TANDEM_HD bool overlap_in_double(const Pose& b_in_a, const TreeUnits& units_a,
                                 const TreeUnits& units_b, const V& a, const V& b) {
  const FrameInDouble frame(b_in_a, units_a, units_b);
  return boxes_overlap(box_around(a), moved_box(frame, box_around(b)));
}

}  // namespace tandem::detail
