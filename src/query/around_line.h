// The triangles of two surfaces around a line that both contain, in their exact order.
//
// A triangle that has an edge on the line meets its surroundings in one half-plane, one that the
// line goes through in two. Half-planes that end on the line are ordered by signs of volumes, by
// turning counter-clockwise as seen against the direction of the line.
#pragma once

#include <tandem/triangle.h>

#include <algorithm>
#include <vector>

#include "geometry/predicates.h"

namespace tandem::detail {

class AroundLine {
 public:
  AroundLine(const Vec3d& from, const Vec3d& to) : from_(from), to_(to) {}

  /// Adds a triangle of surface 0 or 1 whose plane contains the line; false when it has no area, so
  /// that there is nothing to add. `outward` is 1 when the solid of the surface is behind triangles
  /// that are seen counter-clockwise, -1 when it is in front of them.
  bool add(const Triangle& t, int surface, int outward) {
    const Vec3d* c = t.corner;
    Projection plane;
    if (!find_projection(c[0], c[1], c[2], &plane)) return false;
    const int orientation = orient2d_sign(c[0], c[1], c[2], plane);
    for (const int side : {1, -1}) {
      for (const Vec3d& corner : t.corner) {
        if (orient2d_sign(from_, to_, corner, plane) != side) continue;
        // Where the line runs around the triangle as its corners do, its normal points ahead, and
        // turning ahead leaves the solid.
        half_planes_.push_back({corner, surface, -side * orientation * outward, 0});
        break;
      }
    }
    return true;
  }

  /// Whether, somewhere around the line, the solids behind both surfaces are.
  bool solids_overlap() {
    order();
    // What is in the solid before the first half-plane follows from the last one.
    bool inside[2] = {false, false};
    for (const int round : {0, 1}) {
      for (auto group = half_planes_.begin(); group != half_planes_.end();) {
        int change[2] = {0, 0};
        const int direction = group->direction;
        for (; group != half_planes_.end() && group->direction == direction; ++group) {
          change[group->surface] += group->change;
        }
        for (const int surface : {0, 1}) {
          if (change[surface] != 0) inside[surface] = change[surface] > 0;
        }
        if (round == 1 && inside[0] && inside[1]) return true;
      }
    }
    return false;
  }

  /// Whether four half-planes in different directions belong to the surfaces in turn, so that one
  /// surface goes through the other.
  bool surfaces_alternate() {
    order();
    for (const HalfPlane& first : half_planes_) {
      // From here on around, the surface that has the next turn.
      int turns = 1;
      int wanted = 1 - first.surface;
      int last = first.direction;
      const int count = static_cast<int>(half_planes_.size());
      const int start = static_cast<int>(&first - half_planes_.data());
      for (int step = 1; step < count; ++step) {
        const HalfPlane& next = half_planes_[(start + step) % count];
        if (next.surface != wanted || next.direction == last || next.direction == first.direction) {
          continue;
        }
        ++turns;
        wanted = 1 - wanted;
        last = next.direction;
      }
      if (turns >= 4) return true;
    }
    return false;
  }

 private:
  struct HalfPlane {
    /// Any point of it that is not on the line.
    Vec3d point;
    int surface;
    /// What turning through it means: 1 enters the solid, -1 leaves it.
    int change;
    /// Rises around the line from 0 on; the same for those that coincide.
    int direction;
  };

  /// How far a half-plane is turned from the first one: 0, less than half a turn, half, or more.
  int quarter(const HalfPlane& h) const {
    const Vec3d& first = half_planes_.front().point;
    const int ahead = orient3d_sign(from_, to_, first, h.point);
    if (ahead != 0) return ahead > 0 ? 1 : 3;
    Projection plane;
    find_projection(from_, to_, first, &plane);
    const bool same =
        orient2d_sign(from_, to_, first, plane) == orient2d_sign(from_, to_, h.point, plane);
    return same ? 0 : 2;
  }

  void order() {
    // The quarter first, then what is left to compare within it.
    for (HalfPlane& h : half_planes_) h.direction = quarter(h);
    const auto before = [this](const HalfPlane& g, const HalfPlane& h) {
      if (g.direction != h.direction) return g.direction < h.direction;
      return g.direction % 2 == 1 && orient3d_sign(from_, to_, g.point, h.point) > 0;
    };
    std::stable_sort(half_planes_.begin(), half_planes_.end(), before);
    int direction = 0;
    for (std::size_t i = 0; i < half_planes_.size(); ++i) {
      const bool turned =
          i + 1 < half_planes_.size() && before(half_planes_[i], half_planes_[i + 1]);
      half_planes_[i].direction = direction;
      direction += turned ? 1 : 0;
    }
  }

  Vec3d from_;
  Vec3d to_;
  std::vector<HalfPlane> half_planes_;
};

}  // namespace tandem::detail
