#include "render/path_tracer.h"

#include <tandem/ray_query.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <mutex>
#include <numbers>
#include <thread>

#include "parallel/parallel_for.h"
#include "render/colour.h"
#include "render/denoise.h"
#include "render/lens.h"
#include "render/lights.h"
#include "render/pixel_random.h"

namespace tandem::cli {

namespace {

/// A place where a path is reflected.
struct Vertex {
  Vec3d point;
  /// Points to the side from which the path came.
  Vec3d normal;
  std::uint32_t triangle;
};

class PathTracer {
 public:
  PathTracer(const Scene& scene, const RenderOptions& options)
      : scene_(scene),
        options_(options),
        lens_(scene.camera, options.width, options.height),
        lights_(scene) {
    // New rays begin a little off the surface, so that they do not hit it again. With coordinates
    // in float32 the distance cannot be smaller.
    const Bounds box = scene.model.mesh().bounds();
    double largest = length(scene.camera.eye);
    for (int axis = 0; axis < 3; ++axis) {
      largest = std::max(
          {largest, std::fabs(double{box.lower[axis]}), std::fabs(double{box.upper[axis]})});
    }
    offset_ = 0x1p-19 * std::min(largest, 4 * length(scene.camera.target - scene.camera.eye) +
                                              length(scene.camera.eye));
  }

  /// The radiance of a pixel, and what its paths met first. Adds all rays to `log` unless that is
  /// null.
  Vec3d pixel(int x, int y, PixelFeatures& features, RayStatistics* statistics,
              PathRays* log = nullptr) const {
    const Tracing tracing{statistics, log};
    Vec3d sum{0, 0, 0};
    FirstHit firsts{};
    double light_sum = 0;
    double light_sq_sum = 0;
    for (int sample = 0; sample < options_.samples; ++sample) {
      const auto index =
          static_cast<std::uint64_t>(y) * static_cast<std::uint64_t>(options_.width) +
          static_cast<std::uint64_t>(x);
      PixelRandom random(index, sample, options_.samples);
      const PixelRandom::Point at = random.point();
      const Ray ray = lens_.ray((x + at.x) / options_.width, (y + at.y) / options_.height);
      FirstHit first{};
      const Vec3d found = radiance(ray, random, tracing, first);
      sum += found;
      firsts += first;
      const double light = brightness_of_light(found - first.seen, first.albedo);
      light_sum += light;
      light_sq_sum += light * light;
    }
    const double count = options_.samples;
    const double mean = light_sum / count;
    features = {.seen = Vec3f(firsts.seen / count),
                .albedo = Vec3f(firsts.albedo / count),
                .normal = Vec3f(firsts.normal / count),
                .point = Vec3f(firsts.point / count),
                .variance = static_cast<float>(std::max(0.0, light_sq_sum / count - mean * mean) /
                                               std::max(1.0, count - 1))};
    return sum / count;
  }

  double pixel_size() const { return lens_.pixel_size(); }

 private:
  /// Where rays are counted and written down, unless null.
  struct Tracing {
    RayStatistics* statistics;
    PathRays* log;
  };

  /// What a path meets first; the point is relative to the eye.
  struct FirstHit {
    Vec3d seen;
    Vec3d albedo;
    Vec3d normal;
    Vec3d point;

    FirstHit& operator+=(const FirstHit& other) {
      seen += other.seen;
      albedo += other.albedo;
      normal += other.normal;
      point += other.point;
      return *this;
    }
  };

  /// Of the light that a surface of that colour reflects so; 0 where it is black.
  static double brightness_of_light(const Vec3d& reflected, const Vec3d& albedo) {
    Vec3d light{0, 0, 0};
    for (int channel = 0; channel < 3; ++channel) {
      if (albedo[channel] > 0) light[channel] = reflected[channel] / albedo[channel];
    }
    return luminance(light);
  }

