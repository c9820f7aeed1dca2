// Parts of machines, divided as CAD programs do it: as few triangles as the form allows, so that
// many of them are long and thin. Coordinates are made as in shapes.cpp, the same to the bit.
#include <tandem/error.h>
#include <tandem/shapes.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "mesh/circle.h"
#include "mesh/shape_counts.h"
#include "mesh/shape_parts.h"

namespace tandem {

namespace {

/// Vertices and triangles that are added one after the other.
struct Parts {
  std::vector<Vec3f> vertices;
  std::vector<TriangleIndices> triangles;

  std::uint32_t add_vertex(const Vec3d& position) {
    vertices.emplace_back(position);
    return static_cast<std::uint32_t>(vertices.size() - 1);
  }
  void add(const Mesh& mesh) {
    const auto first = static_cast<std::uint32_t>(vertices.size());
    vertices.insert(vertices.end(), mesh.vertices().begin(), mesh.vertices().end());
    for (const auto& [a, b, c] : mesh.triangles()) {
      triangles.push_back({first + a, first + b, first + c});
    }
  }
  Mesh mesh() && { return {std::move(vertices), std::move(triangles)}; }
};

void check_pattern(int parts, const char* what, int around, double triangle_count) {
  detail::check_parts(parts, 1, what);
  detail::check_parts(around, 4, "the number of segments around");
  if (triangle_count > static_cast<double>(Mesh::k_max_elements)) {
    throw Error("the shape would have more than " + std::to_string(Mesh::k_max_elements) +
                " triangles");
  }
}

// Sheet metal -------------------------------------------------------------------------------------

/// A place on the sheet's middle line, in the plane of x and z, and the direction to its upper
/// side.
struct Station {
  double x;
  double z;
  double normal_x;
  double normal_z;
};

/// The stations from one rim to the other: both ends of each flat strip, and between two strips the
/// steps of the bend. The channel is like a hat: out, up, across, down, out.
std::vector<Station> sheet_stations(int per_bend) {
  constexpr double k_bend_radius = 0.12;
  constexpr std::array<double, detail::k_sheet_flats> k_lengths = {0.4, 0.56, 0.72, 0.56, 0.4};
  constexpr std::array<int, detail::k_sheet_bends> k_turns = {1, -1, -1, 1};
  std::vector<Station> stations;
  Station here{-1, -0.4, 0, 1};
  for (std::size_t flat = 0; flat < k_lengths.size(); ++flat) {
    stations.push_back(here);
    // The sheet runs to the right of its normal.
    here.x += k_lengths[flat] * here.normal_z;
    here.z -= k_lengths[flat] * here.normal_x;
    stations.push_back(here);
    if (flat == k_turns.size()) break;
    const int turn = k_turns[flat];
    const double to_centre_x = turn * k_bend_radius * here.normal_x;
    const double to_centre_z = turn * k_bend_radius * here.normal_z;
    const Station start = here;
    for (int step = 1; step <= per_bend; ++step) {
      const auto [cosine, sine] = detail::circle_point(static_cast<std::uint64_t>(step),
                                                       4 * static_cast<std::uint64_t>(per_bend));
      here.normal_x = cosine * start.normal_x - turn * sine * start.normal_z;
      here.normal_z = turn * sine * start.normal_x + cosine * start.normal_z;
      here.x = start.x + to_centre_x - turn * k_bend_radius * here.normal_x;
      here.z = start.z + to_centre_z - turn * k_bend_radius * here.normal_z;
      if (step < per_bend) stations.push_back(here);
    }
  }
  return stations;
}

/// The sheet as it is cut out, before it gets its thickness: triangles over points of its middle
/// surface, seen from the upper side.
class SheetPattern {
 public:
  SheetPattern(int holes, int around)
      : holes_(holes),
        around_(around),
        per_bend_(detail::quarter_of(around)),
        stations_(sheet_stations(per_bend_)) {
    // The lattice of stations and rows comes first.
    for (const Station& station : stations_) {
      for (int row = 0; row <= holes_; ++row) add_point(station, 2.0 * row / holes_ - 1);
    }
    int station = 0;
    for (int flat = 0; flat < detail::k_sheet_flats; ++flat) {
      for (int row = 0; row < holes_; ++row) add_cell(station, row);
      ++station;
      if (flat == detail::k_sheet_bends) break;
      for (int step = 0; step < per_bend_; ++step, ++station) {
        for (int row = 0; row < holes_; ++row) {
          detail::add_square(triangles_, lattice(station, row), lattice(station + 1, row),
                             lattice(station + 1, row + 1), lattice(station, row + 1));
        }
      }
    }
  }

