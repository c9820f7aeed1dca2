// Two surfaces, where they touch, and what that makes of the solids that they bound.
#pragma once

#include <tandem/model.h>
#include <tandem/pose.h>
#include <tandem/query.h>
#include <tandem/relation.h>

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "geometry/predicates.h"
#include "geometry/triangle_relation.h"
#include "query/around_line.h"
#include "query/placed_model.h"

namespace tandem::detail {

/// Two triangles that touch.
struct Contact {
  TrianglePair pair;
  TriangleRelation relation;
};

/// A triangle of one surface that touches a triangle of the other.
struct Touch {
  std::uint32_t triangle;
  std::uint32_t other;
  SharedSet shared;
};

/// An edge of a triangle that touches the other surface, its ends in order of their coordinates.
struct TouchedEdge {
  Vec3d low;
  Vec3d high;
  std::uint32_t triangle;

  TouchedEdge(const Vec3d& p, const Vec3d& q, std::uint32_t of) : low(p), high(q), triangle(of) {
    if (lexicographic_less(q, p)) std::swap(low, high);
  }

  /// For points on the line of the edge, in order.
  bool covers(const Vec3d& p, const Vec3d& q) const {
    return !lexicographic_less(p, low) && !lexicographic_less(high, q);
  }

  friend bool operator<(const TouchedEdge& e, const TouchedEdge& f) {
    if (!(e.low == f.low)) return lexicographic_less(e.low, f.low);
    return lexicographic_less(e.high, f.high);
  }
};

/// One of the surfaces and where it touches the other.
struct Side {
  PlacedModel model;
  /// Sorted by triangle.
  std::vector<Touch> touches;
  /// Sorted by ends.
  std::vector<TouchedEdge> edges;
  /// For each part, once it is known (`PlacedModel::outward`), and 0 before.
  std::vector<signed char> outward;

  explicit Side(const PlacedModel& placed) : model(placed) {}

  /// Calls `visit(triangle, first touch, last touch)` for each triangle that touches.
  template <class Visit>
  void each_touching(const Visit& visit) const {
    for (auto begin = touches.begin(), end = begin; begin != touches.end(); begin = end) {
      while (end != touches.end() && end->triangle == begin->triangle) ++end;
      visit(begin->triangle, begin, end);
    }
  }

  void find_edges() {
    each_touching([&](std::uint32_t id, auto, auto) {
      const Triangle t = model.triangle(id);
      for (int k = 0; k < 3; ++k) edges.emplace_back(t.corner[k], t.corner[(k + 1) % 3], id);
    });
    std::sort(edges.begin(), edges.end());
  }

  int outward_of(std::uint32_t triangle) {
    outward.resize(model.surface().part_count());
    const std::uint32_t part = model.surface().part_of[triangle];
    if (outward[part] == 0) outward[part] = static_cast<signed char>(model.outward(part));
    return outward[part];
  }
};

/// How many parts of one surface are inside the solid of the other, and how many outside. Those
/// without area are neither.
struct Located {
  std::size_t inside = 0;
  std::size_t outside = 0;
};

class Encounter {
 public:
  /// All of these outlive it.
  Encounter(const Model& a, const Model& b, const Pose& b_in_a, const QueryOptions& options)
      : a_(a),
        b_(b),
        b_in_a_(b_in_a),
        options_(options),
        sides_{Side({a, nullptr, options.engine}), Side({b, &b_in_a, options.engine})} {}

  /// As far as single pairs of triangles tell. Unless two of them cross, all contacts are kept.
  Meeting find_contacts();

  /// Whether surfaces that touch, and of which no two triangles cross, go through each other.
  bool cross();

  /// Where the parts of side 0 or 1 are.
  Located locate_parts(int of) const;

  const Surface& surface(int of) const { return sides_[of].model.surface(); }

 private:
  /// Two triangles that share a segment, and the line that it is on.
  struct SharedSegment {
    std::uint32_t triangle[2];
    /// The edges that it is on, or -1.
    int edge[2];
    Vec3d from;
    Vec3d to;
  };

  /// Whether the surfaces, or the solids behind them, go through each other at a shared segment.
  bool cross_along(const Contact& contact, bool solids);
  /// The same for solids where a triangle without area hangs on the edge.
  bool overlap_in_pieces(const SharedSegment& shared);

  /// Whether a piece of the line belongs to the triangle of side s: to its edge, or in part to its
  /// inside. No end of an edge at the segment is within the piece.
  bool is_in(const SharedSegment& shared, int s, const Vec3d& from, const Vec3d& to) const;

  TouchedEdge edge_of(const SharedSegment& shared, int s) const;
  /// False for a triangle without area.
  bool add(AroundLine& around, int s, std::uint32_t id, bool solids);

  const Model& a_;
  const Model& b_;
  const Pose& b_in_a_;
  const QueryOptions& options_;
  Side sides_[2];
  std::vector<Contact> contacts_;
};

}  // namespace tandem::detail
