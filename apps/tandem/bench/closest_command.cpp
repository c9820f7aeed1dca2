// tandem bench closest: closest points of meshes and signed distances, beside Embree's point query.
#include <tandem/closest.h>
#include <tandem/error.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <random>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "bench/bench_commands.h"
#include "measure/measurement_report.h"
#include "measure/timing.h"
#include "measure/tumble_protocol.h"
#include "options/whole_numbers.h"
#include "peers/embree_tracer.h"
#include "text/numbers.h"
#include "text/progress_bar.h"
#include "text/table.h"

namespace tandem::cli {

namespace {

constexpr const char* k_help = R"(
Each object is centred, the longest side of its box scaled to 2, and points are asked for the
closest point of it, in double precision and one after the other on one thread:

  around   random points of the box, grown by a fifth
  near     points within a hundredth of the size from random triangles
  on       points of random triangles, rounded to float32
  grid     the points of a grid over the same box, line by line

The row "tandem" is closest_points, "signed" is signed_distances, where the mesh is closed, and
"embree" is rtcPointQuery with a function that computes in single precision, as in Embree's
tutorial. All take turns, and times are processor time. The largest difference is that of Embree's
distances from Tandem's, over the size of the object.

Examples (each runs as it stands):
  tandem bench closest --meshes shape:knot:2000 --points 2000 --rounds 1
  tandem bench closest --meshes shape:rock:5000 --points 5000 --rounds 3 --json rows.json)";

struct ClosestBenchOptions {
  std::string meshes = "shape:knot:80000,shape:rock:80000";
  std::string points = "20000";
  std::string rounds = "7";
  MeasurementOptions measurement;
};

struct PointSet {
  std::string name;
  std::vector<Vec3d> points;
};

struct Row {
  std::string way;
  double point_s = 0;
  double ratio = 1;
  double largest_difference = 0;
};

struct Measurement {
  std::string object;
  std::string points;
  std::size_t point_count;
  std::vector<Row> rows;
};

std::vector<PointSet> make_points(const Mesh& mesh, std::size_t count) {
  std::mt19937_64 bits(1);
  const auto uniform = [&](double reach) {
    return reach * (static_cast<double>(bits() >> 11) * 0x1p-52 - 1);
  };
  const auto in_cube = [&](double reach) {
    return Vec3d{uniform(reach), uniform(reach), uniform(reach)};
  };
  constexpr double k_box = 1.2;
  constexpr double k_near = 0.02;
  std::vector<PointSet> sets = {{"around", {}}, {"near", {}}, {"on", {}}, {"grid", {}}};
  for (std::size_t i = 0; i < count; ++i) {
    sets[0].points.push_back(in_cube(k_box));
    const TriangleF t = mesh.triangle(static_cast<std::uint32_t>(bits() % mesh.triangle_count()));
    const Vec3d centre = (Vec3d(t.corner[0]) + Vec3d(t.corner[1]) + Vec3d(t.corner[2])) / 3.0;
    sets[1].points.push_back(centre + in_cube(k_near));
    sets[2].points.push_back(Vec3d(Vec3f(centre)));
  }
  const auto side = static_cast<int>(std::cbrt(static_cast<double>(count)));
  const auto at = [&](int i) { return k_box * ((2.0 * i + 1) / side - 1); };
  for (int x = 0; x < side; ++x) {
    for (int y = 0; y < side; ++y) {
      for (int z = 0; z < side; ++z) sets[3].points.push_back({at(x), at(y), at(z)});
    }
  }
  return sets;
}

/// Whether the model has signed distances.
bool is_closed(const Model& model) {
  try {
    signed_distances(model, {}, {});
  } catch (const Error&) {
    return false;
  }
  return true;
}

Measurement measure(const TumblingObject& object, const Model& model, const EmbreeTracer* embree,
                    const PointSet& set, int rounds, const Progress& progress) {
  const std::span<const Vec3d> points = set.points;
  Measurement measurement{object.name, set.name, points.size(), {{"tandem"}}};
  std::vector<ClosestPoint> found(points.size());
  std::vector<ClosestPoint> single(points.size());
  std::vector<double> distances(points.size());
  std::vector<std::function<void()>> ways = {[&] { closest_points(model, points, found); }};
  if (is_closed(model)) {
    measurement.rows.push_back({"signed"});
    ways.emplace_back([&] { signed_distances(model, points, distances); });
  }
  if (embree != nullptr) {
    measurement.rows.push_back({"embree"});
    ways.emplace_back([&] { embree->closest_points(points, single); });
  }
  std::vector<RepeatedTask> tasks;
  for (const auto& way : ways) {
    way();
    tasks.emplace_back([&way](std::uint64_t repetitions) {
      for (; repetitions > 0; --repetitions) way();
    });
  }
  if (embree != nullptr) {
    double& largest = measurement.rows.back().largest_difference;
    for (std::size_t i = 0; i < points.size(); ++i) {
      largest = std::max(largest, std::fabs(single[i].distance - found[i].distance) / 2);
    }
  }
  const std::vector<Timing> timings =
      time_in_turn(tasks, {.round_s = 0.005, .max_rounds = rounds, .max_task_s = 30}, progress);
  for (std::size_t i = 0; i < timings.size(); ++i) {
    measurement.rows[i].point_s = timings[i].median_s() / static_cast<double>(points.size());
    measurement.rows[i].ratio = median_ratio(timings[i], timings[0]);
  }
  return measurement;
}

std::string table_text(std::span<const Measurement> sets) {
  Table table;
  table.add_row({"points", "", "time", "ratio", "largest difference"});
  for (const Measurement& set : sets) {
    for (const Row& row : set.rows) {
      const bool first = &row == set.rows.data();
      table.add_row({first ? set.points + ", " + grouped(set.point_count) : "", row.way,
                     duration(row.point_s), ratio_text(row.ratio),
                     row.way == "embree" ? three_digits(row.largest_difference) : ""});
    }
  }
  return table.text("  ");
}

int run(const ClosestBenchOptions& options) {
  const auto count =
      static_cast<std::size_t>(whole_number_in(options.points, "--points", 1, 100'000'000));
  const int rounds = whole_number_in(options.rounds, "--rounds", 1, 1000);
  check_measurement_files(options.measurement, options.meshes);
  const MeasurementReport report(options.measurement);
  const Reporting reporting = cli::reporting(options.measurement.quiet);
  if (!has_embree()) {
    report.say(
        "Not in this build of the program: Embree, which it could be compared with (Debian: "
        "libembree-dev).\n");
  }
  std::vector<Measurement> all;
  for (const TumblingObject& object : load_tumbling_objects(options.meshes, reporting)) {
    const Model model(object.mesh);
    model.prepare_rays();
    std::unique_ptr<EmbreeTracer> embree;
    if (has_embree()) embree = std::make_unique<EmbreeTracer>(object.mesh, EmbreeMode::standard);
    std::vector<Measurement> sets;
    for (const PointSet& set : make_points(object.mesh, count)) {
      ProgressBar bar(object.name + ", " + set.name, reporting);
      sets.push_back(measure(object, model, embree.get(), set, rounds, bar.callback()));
    }
    report.say("\n" + object.name + ": " +
               counted(object.mesh.triangle_count(), "triangle", "triangles") + "\n" +
               table_text(sets));
    all.insert(all.end(), sets.begin(), sets.end());
  }
  report.write([&] {
    Json object = json_head("protocol", "closest");
    object["rows"] = rows_of(all, [](const Measurement& set, const Row& row) {
      Json json = {{"mesh", set.object},
                   {"points", set.points},
                   {"point_count", set.point_count},
                   {"way", row.way},
                   {"ns_per_point", 1e9 * row.point_s},
                   {"ratio", row.ratio}};
      if (row.way == "embree") json["largest_difference"] = row.largest_difference;
      return json;
    });
    return object;
  });
  return k_exit_ok;
}

}  // namespace

Command add_bench_closest(CLI::App& bench) {
  const auto options = std::make_shared<ClosestBenchOptions>();
  CLI::App* const app = add_benchmark(
      bench, "closest", "Closest points of meshes and signed distances, beside Embree", k_help);
  add_mesh_list(*app, options->meshes);
  add_value_with_default(*app, "--points", options->points, "N", "points of each kind");
  add_value_with_default(*app, "--rounds", options->rounds, "N",
                         "times that a kind is timed; the median counts");
  add_json_file(*app, options->measurement);
  add_quiet_flag(*app, options->measurement.quiet);
  return {app, [options] { return run(*options); }};
}

}  // namespace tandem::cli
