// tandem render: pictures by path tracing.
#include <memory>

#include "commands/commands.h"
#include "options/comma_lists.h"
#include "options/named_choices.h"
#include "options/picture_size.h"
#include "render/path_tracer.h"
#include "render/png_file.h"
#include "render/scene.h"
#include "text/numbers.h"
#include "text/output.h"

namespace tandem::cli {

namespace {

constexpr const char* k_examples = R"(
SCENE is interior, the built-in hall, or a mesh: a file or shape:NAME[:TRIANGLES[:SEED]]. Files
called sibenik, sponza_crytek and cornell_box get their usual view and lights; any other mesh
stands on a ground under a lamp and a sky. All surfaces are diffuse. The same options give the same
picture, whatever the number of threads.

Examples (each runs as it stands):
  tandem render -o hall.png --size 320x180 --samples 4
  tandem render shape:knot:20000 -o knot.png --size 320x240 --samples 8
  tandem render shape:rock:5000 -o rock.png --size 160x120 --samples 4 --camera 3,2,4,0,0,0,40
  tandem render shape:torus -o torus.png --size 160x120 --samples 4 --light 0,3,0,0.5,20)";

struct CommandOptions {
  std::string scene = k_interior;
  std::string output;
  std::string size = "960x540";
  std::string samples = "64";
  std::string bounces = "4";
  std::optional<std::string> camera;
  std::vector<std::string> lights;
  std::string traversal = "automatic";
  std::string threads = "0";
  std::optional<std::string> exposure;
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

Camera parse_camera(const std::string& text) {
  const auto n = numbers(text, "--camera", 6, 7, "EX,EY,EZ,TX,TY,TZ[,DEGREES]");
  Camera camera{.eye = {n[0], n[1], n[2]},
                .target = {n[3], n[4], n[5]},
                .up = {0, 1, 0},
                .field_of_view_degrees = n.size() > 6 ? n[6] : 45};
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
  if (!(lamp.radius > 0) || !(lamp.brightness >= 0)) {
    throw Error("--light: the radius must be above 0 and the brightness at least 0");
  }
  return lamp;
}

int run(const CommandOptions& options) {
  // Everything that can be wrong with the options, before the long work
  check_png(options.output, "-o");
  RenderOptions how;
  const PictureSize size = parse_picture_size(options.size, "--size");
  how.width = size.width;
  how.height = size.height;
  how.samples = whole_number_in(options.samples, "--samples", 1, 1'000'000);
  how.bounces = whole_number_in(options.bounces, "--bounces", 0, 1000);
  how.threads = whole_number_in(options.threads, "--threads", 0, 1024);
  how.traversal =
      find_named(ray_traversals(), options.traversal, "--traversal: there is none called")
          .traversal;
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
  RayStatistics statistics;
  if (options.statistics) how.statistics = &statistics;
  ProgressBar bar("rendering", reporting);
  how.progress = bar.callback();
  const Stopwatch stopwatch;
  const Image image = render(scene, how);
  const double render_s = stopwatch.seconds();
  write_png(options.output, image.width, image.height,
            develop(image, options.exposure ? exposure : scene.exposure));

  std::string text = scene.name + ": " +
                     counted(scene.model.mesh().triangle_count(), "triangle", "triangles") + ", " +
                     std::to_string(how.width) + " x " + std::to_string(how.height) + ", " +
                     counted(static_cast<std::uint64_t>(how.samples), "sample", "samples") +
                     " a pixel, rendered in " + duration(render_s) + "\n";
  if (options.statistics) {
    Table table;
    for (const RayCounter& counter : k_ray_counters) {
      table.add_row({counter.title(), grouped(statistics.*counter.value)});
    }
    text += table.text("");
  }
  print(text + "wrote " + options.output + "\n");
  return k_exit_ok;
}

}  // namespace

Command add_render(CLI::App& program) {
  const auto options = std::make_shared<CommandOptions>();
  CLI::App* const app = program.add_subcommand("render", "Render a scene by path tracing");
  app->add_option("SCENE", options->scene, "interior (the default), a mesh file, or shape:NAME…")
      ->option_text(" ");
  app->add_option("-o,--output", options->output, "the picture")
      ->required()
      ->option_text("FILE.png");
  app->add_option("--size", options->size, "pixels (default " + options->size + ")")
      ->option_text("WxH");
  app->add_option("--samples", options->samples,
                  "paths through each pixel (default " + options->samples + ")")
      ->option_text("N");
  app->add_option("--bounces", options->bounces,
                  "times that a path is reflected (default " + options->bounces + ")")
      ->option_text("N");
  app->add_option("--camera", options->camera,
                  "EX,EY,EZ,TX,TY,TZ[,DEGREES]: eye, target, and the field of view\n"
                  "of the picture's height (45)")
      ->option_text("VIEW");
  app->add_option("--light", options->lights,
                  "X,Y,Z,RADIUS[,BRIGHTNESS]: a ball that shines, instead of the lamps\n"
                  "of a known scene or beside others; may be given again")
      ->option_text("LAMP")
      ->expected(1)
      ->take_all();
  app->add_option("--exposure", options->exposure,
                  "brightness of the picture; by default what suits it")
      ->option_text("X");
  app->add_option("--traversal", options->traversal,
                  "how rays are traced; tandem list shows the names")
      ->option_text("NAME");
  app->add_option("--threads", options->threads, "threads (default: as many as there are)")
      ->option_text("N");
  app->add_flag("--statistics", options->statistics, "report the counters of all rays");
  app->add_flag("--quiet", options->quiet, "no progress bar");
  app->footer(k_examples);
  return {app, [options] { return run(*options); }};
}

}  // namespace tandem::cli
