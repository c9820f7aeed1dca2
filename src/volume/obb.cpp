#include "volume/obb.h"

#include <algorithm>
#include <array>
#include <limits>
#include <vector>

namespace tandem::detail {
namespace {

/// Eigenvectors of a symmetric matrix, as columns, by Jacobi rotations.
std::array<Vec3d, 3> eigenvectors(double m[3][3]) {
  double v[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  for (int sweep = 0; sweep < 30; ++sweep) {
    for (int p = 0; p < 2; ++p) {
      for (int q = p + 1; q < 3; ++q) {
        if (m[p][q] == 0) continue;
        const double theta = (m[q][q] - m[p][p]) / (2 * m[p][q]);
        const double t = (theta >= 0 ? 1 : -1) / (std::fabs(theta) + std::sqrt(theta * theta + 1));
        const double c = 1 / std::sqrt(t * t + 1);
        const double s = t * c;
        if (!std::isfinite(c) || !std::isfinite(s)) continue;
        for (int k = 0; k < 3; ++k) {
          const double mkp = m[k][p];
          const double mkq = m[k][q];
          m[k][p] = c * mkp - s * mkq;
          m[k][q] = s * mkp + c * mkq;
        }
        for (int k = 0; k < 3; ++k) {
          const double mpk = m[p][k];
          const double mqk = m[q][k];
          m[p][k] = c * mpk - s * mqk;
          m[q][k] = s * mpk + c * mqk;
          const double vkp = v[k][p];
          const double vkq = v[k][q];
          v[k][p] = c * vkp - s * vkq;
          v[k][q] = s * vkp + c * vkq;
        }
      }
    }
  }
  return {Vec3d{v[0][0], v[1][0], v[2][0]}, Vec3d{v[0][1], v[1][1], v[2][1]},
          Vec3d{v[0][2], v[1][2], v[2][2]}};
}

/// The box along given axes.
template <class Points>
Obb box_along(const std::array<Vec3d, 3>& directions, const Points& points) {
  Obb box{};
  for (int j = 0; j < 3; ++j) {
    for (int i = 0; i < 3; ++i) box.axes[i][j] = static_cast<float>(directions[j][i]);
  }
  // Extents along the axes as stored, then the centre, then half sides around the stored centre.
  const auto along = [&](int j, const Vec3d& p) {
    return box.axes[0][j] * p.x + box.axes[1][j] * p.y + box.axes[2][j] * p.z;
  };
  double middle[3];
  for (int j = 0; j < 3; ++j) {
    double lower = std::numeric_limits<double>::infinity();
    double upper = -lower;
    for (const auto& p : points) {
      lower = std::min(lower, along(j, Vec3d(p)));
      upper = std::max(upper, along(j, Vec3d(p)));
    }
    middle[j] = 0.5 * (lower + upper);
  }
  Vec3d centre{0, 0, 0};
  for (int j = 0; j < 3; ++j) centre = centre + middle[j] * directions[j];
  box.centre = Vec3f(centre);
  double half[3] = {0, 0, 0};
  double reach = 0;
  for (const auto& p : points) {
    const Vec3d d = Vec3d(p) - Vec3d(box.centre);
    for (int j = 0; j < 3; ++j) half[j] = std::max(half[j], std::fabs(along(j, d)));
    reach = std::max(reach, length(Vec3d(p)));
  }
  // The axes are rounded to float32 and the pose is not quite rigid: both errors grow with the
  // radius.
  const double radius = half[0] + half[1] + half[2];
  for (int j = 0; j < 3; ++j) {
    box.half[j] = round_up(half[j] + 2 * enlargement(radius, reach));
  }
  return box;
}

template <class Points>
Obb fit_points(const Points& points) {
  Vec3d mean{0, 0, 0};
  double scale = 0;
  for (const auto& p : points) {
    mean = mean + (1.0 / static_cast<double>(points.size())) * Vec3d(p);
  }
  for (const auto& p : points) {
    const Vec3d d = Vec3d(p) - mean;
    scale = std::max({scale, std::fabs(d.x), std::fabs(d.y), std::fabs(d.z)});
  }
  // Scaled, so that squares neither underflow nor overflow.
  double covariance[3][3] = {};
  for (const auto& p : points) {
    if (scale == 0) break;
    const Vec3d d = (1 / scale) * (Vec3d(p) - mean);
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) covariance[i][j] += d[i] * d[j];
    }
  }
  return box_along(eigenvectors(covariance), points);
}

}  // namespace

Obb Obb::fit(std::span<const Vec3f> points) {
  return fit_points(points);
}

Obb Obb::merge(const Obb& a, const Obb& b) {
  std::vector<Vec3d> corners;
  for (const Obb* box : {&a, &b}) {
    for (int corner = 0; corner < 8; ++corner) {
      Vec3d p(box->centre);
      for (int j = 0; j < 3; ++j) {
        const double side = (corner >> j & 1) != 0 ? box->half[j] : -box->half[j];
        p = p + side * Vec3d{box->axes[0][j], box->axes[1][j], box->axes[2][j]};
      }
      corners.push_back(p);
    }
  }
  return fit_points(corners);
}

}  // namespace tandem::detail
