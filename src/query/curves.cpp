#include <tandem/query.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <unordered_map>
#include <utility>

namespace tandem {
namespace {

/// Points that lie within a tolerance of each other are one: the ends of neighbouring segments are
/// the same point, rounded twice.
class Welder {
 public:
  explicit Welder(double tolerance) : tolerance_(tolerance) {}

  std::uint32_t add(const Vec3d& point) {
    const Cell cell = cell_of(point);
    for (int i = 0; i < 27; ++i) {
      const Cell near{cell[0] + i % 3 - 1, cell[1] + i / 3 % 3 - 1, cell[2] + i / 9 - 1};
      const auto found = cells_.find(near);
      if (found == cells_.end()) continue;
      for (const std::uint32_t other : found->second) {
        if (length(points_[other] - point) <= tolerance_) return other;
      }
    }
    const auto number = static_cast<std::uint32_t>(points_.size());
    points_.push_back(point);
    cells_[cell].push_back(number);
    return number;
  }

  const std::vector<Vec3d>& points() const { return points_; }

 private:
  using Cell = std::array<std::int64_t, 3>;
  struct Hash {
    std::size_t operator()(const Cell& cell) const {
      std::uint64_t hash = 0;
      for (const std::int64_t c : cell) {
        hash = (hash ^ static_cast<std::uint64_t>(c)) * 0x9e3779b97f4a7c15;
        hash ^= hash >> 29;
      }
      return static_cast<std::size_t>(hash);
    }
  };

  Cell cell_of(const Vec3d& point) const {
    Cell cell;
    for (int k = 0; k < 3; ++k) {
      cell[k] = static_cast<std::int64_t>(std::floor(point[k] / (2 * tolerance_)));
    }
    return cell;
  }

  double tolerance_;
  std::vector<Vec3d> points_;
  std::unordered_map<Cell, std::vector<std::uint32_t>, Hash> cells_;
};

using Edge = std::pair<std::uint32_t, std::uint32_t>;

/// What all pairs share: the edges that are part of a curve, and points that are alone.
class Gatherer {
 public:
  explicit Gatherer(double tolerance) : welder_(tolerance) {}

  void add(const TriangleIntersection& shared) {
    std::vector<std::uint32_t> corners;
    for (const Vec3d& point : shared) {
      const std::uint32_t corner = welder_.add(point);
      if (corners.empty() || corners.back() != corner) corners.push_back(corner);
    }
    if (corners.size() > 1 && corners.back() == corners.front()) corners.pop_back();
    if (corners.size() == 1) {
      alone_.push_back(corners[0]);
    } else if (corners.size() == 2) {
      segments_.emplace_back(std::minmax(corners[0], corners[1]));
    } else {
      for (std::size_t i = 0; i < corners.size(); ++i) {
        sides_.emplace_back(std::minmax(corners[i], corners[(i + 1) % corners.size()]));
      }
    }
  }

  /// The edges, each once. A side of two polygons is inside of what these cover together, and so is
  /// a segment there; a segment may come from two triangles on either side of an edge.
  std::vector<Edge> edges() {
    std::sort(sides_.begin(), sides_.end());
    std::vector<Edge> edges = segments_;
    std::vector<Edge> inside;
    for (std::size_t i = 0; i < sides_.size();) {
      std::size_t end = i;
      while (end < sides_.size() && sides_[end] == sides_[i]) ++end;
      ((end - i) % 2 == 1 ? edges : inside).push_back(sides_[i]);
      i = end;
    }
    std::sort(edges.begin(), edges.end());
    edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
    std::vector<Edge> outside;
    std::set_difference(edges.begin(), edges.end(), inside.begin(), inside.end(),
                        std::back_inserter(outside));
    return outside;
  }

  const std::vector<Vec3d>& points() const { return welder_.points(); }
  const std::vector<std::uint32_t>& alone() const { return alone_; }
  /// Points of sides that are inside: they are on no curve, but not alone either.
  std::vector<bool> covered() const {
    std::vector<bool> result(points().size());
    for (const auto* edges : {&segments_, &sides_}) {
      for (const Edge& edge : *edges) result[edge.first] = result[edge.second] = true;
    }
    return result;
  }

 private:
  Welder welder_;
  std::vector<Edge> segments_;
  std::vector<Edge> sides_;
  std::vector<std::uint32_t> alone_;
};

/// Follows edges from point to point, each once.
class Tracer {
 public:
  Tracer(const std::vector<Vec3d>& points, const std::vector<Edge>& edges)
      : points_(points), edges_(edges), used_(edges.size()), at_(points.size()) {
    for (std::uint32_t i = 0; i < edges.size(); ++i) {
      at_[edges[i].first].push_back(i);
      at_[edges[i].second].push_back(i);
    }
  }

  /// Curves from ends and junctions first, then what goes round.
  std::vector<ContactCurve> run() {
    std::vector<ContactCurve> curves;
    for (std::uint32_t point = 0; point < at_.size(); ++point) {
      if (at_[point].size() == 2) continue;
      for (const std::uint32_t edge : at_[point]) {
        if (!used_[edge]) curves.push_back(follow(point, edge));
      }
    }
    for (std::uint32_t edge = 0; edge < edges_.size(); ++edge) {
      if (!used_[edge]) curves.push_back(follow(edges_[edge].first, edge));
    }
    return curves;
  }

 private:
  ContactCurve follow(std::uint32_t from, std::uint32_t edge) {
    ContactCurve curve;
    curve.points.push_back(points_[from]);
    std::uint32_t point = from;
    for (;;) {
      used_[edge] = true;
      point = edges_[edge].first == point ? edges_[edge].second : edges_[edge].first;
      if (point == from) {
        curve.closed = true;
        return curve;
      }
      curve.points.push_back(points_[point]);
      if (at_[point].size() != 2) return curve;
      edge = at_[point][0] == edge ? at_[point][1] : at_[point][0];
    }
  }

  const std::vector<Vec3d>& points_;
  const std::vector<Edge>& edges_;
  std::vector<bool> used_;
  std::vector<std::vector<std::uint32_t>> at_;
};

}  // namespace

std::vector<ContactCurve> contact_curves(const Model& a, const Model& b, const Pose& b_in_a,
                                         std::span<const TrianglePair> pairs) {
  std::vector<TriangleIntersection> shared;
  shared.reserve(pairs.size());
  double largest = 0;
  for (const TrianglePair& pair : pairs) {
    shared.push_back(intersection(a, b, b_in_a, pair));
    for (const Vec3d& point : shared.back()) {
      for (int k = 0; k < 3; ++k) largest = std::max(largest, std::fabs(point[k]));
    }
  }
  // Points are off by some roundings of the largest coordinates, and more where planes are almost
  // parallel.
  Gatherer gatherer(std::max(largest * 0x1p-36, 1e-300));
  for (const TriangleIntersection& each : shared) gatherer.add(each);
  const std::vector<Edge> edges = gatherer.edges();
  std::vector<ContactCurve> curves = Tracer(gatherer.points(), edges).run();
  // Points that no curve goes through.
  std::vector<bool> shown = gatherer.covered();
  for (const std::uint32_t point : gatherer.alone()) {
    if (shown[point]) continue;
    shown[point] = true;
    curves.push_back({{gatherer.points()[point]}, false});
  }
  return curves;
}

}  // namespace tandem
