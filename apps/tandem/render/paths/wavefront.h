// Paths wave by wave, for devices: all paths of a wave take one step, then their rays are traced
// together. Paths that have ended leave the wave (Laine, Karras and Aila 2013).
#pragma once

#include <tandem/sink.h>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "gpu/kernel.h"
#include "render/denoise.h"
#include "render/paths/path.h"

namespace tandem::cli {

/// Rays of paths, in any order.
struct WaveRays {
  Ray* rays;
  /// Whose they are.
  std::uint32_t* paths;
};

/// How many rays were put into a step's two lists.
struct WaveCounts {
  std::uint32_t next;
  std::uint32_t towards_light;
};

/// One thread per path. A pixel's samples are neighbours, as their rays take similar ways.
struct BeginPaths {
  using Shared = detail::NothingShared;

  PathScene scene;
  std::size_t first_pixel;
  std::uint32_t first_sample;
  /// Of each pixel.
  std::uint32_t sample_count;
  std::uint32_t path_count;
  Path* paths;
  WaveRays to;

  template <class Threads>
  TANDEM_KERNEL void operator()(const Threads& threads, Shared&) const {
    const std::uint32_t i = threads.index();
    if (i >= path_count) return;
    to.rays[i] = begin_path(scene, first_pixel + i / sample_count, first_sample + i % sample_count,
                            paths[i]);
    to.paths[i] = i;
  }
};

/// One thread per ray whose closest hit is known.
struct StepPaths {
  using Shared = detail::NothingShared;

  PathScene scene;
  int bounce;
  std::uint32_t ray_count;
  WaveRays from;
  const Hit* hits;
  Path* paths;
  FirstHit* firsts;
  WaveRays next;
  WaveRays towards_light;
  /// What each of these brings.
  Vec3d* light;
  WaveCounts* counts;

  template <class Threads>
  TANDEM_KERNEL void operator()(const Threads& threads, Shared&) const {
    const std::uint32_t i = threads.index();
    PathStep step;
    std::uint32_t path = 0;
    if (i < ray_count) {
      path = from.paths[i];
      Path own = paths[path];
      FirstHit first;
      step = next_step(scene, bounce, from.rays[i], hits[i], own, first);
      paths[path] = own;
      if (bounce == 0) firsts[path] = first;
    }
    const std::uint32_t next_place = places(threads, step.goes_on, &counts->next);
    if (step.goes_on) {
      next.rays[next_place] = step.next;
      next.paths[next_place] = path;
    }
    const std::uint32_t light_place = places(threads, step.looks, &counts->towards_light);
    if (step.looks) {
      towards_light.rays[light_place] = step.towards_light;
      towards_light.paths[light_place] = path;
      light[light_place] = step.light;
    }
  }

 private:
  /// A place in a list for each thread of the warp that wants one.
  template <class Threads>
  TANDEM_KERNEL static std::uint32_t places(const Threads& threads, bool wants,
                                            std::uint32_t* count) {
    const std::uint32_t all = threads.ballot(wants);
    std::uint32_t first = 0;
    if (threads.lane() == 0 && all != 0) {
      first = threads.atomic_add(count, static_cast<std::uint32_t>(std::popcount(all)));
    }
    first = threads.shuffle(first, 0);
    return first + static_cast<std::uint32_t>(std::popcount(all & ((1U << threads.lane()) - 1)));
  }
};

/// One thread per ray towards a light. A path has one at most.
struct AddLight {
  using Shared = detail::NothingShared;

  std::uint32_t ray_count;
  const std::uint32_t* ray_paths;
  const Vec3d* light;
  const std::uint8_t* hits;
  Path* paths;

  template <class Threads>
  TANDEM_KERNEL void operator()(const Threads& threads, Shared&) const {
    const std::uint32_t i = threads.index();
    if (i < ray_count && hits[i] == 0) paths[ray_paths[i]].sum += light[i];
  }
};

/// One thread per pixel: sums round as on the host when the samples come in their order.
struct AddSamples {
  using Shared = detail::NothingShared;

  std::uint32_t pixel_count;
  /// Of each pixel.
  std::uint32_t sample_count;
  const Path* paths;
  const FirstHit* firsts;
  PixelSum* sums;

  template <class Threads>
  TANDEM_KERNEL void operator()(const Threads& threads, Shared&) const {
    const std::uint32_t i = threads.index();
    if (i >= pixel_count) return;
    PixelSum sum = sums[i];
    for (std::uint32_t sample = 0; sample < sample_count; ++sample) {
      const std::uint32_t path = i * sample_count + sample;
      sum.add(paths[path].sum, firsts[path]);
    }
    sums[i] = sum;
  }
};

/// One thread per pixel.
struct FinishPixels {
  using Shared = detail::NothingShared;

  std::uint32_t pixel_count;
  /// Of each pixel.
  std::uint32_t sample_count;
  const PixelSum* sums;
  Vec3d* radiance;
  PixelFeatures* features;

