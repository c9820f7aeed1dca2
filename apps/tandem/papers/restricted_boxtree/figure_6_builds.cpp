// Figure 6 of the restricted boxtree paper: families of objects, and the times of building them.
#include <cmath>

#include "papers/restricted_boxtree/restricted_boxtree.h"

namespace tandem::cli::restricted_boxtree {

Family make_family(const std::string& name, const std::string& source,
                   std::span<const std::size_t> counts, Reporting reporting) {
  Family family{name, {}};
  if (source.starts_with("shape:")) {
    // shape:NAME:COUNT:SEED
    const std::size_t name_end = source.find(':', 6);
    const std::size_t count_end =
        name_end == source.npos ? source.npos : source.find(':', name_end + 1);
    const std::string seed = count_end == source.npos ? "" : source.substr(count_end);
    for (const std::size_t count : counts) {
      const std::string sized =
          source.substr(0, name_end).append(":").append(std::to_string(count)).append(seed);
      family.sizes.push_back(std::move(load_tumbling_objects(sized, reporting)[0]));
    }
  } else {
    family.sizes = load_tumbling_objects(source, reporting);
    while (4 * family.sizes.back().mesh.triangle_count() <= counts.back()) {
      family.sizes.push_back({source, "", subdivide(family.sizes.back().mesh)});
    }
  }
  for (TumblingObject& object : family.sizes) {
    object.name = name + "-" + std::to_string(object.mesh.triangle_count());
  }
  return family;
}

double BuildCurve::exponent() const {
  double mean_x = 0;
  double mean_y = 0;
  const auto x = [](const Point& point) {
    return std::log(static_cast<double>(point.triangle_count));
  };
  const auto y = [](const Point& point) { return std::log(point.timing.median_s()); };
  for (const Point& point : points) {
    mean_x += x(point) / static_cast<double>(points.size());
    mean_y += y(point) / static_cast<double>(points.size());
  }
  double both = 0;
  double square = 0;
  for (const Point& point : points) {
    both += (x(point) - mean_x) * (y(point) - mean_y);
    square += (x(point) - mean_x) * (x(point) - mean_x);
  }
  return both / square;
}

double BuildCurve::triangles_per_second() const {
  return static_cast<double>(points.back().triangle_count) / points.back().timing.median_s();
}

std::vector<BuildCurve> measure_builds(const Family& family, const ReproduceOptions& options) {
  std::vector<BuildCurve> curves;
  for (const Builder builder : {"volume", "volume-longest"}) {
    curves.push_back({family.name, builder, {}});
  }
  ProgressBar bar("building " + family.name, options.reporting);
  const Progress progress = bar.callback();
  for (const TumblingObject& object : family.sizes) {
    std::vector<RepeatedTask> tasks;
    tasks.reserve(curves.size());
    for (const BuildCurve& curve : curves) {
      tasks.emplace_back([&object, builder = curve.builder](std::uint64_t repetitions) {
        for (std::uint64_t i = 0; i < repetitions; ++i) {
          const Model model(object.mesh, {.structure = "boxtree", .builder = builder});
        }
      });
    }
    const TimingOptions timing{.round_s = 0.01, .max_rounds = 5, .max_task_s = 0.8};
    const std::vector<Timing> timings = time_in_turn(tasks, timing);
    for (std::size_t i = 0; i < curves.size(); ++i) {
      curves[i].points.push_back({object.mesh.triangle_count(), timings[i]});
    }
    if (progress) {
      progress(static_cast<double>(curves[0].points.size()) /
               static_cast<double>(family.sizes.size()));
    }
  }
  return curves;
}

}  // namespace tandem::cli::restricted_boxtree
