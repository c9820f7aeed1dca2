// How two surfaces meet, and the solids that they bound.
//
// Triangles that cross settle it. Where none do, surfaces may still go through each other exactly
// along edges. Let two triangles with area touch and not cross. When they are in crossing planes
// and share more than a point, they share a segment, and it lies on an edge of one of them: were it
// inside both, they would cross. (So an edge never goes through the inside of a triangle, from one
// side to the other: the triangles at the edge would cross it.) At a point of that segment in
// general position each surface is either the inside of a triangle or all triangles around one
// edge. So what is there follows from the order of half-planes around the segment's line
// (`AroundLine`), and it suffices to look at every segment that two triangles share. A closed mesh
// may have triangles without area that join an edge to the two halves of another. There the
// triangles around the line are found by what they contain.
//
// Let both meshes be closed, and let the solids overlap around none of these segments. Take a walk
// over one part of a surface, from triangle to triangle through edges, past the corners. It can
// neither enter nor leave the other solid: it would do so in a segment, where the solid behind it
// would overlap the other. So each part as a whole, as far as it is not on the other surface, is
// inside the other solid or outside of it, and one point tells which. A part that shares a segment
// or an area, and does not overlap there, is outside where it leaves the other surface, and so
// everywhere. And when no part is inside the other solid, the solids have no volume in common: what
// they shared would be bounded by faces of both alone. Such a face has both solids on one side, and
// where it ends, one surface leaves the other: a segment around which the solids overlap.
#include "query/encounter.h"

#include <algorithm>

#include "geometry/degenerate.h"