  /// Both sides, and a wall along each edge that only one triangle has.
  Mesh thickened(double thickness) const {
    Parts parts;
    for (const double side : {0.5, -0.5}) {
      for (const auto& [station, y] : points_) {
        parts.add_vertex({station.x + side * thickness * station.normal_x, y,
                          station.z + side * thickness * station.normal_z});
      }
    }
    const auto below = static_cast<std::uint32_t>(points_.size());
    std::vector<std::uint64_t> edges;
    edges.reserve(3 * triangles_.size());
    const auto key = [](std::uint32_t from, std::uint32_t to) {
      return std::uint64_t{from} << 32 | to;
    };
    for (const auto& [a, b, c] : triangles_) {
      parts.triangles.push_back({a, b, c});
      parts.triangles.push_back({below + a, below + c, below + b});
      edges.insert(edges.end(), {key(a, b), key(b, c), key(c, a)});
    }
    std::sort(edges.begin(), edges.end());
    for (const std::uint64_t edge : edges) {
      const auto from = static_cast<std::uint32_t>(edge >> 32);
      const auto to = static_cast<std::uint32_t>(edge);
      if (std::binary_search(edges.begin(), edges.end(), key(to, from))) continue;
      detail::add_square(parts.triangles, from, below + from, below + to, to);
    }
    return std::move(parts).mesh();
  }

 private:
  struct Point {
    Station station;
    double y;
  };

  std::uint32_t add_point(const Station& station, double y) {
    points_.push_back({station, y});
    return static_cast<std::uint32_t>(points_.size() - 1);
  }
  std::uint32_t lattice(int station, int row) const {
    return static_cast<std::uint32_t>(station) * static_cast<std::uint32_t>(holes_ + 1) +
           static_cast<std::uint32_t>(row);
  }

  /// A rectangle of a strip with a hole in it: each segment of the hole is joined to the corner in
  /// its quadrant, each side of the rectangle to the point of the hole between two quadrants.
  void add_cell(int station, int row) {
    const std::array<std::uint32_t, 4> corners = {lattice(station + 1, row + 1),
                                                  lattice(station, row + 1), lattice(station, row),
                                                  lattice(station + 1, row)};
    const Station from = stations_[static_cast<std::size_t>(station)];
    const Station to = stations_[static_cast<std::size_t>(station) + 1];
    // A strip is parallel to an axis, so one of these is zero.
    const double length = std::abs(to.x - from.x) + std::abs(to.z - from.z);
    const double radius = 0.3 * std::min(length, 2.0 / holes_);
    const double y = 2.0 * (row + 0.5) / holes_ - 1;
    const auto n = static_cast<std::uint32_t>(around_);
    const auto first = static_cast<std::uint32_t>(points_.size());
    for (std::uint32_t i = 0; i < n; ++i) {
      const auto [cosine, sine] = detail::circle_point(i, n);
      const double along = 0.5 + radius * cosine / length;
      Station place = from;
      place.x += along * (to.x - from.x);
      place.z += along * (to.z - from.z);
      add_point(place, y + radius * sine);
    }
    const auto quadrant = [&](std::uint32_t segment) {
      return static_cast<std::size_t>((std::uint64_t{4} * segment + 2) / n % 4);
    };
    for (std::uint32_t i = 0; i < n; ++i) {
      const std::uint32_t here = first + i;
      const std::uint32_t next = first + (i + 1) % n;
      const std::size_t corner = quadrant(i);
      const std::size_t next_corner = quadrant((i + 1) % n);
      triangles_.push_back({here, corners[corner], next});
      if (next_corner != corner) {
        triangles_.push_back({next, corners[corner], corners[next_corner]});
      }
    }
  }

