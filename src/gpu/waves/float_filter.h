// The triangle test of waves in float32: that of traverse/wide/triangles-inl.h, for one thread.
#pragma once

#include <tandem/host_device.h>
#include <tandem/vec.h>

#include <cmath>

#include "geometry/triangle_filter.h"
#include "gpu/waves/models.h"
#include "gpu/waves/query.h"
#include "math/float_steps.h"

namespace tandem::detail {

/// row · v + plus
TANDEM_HD inline float row_times(const float row[3], const float v[3], float plus) {
  return multiply_add(row[0], v[0], multiply_add(row[1], v[1], multiply_add(row[2], v[2], plus)));
}

class FloatFilter {
 public:
  /// The bounds are derived in triangles-inl.h.
  TANDEM_HD static Verdict judge(const HalfFrame& frame, const WaveTriangle& p,
                                 const WaveTriangle& q) {
    constexpr float u = 0x1p-24F;
    Vec3f a1;
    Vec3f a2;
    Vec3f b[3];
    for (int k = 0; k < 3; ++k) {
      a1[k] = p.value[3 + k] - p.value[k];
      a2[k] = p.value[6 + k] - p.value[k];
      const float origin = frame.translation[k] - p.value[k];
      for (int v = 0; v < 3; ++v) b[v][k] = row_times(frame.matrix[k], q.value + 3 * v, origin);
    }
    const float delta = frame.corner_error;
    const float la = larger(largest(a1), largest(a2));
    const float lb = larger(largest(b[0]), larger(largest(b[1]), largest(b[2]))) + delta;
    // Products may underflow below this: then nothing is sure.
    constexpr float k_tiny = 0x1p-100F;

    // Heights of q's corners over the plane of p.
    const Vec3f normal = quick_cross(a1, a2);
    const float height[3] = {quick_dot(normal, b[0]), quick_dot(normal, b[1]),
                             quick_dot(normal, b[2])};
    const float normal_sum = std::fabs(normal.x) + (std::fabs(normal.y) + std::fabs(normal.z));
    const float height_error =
        multiply_add(normal_sum, delta, multiply_add(64 * u * (la * la), lb, k_tiny));
    if (one_side(height, height_error)) return Verdict::disjoint;

    // Volumes of the edges p0p1 and p0p2 with q's edges; that of p1p2 follows from them.
    const Vec3f m[3] = {quick_cross(b[0], b[1]), quick_cross(b[1], b[2]), quick_cross(b[2], b[0])};
    const float b_error = multiply_add(8 * u, lb, delta);
    const float volume_error_0 = multiply_add(12 * (la * lb), b_error, k_tiny);
    const float volume_error = 2 * (volume_error_0 + height_error);
    float volume[3][3];
    for (int j = 0; j < 3; ++j) {
      const float s = quick_dot(a1, m[j]);
      const float r = quick_dot(a2, m[j]);
      volume[0][j] = s;
      volume[1][j] = (height[j == 2 ? 0 : j + 1] - height[j]) + (r - s);
      volume[2][j] = -r;
    }

    // Heights of p's corners over the plane of q.
    const float det = quick_dot(b[0], m[1]);
    const float p_error =
        multiply_add(3, volume_error_0, multiply_add(18 * (lb * lb), b_error, k_tiny));
    const float sum_s = volume[0][0] + (volume[0][1] + volume[0][2]);
    const float sum_r = volume[2][0] + (volume[2][1] + volume[2][2]);
    const float p_height[3] = {-det, sum_s - det, -(sum_r + det)};
    if (one_side(p_height, p_error)) return Verdict::disjoint;

    bool pierces = false;
    bool misses = true;
    for (int e = 0; e < 3; ++e) {
      const int next = e == 2 ? 0 : e + 1;
      judge_edge(height[e], height[next], height_error, volume[0][e], volume[1][e], volume[2][e],
                 volume_error, &pierces, &misses);
      judge_edge(p_height[e], p_height[next], p_error, volume[e][0], volume[e][1], volume[e][2],
                 volume_error, &pierces, &misses);
    }
    if (misses) return Verdict::disjoint;
    return pierces ? Verdict::intersecting : Verdict::unsure;
  }

 private:
  TANDEM_HD static float largest(const Vec3f& v) {
    return larger(std::fabs(v.x), larger(std::fabs(v.y), std::fabs(v.z)));
  }
  TANDEM_HD static bool one_side(const float height[3], float error) {
    return smaller(height[0], smaller(height[1], height[2])) > error ||
           larger(height[0], larger(height[1], height[2])) < -error;
  }
  /// Whether an edge surely pierces the other triangle, or does not surely miss it. Its ends have
  /// the heights `from` and `to` over the other's plane; x, y and z are its volumes with the
  /// other's edges.
  TANDEM_HD static void judge_edge(float from, float to, float error, float x, float y, float z,
                                   float volume_error, bool* pierces, bool* misses) {
    const float low = smaller(x, smaller(y, z));
    const float high = larger(x, larger(y, z));
    const float down = smaller(from, to);
    const float up = larger(from, to);
    const bool inside = (low > volume_error) | (high < -volume_error);
    const bool mixed = (low < -volume_error) & (high > volume_error);
    const bool crosses = (down < -error) & (up > error);
    const bool stays = (down > error) | (up < -error);
    *pierces |= crosses & inside;
    *misses &= stays | mixed;
  }
};

}  // namespace tandem::detail
