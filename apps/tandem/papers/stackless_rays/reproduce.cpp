// tandem reproduce stackless-rays: tables 1 and 2, here.
#include "papers/stackless_rays/stackless_rays.h"

#include <tandem/version.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "measure/findings.h"
#include "options/comma_lists.h"
#include "render/path_tracer.h"
#include "text/numbers.h"
#include "text/output.h"

namespace tandem::cli::stackless_rays {

namespace {

constexpr int k_bounces[] = {4, 8};
constexpr int k_size = 512;
constexpr int k_quick_size = 96;
// So many rays are enough for a time.
constexpr std::size_t k_timed_rays = 200'000;

// What can be had of the paper's scenes is Sibenik.
constexpr const char* k_introduction =
    R"(Path tracing with a fixed number of bounces, one path through each pixel, one visibility ray at each
bounce. Counts are means of a ray, of all rays: N_IT triangles tested, N_TS nodes visited, N_IB boxes
tested, N_L leaves visited. Binary trees built by the surface area heuristic with one triangle a
leaf, so N_IT and N_L are the same; the paper's leaves hold several. Times are of one core in place
of the GPU's, on every so many-th ray; the share of active threads has no counterpart here. Of the
paper's scenes only Sibenik can be had: give its file with --meshes.
)";

std::string percent(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%+.1f", value);
  return text;
}

std::string two_places(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.2f", value);
  return text;
}

double mrays_per_s(const Measurement& measurement, const Row& row) {
  return static_cast<double>(measurement.timed_rays) / row.timing.median_s() / 1e6;
}

std::string reference_table(std::span<const Measurement> measurements) {
  Table table;
  table.add_row({"table 1: stack-distance", "bounces", "N_IT", "N_TS", "N_IB", "N_L"});
  for (const Measurement& measurement : measurements) {
    const Row& row = measurement.reference();
    table.add_row({measurement.scene, std::to_string(measurement.bounces),
                   two_places(row.a_ray(&RayStatistics::triangle_tests)),
                   two_places(row.a_ray(&RayStatistics::node_visits)),
                   two_places(row.a_ray(&RayStatistics::box_tests)),
                   two_places(row.a_ray(&RayStatistics::leaf_visits))});
  }
  return table.text("  ");
}

std::string comparison_table(const Measurement& measurement) {
  Table table;
  table.add_row(
      {"table 2: " + measurement.scene + ", " + std::to_string(measurement.bounces) + " bounces",
       "N_TS %", "N_IB %", "N_IT %", "speed %", "Mrays/s", "state bytes"});
  for (const Row& row : measurement.rows) {
    table.add_row({std::string(row.traversal.name),
                   percent(measurement.more(row, &RayStatistics::node_visits)),
                   percent(measurement.more(row, &RayStatistics::box_tests)),
                   percent(measurement.more(row, &RayStatistics::triangle_tests)),
                   percent(measurement.more_rays_per_s(row)),
                   two_places(mrays_per_s(measurement, row)),
                   std::to_string(row.traversal.state_bytes)});
  }
  return table.text("  ");
}

Json to_json(const Measurement& measurement, const Row& row) {
  Json object;
  object["scene"] = measurement.scene;
  object["triangles"] = measurement.triangle_count;
  object["bounces"] = measurement.bounces;
  object["traversal"] = row.traversal.name;
  object["state_bytes"] = row.traversal.state_bytes;
  object["rays"] = row.statistics.rays;
  object["n_it"] = row.a_ray(&RayStatistics::triangle_tests);
  object["n_ts"] = row.a_ray(&RayStatistics::node_visits);
  object["n_ib"] = row.a_ray(&RayStatistics::box_tests);
  object["n_l"] = row.a_ray(&RayStatistics::leaf_visits);
  object["mrays_per_s"] = mrays_per_s(measurement, row);
  return object;
}

/// Every so many-th ray.
std::vector<Ray> thinned(std::span<const Ray> rays, std::size_t step) {
  std::vector<Ray> result;
  for (std::size_t i = 0; i < rays.size(); i += step) result.push_back(rays[i]);
  return result;
}

/// Those of the paths, which look for the closest hit, and those towards lights.
struct RaySet {
  std::vector<Ray> paths;
  std::vector<Ray> visibility;

