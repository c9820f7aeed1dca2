// tandem render: pictures by path tracing.
#include <cmath>
#include <memory>

#include "commands/commands.h"
#include "devices/devices.h"
#include "options/comma_lists.h"
#include "options/named_choices.h"
#include "options/picture_size.h"
#include "options/shared_options.h"
#include "options/whole_numbers.h"
#include "render/path_tracer.h"
#include "render/png_file.h"
#include "render/scene.h"
#include "text/counters.h"
#include "text/numbers.h"
#include "text/output.h"
#include "text/stopwatch.h"
#include "text/strings.h"

namespace tandem::cli {

namespace {

constexpr const char* k_examples = R"(
SCENE is interior, the built-in hall, or a mesh: a file or shape:NAME[:TRIANGLES[:SEED]]. Files
called sibenik, sponza_crytek and cornell_box get their usual view and lights; any other mesh
stands on a ground under a lamp and a sky. All surfaces are diffuse. The same options give the same
picture, whatever the number of threads.

With --device cuda all paths are traced on a CUDA device, to the same picture, byte by byte; the
processor takes out the noise. Such a device traces rays by pairs, or by pairs-stackless if
--traversal says so, and does not count them.

Examples (each runs as it stands):
  tandem render -o hall.png --size 320x180 --samples 8
  tandem render shape:knot:20000 -o knot.png --size 320x240 --samples 8
  tandem render shape:rock:5000 -o rock.png --size 160x120 --samples 8 --camera 3,2,4,0,0,0,40
  tandem render shape:torus -o torus.png --size 160x120 --samples 8 --light 0,3,0,0.5,20)";

struct RenderCommandOptions {
  std::string scene = k_interior;
  std::string output;
  std::string size = "960x540";
  std::string samples = "32";
  std::string bounces = "4";
  std::optional<std::string> camera;
  std::vector<std::string> lights;
  std::string traversal = "automatic";
  std::string device = "cpu";
  std::string threads = "0";
  std::optional<std::string> exposure;
  bool raw = false;
  bool statistics = false;
  bool quiet = false;
};

std::vector<double> numbers(const std::string& text, const char* option, std::size_t least,
                            std::size_t most, const char* form) {
  std::vector<double> result = coordinate_list(text, option);
  if (result.size() < least || result.size() > most) {
    throw Error(std::string(option) + ": " + in_quotes(text) + " is not " + form);
  }
  return result;
}

// Scenes are in single precision, which ends at 3.4e38.
bool is_coordinate(double value) {
  return std::fabs(value) <= 1e38;
}

// Sums and products of radiance stay finite.
constexpr double k_most_brightness = 1e30;

Camera parse_camera(const std::string& text) {
  const auto n = numbers(text, "--camera", 6, 7, "EX,EY,EZ,TX,TY,TZ[,DEGREES]");
  Camera camera{.eye = {n[0], n[1], n[2]},
                .target = {n[3], n[4], n[5]},
                .up = {0, 1, 0},
                .field_of_view_degrees = n.size() > 6 ? n[6] : 45};
  for (int axis = 0; axis < 3; ++axis) {
    if (!is_coordinate(camera.eye[axis]) || !is_coordinate(camera.target[axis])) {
      throw Error("--camera: eye and target must be within 1e38 of the origin along each axis");
    }
  }
  if (camera.eye == camera.target) throw Error("--camera: eye and target are the same point");
  const Vec3d direction = camera.target - camera.eye;
  if (direction.x == 0 && direction.z == 0) camera.up = {0, 0, -1};
  if (!(camera.field_of_view_degrees > 0 && camera.field_of_view_degrees < 180)) {
    throw Error("--camera: the field of view must be between 0 and 180 degrees");
  }
  return camera;
}

Lamp parse_lamp(const std::string& text) {
  const auto n = numbers(text, "--light", 4, 5, "X,Y,Z,RADIUS[,BRIGHTNESS]");
  const Lamp lamp{{n[0], n[1], n[2]}, n[3], n.size() > 4 ? n[4] : 10};
  if (!(lamp.radius > 0) || !(lamp.brightness >= 0 && lamp.brightness <= k_most_brightness)) {
    throw Error("--light: the radius must be above 0 and the brightness from 0 to 1e30");
  }
  for (int axis = 0; axis < 3; ++axis) {
    if (!is_coordinate(std::fabs(lamp.centre[axis]) + lamp.radius)) {
      throw Error("--light: the lamp must be within 1e38 of the origin along each axis");
    }
  }
  return lamp;
}

/// What only the processor can do.
void check_device_options(const RenderOptions& how) {
  if (how.device == Device::cpu) return;
  if (how.statistics) throw Error("--statistics: rays on a CUDA device are not counted");
  const bool has = how.traversal.is_automatic() || how.traversal == RayTraversal("pairs") ||
                   how.traversal == RayTraversal("pairs-stackless");
  if (!has) {
    throw Error("--traversal: a CUDA device has pairs and pairs-stackless, not " +
                name_of(how.traversal));
  }
}

int run(const RenderCommandOptions& options) {
  // Everything that can be wrong with the options, before the long work
  check_png(options.output, "-o");
  check_files({{"-o", options.output}}, {{"SCENE", options.scene}});
  RenderOptions how;
  const PictureSize size = parse_picture_size(options.size, "--size");
  how.width = size.width;
  how.height = size.height;
  how.samples = whole_number_in(options.samples, "--samples", 1, 1'000'000);
  how.bounces = whole_number_in(options.bounces, "--bounces", 0, 1000);
  how.threads = whole_number_in(options.threads, "--threads", 0, 1024);
  how.traversal = find_choice<RayTraversal>(options.traversal, "--traversal");
  how.statistics = options.statistics;
  how.device = parse_device(options.device);
  check_device_options(how);
  SceneChoices choices;
  if (options.camera) choices.camera = parse_camera(*options.camera);
  for (const std::string& light : options.lights) choices.lamps.push_back(parse_lamp(light));
  double exposure = 0;
  if (options.exposure) {
    exposure = numbers(*options.exposure, "--exposure", 1, 1, "a number")[0];
    if (!(exposure > 0)) throw Error("--exposure must be above 0");
  }
  const Reporting reporting = cli::reporting(options.quiet);

  const Scene scene = load_scene(options.scene, choices, reporting);
  how.denoise = !options.raw;
  ProgressBar bar("rendering", reporting);
  how.progress = bar.callback();
  const Stopwatch stopwatch;
  const auto [image, statistics] = render(scene, how);
  const double render_s = stopwatch.seconds();
  write_png(options.output, image.width, image.height,
            develop(image, options.exposure ? exposure : scene.exposure));

  std::string text = scene.name + ": " +
                     counted(scene.model.mesh().triangle_count(), "triangle", "triangles") + ", " +
                     std::to_string(how.width) + " x " + std::to_string(how.height) + ", " +
                     counted(static_cast<std::uint64_t>(how.samples), "sample", "samples") +
                     " per pixel, rendered in " + duration(render_s) + "\n";
  if (options.statistics) text += counters_text(k_ray_counters, statistics);
  print(text + "wrote " + one_line(options.output) + "\n");
  return k_exit_ok;
}

}  // namespace

