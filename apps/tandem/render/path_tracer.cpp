#include "render/path_tracer.h"

#include <tandem/ray_query.h>

#include <atomic>
#include <mutex>
#include <thread>

#include "parallel/parallel_for.h"
#include "render/denoise.h"
#include "render/paths/lights.h"
#include "render/paths/path.h"
#include "render/paths/path_scene.h"
#include "render/paths/trace_on_device.h"

namespace tandem::cli {

namespace {

/// Traces the paths of a pixel one after the other.
class PathTracer {
 public:
  PathTracer(const PathScene& scene, const Model& model, RayTraversal traversal)
      : scene_(scene), model_(model), engine_{.traversal = traversal} {}

  /// Where rays are counted and written down, unless null.
  struct Tracing {
    RayStatistics* statistics = nullptr;
    PathRays* log = nullptr;
  };

  PixelSum pixel(std::size_t pixel, const Tracing& tracing) const {
    PixelSum sum;
    for (std::uint32_t sample = 0; sample < scene_.samples.count(); ++sample) {
      FirstHit first;
      const Vec3d found = radiance(pixel, sample, tracing, first);
      sum.add(found, first);
    }
    return sum;
  }

 private:
  Hit closest(const Ray& ray, const Tracing& tracing) const {
    if (tracing.statistics == nullptr) return closest_hit(model_, ray, engine_);
    Hit hit;
    *tracing.statistics += closest_hits(model_, {&ray, 1}, {&hit, 1}, counting());
    return hit;
  }
  bool any(const Ray& ray, const Tracing& tracing) const {
    if (tracing.statistics == nullptr) return any_hit(model_, ray, engine_);
    std::uint8_t hit = 0;
    *tracing.statistics += any_hits(model_, {&ray, 1}, {&hit, 1}, counting());
    return hit != 0;
  }
  RayOptions counting() const { return {.engine = engine_, .statistics = true}; }

  Vec3d radiance(std::size_t pixel, std::uint32_t sample, const Tracing& tracing,
                 FirstHit& first) const {
    Path path;
    Ray ray = begin_path(scene_, pixel, sample, path);
    for (int bounce = 0;; ++bounce) {
      if (tracing.log != nullptr) {
        tracing.log->segments[static_cast<std::size_t>(bounce)].push_back(ray);
      }
      const PathStep step = next_step(scene_, bounce, ray, closest(ray, tracing), path, first);
      if (step.looks) {
        if (tracing.log != nullptr) tracing.log->visibility.push_back(step.towards_light);
        if (!any(step.towards_light, tracing)) path.sum += step.light;
      }
      if (!step.goes_on) return path.sum;
      ray = step.next;
    }
  }

  PathScene scene_;
  const Model& model_;
  RayEngine engine_;
};

/// Threads share the rows of the picture.
RayStatistics trace_on_threads(const PathScene& paths, const Scene& scene,
                               const RenderOptions& options, Image& image, Features& features) {
  const PathTracer tracer(paths, scene.model, options.traversal);
  RayStatistics statistics;
  std::atomic<int> done_rows = 0;
  std::mutex mutex;
  const std::thread::id caller = std::this_thread::get_id();
  const auto trace_row = [&](std::size_t row, std::size_t) {
    RayStatistics counts;
    for (std::size_t pixel = row * paths.width; pixel < (row + 1) * paths.width; ++pixel) {
      const PixelSum sum =
          tracer.pixel(pixel, {.statistics = options.statistics ? &counts : nullptr});
      image.pixels[pixel] = sum.radiance(options.samples);
      features.pixels[pixel] = sum.features(options.samples);
    }
    if (options.statistics) {
      const std::lock_guard lock(mutex);
      statistics += counts;
    }
    // Only the calling thread reports, so that the share never falls.
    const int done = ++done_rows;
    if (options.progress && std::this_thread::get_id() == caller) {
      options.progress(static_cast<double>(done) / options.height);
    }
  };
  scene.model.prepare_rays({.traversal = options.traversal});
  detail::parallel_for(paths.height, 1, options.threads, trace_row);
  return statistics;
}

}  // namespace

RenderResult render(const Scene& scene, const RenderOptions& options) {
  const Lights lights = find_lights(scene);
  const PathScene paths = path_scene(scene, lights, options);
  RenderResult result{Image(options.width, options.height), {}};
  Features features{options.width, options.height, paths.lens.pixel_size(), {}};
  features.pixels.resize(result.image.pixels.size());
  if (options.device == Device::cpu) {
    result.statistics = trace_on_threads(paths, scene, options, result.image, features);
  } else {
#ifdef TANDEM_HAS_CUDA
    trace_on_device(paths, scene.model, options.traversal, result.image.pixels.data(),
                    features.pixels.data(), options.progress);
#else
    throw Error("this build of the program has no CUDA");
#endif
  }
  if (options.denoise) result.image = denoised(result.image, features, options.threads);
  return result;
}

PathRays record_paths(const Scene& scene, int width, int height, int bounces, int samples) {
  const RenderOptions options{
      .width = width, .height = height, .samples = samples, .bounces = bounces};
  const Lights lights = find_lights(scene);
  const PathScene paths = path_scene(scene, lights, options);
  const PathTracer tracer(paths, scene.model, options.traversal);
  const std::size_t segment_count = static_cast<std::size_t>(bounces) + 1;
  const auto row_length = static_cast<std::size_t>(width);
  // Row by row on all threads, then all rows behind each other.
  std::vector<PathRays> rows(static_cast<std::size_t>(height));
  scene.model.prepare_rays();
  detail::parallel_for(rows.size(), 1, 0, [&](std::size_t begin, std::size_t end) {
    for (std::size_t row = begin; row < end; ++row) {
      rows[row].segments.resize(segment_count);
      for (std::size_t x = 0; x < row_length; ++x) {
        tracer.pixel(row * row_length + x, {.log = &rows[row]});
      }
    }
  });
  PathRays rays;
  rays.segments.resize(segment_count);
  const auto append = [](std::vector<Ray>& to, const std::vector<Ray>& from) {
    to.insert(to.end(), from.begin(), from.end());
  };
  for (const PathRays& row : rows) {
    for (std::size_t i = 0; i < segment_count; ++i) append(rays.segments[i], row.segments[i]);
    append(rays.visibility, row.visibility);
  }
  return rays;
}

}  // namespace tandem::cli