  Hit closest(const Ray& ray, const Tracing& tracing) const {
    if (tracing.statistics == nullptr) return closest_hit(scene_.model, ray, engine());
    Hit hit;
    *tracing.statistics += closest_hits(scene_.model, {&ray, 1}, {&hit, 1}, counting());
    return hit;
  }
  bool any(const Ray& ray, const Tracing& tracing) const {
    if (tracing.statistics == nullptr) return any_hit(scene_.model, ray, engine());
    std::uint8_t hit = 0;
    *tracing.statistics += any_hits(scene_.model, {&ray, 1}, {&hit, 1}, counting());
    return hit != 0;
  }
  RayEngine engine() const { return {.traversal = options_.traversal}; }
  RayOptions counting() const { return {.engine = engine(), .statistics = true}; }

  Vertex vertex(const Ray& ray, const Hit& hit) const {
    const TriangleF t = scene_.model.mesh().triangle(hit.triangle);
    const Vec3d a(t.corner[0]);
    const Vec3d side1 = Vec3d(t.corner[1]) - a;
    const Vec3d side2 = Vec3d(t.corner[2]) - a;
    Vec3d normal = normalised(cross(side1, side2));
    if (dot(normal, Vec3d(ray.direction)) > 0) normal = -normal;
    return {a + double{hit.u} * side1 + double{hit.v} * side2 + offset_ * normal, normal,
            hit.triangle};
  }

  /// A random reflected ray, distributed as a diffuse surface reflects light.
  static Ray reflected(const Vertex& at, PixelRandom::Point choice) {
    const double height = 1 - 2 * choice.x;
    const double across = std::sqrt(std::max(0.0, 1 - height * height));
    const double angle = 2 * std::numbers::pi * choice.y;
    const Vec3d on_ball{across * std::cos(angle), across * std::sin(angle), height};
    Vec3d direction = at.normal + on_ball;
    if (length_sq(direction) < 1e-12) direction = at.normal;
    return {Vec3f(at.point), Vec3f(normalised(direction))};
  }

  Vec3d radiance(Ray ray, PixelRandom& random, const Tracing& tracing, FirstHit& first) const {
    Vec3d sum{0, 0, 0};
    Vec3d throughput{1, 1, 1};
    for (int bounce = 0;; ++bounce) {
      if (tracing.log != nullptr) {
        tracing.log->segments[static_cast<std::size_t>(bounce)].push_back(ray);
      }
      const Hit hit = closest(ray, tracing);
      if (!hit) {
        const Vec3d sky = scene_.sky.along(Vec3d(ray.direction));
        if (bounce == 0) first.seen = sky;
        return sum + product(throughput, sky);
      }
      const Material& material = scene_.material(hit.triangle);
      // After the first segment, visibility rays count the lights; a path that hits one by chance
      // must not count it again.
      if (bounce == 0) sum += material.emission + material.glow;
      if (bounce == options_.bounces) return sum;
      const Vertex at = vertex(ray, hit);
      if (bounce == 0) first = {sum, material.albedo, at.normal, at.point - scene_.camera.eye};
      throughput = product(throughput, material.albedo);
      if (!lights_.empty()) sum += product(throughput, bounded(direct(at, random, tracing)));
      ray = reflected(at, random.point());
    }
  }

  /// What arrives directly from a point on a light if nothing is in between, times the cosine, over
  /// pi.
  Vec3d unshadowed(const Vertex& at, const Lights::Sample& light) const {
    const Vec3d towards = light.point - at.point;
    const double distance_sq = length_sq(towards);
    const double cosine = dot(at.normal, towards);
    if (!(cosine > 0) || !(distance_sq > 0)) return {0, 0, 0};
    const double light_cosine = std::fabs(dot(light.normal, towards));
    const double geometry = cosine * light_cosine / (distance_sq * distance_sq);
    return (geometry / std::numbers::pi) * light.weight;
  }