namespace tandem::detail {
namespace {

/// Whether a part of the segment pq is inside a triangle with area; its line is.
bool goes_through(const Triangle& t, const Vec3d& p, const Vec3d& q) {
  const Vec3d* c = t.corner;
  Projection plane;
  find_projection(c[0], c[1], c[2], &plane);
  const int orientation = orient2d_sign(c[0], c[1], c[2], plane);
  for (int k = 0; k < 3; ++k) {
    const Vec3d& from = c[k];
    const Vec3d& to = c[(k + 1) % 3];
    if (orientation * orient2d_sign(from, to, p, plane) <= 0 &&
        orientation * orient2d_sign(from, to, q, plane) <= 0) {
      return false;
    }
  }
  return true;
}

}  // namespace

Meeting Encounter::find_contacts() {
  const auto keep = [&](TrianglePair pair) {
    const TriangleRelation relation =
        relate_triangles(sides_[0].model.triangle(pair.a), sides_[1].model.triangle(pair.b));
    if (relation.meeting == Meeting::crossing) return Flow::stop;
    contacts_.push_back({pair, relation});
    return Flow::go_on;
  };
  if (collide(a_, b_, b_in_a_, keep, {.engine = options_.engine, .progress = options_.progress})
          .stopped) {
    return Meeting::crossing;
  }
  for (const Contact& contact : contacts_) {
    const auto& [pair, relation] = contact;
    sides_[0].touches.push_back({pair.a, pair.b, relation.shared});
    sides_[1].touches.push_back({pair.b, pair.a, relation.shared});
  }
  for (Side& side : sides_) {
    std::ranges::sort(side.touches, {}, &Touch::triangle);
  }
  return contacts_.empty() ? Meeting::apart : Meeting::touching;
}

bool Encounter::cross() {
  const bool solids = surface(0).closed() && surface(1).closed();
  for (Side& side : sides_) side.find_edges();
  for (const Contact& contact : contacts_) {
    if (contact.relation.shared == SharedSet::segment && cross_along(contact, solids)) return true;
  }
  return solids && (locate_parts(0).inside > 0 || locate_parts(1).inside > 0);
}

bool Encounter::cross_along(const Contact& contact, bool solids) {
  SharedSegment shared{
      {contact.pair.a, contact.pair.b}, {contact.relation.p_edge, contact.relation.q_edge}, {}, {}};
  const int leader = shared.edge[0] >= 0 ? 0 : 1;
  const TouchedEdge line = edge_of(shared, leader);
  shared.from = line.low;
  shared.to = line.high;
  AroundLine around(shared.from, shared.to);
  for (const int s : {0, 1}) {
    if (shared.edge[s] < 0) {
      add(around, s, shared.triangle[s], solids);
      continue;
    }
    // All triangles at the edge contain the segment, so all of them touch the other surface.
    const std::vector<TouchedEdge>& edges = sides_[s].edges;
    const auto [begin, end] = std::equal_range(edges.begin(), edges.end(), edge_of(shared, s));
    for (auto use = begin; use != end; ++use) {
      const bool has_area = add(around, s, use->triangle, solids);
      if (!has_area && solids) return overlap_in_pieces(shared);
    }
  }
  return solids ? around.solids_overlap() : around.surfaces_alternate();
}

// What is behind the triangle without area has other edges on the line, which may begin and end
// elsewhere; between two ends all is the same.
bool Encounter::overlap_in_pieces(const SharedSegment& shared) {
  std::vector<TouchedEdge> on_line[2];
  std::vector<Vec3d> ends;
  const auto is_on_line = [&](const Vec3d& p) {
    Projection plane;
    return !find_projection(shared.from, shared.to, p, &plane);
  };
  for (const int s : {0, 1}) {
    if (shared.edge[s] < 0) continue;
    // What contains a piece of the segment touches the other triangle.
    const std::vector<Touch>& touches = sides_[1 - s].touches;
    const std::uint32_t other = shared.triangle[1 - s];
    auto touch = std::ranges::lower_bound(touches, other, {}, &Touch::triangle);
    for (; touch != touches.end() && touch->triangle == other; ++touch) {
      const Triangle t = sides_[s].model.triangle(touch->other);
      for (int k = 0; k < 3; ++k) {
        const TouchedEdge edge(t.corner[k], t.corner[(k + 1) % 3], touch->other);
        if (!is_on_line(edge.low) || !is_on_line(edge.high)) continue;
        on_line[s].push_back(edge);
        ends.push_back(edge.low);
        ends.push_back(edge.high);
      }
    }
  }
  std::sort(ends.begin(), ends.end(), lexicographic_less);
  for (std::size_t i = 0; i + 1 < ends.size(); ++i) {
    const Vec3d& from = ends[i];
    const Vec3d& to = ends[i + 1];
    if (from == to || !is_in(shared, 0, from, to) || !is_in(shared, 1, from, to)) continue;
    AroundLine around(shared.from, shared.to);
    for (const int s : {0, 1}) {
      if (shared.edge[s] < 0) add(around, s, shared.triangle[s], true);
      for (const TouchedEdge& edge : on_line[s]) {
        if (edge.covers(from, to)) add(around, s, edge.triangle, true);
      }
    }
    if (around.solids_overlap()) return true;
  }
  return false;
}

bool Encounter::is_in(const SharedSegment& shared, int s, const Vec3d& from,
                      const Vec3d& to) const {
  if (shared.edge[s] >= 0) return edge_of(shared, s).covers(from, to);
  return goes_through(sides_[s].model.triangle(shared.triangle[s]), from, to);
}

TouchedEdge Encounter::edge_of(const SharedSegment& shared, int s) const {
  const Triangle t = sides_[s].model.triangle(shared.triangle[s]);
  const int k = shared.edge[s];
  return {t.corner[k], t.corner[(k + 1) % 3], shared.triangle[s]};
}

bool Encounter::add(AroundLine& around, int s, std::uint32_t id, bool solids) {
  return around.add(sides_[s].model.triangle(id), s, solids ? sides_[s].outward_of(id) : 1);
}

Located Encounter::locate_parts(int of) const {
  const PlacedModel& model = sides_[of].model;
  const PlacedModel& other = sides_[1 - of].model;
  const std::vector<Touch>& touches = sides_[of].touches;
  const Surface& surface = model.surface();
  const std::vector<std::uint32_t>& part_of = surface.part_of;
  std::vector<bool> known(surface.part_count());
  Located located;
  const auto locate = [&](std::uint32_t id, const auto& point) {
    known[part_of[id]] = true;
    ++(other.winding_around(point) != 0 ? located.inside : located.outside);
  };

  // A corner of a triangle that touches nothing: the first of each part will do, most of the time.
  const auto try_triangle = [&](std::uint32_t id) {
    if (known[part_of[id]]) return;
    const Triangle t = model.triangle(id);
    if (is_degenerate(t)) return;
    if (!std::ranges::binary_search(touches, id, {}, &Touch::triangle)) locate(id, t.corner[0]);
  };
  for (const std::uint32_t id : surface.first_of_part) try_triangle(id);
  const bool all_known = located.inside + located.outside == known.size();
  for (std::uint32_t id = 0; !all_known && id < part_of.size(); ++id) try_triangle(id);

  // A corner that touches nothing, of a triangle that touches something elsewhere.
  const auto is_free = [&](const WeightedPoint& x, auto begin, auto end) {
    return std::none_of(begin, end,
                        [&](const Touch& t) { return contains(other.triangle(t.other), x); });
  };
  std::vector<bool> shares_more(known.size());
  sides_[of].each_touching([&](std::uint32_t id, auto begin, auto end) {
    const std::uint32_t part = part_of[id];
    for (auto t = begin; t != end; ++t) {
      if (t->shared != SharedSet::little) shares_more[part] = true;
    }
    const Triangle t = model.triangle(id);
    if (is_degenerate(t)) return;
    for (const Vec3d& corner : t.corner) {
      if (!known[part] && is_free(WeightedPoint::at(corner), begin, end)) locate(id, corner);
    }
  });

  // A point inside a triangle. One that touches in no more than points has a free one among more
  // points than it has touches; a part that shares more has been looked at where it does.
  sides_[of].each_touching([&](std::uint32_t id, auto begin, auto end) {
    const std::uint32_t part = part_of[id];
    const Triangle t = model.triangle(id);
    if (known[part] || shares_more[part] || is_degenerate(t)) return;
    WeightedPoint x = WeightedPoint::centre(t);
    for (auto trial = begin; !is_free(x, begin, end) && trial != end; ++trial) {
      x.weight[1] += 1;
      x.weight[2] = x.weight[1] * x.weight[1];
    }
    locate(id, x);
  });
  return located;
}

}  // namespace tandem::detail
