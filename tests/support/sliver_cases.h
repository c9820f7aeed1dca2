// Pairs of small meshes of long thin triangles, from a seed: two families of slivers that cross or
// nearly touch in one plane, at any angle, far from the origin, tiny, moved far, with strays.
#pragma once

#include <tandem/mesh.h>
#include <tandem/pose.h>

#include <cmath>
#include <cstdint>
#include <numbers>
#include <string>
#include <vector>

#include "math/random.h"
#include "support/collide_cases.h"

namespace tandem::test {

class SliverCases {
 public:
  explicit SliverCases(std::uint64_t seed)
      : random_(seed), name_("slivers, seed " + std::to_string(seed)) {}

  CollideCase next() {
    scale_ = power(-25, 25, ", size ");
    turn_ = turned();
    offset_ = random_.below(2) == 0 ? 0 : scale_ * power(-1, 4, ", offset ");
    angle_ = random_.below(2) == 0 ? random_.uniform(0, std::numbers::pi)
                                   : power(-8, 0, ", nearly parallel, ");
    // From a few units in the last place to a tenth of their length.
    height_ = random_.below(4) == 0 ? 0 : power(-9, -1, ", apart by ");
    width_ = power(-9, -1, ", wide ");
    const double move = random_.below(2) == 0 ? 0 : scale_ * power(-1, 6, ", moved by ");
    const Pose turn = random_.below(3) == 0 ? Pose() : turned();
    CollideCase c;
    c.b_in_a = Pose::from_translation({move * unit(), move * unit(), move * unit()}) * turn;
    far_ = random_.below(2) == 0 ? 0 : scale_ * power(0, 9, ", strays at ");
    c.a = slivers(0, 0, Pose());
    c.b = slivers(angle_, height_, c.b_in_a.inverse());
    c.name = name_;
    return c;
  }

  /// Half the length of the slivers of the last case.
  double size() const { return scale_; }

 private:
  double unit() { return random_.uniform(-1, 1); }
  /// Ten to a random power, which is added to the name.
  double power(double lower, double upper, const char* what) {
    const double exponent = random_.uniform(lower, upper);
    name_.append(what).append("1e").append(std::to_string(exponent));
    return std::pow(10.0, exponent);
  }
  Pose turned() { return Pose::from_quaternion(1, unit(), unit(), unit()); }

  /// Triangles along one direction of the plane, each at a height of its own, as they are placed.
  Mesh slivers(double angle, double height, const Pose& placed) {
    std::vector<Vec3f> vertices;
    std::vector<TriangleIndices> triangles;
    const auto add = [&](const Vec3d(&corner)[3]) {
      const auto first = static_cast<std::uint32_t>(vertices.size());
      for (const Vec3d& v : corner) vertices.emplace_back(transform_point(placed, v));
      triangles.push_back({first, first + 1, first + 2});
    };
    const std::size_t count = 1 + random_.below(12);
    for (std::size_t i = 0; i < count; ++i) {
      const double direction = angle + (angle < 0.1 ? angle : 0.1) * unit();
      const Vec3d along{std::cos(direction), std::sin(direction), 0};
      const Vec3d middle{0.3 * unit(), 0.3 * unit(), height * unit()};
      // Some have no area, some no length.
      const double wide = random_.below(8) == 0 ? 0 : width_ * random_.uniform();
      const double half = random_.below(16) == 0 ? 0 : 1;
      const Vec3d local[3] = {
          middle - half * along, middle + half * along,
          middle + half * unit() * along + wide * Vec3d{unit(), unit(), unit()}};
      Vec3d corner[3];
      for (int k = 0; k < 3; ++k) {
        corner[k] =
            scale_ * transform_point(turn_, local[k]) + Vec3d{offset_, -offset_, 0.5 * offset_};
      }
      const std::uint64_t first = random_.below(3);
      add({corner[first], corner[(first + 1) % 3], corner[(first + 2) % 3]});
    }
    if (far_ > 0) {
      add({{far_, far_, far_}, {0.99 * far_, far_, far_}, {far_, 0.99 * far_, far_}});
    }
    return {std::move(vertices), std::move(triangles)};
  }

  detail::Random random_;
  std::string name_;
  double scale_ = 1;
  Pose turn_;
  double offset_ = 0;
  double angle_ = 0;
  double height_ = 0;
  double width_ = 0;
  double far_ = 0;
};

}  // namespace tandem::test