  int holes_;
  int around_;
  int per_bend_;
  std::vector<Station> stations_;
  std::vector<Point> points_;
  std::vector<TriangleIndices> triangles_;
};

// Pipes -------------------------------------------------------------------------------------------

/// A pipe along rings with the given centres: `across` points away from the bend's centre, y is the
/// other direction across the pipe.
void add_pipe(Parts& parts, const std::vector<Vec3d>& centres, const std::vector<Vec3d>& across,
              int around, double outer_radius, double inner_radius) {
  const auto n = static_cast<std::uint32_t>(around);
  const auto ring_count = static_cast<std::uint32_t>(centres.size());
  const auto first = static_cast<std::uint32_t>(parts.vertices.size());
  for (const double radius : {outer_radius, inner_radius}) {
    for (std::size_t ring = 0; ring < centres.size(); ++ring) {
      for (std::uint32_t i = 0; i < n; ++i) {
        const auto [cosine, sine] = detail::circle_point(i, n);
        parts.add_vertex(centres[ring] + radius * (cosine * across[ring] + Vec3d(0, sine, 0)));
      }
    }
  }
  const auto vertex = [&](std::uint32_t ring, std::uint32_t i) { return first + ring * n + i % n; };
  for (std::uint32_t i = 0; i < n; ++i) {
    for (std::uint32_t ring = 0; ring + 1 < ring_count; ++ring) {
      detail::add_square(parts.triangles, vertex(ring, i), vertex(ring, i + 1),
                         vertex(ring + 1, i + 1), vertex(ring + 1, i));
      const std::uint32_t inner = ring_count + ring;
      detail::add_square(parts.triangles, vertex(inner, i), vertex(inner + 1, i),
                         vertex(inner + 1, i + 1), vertex(inner, i + 1));
    }
    const std::uint32_t last = ring_count - 1;
    detail::add_square(parts.triangles, vertex(0, i), vertex(ring_count, i),
                       vertex(ring_count, i + 1), vertex(0, i + 1));
    detail::add_square(parts.triangles, vertex(last, i), vertex(last, i + 1),
                       vertex(ring_count + last, i + 1), vertex(ring_count + last, i));
  }
}

}  // namespace

Mesh make_turned(std::span<const ProfilePoint> profile, int around) {
  detail::check_parts(around, 3, "the number of segments around");
  if (profile.size() < 3) {
    throw Error("a profile has at least 3 points, not " + std::to_string(profile.size()));
  }
  for (const ProfilePoint& point : profile) {
    if (!std::isfinite(point.radius) || point.radius < 0) {
      throw Error("a radius of a profile must be at least 0 and finite, not " +
                  std::to_string(point.radius));
    }
  }
  if (profile.size() > Mesh::k_max_elements / 2) {
    throw Error("the profile has more than " + std::to_string(Mesh::k_max_elements / 2) +
                " points");
  }
  detail::check_size(2, around, static_cast<int>(profile.size()));
  const auto n = static_cast<std::uint32_t>(around);
  Parts parts;
  std::vector<std::uint32_t> first;
  for (const auto& [radius, height] : profile) {
    first.push_back(static_cast<std::uint32_t>(parts.vertices.size()));
    for (std::uint32_t i = 0; i < (radius > 0 ? n : 1); ++i) {
      const auto [cosine, sine] = detail::circle_point(i, n);
      parts.add_vertex({radius * cosine, radius * sine, height});
    }
  }
  for (std::size_t from = 0; from < profile.size(); ++from) {
    const std::size_t to = (from + 1) % profile.size();
    const bool has_from = profile[from].radius > 0;
    const bool has_to = profile[to].radius > 0;
    for (std::uint32_t i = 0; i < n; ++i) {
      const std::uint32_t next = (i + 1) % n;
      if (has_from && has_to) {
        detail::add_square(parts.triangles, first[from] + i, first[from] + next, first[to] + next,
                           first[to] + i);
      } else if (has_from) {
        parts.triangles.push_back({first[from] + i, first[from] + next, first[to]});
      } else if (has_to) {
        parts.triangles.push_back({first[from], first[to] + next, first[to] + i});
      }
    }
  }
  return std::move(parts).mesh();
}

Mesh make_sheet(int holes, int around) {
  constexpr double k_thickness = 0.06;
  check_pattern(holes, "the number of holes", around, detail::sheet_count(holes, around));
  return SheetPattern(holes, around).thickened(k_thickness);
}

Mesh make_pipes(int pipes, int around) {
  check_pattern(pipes, "the number of pipes", around, detail::pipes_count(pipes, around));
  // The bundle is a square of columns and rows; the rows lie inside each other in the bend.
  constexpr double k_bundle = 0.8;
  constexpr double k_least_bend = 0.3;
  constexpr double k_centre = 1 - k_least_bend - k_bundle;
  const int columns = static_cast<int>(std::ceil(std::sqrt(static_cast<double>(pipes))));
  const int per_bend = detail::quarter_of(around);
  const double spacing = k_bundle / columns;
  Parts parts;
  std::vector<Vec3d> centres;
  std::vector<Vec3d> across;
  for (int pipe = 0; pipe < pipes; ++pipe) {
    const int column = pipe % columns;
    const int row = pipe / columns;
    const double y = (column + 0.5) * spacing - 0.5 * k_bundle;
    const double bend_radius = k_least_bend + (row + 0.5) * spacing;
    const Vec3d bend_centre(k_centre, y, -k_centre);
    // Along x, around the bend from below to the right, then along z.
    centres = {{-1, y, -k_centre - bend_radius}};
    across = {{0, 0, -1}};
    for (int step = 0; step <= per_bend; ++step) {
      const auto [cosine, sine] = detail::circle_point(static_cast<std::uint64_t>(step),
                                                       4 * static_cast<std::uint64_t>(per_bend));
      across.emplace_back(sine, 0, -cosine);
      centres.push_back(bend_centre + bend_radius * across.back());
    }
    across.emplace_back(1, 0, 0);
    centres.emplace_back(k_centre + bend_radius, y, 1);
    add_pipe(parts, centres, across, around, 0.45 * spacing, 0.35 * spacing);
  }
  return std::move(parts).mesh();
}

Mesh make_screw(int turns, int around) {
  check_pattern(turns, "the number of turns", around, detail::screw_count(turns, around));
  constexpr double k_crest_radius = 0.3;
  constexpr double k_thread_length = 1.65;
  // Root, crest, crest, root: where the strips of a turn begin, in parts of the pitch.
  constexpr int k_strips = 4;
  constexpr std::array<double, k_strips> k_heights = {0, 0.375, 0.5, 0.875};
  const double pitch = k_thread_length / (turns + 1);
  // The depth of a metric thread, where the screw is thick enough for it.
  const double root_radius = k_crest_radius - std::min(0.6134 * pitch, 0.4 * k_crest_radius);

  // A row of vertices winds once around the axis and rises by a pitch, so it ends where the row of
  // the same strip in the next turn begins.
  Parts parts;
  const auto n = static_cast<std::uint32_t>(around);
  const auto row_count = static_cast<std::uint32_t>(turns) * k_strips;
  const auto add = [&](std::uint32_t row, std::uint32_t i) {
    const auto [cosine, sine] = detail::circle_point(i, n);
    const std::uint32_t strip = row % k_strips;
    const double radius = strip == 1 || strip == 2 ? k_crest_radius : root_radius;
    const std::uint32_t whole_turns = row / k_strips;
    const double turn = whole_turns + k_heights[strip] + i / double(n);
    parts.add_vertex({radius * cosine, radius * sine, pitch * turn - 1});
  };
  for (std::uint32_t row = 0; row <= row_count; ++row) {
    for (std::uint32_t i = 0; i < n; ++i) add(row, i);
  }
  for (std::uint32_t row = row_count + 1; row <= row_count + k_strips; ++row) add(row, 0);
  const auto vertex = [&](std::uint32_t row, std::uint32_t i) {
    if (i == n) row += k_strips;
    return row <= row_count ? row * n + i % n : row_count * n + n - 1 + row - row_count;
  };
  for (std::uint32_t row = 0; row < row_count; ++row) {
    for (std::uint32_t i = 0; i < n; ++i) {
      detail::add_square(parts.triangles, vertex(row, i), vertex(row, i + 1),
                         vertex(row + 1, i + 1), vertex(row + 1, i));
    }
  }
  // Each end is a fan over a turn and over the step from its end down to its beginning.
  const std::uint32_t bottom = parts.add_vertex({0, 0, -1});
  const std::uint32_t top = parts.add_vertex({0, 0, k_thread_length - 1});
  const auto add_end = [&](std::uint32_t row, std::uint32_t i, std::uint32_t next_row,
                           std::uint32_t next_i) {
    parts.triangles.push_back({bottom, vertex(next_row, next_i), vertex(row, i)});
    parts.triangles.push_back(
        {top, vertex(row_count + row, i), vertex(row_count + next_row, next_i)});
  };
  for (std::uint32_t i = 0; i < n; ++i) add_end(0, i, 0, i + 1);
  for (std::uint32_t row = k_strips; row > 0; --row) add_end(row, 0, row - 1, 0);

  constexpr std::array<ProfilePoint, 4> k_flange = {{{0, 0.62}, {0.6, 0.62}, {0.6, 0.7}, {0, 0.7}}};
  constexpr std::array<ProfilePoint, 4> k_head = {{{0, 0.68}, {0.5, 0.68}, {0.5, 1}, {0, 1}}};
  parts.add(make_turned(k_flange, around));
  parts.add(make_turned(k_head, 6));
  return std::move(parts).mesh();
}

}  // namespace tandem
