// Pictures of a simulation, one per frame, and movies of them.
#pragma once

#include <tandem/sim/simulation.h>

#include <filesystem>
#include <vector>

#include "devices/devices.h"
#include "options/picture_size.h"
#include "render/scene.h"
#include "simulate/sim_scenes.h"

namespace tandem::cli {

struct SimPictureOptions {
  PictureSize size{640, 400};
  /// Paths through each pixel.
  int samples = 8;
  int threads = 0;
  Device device = Device::cpu;
};

/// Renders a simulation from one point of view, so that its pictures make a movie.
class SimCamera {
 public:
  /// Sees all bodies that move where they are now.
  SimCamera(const SimScene& scene, const SimPictureOptions& options);

  /// Throws `tandem::Error` when the file cannot be written.
  void write_picture(const SimScene& scene, const std::filesystem::path& path) const;

 private:
  SimPictureOptions options_;
  Camera camera_;
  /// What the light is for.
  Bounds stage_;
};

/// Throws `tandem::Error` that begins with `option` where there is no ffmpeg.
void check_ffmpeg(const char* option);

/// Makes a movie of FOLDER/000000.png, 000001.png, …. Throws `tandem::Error` when ffmpeg fails.
void write_movie(const std::filesystem::path& folder, const std::filesystem::path& movie,
                 double frames_per_second);

}  // namespace tandem::cli
