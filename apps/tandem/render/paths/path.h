// Paths of light, step by step. Whoever traces them finds the hits of their rays: the host path by
// path, a device wave by wave. The arithmetic is the same, so the pictures are too, to the bit.
#pragma once

#include <tandem/ray.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>

#include "render/colour.h"
#include "render/denoise.h"
#include "render/paths/path_scene.h"
#include "render/paths/pixel_random.h"
#include "render/paths/turn.h"

namespace tandem::cli {

/// What a path meets first; the point is relative to the eye.
struct FirstHit {
  Vec3d seen{0, 0, 0};
  Vec3d albedo{0, 0, 0};
  Vec3d normal{0, 0, 0};
  Vec3d point{0, 0, 0};

  TANDEM_HD FirstHit& operator+=(const FirstHit& other) {
    seen += other.seen;
    albedo += other.albedo;
    normal += other.normal;
    point += other.point;
    return *this;
  }
};

/// A path between two steps.
struct Path {
  PixelRandom random;
  /// The share of light that comes back along the path.
  Vec3d throughput{1, 1, 1};
  /// The radiance that it has found.
  Vec3d sum{0, 0, 0};
};

/// What follows from the hit of a path's ray.
struct PathStep {
  /// Whether the path goes on, along `next`; otherwise it has ended.
  bool goes_on = false;
  /// Whether `light` is to be added to the path's sum unless `towards_light` hits anything.
  bool looks = false;
  Ray next;
  Ray towards_light;
  Vec3d light;
};

namespace path_steps {

/// A place where a path is reflected.
struct Vertex {
  Vec3d point;
  /// Points to the side from which the path came.
  Vec3d normal;
};

/// A triangle as a corner and two sides.
struct Corner {
  Vec3d point;
  Vec3d side1;
  Vec3d side2;