  std::size_t size() const { return paths.size() + visibility.size(); }
};

struct Answers {
  std::vector<Hit> closest;
  std::vector<std::uint8_t> any;

  friend bool operator==(const Answers&, const Answers&) = default;
};

void trace(const Model& model, const RaySet& rays, const RayOptions& how, Answers* answers) {
  answers->closest.resize(rays.paths.size());
  answers->any.resize(rays.visibility.size());
  closest_hits(model, rays.paths, answers->closest, how);
  any_hits(model, rays.visibility, answers->any, how);
}

bool is_measured(const RayTraversalInfo& info) {
  return info.state_bytes > 0;
}

}  // namespace

const Row& Measurement::row(RayTraversal traversal) const {
  return *std::find_if(rows.begin(), rows.end(),
                       [&](const Row& row) { return row.traversal.traversal == traversal; });
}

double Measurement::more(const Row& row, std::uint64_t RayStatistics::*counter) const {
  return 100 * (row.a_ray(counter) / reference().a_ray(counter) - 1);
}

double Measurement::more_rays_per_s(const Row& row) const {
  return 100 * (median_ratio(reference().timing, row.timing) - 1);
}

Measurement measure(const Scene& scene, int bounces, int size, const ReproduceOptions& options) {
  PathRays recorded = record_paths(scene, size, size, bounces);
  RaySet all{{}, std::move(recorded.visibility)};
  for (const std::vector<Ray>& segment : recorded.segments) {
    all.paths.insert(all.paths.end(), segment.begin(), segment.end());
  }
  const std::size_t step = std::max<std::size_t>(1, all.size() / k_timed_rays);
  const RaySet timed{thinned(all.paths, step), thinned(all.visibility, step)};

  Measurement measurement{
      scene.name, scene.model.mesh().triangle_count(), bounces, timed.size(), {}};
  Answers expected;
  trace(scene.model, all, {.threads = 0}, &expected);
  std::vector<RepeatedTask> tasks;
  Answers scratch;
  for (const RayTraversalInfo& info : ray_traversals()) {
    if (!is_measured(info)) continue;
    Row row{info, {}, {}};
    Answers found;
    trace(scene.model, all,
          {.traversal = info.traversal, .threads = 0, .statistics = &row.statistics}, &found);
    if (found != expected) {
      throw Error("the traversal " + std::string(info.name) + " found other hits in " + scene.name +
                  ": this is a bug in Tandem");
    }
    measurement.rows.push_back(std::move(row));
    tasks.emplace_back([&, traversal = info.traversal](std::uint64_t repetitions) {
      for (; repetitions > 0; --repetitions) {
        trace(scene.model, timed, {.traversal = traversal}, &scratch);
      }
    });
  }
  const bool quick = options.extent == Extent::quick;
  ProgressBar bar("timing " + scene.name, options.reporting);
  const std::vector<Timing> timings = time_in_turn(
      tasks, {.round_s = 0.01, .max_rounds = quick ? 2 : 5, .max_task_s = 5}, bar.callback());
  for (std::size_t i = 0; i < timings.size(); ++i) measurement.rows[i].timing = timings[i];
  return measurement;
}

