#include "render/path_tracer.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <exception>
#include <mutex>
#include <numbers>
#include <numeric>
#include <optional>
#include <thread>

#include "render/vectors.h"

namespace tandem::cli {

namespace {

double luminance(const Vec3d& c) {
  return 0.2126 * c.x + 0.7152 * c.y + 0.0722 * c.z;
}

/// Random numbers of one sample of a pixel (SplitMix64), and from them points of a sequence that fills
/// the unit square evenly as samples go on (Roberts 2018). Each use has its own shift and its own order
/// of the samples, so that no two uses go together.
class PixelRandom {
 public:
  PixelRandom(std::uint64_t pixel, int sample, int sample_count)
      : state_(mix(pixel + 0x9e3779b97f4a7c15)),
        sample_(static_cast<std::uint32_t>(sample)),
        sample_count_(static_cast<std::uint32_t>(sample_count)) {}

  struct Point {
    double x;
    double y;
  };
  Point point() {
    constexpr double k_step_x = 0.7548776662466927;
    constexpr double k_step_y = 0.5698402909980532;
    const double index = permuted(static_cast<std::uint32_t>(next()));
    return {fraction(uniform() + k_step_x * index), fraction(uniform() + k_step_y * index)};
  }

 private:
  static std::uint64_t mix(std::uint64_t bits) {
    bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9;
    bits = (bits ^ (bits >> 27)) * 0x94d049bb133111eb;
    return bits ^ (bits >> 31);
  }
  static double fraction(double x) { return x - std::floor(x); }
  std::uint64_t next() {
    state_ += 0x9e3779b97f4a7c15;
    return mix(state_);
  }
  double uniform() { return static_cast<double>(next() >> 11) * 0x1p-53; }

  /// The sample's place in an order of all samples that the seed chooses: a cipher on as many bits as
  /// they need, applied until the result is one of them (Kensler 2013).
  std::uint32_t permuted(std::uint32_t seed) const {
    const std::uint32_t mask = std::bit_ceil(sample_count_) - 1;
    if (mask == 0) return 0;
    const int shift = std::max(1, static_cast<int>(std::bit_width(mask)) / 2);
    std::uint32_t i = sample_;
    do {
      i = (i ^ seed) & mask;
      i = (i * 0xe170893d) & mask;
      i ^= i >> shift;
      i = (i ^ (seed >> 8)) & mask;
      i = (i * 0x6935fa69) & mask;
      i ^= i >> shift;
      i = (i * 0x0929eb3f) & mask;
      i ^= i >> shift;
    } while (i >= sample_count_);
    return i;
  }

  std::uint64_t state_;
  std::uint32_t sample_;
  std::uint32_t sample_count_;
};

/// The triangles that shine, chosen by the light that they give.
class Lights {
 public:
  explicit Lights(const Scene& scene) : scene_(scene) {
    for (std::uint32_t id = 0; id < scene.model.mesh().triangle_count(); ++id) {
      const Vec3d& emission = scene.material(id).emission;
      const double brightness = emission.x + emission.y + emission.z;
      if (!(brightness > 0)) continue;
      const TriangleF t = scene.model.mesh().triangle(id);
      const double area = 0.5 * length(cross(Vec3d(t.corner[1]) - Vec3d(t.corner[0]),
                                             Vec3d(t.corner[2]) - Vec3d(t.corner[0])));
      if (!(area > 0)) continue;
      brightest_ = std::max(brightest_, luminance(emission));
      total_ += brightness * area;
      lights_.push_back({id, brightness, total_});
    }
  }

  bool empty() const { return lights_.empty(); }
  double brightest() const { return brightest_; }

  /// A point on a light, and its light divided by how likely an area around it is chosen.
  struct Sample {
    Vec3d point;
    Vec3d normal;
    Vec3d weight;
  };
  Sample sample(PixelRandom::Point choice, PixelRandom::Point place) const {
    const double target = choice.x * total_;
    auto chosen =
        std::upper_bound(lights_.begin(), lights_.end(), target,
                         [](double value, const Light& light) { return value < light.cumulative; });
    if (chosen == lights_.end()) --chosen;
    const TriangleF t = scene_.model.mesh().triangle(chosen->triangle);
    const Vec3d a(t.corner[0]);
    const Vec3d side1 = Vec3d(t.corner[1]) - a;
    const Vec3d side2 = Vec3d(t.corner[2]) - a;
    const double root = std::sqrt(place.x);
    return {a + (root * (1 - place.y)) * side1 + (root * place.y) * side2,
            normalised(cross(side1, side2)),
            (total_ / chosen->brightness) * scene_.material(chosen->triangle).emission};
  }