Command add_render(CLI::App& program) {
  const auto options = std::make_shared<RenderCommandOptions>();
  CLI::App* const app = add_command(program, "render", "Render a scene by path tracing");
  add_argument(*app, "SCENE", options->scene,
               "interior (the default), a mesh file, or shape:NAME…");
  add_value(*app, "-o,--output", options->output, "FILE.png", "the picture", Need::required);
  add_value_with_default(*app, "--size", options->size, "WxH", "pixels");
  add_value_with_default(*app, "--samples", options->samples, "N", "paths through each pixel");
  add_value_with_default(*app, "--bounces", options->bounces, "N",
                         "times that a path is reflected");
  add_value(*app, "--camera", options->camera, "VIEW",
            "EX,EY,EZ,TX,TY,TZ[,DEGREES]: eye, target, and the field of view\n"
            "of the picture's height (45)");
  add_value(*app, "--light", options->lights, "LAMP",
            "X,Y,Z,RADIUS[,BRIGHTNESS]: a ball that emits light, instead of the lamps\n"
            "of a known scene or in addition to others; may be given several times");
  add_value(*app, "--exposure", options->exposure, "X",
            "brightness of the picture; by default what suits it");
  add_value(*app, "--traversal", options->traversal, "NAME",
            "how rays are traced; tandem list shows the names");
  add_device(*app, options->device);
  add_value(*app, "--threads", options->threads, "N", "threads (default: as many as there are)");
  add_flag(*app, "--raw", options->raw, "leave the noise in that so few paths make");
  add_flag(*app, "--statistics", options->statistics, "report the counters of all rays");
  add_quiet_flag(*app, options->quiet);
  set_footer(*app, k_examples);
  return {app, [options] { return run(*options); }};
}

}  // namespace tandem::cli
