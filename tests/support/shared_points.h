// What two triangles with small integer corners share, in rational numbers: one is clipped by the
// half spaces that make up the other. Independent of the library's predicates; for the rule of
// self-collision, taken literally.
#pragma once

#include <tandem/mesh.h>

#include <algorithm>
#include <array>
#include <vector>

namespace tandem::test {

/// Wide enough for what corners of up to some hundreds lead to.
__extension__ using Whole = __int128;

class Rational {
 public:
  Rational(Whole value = 0) : above_(value) {}  // NOLINT(google-explicit-constructor)
  Rational(Whole above, Whole below) : above_(above), below_(below) {
    if (below_ < 0) {
      above_ = -above_;
      below_ = -below_;
    }
    Whole a = above_ < 0 ? -above_ : above_;
    Whole b = below_;
    while (b != 0) {
      const Whole rest = a % b;
      a = b;
      b = rest;
    }
    above_ /= a;
    below_ /= a;
  }
  int sign() const { return above_ > 0 ? 1 : above_ < 0 ? -1 : 0; }

  friend Rational operator+(const Rational& x, const Rational& y) {
    return {x.above_ * y.below_ + y.above_ * x.below_, x.below_ * y.below_};
  }
  friend Rational operator-(const Rational& x, const Rational& y) {
    return {x.above_ * y.below_ - y.above_ * x.below_, x.below_ * y.below_};
  }
  friend Rational operator*(const Rational& x, const Rational& y) {
    return {x.above_ * y.above_, x.below_ * y.below_};
  }
  friend Rational operator/(const Rational& x, const Rational& y) {
    return {x.above_ * y.below_, x.below_ * y.above_};
  }
  friend bool operator==(const Rational& x, const Rational& y) = default;

 private:
  Whole above_;
  Whole below_ = 1;
};

using RationalPoint = std::array<Rational, 3>;
using RationalTriangle = std::array<RationalPoint, 3>;

inline RationalPoint operator-(const RationalPoint& a, const RationalPoint& b) {
  return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}
inline RationalPoint cross(const RationalPoint& a, const RationalPoint& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
inline Rational dot(const RationalPoint& a, const RationalPoint& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
inline bool is_zero(const RationalPoint& v) {
  return v == RationalPoint{};
}

/// The convex hull of points that go around it: cut off where `normal · (x - on)` is negative.
inline std::vector<RationalPoint> clip(const std::vector<RationalPoint>& around,
                                       const RationalPoint& normal, const RationalPoint& on) {
  std::vector<RationalPoint> result;
  for (std::size_t i = 0; i < around.size(); ++i) {
    const RationalPoint& from = around[i];
    const RationalPoint& to = around[(i + 1) % around.size()];
    const Rational from_side = dot(normal, from - on);
    const Rational to_side = dot(normal, to - on);
    if (from_side.sign() >= 0) result.push_back(from);
    if (from_side.sign() * to_side.sign() < 0) {
      const Rational share = from_side / (from_side - to_side);
      RationalPoint& cut = result.emplace_back();
      for (int k = 0; k < 3; ++k) cut[k] = from[k] + share * (to[k] - from[k]);
    }
  }
  return result;
}

/// Points whose convex hull is what the triangles share, which may have no area; none when that is
/// nothing.
inline std::vector<RationalPoint> shared_points(const RationalTriangle& p,
                                                const RationalTriangle& q) {
  std::vector<RationalPoint> points(p.begin(), p.end());
  const auto keep_above = [&](const RationalPoint& normal, const RationalPoint& on) {
    points = clip(points, normal, on);
  };
  const auto keep_on = [&](const RationalPoint& normal, const RationalPoint& on) {
    keep_above(normal, on);
    keep_above(RationalPoint{} - normal, on);
  };
  const RationalPoint axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  const RationalPoint normal = cross(q[1] - q[0], q[2] - q[0]);
  if (!is_zero(normal)) {
    keep_on(normal, q[0]);
    for (int k = 0; k < 3; ++k) keep_above(cross(normal, q[(k + 1) % 3] - q[k]), q[k]);
    return points;
  }
  // On a line: between the two corners that have the third one between them.
  for (int k = 0; k < 3; ++k) {
    const RationalPoint& from = q[k];
    const RationalPoint& to = q[(k + 1) % 3];
    const RationalPoint& other = q[(k + 2) % 3];
    if (dot(other - from, other - to).sign() > 0) continue;
    const RationalPoint along = to - from;
    for (const RationalPoint& axis : axes) {
      keep_on(is_zero(along) ? axis : cross(along, axis), from);
    }
    keep_above(along, from);
    keep_above(RationalPoint{} - along, to);
    break;
  }
  return points;
}

/// The rule of self-collision (docs/conventions.md), word by word: they share a point that is
/// neither a corner of both nor on an edge between two corners of both.
inline bool meet_in_more_than_they_share(const RationalTriangle& p, const RationalTriangle& q) {
  std::vector<RationalPoint> points = shared_points(p, q);
  if (points.empty()) return false;
  // What they share is convex: unless it is within these corners and edges, one of its corners is
  // not, or the middle of all of them.
  RationalPoint middle;
  for (int k = 0; k < 3; ++k) {
    for (const RationalPoint& point : points) middle[k] = middle[k] + point[k];
    middle[k] = middle[k] / Rational(static_cast<Whole>(points.size()));
  }
  points.push_back(middle);
  std::vector<RationalPoint> common;
  for (const RationalPoint& corner : p) {
    if (std::find(q.begin(), q.end(), corner) != q.end()) common.push_back(corner);
  }
  const auto within = [&](const RationalPoint& x) {
    for (const RationalPoint& a : common) {
      for (const RationalPoint& b : common) {
        if (is_zero(cross(x - a, x - b)) && dot(x - a, x - b).sign() <= 0) return true;
      }
    }
    return false;
  };
  return !std::all_of(points.begin(), points.end(), within);
}

}  // namespace tandem::test