 private:
  struct Light {
    std::uint32_t triangle;
    double brightness;
    double cumulative;
  };
  const Scene& scene_;
  std::vector<Light> lights_;
  double total_ = 0;
  double brightest_ = 0;
};

/// Rays through points of the picture, from 0 to 1 along each side.
class Lens {
 public:
  Lens(const Camera& camera, int width, int height)
      : eye_(camera.eye), forward_(normalised(camera.target - camera.eye)) {
    const double half_height = std::tan(camera.field_of_view_degrees / 2 * std::numbers::pi / 180);
    const Vec3d side = normalised(cross(forward_, camera.up));
    right_ = (half_height * width / height) * side;
    down_ = -half_height * cross(side, forward_);
  }

  Ray ray(double x, double y) const {
    const Vec3d direction = normalised(forward_ + (2 * x - 1) * right_ + (2 * y - 1) * down_);
    return {Vec3f(eye_), Vec3f(direction)};
  }

 private:
  Vec3d eye_;
  Vec3d forward_;
  Vec3d right_;
  Vec3d down_;
};

/// A place where a path is reflected.
struct Vertex {
  Vec3d point;
  /// Towards where the path came from.
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
    // New rays begin a little off the surface: float32 leaves room for no less.
    const Bounds box = scene.model.mesh().bounds();
    double largest = length(scene.camera.eye);
    for (int axis = 0; axis < 3; ++axis) {
      largest = std::max(
          {largest, std::fabs(double{box.lower[axis]}), std::fabs(double{box.upper[axis]})});
    }
    offset_ = 0x1p-19 * std::min(largest, 4 * length(scene.camera.target - scene.camera.eye) +
                                              length(scene.camera.eye));
  }

  /// The rays are noted in `log` unless that is null.
  Vec3d pixel(int x, int y, RayStatistics* statistics, PathRays* log = nullptr) const {
    const Tracing tracing{{.traversal = options_.traversal, .statistics = statistics}, log};
    Vec3d sum{0, 0, 0};
    for (int sample = 0; sample < options_.samples; ++sample) {
      const auto index =
          static_cast<std::uint64_t>(y) * static_cast<std::uint64_t>(options_.width) +
          static_cast<std::uint64_t>(x);
      PixelRandom random(index, sample, options_.samples);
      const PixelRandom::Point at = random.point();
      const Ray ray = lens_.ray((x + at.x) / options_.width, (y + at.y) / options_.height);
      sum = sum + radiance(ray, random, tracing);
    }
    return (1.0 / options_.samples) * sum;
  }

 private:
  struct Tracing {
    RayOptions how;
    PathRays* log;
  };

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

  /// A reflected direction, as likely as a diffuse surface reflects light there.
  static Ray reflected(const Vertex& at, PixelRandom::Point choice) {
    const double height = 1 - 2 * choice.x;
    const double across = std::sqrt(std::max(0.0, 1 - height * height));
    const double angle = 2 * std::numbers::pi * choice.y;
    const Vec3d on_ball{across * std::cos(angle), across * std::sin(angle), height};
    Vec3d direction = at.normal + on_ball;
    if (dot(direction, direction) < 1e-12) direction = at.normal;
    return {Vec3f(at.point), Vec3f(normalised(direction))};
  }

  Vec3d radiance(Ray ray, PixelRandom& random, const Tracing& tracing) const {
    Vec3d sum{0, 0, 0};
    Vec3d throughput{1, 1, 1};
    for (int bounce = 0;; ++bounce) {
      if (tracing.log != nullptr) {
        tracing.log->segments[static_cast<std::size_t>(bounce)].push_back(ray);
      }
      const Hit hit = closest_hit(scene_.model, ray, tracing.how);
      if (!hit) return sum + product(throughput, scene_.sky.along(Vec3d(ray.direction)));
      const Material& material = scene_.material(hit.triangle);
      // Light that a path meets by chance was counted by the visibility ray before it.
      if (bounce == 0) sum = sum + material.emission + material.glow;
      if (bounce == options_.bounces) return sum;
      const Vertex at = vertex(ray, hit);
      throughput = product(throughput, material.albedo);
      if (!lights_.empty()) sum = sum + product(throughput, bounded(direct(at, random, tracing)));
      ray = reflected(at, random.point());
    }
  }

  /// Light that would come straight from a point on a light, times the cosine, over pi.
  Vec3d unshadowed(const Vertex& at, const Lights::Sample& light) const {
    const Vec3d towards = light.point - at.point;
    const double distance_sq = dot(towards, towards);
    const double cosine = dot(at.normal, towards);
    if (!(cosine > 0) || !(distance_sq > 0)) return {0, 0, 0};
    const double light_cosine = std::fabs(dot(light.normal, towards));
    const double geometry = cosine * light_cosine / (distance_sq * distance_sq);
    return (geometry / std::numbers::pi) * light.weight;
  }