  /// What arrives directly from the lights. One of a few points on them is chosen, more often one
  /// that gives more light here, so that the single visibility ray goes where it matters (Talbot,
  /// Cline and Egbert 2005).
  Vec3d direct(const Vertex& at, PixelRandom& random, const Tracing& tracing) const {
    constexpr int k_candidates = 4;
    const PixelRandom::Point choice = random.point();
    const PixelRandom::Point place = random.point();
    Vec3d chosen_point;
    Vec3d chosen_light;
    double chosen_weight = 0;
    double total = 0;
    double pick = choice.y;
    for (int i = 0; i < k_candidates; ++i) {
      // One candidate from each quarter of the lights.
      const Lights::Sample light =
          lights_.sample({(choice.x + i) / k_candidates, 0},
                         {PixelRandom::fraction(place.x + i * PixelRandom::k_step_x),
                          PixelRandom::fraction(place.y + i * PixelRandom::k_step_y)});
      const Vec3d given = unshadowed(at, light);
      const double weight = luminance(given);
      if (!(weight > 0)) continue;
      total += weight;
      const double share = weight / total;
      if (pick < share) {
        chosen_point = light.point;
        chosen_light = given;
        chosen_weight = weight;
        pick /= share;
      } else {
        pick = (pick - share) / (1 - share);
      }
    }
    if (total == 0) return {0, 0, 0};
    // The ray ends just before the light.
    const Ray ray{Vec3f(at.point), Vec3f(chosen_point - at.point), 0, 1 - 0x1p-12F};
    if (tracing.log != nullptr) tracing.log->visibility.push_back(ray);
    if (any(ray, tracing)) return {0, 0, 0};
    return (total / (k_candidates * chosen_weight)) * chosen_light;
  }

  /// No diffuse surface can be brighter than the brightest light. A single sample near a light can:
  /// it would be a white dot in the picture.
  Vec3d bounded(const Vec3d& light) const {
    const double share = luminance(light) / lights_.brightest();
    return share > 1 ? light / share : light;
  }

  const Scene& scene_;
  const RenderOptions& options_;
  Lens lens_;
  Lights lights_;
  double offset_;
};

}  // namespace

RenderResult render(const Scene& scene, const RenderOptions& options) {
  const PathTracer tracer(scene, options);
  RenderResult result{Image(options.width, options.height), {}};
  Features features{options.width, options.height, tracer.pixel_size(), {}};
  features.pixels.resize(result.image.pixels.size());
  const Vec3d* const first_pixel = result.image.pixels.data();
  std::atomic<int> done_rows = 0;
  std::mutex mutex;
  const std::thread::id caller = std::this_thread::get_id();
  const auto render_row = [&](std::size_t row, std::size_t) {
    const int y = static_cast<int>(row);
    RayStatistics counts;
    for (int x = 0; x < options.width; ++x) {
      Vec3d& pixel = result.image.at(x, y);
      PixelFeatures& met = features.pixels[static_cast<std::size_t>(&pixel - first_pixel)];
      pixel = tracer.pixel(x, y, met, options.statistics ? &counts : nullptr);
    }
    if (options.statistics) {
      const std::lock_guard lock(mutex);
      result.statistics += counts;
    }
    // Only the calling thread reports, so that the share never falls.
    const int done = ++done_rows;
    if (options.progress && std::this_thread::get_id() == caller) {
      options.progress(static_cast<double>(done) / options.height);
    }
  };
  scene.model.prepare_rays({.traversal = options.traversal});
  detail::parallel_for(static_cast<std::size_t>(options.height), 1, options.threads, render_row);
  if (options.denoise) result.image = denoised(result.image, features, options.threads);
  return result;
}

PathRays record_paths(const Scene& scene, int width, int height, int bounces) {
  const RenderOptions options{.width = width, .height = height, .samples = 1, .bounces = bounces};
  const PathTracer tracer(scene, options);
  PathRays rays;
  rays.segments.resize(static_cast<std::size_t>(bounces) + 1);
  PixelFeatures features;
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) tracer.pixel(x, y, features, nullptr, &rays);
  }
  return rays;
}

}  // namespace tandem::cli
