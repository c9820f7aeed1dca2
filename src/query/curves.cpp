#include <tandem/query.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <limits>
#include <numeric>
#include <utility>

namespace tandem {
namespace {

/// Points that lie within a tolerance of each other are one: the ends of neighbouring segments are
/// the same point, rounded twice. Of several that are near, it is the first that was added.
class Welder {
 public:
  /// For about that many points.
  Welder(double tolerance, std::size_t expected)
      : tolerance_(tolerance), first_(std::bit_ceil(2 * expected + 1), k_none) {
    points_.reserve(expected);
    next_.reserve(expected);
  }

  std::uint32_t add(const Vec3d& point) {
    // A point that is near lies in a cell that the point's surroundings reach into: nearly always
    // two or three cells, rarely eight.
    Cell low;
    Cell high;
    for (int k = 0; k < 3; ++k) {
      low[k] = cell_of(point[k] - tolerance_);
      high[k] = cell_of(point[k] + tolerance_);
    }
    std::uint32_t found = k_none;
    Cell cell;
    for (cell[0] = low[0]; cell[0] <= high[0]; ++cell[0]) {
      for (cell[1] = low[1]; cell[1] <= high[1]; ++cell[1]) {
        for (cell[2] = low[2]; cell[2] <= high[2]; ++cell[2]) {
          found = std::min(found, first_near(point, cell));
        }
      }
    }
    return found != k_none ? found : insert(point);
  }

  const std::vector<Vec3d>& points() const { return points_; }

 private:
  using Cell = std::array<std::int64_t, 3>;
  static constexpr std::uint32_t k_none = std::numeric_limits<std::uint32_t>::max();
  /// The side of a cell, in tolerances. No more points than fit beside each other are in one.
  static constexpr double k_cell = 8;

  std::int64_t cell_of(double x) const {
    return static_cast<std::int64_t>(std::floor(x / (k_cell * tolerance_)));
  }

  /// Where the points of a cell begin, and of others that share its place.
  std::uint32_t& place_of(const Cell& cell) {
    std::uint64_t hash = 0;
    for (const std::int64_t c : cell) {
      hash = (hash ^ static_cast<std::uint64_t>(c)) * 0x9e3779b97f4a7c15;
      hash ^= hash >> 29;
    }
    return first_[hash & (first_.size() - 1)];
  }

  std::uint32_t first_near(const Vec3d& point, const Cell& cell) {
    std::uint32_t found = k_none;
    for (std::uint32_t i = place_of(cell); i != k_none; i = next_[i]) {
      if (length(points_[i] - point) <= tolerance_) found = i;
    }
    return found;
  }

  std::uint32_t insert(const Vec3d& point) {
    const auto number = static_cast<std::uint32_t>(points_.size());
    std::uint32_t& place = place_of({cell_of(point.x), cell_of(point.y), cell_of(point.z)});
    points_.push_back(point);
    next_.push_back(place);
    place = number;
    return number;
  }

  double tolerance_;
  std::vector<Vec3d> points_;
  /// By a hash of the cell; a power of two. From there each point leads to the one before it.
  std::vector<std::uint32_t> first_;
  std::vector<std::uint32_t> next_;
};

using Edge = std::pair<std::uint32_t, std::uint32_t>;

/// What all pairs share: the edges that are part of a curve, and points that are alone.
class Gatherer {
 public:
  /// For what about that many pairs share.
  Gatherer(double tolerance, std::size_t expected) : welder_(tolerance, expected) {
    segments_.reserve(expected);
  }

  void add(const TriangleIntersection& shared) {
    std::uint32_t corners[TriangleIntersection::k_max_points];
    std::size_t count = 0;
    for (const Vec3d& point : shared) {
      const std::uint32_t corner = welder_.add(point);
      if (count == 0 || corners[count - 1] != corner) corners[count++] = corner;
    }
    if (count > 1 && corners[count - 1] == corners[0]) --count;
    if (count == 1) {
      alone_.push_back(corners[0]);
    } else if (count == 2) {
      segments_.emplace_back(std::minmax(corners[0], corners[1]));
    } else {
      for (std::size_t i = 0; i < count; ++i) {
        sides_.emplace_back(std::minmax(corners[i], corners[(i + 1) % count]));
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
      : points_(points), edges_(edges), used_(edges.size()), begin_(points.size() + 1) {
    for (const Edge& edge : edges) {
      ++begin_[edge.first];
      ++begin_[edge.second];
    }
    std::partial_sum(begin_.begin(), begin_.end(), begin_.begin());
    at_.resize(2 * edges.size());
    for (std::size_t i = edges.size(); i-- > 0;) {
      at_[--begin_[edges[i].first]] = static_cast<std::uint32_t>(i);
      at_[--begin_[edges[i].second]] = static_cast<std::uint32_t>(i);
    }
  }

  /// Curves from ends and junctions first, then what goes round.
  std::vector<ContactCurve> run() {
    std::vector<ContactCurve> curves;
    for (std::uint32_t point = 0; point < points_.size(); ++point) {
      if (edges_at(point).size() == 2) continue;
      for (const std::uint32_t edge : edges_at(point)) {
        if (!used_[edge]) curves.push_back(follow(point, edge));
      }
    }
    for (std::uint32_t edge = 0; edge < edges_.size(); ++edge) {
      if (!used_[edge]) curves.push_back(follow(edges_[edge].first, edge));
    }
    return curves;
  }

 private:
  std::span<const std::uint32_t> edges_at(std::uint32_t point) const {
    return {at_.data() + begin_[point], at_.data() + begin_[point + 1]};
  }

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
      const std::span<const std::uint32_t> edges = edges_at(point);
      if (edges.size() != 2) return curve;
      edge = edges[0] == edge ? edges[1] : edges[0];
    }
  }

  const std::vector<Vec3d>& points_;
  const std::vector<Edge>& edges_;
  std::vector<bool> used_;
  /// The edges at each point, in order, and where those of each point begin.
  std::vector<std::uint32_t> at_;
  std::vector<std::uint32_t> begin_;
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
  Gatherer gatherer(std::max(largest * 0x1p-36, 1e-300), pairs.size());
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