  /// Light from the lights. Of a few points on them one is chosen by what it would give here, so that
  /// the one visibility ray goes where it matters (Talbot, Cline and Egbert 2005).
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
      // Every fourth part of the lights gives one.
      const Lights::Sample light = lights_.sample(
          {(choice.x + i) / k_candidates, 0},
          {shifted(place.x, i * 0.7548776662466927), shifted(place.y, i * 0.5698402909980532)});
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
    // Up to just before the light.
    const Ray ray{Vec3f(at.point), Vec3f(chosen_point - at.point), 0, 1 - 0x1p-12F};
    if (tracing.log != nullptr) tracing.log->visibility.push_back(ray);
    if (any_hit(scene_.model, ray, tracing.how)) return {0, 0, 0};
    return (total / (k_candidates * chosen_weight)) * chosen_light;
  }

  /// No diffuse surface can be brighter than the brightest light. A sample near a light can: it would
  /// be a white dot in the picture.
  Vec3d bounded(const Vec3d& light) const {
    const double share = luminance(light) / lights_.brightest();
    return share > 1 ? (1 / share) * light : light;
  }

  static double shifted(double x, double by) { return x + by - std::floor(x + by); }

  const Scene& scene_;
  const RenderOptions& options_;
  Lens lens_;
  Lights lights_;
  double offset_;
};

/// Makes the mean of all that is not black middle grey (of logarithms, so that a few lamps do not
/// darken the rest), unless a tenth of it would be too bright then.
double automatic_exposure(const Image& image) {
  std::vector<double> brightness;
  double sum = 0;
  for (const Vec3d& pixel : image.pixels) {
    if (!(luminance(pixel) > 0)) continue;
    brightness.push_back(luminance(pixel));
    sum += std::log(brightness.back());
  }
  if (brightness.empty()) return 1;
  const auto high = brightness.begin() + static_cast<std::ptrdiff_t>(brightness.size() * 9 / 10);
  std::nth_element(brightness.begin(), high, brightness.end());
  return std::min(0.25 / std::exp(sum / static_cast<double>(brightness.size())), 1.2 / *high);
}

}  // namespace

Image render(const Scene& scene, const RenderOptions& options) {
  const PathTracer tracer(scene, options);
  Image image{options.width, options.height, {}};
  image.pixels.resize(static_cast<std::size_t>(options.width) *
                      static_cast<std::size_t>(options.height));
  std::atomic<int> next_row = 0;
  std::atomic<int> done_rows = 0;
  std::mutex mutex;
  std::exception_ptr failure;
  const std::thread::id caller = std::this_thread::get_id();
  // Threads take the next row until there is none.
  const auto work = [&] {
    RayStatistics counts;
    try {
      for (int y; (y = next_row++) < options.height;) {
        for (int x = 0; x < options.width; ++x) {
          image.pixels[static_cast<std::size_t>(y) * static_cast<std::size_t>(options.width) +
                       static_cast<std::size_t>(x)] =
              tracer.pixel(x, y, options.statistics == nullptr ? nullptr : &counts);
        }
        const int done = ++done_rows;
        if (options.progress && std::this_thread::get_id() == caller) {
          options.progress(static_cast<double>(done) / options.height);
        }
      }
    } catch (...) {
      next_row = options.height;
      const std::lock_guard lock(mutex);
      failure = std::current_exception();
    }
    const std::lock_guard lock(mutex);
    if (options.statistics != nullptr) *options.statistics += counts;
  };
  {
    const int count = options.threads > 0
                          ? options.threads
                          : static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
    std::vector<std::jthread> threads;
    for (int i = 1; i < std::min(count, options.height); ++i) threads.emplace_back(work);
    work();
  }
  if (failure) std::rethrow_exception(failure);
  return image;
}

PathRays record_paths(const Scene& scene, int width, int height, int bounces) {
  const RenderOptions options{.width = width, .height = height, .samples = 1, .bounces = bounces};
  const PathTracer tracer(scene, options);
  PathRays rays;
  rays.segments.resize(static_cast<std::size_t>(bounces) + 1);
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) tracer.pixel(x, y, nullptr, &rays);
  }
  return rays;
}

std::vector<std::uint8_t> develop(const Image& image, double exposure) {
  if (exposure == 0) {
    exposure = automatic_exposure(image);
  }
  std::vector<std::uint8_t> bytes;
  bytes.reserve(3 * image.pixels.size());
  for (const Vec3d& pixel : image.pixels) {
    for (int channel = 0; channel < 3; ++channel) {
      // Straight for shadows and middle tones; what is brighter nears white (Reinhard et al. 2002).
      constexpr double k_white_sq = 3 * 3;
      const double x = exposure * pixel[channel];
      const double y = std::min(1.0, x * (1 + x / k_white_sq) / (1 + x) * 1.25);
      const double srgb = y <= 0.0031308 ? 12.92 * y : 1.055 * std::pow(y, 1 / 2.4) - 0.055;
      bytes.push_back(static_cast<std::uint8_t>(std::lround(255 * std::clamp(srgb, 0.0, 1.0))));
    }
  }
  return bytes;
}

}  // namespace tandem::cli
