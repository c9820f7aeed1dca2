#include "simulate/pictures.h"

#include <tandem/error.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numbers>
#include <string>

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

constexpr Vec3d k_colours[] = {{0.12, 0.28, 0.5}, {0.72, 0.5, 0.2},   {0.5, 0.16, 0.12},
                               {0.2, 0.42, 0.26}, {0.66, 0.62, 0.54}, {0.36, 0.24, 0.44}};
constexpr Vec3d k_ground_colour{0.5, 0.5, 0.52};

/// Walls that would hide what is behind them are not drawn: those that reach above the rest and
/// stand towards the viewer.
bool hides(const Bounds& box, const Pose& pose, const Vec3d& eye_direction) {
  const Vec3d sides = Vec3d(box.upper) - Vec3d(box.lower);
  const bool upright_wall = sides.z > std::min(sides.x, sides.y);
  return upright_wall && dot(pose.translation(), eye_direction) > 0;
}

}  // namespace

SimCamera::SimCamera(const sim::Simulation& world, const SimPictureOptions& options)
    : options_(options) {
  Vec3d lower{1e300, 1e300, 1e300};
  Vec3d upper = -lower;
  for (sim::BodyId id = 0; id < world.body_count(); ++id) {
    if (world.is_static(id)) continue;
    lower = min(lower, world.body(id).centre);
    upper = max(upper, world.body(id).centre);
  }
  if (lower.x > upper.x) return;
  centre_ = 0.5 * (lower + upper);
  radius_ = std::max(1.0, 0.62 * length(upper - lower));
}

void SimCamera::write_picture(const sim::Simulation& world,
                              const std::filesystem::path& path) const {
  const Pose turn = upright();
  const Vec3d direction = tandem::normalised(Vec3d{0.55, 0.45, 1});
  SceneBuilder builder;
  std::vector<std::uint32_t> materials;
  for (const Vec3d& colour : k_colours)
    materials.push_back(builder.add_material({.albedo = colour}));
  const std::uint32_t ground = builder.add_material({.albedo = k_ground_colour});
  const Vec3d towards_eye = transform_point(turn.inverse(), direction);
  for (sim::BodyId id = 0; id < world.body_count(); ++id) {
    const Mesh& mesh = world.model(id).mesh();
    const Pose pose = world.pose(id);
    if (world.is_static(id) && hides(mesh.bounds(), pose, towards_eye)) continue;
    builder.add(mesh, 1, turn * pose,
                world.is_static(id) ? ground : materials[id % materials.size()]);
  }
  const Vec3d centre = transform_point(turn, centre_);
  Sky sky{.zenith = {0.5, 0.62, 0.85}, .horizon = {0.85, 0.88, 0.92}, .up = {0, 1, 0}};
  const std::uint32_t lamp = builder.add_material({.albedo = {0, 0, 0}, .emission = {22, 20, 17}});
  builder.add_quad(centre + radius_ * Vec3d{-2.6, 3.2, 1.2}, radius_ * Vec3d{1.2, 0, 1.2},
                   radius_ * Vec3d{1, 0.6, -0.8}, lamp);
  const Camera camera = frame_ball(centre, radius_, direction);
  const Scene scene = std::move(builder).build("simulation", sky, camera, Reporting::off, "fast");
  const RenderOptions how{.width = options_.size.width,
                          .height = options_.size.height,
                          .samples = options_.samples,
                          .bounces = 2,
                          .device = options_.device,
                          .threads = options_.threads};
  const Image image = render(scene, how).image;
  constexpr double k_exposure = 0.7;
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