std::vector<std::string> findings(std::span<const Measurement> measurements) {
  Tally same_tests;
  Tally same_backtrack;
  Tally visits_as_paper;
  Range more_visits;
  Range fewer_boxes;
  Range compact_speed;
  Range trail_boxes;
  Range trail_speed;
  Range backtrack_speed;
  Range skip_boxes;
  Range skip_triangles;
  for (const Measurement& m : measurements) {
    const std::string setup = m.scene + " " + std::to_string(m.bounces);
    const auto row = [&](RayTraversal traversal) -> const Row& { return m.row(traversal); };
    const Row& stack = row(RayTraversal::stack);
    const Row& automaton = row(RayTraversal::automaton);
    const Row& compact = row(RayTraversal::compact);
    const auto equal_tests = [](const Row& one, const Row& other) {
      return one.statistics.box_tests == other.statistics.box_tests &&
             one.statistics.triangle_tests == other.statistics.triangle_tests;
    };
    same_tests.add(setup, equal_tests(automaton, stack) && equal_tests(compact, stack));
    same_backtrack.add(setup, row(RayTraversal::backtrack).statistics == m.reference().statistics);
    const double automaton_more = m.more(automaton, &RayStatistics::node_visits);
    const double compact_more = m.more(compact, &RayStatistics::node_visits);
    visits_as_paper.add(setup, std::max(automaton_more, compact_more) <= 140);
    more_visits.add(automaton_more);
    more_visits.add(compact_more);
    fewer_boxes.add(m.more(compact, &RayStatistics::box_tests));
    compact_speed.add(m.more_rays_per_s(compact));
    trail_boxes.add(m.more(row(RayTraversal::restart_trail), &RayStatistics::box_tests));
    trail_speed.add(m.more_rays_per_s(row(RayTraversal::restart_trail)));
    backtrack_speed.add(m.more_rays_per_s(row(RayTraversal::backtrack)));
    skip_boxes.add(m.more(row(RayTraversal::skip), &RayStatistics::box_tests));
    skip_triangles.add(m.more(row(RayTraversal::skip), &RayStatistics::triangle_tests));
  }
  return {
      same_tests.sentence(
          "the automaton and its compact form tested as many boxes and triangles as "
          "the stack with the same order of children."),
      visits_as_paper.sentence(
          "the automaton and its compact form visited at most 140 % more nodes than the "
          "reference: " +
          more_visits.text() + " % (the paper: 132.9 to 138.6 %)."),
      "Boxes tested in the axis-based order, relative to the distance-based one: " +
          fewer_boxes.text() + " % (the paper: -5.4 to -3.5 %).",
      "Speed of the compact form relative to the reference: " + compact_speed.text() +
          " % (the paper, on GPUs: -35.7 to -28.0 %).",
      same_backtrack.sentence("backtracking in constant time did exactly what the reference does, "
                              "with 24 bytes of state instead of its stack.") +
          " Its speed: " + backtrack_speed.text() + " %.",
      "The restart trail tested " + trail_boxes.text() +
          " % more boxes; its speed: " + trail_speed.text() + " %.",
      "Skip pointers, in one order for all rays, relative to the reference: boxes " +
          skip_boxes.text() + " %, triangles " + skip_triangles.text() + " %.",
  };
}

void reproduce(const ReproduceOptions& options) {
  const bool quick = options.extent == Extent::quick;
  options.report.say(k_introduction);
  std::vector<Measurement> measurements;
  for (const std::string& source : split_list(options.meshes.value_or(k_interior), "--meshes")) {
    const Scene scene = load_scene(source, {}, options.reporting);
    for (const int bounces : k_bounces) {
      measurements.push_back(measure(scene, bounces, quick ? k_quick_size : k_size, options));
      const Measurement& measurement = measurements.back();
      options.report.say(
          "\n" + scene.name + ": " + counted(measurement.triangle_count, "triangle", "triangles") +
          ", " + grouped(measurement.reference().statistics.rays) + " rays, " +
          grouped(measurement.timed_rays) + " of them timed\n" + comparison_table(measurement));
    }
  }
  options.report.say("\n");
  options.report.say(reference_table(measurements));
  options.report.say("\n");
  for (const std::string& sentence : findings(measurements))
    options.report.say(wrapped(sentence, 98, "- ", "  "));
  options.report.write([&] {
    Json object;
    object["paper"] = "stackless-rays";
    object["version"] = TANDEM_VERSION;
    object["quick"] = quick;
    object["rows"] = rows_of(measurements, to_json);
    object["findings"] = findings(measurements);
    return object;
  });
}

}  // namespace tandem::cli::stackless_rays
