// What the traversals do with the rays of a path tracer on a CUDA device.
#include <utility>

#include "papers/stackless_rays/stackless_rays.h"

namespace tandem::cli::stackless_rays {

Measurement measure_on_cuda(const Scene& scene, int bounces, int size,
                            const ReproduceOptions& options) {
  const RaySet rays = path_rays(scene, bounces, size);
  const Answers expected = expected_answers(scene.model, rays);
  Measurement measurement{
      scene.name, scene.model.mesh().triangle_count(), bounces, rays.size(), rays.active_paths, {}};
  RayTimer timer(rays.paths, rays.visibility);
  // The paper's traversals and their peers on one tree, and those for devices on another.
  std::vector<std::pair<cuda::DeviceModel, cuda::RayTracing>> tasks;
  for (const Structure structure : {Structure("ray-binary"), Structure("ray-pairs")}) {
    const cuda::DeviceModel model(scene.model, structure);
    for (const RayEngine& engine : ray_engines()) {
      if (engine.structure != structure) continue;
      const cuda::RayTracing how{engine.traversal, false};
      RayStatistics statistics;
      const DeviceCosts costs = timer.count(model, how, &statistics);
      timer.trace_s(model, how);
      check_answers({timer.hits(), timer.any()}, expected, engine.traversal, scene);
      measurement.rows.push_back(
          {engine.traversal, statistics, {.repetitions = 1, .rounds_s = {}}, costs});
      tasks.emplace_back(model, how);
    }
  }
  ProgressBar bar("timing " + scene.name, options.reporting);
  const Progress progress = bar.callback();
  const int rounds = options.quick() ? 3 : 31;
  for (int round = 0; round < rounds; ++round) {
    for (std::size_t i = 0; i < tasks.size(); ++i) {
      const auto& [model, how] = tasks[i];
      measurement.rows[i].timing.rounds_s.push_back(timer.trace_s(model, how));
    }
    if (progress) progress(static_cast<double>(round + 1) / rounds);
  }
  return measurement;
}

}  // namespace tandem::cli::stackless_rays