  TANDEM_HD Corner(const PathScene& scene, std::uint32_t triangle) {
    const TriangleIndices& corners = scene.triangles[triangle];
    point = Vec3d(scene.vertices[corners[0]]);
    side1 = Vec3d(scene.vertices[corners[1]]) - point;
    side2 = Vec3d(scene.vertices[corners[2]]) - point;
  }
  TANDEM_HD Vec3d normal() const { return normalised(cross(side1, side2)); }
};

TANDEM_HD inline Vertex vertex(const PathScene& scene, const Ray& ray, const Hit& hit) {
  const Corner corner(scene, hit.triangle);
  Vec3d normal = corner.normal();
  if (dot(normal, Vec3d(ray.direction)) > 0) normal = -normal;
  return {corner.point + double{hit.u} * corner.side1 + double{hit.v} * corner.side2 +
              scene.offset * normal,
          normal};
}

/// A random reflected ray, distributed as a diffuse surface reflects light.
TANDEM_HD inline Ray reflected(const Vertex& at, PixelRandom::Point choice) {
  const double height = 1 - 2 * choice.x;
  const double across = std::sqrt(std::max(0.0, 1 - height * height));
  const SineCosine around = of_turn(choice.y);
  const Vec3d on_ball{across * around.cosine, across * around.sine, height};
  Vec3d direction = at.normal + on_ball;
  if (length_sq(direction) < 1e-12) direction = at.normal;
  return {Vec3f(at.point), Vec3f(normalised(direction))};
}

/// A point on a light, and its emission divided by the probability density of the point.
struct LightSample {
  Vec3d point;
  Vec3d normal;
  Vec3d weight;
};

/// `choice`, from 0 to 1, says which light, `place` where on it.
TANDEM_HD inline LightSample sample_light(const PathScene& scene, double choice,
                                          PixelRandom::Point place) {
  std::size_t chosen = 0;
  std::size_t last = scene.lights.count - 1;
  const double total = scene.lights[last].cumulative;
  const double target = choice * total;
  while (chosen < last) {
    const std::size_t middle = chosen + (last - chosen) / 2;
    if (target < scene.lights[middle].cumulative) {
      last = middle;
    } else {
      chosen = middle + 1;
    }
  }
  const Light& light = scene.lights[chosen];
  const Corner corner(scene, light.triangle);
  const double root = std::sqrt(place.x);
  return {corner.point + (root * (1 - place.y)) * corner.side1 + (root * place.y) * corner.side2,
          corner.normal(), (total / light.brightness) * scene.material(light.triangle).emission};
}

/// What arrives directly from a point on a light if nothing is in between, times the cosine, over
/// pi.
TANDEM_HD inline Vec3d unshadowed(const Vertex& at, const LightSample& light) {
  const Vec3d towards = light.point - at.point;
  const double distance_sq = length_sq(towards);
  const double cosine = dot(at.normal, towards);
  if (!(cosine > 0) || !(distance_sq > 0)) return {0, 0, 0};
  const double light_cosine = std::fabs(dot(light.normal, towards));
  const double geometry = cosine * light_cosine / (distance_sq * distance_sq);
  return (geometry / std::numbers::pi) * light.weight;
}

/// No diffuse surface can be brighter than the brightest light. A single sample near a light can:
/// it would be a white dot in the picture.
TANDEM_HD inline Vec3d bounded(const PathScene& scene, const Vec3d& light) {
  const double share = luminance(light) / scene.brightest;
  return share > 1 ? light / share : light;
}

/// What arrives directly from the lights. One of a few points on them is chosen, more often one
/// that gives more light here, so that the single visibility ray goes where it matters (Talbot,
/// Cline and Egbert 2005).
TANDEM_HD inline void look_at_lights(const PathScene& scene, const Vertex& at, Path& path,
                                     PathStep& step) {
  constexpr int k_candidates = 4;
  const PixelRandom::Point choice = path.random.point(scene.samples);
  const PixelRandom::Point place = path.random.point(scene.samples);
  Vec3d chosen_point;
  Vec3d chosen_light;
  double chosen_weight = 0;
  double total = 0;
  double pick = choice.y;
  for (int i = 0; i < k_candidates; ++i) {
    // One candidate from each quarter of the lights.
    const LightSample light =
        sample_light(scene, (choice.x + i) / k_candidates,
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
  if (total == 0) return;
  step.looks = true;
  // The ray ends just before the light.
  step.towards_light = {Vec3f(at.point), Vec3f(chosen_point - at.point), 0, 1 - 0x1p-12F};
  step.light = product(path.throughput,
                       bounded(scene, (total / (k_candidates * chosen_weight)) * chosen_light));
}

}  // namespace path_steps

/// Begins a path; its first ray.
TANDEM_HD inline Ray begin_path(const PathScene& scene, std::size_t pixel, std::uint32_t sample,
                                Path& path) {
  path = Path();
  path.random = PixelRandom(pixel, sample);
  const PixelRandom::Point at = path.random.point(scene.samples);
  const std::size_t row = pixel / scene.width;
  const std::size_t column = pixel % scene.width;
  return scene.lens.ray((static_cast<double>(column) + at.x) / scene.width,
                        (static_cast<double>(row) + at.y) / scene.height);
}

/// Goes on from the closest hit of the ray after so many bounces; `first` changes at the first one
/// alone.
TANDEM_HD inline PathStep next_step(const PathScene& scene, int bounce, const Ray& ray,
                                    const Hit& hit, Path& path, FirstHit& first) {
  PathStep step;
  if (hit.triangle == Hit::k_none) {
    const Vec3d sky = scene.sky.along(Vec3d(ray.direction));
    if (bounce == 0) first.seen = sky;
    path.sum += product(path.throughput, sky);
    return step;
  }
  const Material& material = scene.material(hit.triangle);
  // After the first segment, visibility rays count the lights; a path that hits one by chance must
  // not count it again.
  if (bounce == 0) path.sum += material.emission + material.glow;
  if (bounce == scene.bounces) return step;
  const path_steps::Vertex at = path_steps::vertex(scene, ray, hit);
  if (bounce == 0) first = {path.sum, material.albedo, at.normal, at.point - scene.lens.eye()};
  path.throughput = product(path.throughput, material.albedo);
  if (scene.lights.count > 0) path_steps::look_at_lights(scene, at, path, step);
  step.goes_on = true;
  step.next = path_steps::reflected(at, path.random.point(scene.samples));
  return step;
}

/// The samples of a pixel, added in their order.
class PixelSum {
 public:
  TANDEM_HD void add(const Vec3d& found, const FirstHit& first) {
    sum_ += found;
    firsts_ += first;
    const double light = brightness_of_light(found - first.seen, first.albedo);
    light_sum_ += light;
    light_sq_sum_ += light * light;
  }

  /// The mean of so many samples.
  TANDEM_HD Vec3d radiance(double count) const { return sum_ / count; }
  TANDEM_HD PixelFeatures features(double count) const {
    const double mean = light_sum_ / count;
    PixelFeatures features;
    features.seen = Vec3f(firsts_.seen / count);
    features.albedo = Vec3f(firsts_.albedo / count);
    features.normal = Vec3f(firsts_.normal / count);
    features.point = Vec3f(firsts_.point / count);
    features.variance = static_cast<float>(std::max(0.0, light_sq_sum_ / count - mean * mean) /
                                           std::max(1.0, count - 1));
    return features;
  }

 private:
  /// Of the light that a surface of that colour reflects so; 0 where it is black.
  TANDEM_HD static double brightness_of_light(const Vec3d& reflected, const Vec3d& albedo) {
    Vec3d light{0, 0, 0};
    for (int channel = 0; channel < 3; ++channel) {
      if (albedo[channel] > 0) light[channel] = reflected[channel] / albedo[channel];
    }
    return luminance(light);
  }

  Vec3d sum_;
  FirstHit firsts_;
  double light_sum_ = 0;
  double light_sq_sum_ = 0;
};

}  // namespace tandem::cli
