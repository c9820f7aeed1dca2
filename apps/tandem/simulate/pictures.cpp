#include "simulate/pictures.h"

#include <tandem/error.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <iterator>
#include <numbers>
#include <span>
#include <string>

#include "math/random.h"
#include "render/path_tracer.h"
#include "render/png_file.h"
#include "render/scene_builder.h"
#include "text/numbers.h"
#include "text/strings.h"

namespace tandem::cli {

namespace {

/// Simulations have z upwards, pictures y.
Pose upright() {
  return Pose::from_axis_angle({1, 0, 0}, -std::numbers::pi / 2);
}

constexpr Vec3d k_colours[] = {{0.1, 0.25, 0.5},   {0.75, 0.48, 0.12}, {0.52, 0.12, 0.08},
                               {0.16, 0.4, 0.2},   {0.7, 0.66, 0.56},  {0.3, 0.17, 0.4},
                               {0.06, 0.38, 0.42}, {0.62, 0.3, 0.12}};
constexpr Vec3d k_static_colour{0.56, 0.57, 0.6};

/// From the right, above and in front: scenes leave out what stands there.
constexpr Vec3d k_direction{0.55, 0.55, 1};

/// Neighbours in a grid of bodies have different colours.
std::size_t colour_of(sim::BodyId body) {
  return static_cast<std::size_t>(detail::Random::mix(body) % std::size(k_colours));
}

bool is_drawn(const SimScene& scene, sim::BodyId body) {
  return std::find(scene.not_drawn.begin(), scene.not_drawn.end(), body) == scene.not_drawn.end();
}

/// The corners of a body's box, in the picture's frame.
std::array<Vec3d, 8> corners_of(const sim::Simulation& world, sim::BodyId body) {
  const Pose pose = upright() * world.pose(body);
  const Bounds box = world.model(body).mesh().bounds();
  std::array<Vec3d, 8> corners;
  for (std::size_t i = 0; i < corners.size(); ++i) {
    Vec3d corner;
    for (int k = 0; k < 3; ++k) corner[k] = ((i >> k & 1) != 0 ? box.upper : box.lower)[k];
    corners[i] = transform_point(pose, corner);
  }
  return corners;
}

/// The least box with all points.
Bounds box_of(std::span<const Vec3d> points) {
  if (points.empty()) return {{-1, -1, -1}, {1, 1, 1}};
  Vec3d lower = points[0];
  Vec3d upper = points[0];
  for (const Vec3d& point : points) {
    lower = min(lower, point);
    upper = max(upper, point);
  }
  return {Vec3f(lower), Vec3f(upper)};
}

double size_of(const Bounds& box) {
  return length(Vec3d(box.upper) - Vec3d(box.lower));
}

}  // namespace

SimCamera::SimCamera(const SimScene& scene, const SimPictureOptions& options) : options_(options) {
  // What moves, and what else is no larger than all of that.
  std::vector<Vec3d> points;
  const auto add = [&](sim::BodyId id) {
    const auto corners = corners_of(scene.world, id);
    points.insert(points.end(), corners.begin(), corners.end());
  };
  for (sim::BodyId id = 0; id < scene.world.body_count(); ++id) {
    if (!scene.world.is_static(id)) add(id);
  }
  constexpr double k_larger = 1.5;
  const double largest = k_larger * size_of(box_of(points));
  double lowest = INFINITY;
  for (sim::BodyId id = 0; id < scene.world.body_count(); ++id) {
    if (!scene.world.is_static(id) || !is_drawn(scene, id)) continue;
    const auto corners = corners_of(scene.world, id);
    for (const Vec3d& corner : corners) lowest = std::min(lowest, corner.y);
    if (size_of(box_of(corners)) <= largest) add(id);
  }
  stage_ = box_of(points);
  const Vec3d centre = 0.5 * (Vec3d(stage_.lower) + Vec3d(stage_.upper));
  stage_.lower.y = std::min(stage_.lower.y, static_cast<float>(lowest));
  camera_ = frame_ball(centre, 1e-3 * size_of(stage_), k_direction);
  move_back(&camera_, points, static_cast<double>(options.size.width) / options.size.height);
}

void SimCamera::write_picture(const SimScene& scene, const std::filesystem::path& path) const {
  SceneBuilder builder;
  std::vector<std::uint32_t> materials;
  for (const Vec3d& colour : k_colours) {
    materials.push_back(builder.add_material({.albedo = colour}));
  }
  const std::uint32_t of_static = builder.add_material({.albedo = k_static_colour});
  for (sim::BodyId id = 0; id < scene.world.body_count(); ++id) {
    if (!is_drawn(scene, id)) continue;
    const bool is_static = scene.world.is_static(id);
    const Mesh& mesh = scene.look && !is_static ? *scene.look : scene.world.model(id).mesh();
    builder.add(mesh, 1, upright() * scene.world.pose(id),
                is_static ? of_static : materials[colour_of(id)]);
  }
  Sky sky;
  add_stage(builder, stage_, &sky);
  const Scene picture =
      std::move(builder).build("simulation", sky, camera_, Reporting::off, "fast");
  const RenderOptions how{.width = options_.size.width,
                          .height = options_.size.height,
                          .samples = options_.samples,
                          .bounces = 3,
                          .device = options_.device,
                          .threads = options_.threads};
  const Image image = render(picture, how).image;
  constexpr double k_exposure = 0.9;
  write_png(path, image.width, image.height, develop(image, k_exposure));
}

void check_ffmpeg(const char* option) {
  if (std::system("ffmpeg -version >/dev/null 2>&1") != 0) {
    throw Error(
        std::string(option) +
        ": a movie needs ffmpeg, which was not found (Debian: ffmpeg); a folder gets pictures");
  }
}

void write_movie(const std::filesystem::path& folder, const std::filesystem::path& movie,
                 double frames_per_second) {
  // Names are passed through the environment, so that no shell reads them.
  setenv("TANDEM_FRAMES", (folder / "%06d.png").c_str(), 1);
  setenv("TANDEM_MOVIE", movie.c_str(), 1);
  const std::string command =
      "ffmpeg -y -loglevel error -framerate " + shortest(frames_per_second) +
      " -i \"$TANDEM_FRAMES\" -pix_fmt yuv420p -vf 'pad=ceil(iw/2)*2:ceil(ih/2)*2' "
      "\"file:$TANDEM_MOVIE\" </dev/null";
  if (std::system(command.c_str()) != 0) {
    throw Error(one_line(movie.string()) + ": ffmpeg could not make the movie");
  }
}

}  // namespace tandem::cli