  template <class Threads>
  TANDEM_KERNEL void operator()(const Threads& threads, Shared&) const {
    const std::uint32_t i = threads.index();
    if (i >= pixel_count) return;
    radiance[i] = sums[i].radiance(sample_count);
    features[i] = sums[i].features(sample_count);
  }
};

/// Traces all paths of a picture, at most `most_paths` at a time, to arrays on the host. `On` runs
/// kernels and owns memory, on a device or on the CPU:
///
///   on.zeros<T>(count)                 an array of zero bytes; `data()` points to it
///   on.array<T>(count)                 one of anything
///   on.launch(kernel, thread_count)    runs a kernel with at least so many threads
///   on.fetch(from, to, count)          copies to the host, and waits for it
///   on.closest_hits(rays, hits, count) traces rays
///   on.any_hits(rays, hits, count)     says which rays hit anything
template <class On>
class Wavefront {
 public:
  Wavefront(On& on, const PathScene& scene, std::uint32_t most_paths)
      : on_(on),
        scene_(scene),
        pixels_at_once_(
            static_cast<std::uint32_t>(std::min<std::size_t>(scene.pixel_count(), most_paths))),
        samples_at_once_(std::min(scene.samples.count(), most_paths / pixels_at_once_)),
        most_paths_(pixels_at_once_ * samples_at_once_) {}

  void trace(Vec3d* radiance, PixelFeatures* features, const Progress& progress) {
    const std::size_t pixel_count = scene_.pixel_count();
    const std::size_t parts = (pixel_count + pixels_at_once_ - 1) / pixels_at_once_;
    const std::uint32_t sample_count = scene_.samples.count();
    const std::size_t waves = (sample_count + samples_at_once_ - 1) / samples_at_once_;
    const auto steps = static_cast<double>(scene_.bounces + 1);
    std::size_t done_waves = 0;
    const auto report = [&](double done_steps) {
      if (!progress) return;
      progress((static_cast<double>(done_waves) + done_steps / steps) /
               static_cast<double>(parts * waves));
    };
    for (std::size_t first = 0; first < pixel_count; first += pixels_at_once_) {
      const auto count =
          static_cast<std::uint32_t>(std::min<std::size_t>(pixel_count - first, pixels_at_once_));
      const auto sums = on_.template zeros<PixelSum>(count);
      for (std::uint32_t sample = 0; sample < sample_count; sample += samples_at_once_) {
        const std::uint32_t samples = std::min(sample_count - sample, samples_at_once_);
        trace_wave(first, count, sample, samples, report);
        on_.launch(AddSamples{count, samples, paths_.data(), firsts_.data(), sums.data()}, count);
        ++done_waves;
        report(0);
      }
      const auto found = on_.template array<Vec3d>(count);
      const auto met = on_.template array<PixelFeatures>(count);
      on_.launch(FinishPixels{count, sample_count, sums.data(), found.data(), met.data()}, count);
      on_.fetch(found.data(), radiance + first, count);
      on_.fetch(met.data(), features + first, count);
    }
  }

 private:
  template <class T>
  using Array = decltype(std::declval<On&>().template array<T>(0));

  /// The memory of a list.
  struct RayList {
    RayList(On& on, std::size_t count)
        : rays(on.template array<Ray>(count)), paths(on.template array<std::uint32_t>(count)) {}
    WaveRays view() const { return {rays.data(), paths.data()}; }

    Array<Ray> rays;
    Array<std::uint32_t> paths;
  };

  template <class Report>
  void trace_wave(std::size_t first_pixel, std::uint32_t pixel_count, std::uint32_t first_sample,
                  std::uint32_t sample_count, const Report& report) {
    std::uint32_t count = pixel_count * sample_count;
    WaveRays current = lists_[0].view();
    WaveRays next = lists_[1].view();
    on_.launch(
        BeginPaths{scene_, first_pixel, first_sample, sample_count, count, paths_.data(), current},
        count);
    for (int bounce = 0; count > 0; ++bounce) {
      on_.closest_hits(current.rays, hits_.data(), count);
      const auto counts_on_device = on_.template zeros<WaveCounts>(1);
      on_.launch(
          StepPaths{scene_, bounce, count, current, hits_.data(), paths_.data(), firsts_.data(),
                    next, lights_.view(), light_.data(), counts_on_device.data()},
          count);
      WaveCounts counts{};
      on_.fetch(counts_on_device.data(), &counts, 1);
      if (counts.towards_light > 0) {
        on_.any_hits(lights_.rays.data(), any_.data(), counts.towards_light);
        on_.launch(AddLight{counts.towards_light, lights_.paths.data(), light_.data(), any_.data(),
                            paths_.data()},
                   counts.towards_light);
      }
      std::swap(current, next);
      count = counts.next;
      report(bounce + 1);
    }
  }

  On& on_;
  PathScene scene_;
  std::uint32_t pixels_at_once_;
  std::uint32_t samples_at_once_;
  std::uint32_t most_paths_;
  Array<Path> paths_ = on_.template array<Path>(most_paths_);
  Array<FirstHit> firsts_ = on_.template array<FirstHit>(most_paths_);
  RayList lists_[2] = {RayList(on_, most_paths_), RayList(on_, most_paths_)};
  Array<Hit> hits_ = on_.template array<Hit>(most_paths_);
  RayList lights_{on_, most_paths_};
  Array<Vec3d> light_ = on_.template array<Vec3d>(most_paths_);
  Array<std::uint8_t> any_ = on_.template array<std::uint8_t>(most_paths_);
};

}  // namespace tandem::cli
