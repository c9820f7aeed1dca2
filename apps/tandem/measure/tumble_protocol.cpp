#include "measure/tumble_protocol.h"

#include <tandem/error.h>
#include <tandem/query.h>

#include <algorithm>
#include <filesystem>
#include <numbers>

#include "options/comma_lists.h"
#include "options/mesh_source.h"
#include "text/numbers.h"
#include "text/strings.h"

namespace tandem::cli {

namespace {

Mesh centred(const Mesh& mesh, const std::string& source) {
  if (mesh.empty()) throw Error(in_quotes(source) + " has no triangles to tumble");
  const Bounds bounds = mesh.bounds();
  const Vec3d lower(bounds.lower);
  const Vec3d upper(bounds.upper);
  const Vec3d sides = upper - lower;
  const double longest = std::max({sides.x, sides.y, sides.z});
  if (!(longest > 0)) throw Error(in_quotes(source) + " is a point: it cannot be scaled");
  std::vector<Vec3f> vertices;
  vertices.reserve(mesh.vertex_count());
  for (const Vec3f& vertex : mesh.vertices()) {
    vertices.emplace_back((2 / longest) * (Vec3d(vertex) - 0.5 * (lower + upper)));
  }
  return {std::move(vertices), {mesh.triangles().begin(), mesh.triangles().end()}};
}

std::string short_name(const std::string& source) {
  std::string name =
      source.starts_with("shape:") ? source : std::filesystem::path(source).stem().string();
  for (char& c : name) {
    if (c == ':' || c == '/') c = '-';
  }
  return one_line(name);
}

}  // namespace

std::vector<TumblingObject> load_tumbling_objects(std::string_view sources, Reporting reporting) {
  std::vector<TumblingObject> objects;
  for (const std::string& source : split_list(sources, "--meshes")) {
    std::string name = short_name(source);
    const auto is_taken = [&](const std::string& wanted) {
      return std::any_of(objects.begin(), objects.end(),
                         [&](const TumblingObject& object) { return object.name == wanted; });
    };
    for (int number = 2; is_taken(name); ++number) {
      name = short_name(source) + "-" + std::to_string(number);
    }
    Mesh mesh = centred(load_mesh(source, reporting), source);
    objects.push_back({source, std::move(name), std::move(mesh)});
  }
  return objects;
}

std::vector<Pose> tumble_poses(int steps, double distance) {
  std::vector<Pose> poses;
  for (int i = 0; i < steps; ++i) {
    const double theta = 2 * std::numbers::pi * (i + 0.5) / steps;
    poses.push_back(Pose::from_axis_angle({0, 0, 1}, theta, {distance, 0, 0}) *
                    Pose::from_axis_angle({1, 0, 0}, theta));
  }
  return poses;
}

double clear_distance(const Model& model, int steps, double precision, const Progress& progress) {
  // Objects in cubes of side 2 cannot touch at larger distances than the diagonal.
  constexpr double k_far = 3.5;
  // Objects with gaps may touch again farther away, which is looked for in these steps.
  constexpr double k_step = 0.02;
  const auto touches = [&](double distance) {
    const std::vector<Pose> poses = tumble_poses(steps, distance);
    return std::any_of(poses.begin(), poses.end(), [&](const Pose& b_in_a) {
      return static_cast<bool>(intersects(model, model, b_in_a));
    });
  };
  double apart = 0;
  double next = 0;
  while (next < k_far) {
    if (progress) progress(next / k_far);
    if (touches(next)) {
      double touching = next;
      apart = k_far;
      while (apart - touching > precision * apart) {
        const double middle = (touching + apart) / 2;
        (touches(middle) ? touching : apart) = middle;
      }
      next = apart;
    }
    next += k_step;
  }
  return apart;
}

std::string Turn::title() const {
  return name + " (" + counted(triangle_count, "triangle", "triangles") + ") at the distance " +
         shortest(distance);
}

Json Turn::json_head() const {
  Json object;
  object["mesh"] = source;
  object["triangles"] = triangle_count;
  object["distance"] = distance;
  return object;
}

Turn turn_of(const TumblingObject& object, double distance, int steps) {
  return {object.source, object.name, object.mesh.triangle_count(), distance, steps};
}

std::string Place::title(const Turn& turn) const {
  if (apart == 0) return turn.title();
  return turn.title() + ", " + shortest(apart) + " times the clear distance";
}

std::vector<Place> places_apart(const TumblingObject& object, const Model& model,
                                std::span<const double> apart, int steps, Reporting reporting) {
  constexpr double k_precision = 1e-3;
  constexpr double k_digits = 1e4;
  std::vector<Place> places;
  if (apart.empty()) return places;
  ProgressBar bar("where " + object.name + " is apart", reporting);
  const double clear = clear_distance(model, steps, k_precision, bar.callback());
  for (const double factor : apart) {
    places.push_back({std::ceil(factor * clear * k_digits) / k_digits, factor});
  }
  return places;
}

Chart distance_chart(const Turn& turn, const std::string& title) {
  Chart chart;
  chart.title = turn.name + ": " + title;
  chart.subtitle = grouped(turn.triangle_count) + " triangles, " +
                   counted(static_cast<std::uint64_t>(turn.steps), "step", "steps");
  chart.x = {.title = "distance of the centres (the longest side is 2)"};
  chart.y = {.title = "mean time of a query in µs", .scale = Scale::log};
  return chart;
}

}  // namespace tandem::cli
