// What the traversals do with the rays of a path tracer: counts and times.
#include <tandem/error.h>

#include <algorithm>

#include "papers/stackless_rays/stackless_rays.h"
#include "render/path_tracer.h"

namespace tandem::cli::stackless_rays {

namespace {

// This many rays are enough to measure a time.
constexpr std::size_t k_timed_rays = 200'000;

/// Every ray whose index is a multiple of `step`.
std::vector<Ray> thinned(std::span<const Ray> rays, std::size_t step) {
  std::vector<Ray> result;
  for (std::size_t i = 0; i < rays.size(); i += step) result.push_back(rays[i]);
  return result;
}

RayStatistics trace(const Model& model, const RaySet& rays, const RayOptions& how,
                    Answers* answers) {
  answers->closest.resize(rays.paths.size());
  answers->any.resize(rays.visibility.size());
  RayStatistics statistics = closest_hits(model, rays.paths, answers->closest, how);
  return statistics += any_hits(model, rays.visibility, answers->any, how);
}

}  // namespace

RaySet path_rays(const Scene& scene, int bounces, int size) {
  PathRays recorded = record_paths(scene, size, size, bounces);
  RaySet rays{{}, std::move(recorded.visibility), 0};
  for (const std::vector<Ray>& segment : recorded.segments) {
    rays.paths.insert(rays.paths.end(), segment.begin(), segment.end());
  }
  const auto pixel_count = static_cast<double>(size) * size;
  rays.active_paths = static_cast<double>(rays.paths.size()) / (pixel_count * (bounces + 1));
  return rays;
}

Answers expected_answers(const Model& model, const RaySet& rays) {
  Answers answers;
  trace(model, rays, {.threads = 0}, &answers);
  return answers;
}

void check_answers(const Answers& found, const Answers& expected, RayTraversal traversal,
                   const Scene& scene) {
  if (found == expected) return;
  throw Error("the traversal " + std::string(traversal.name()) + " found other hits in " +
              scene.name + ": this is a bug in Tandem");
}

const Row& Measurement::row(RayTraversal traversal) const {
  return *std::find_if(rows.begin(), rows.end(),
                       [&](const Row& row) { return row.traversal == traversal; });
}

double Measurement::more(const Row& row, std::uint64_t RayStatistics::*counter) const {
  return 100 * (row.per_ray(counter) / reference().per_ray(counter) - 1);
}

double Measurement::more_rays_per_s(const Row& row) const {
  return 100 * (median_ratio(reference().timing, row.timing) - 1);
}

double Measurement::mrays_per_s(const Row& row) const {
  return static_cast<double>(timed_rays) / row.timing.median_s() / 1e6;
}

Measurement measure(const Scene& scene, int bounces, int size, const ReproduceOptions& options) {
  const RaySet all = path_rays(scene, bounces, size);
  const std::size_t step = std::max<std::size_t>(1, all.size() / k_timed_rays);
  const RaySet timed{thinned(all.paths, step), thinned(all.visibility, step), all.active_paths};

  Measurement measurement{
      scene.name, scene.model.mesh().triangle_count(), bounces, timed.size(), all.active_paths, {}};
  const Answers expected = expected_answers(scene.model, all);
  std::vector<RepeatedTask> tasks;
  Answers scratch;
  for (const RayEngine& engine : ray_engines()) {
    // The paper's and its peers, on one tree.
    if (engine.structure != Structure("ray-binary")) continue;
    const RayTraversal traversal = engine.traversal;
    Answers found;
    const RayStatistics statistics =
        trace(scene.model, all, {.engine = engine, .threads = 0, .statistics = true}, &found);
    check_answers(found, expected, traversal, scene);
    measurement.rows.push_back({traversal, statistics, {}});
    tasks.emplace_back([&, engine](std::uint64_t repetitions) {
      for (; repetitions > 0; --repetitions) {
        trace(scene.model, timed, {.engine = engine}, &scratch);
      }
    });
  }
  ProgressBar bar("timing " + scene.name, options.reporting);
  const std::vector<Timing> timings =
      time_in_turn(tasks, {.round_s = 0.01, .max_rounds = options.quick() ? 2 : 5, .max_task_s = 5},
                   bar.callback());
  for (std::size_t i = 0; i < timings.size(); ++i) measurement.rows[i].timing = timings[i];
  return measurement;
}

}  // namespace tandem::cli::stackless_rays
