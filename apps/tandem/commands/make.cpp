// tandem make: built-in shapes as files.
#include <tandem/tandem.h>

#include <algorithm>
#include <memory>
#include <optional>

#include "commands/commands.h"
#include "options/mesh_source.h"
#include "options/shared_options.h"
#include "options/whole_numbers.h"
#include "text/numbers.h"
#include "text/output.h"
#include "text/stopwatch.h"
#include "text/strings.h"

namespace tandem::cli {

namespace {

constexpr const char* k_examples = R"(Examples:
  tandem make knot --triangles 80000 -o knot.ply
  tandem make rock --triangles 5000 --seed 7 -o rock.obj
  tandem make sphere --triangles 20 --subdivide 3 -o ball.stl
  tandem info knot.ply)";

struct MakeOptions {
  std::string shape;
  std::optional<std::string> triangles;
  std::optional<std::string> seed;
  std::optional<std::string> subdivide;
  std::string file;
};

// The same limit as that of make_shape.
constexpr std::uint64_t k_max_triangle_count = 200'000'000;

bool is_written(const std::string& file) {
  return std::any_of(formats().begin(), formats().end(), [&](const FormatInfo& info) {
    return info.writes && info.endings == file_ending(file);
  });
}

Mesh subdivided(Mesh mesh, std::uint64_t steps) {
  std::uint64_t triangle_count = mesh.triangle_count();
  for (std::uint64_t step = 0; step < steps; ++step) {
    triangle_count *= 4;
    if (triangle_count > k_max_triangle_count) {
      throw Error("--subdivide: a mesh of more than " + grouped(k_max_triangle_count) +
                  " triangles would be the result of " + std::to_string(steps) + " steps");
    }
  }
  for (std::uint64_t step = 0; step < steps; ++step) mesh = subdivide(mesh);
  return mesh;
}

int run(const MakeOptions& options) {
  const std::size_t triangle_count = options.triangles
                                         ? whole_number(*options.triangles, "--triangles")
                                         : k_default_triangle_count;
  const std::uint64_t seed = options.seed ? whole_number(*options.seed, "--seed") : 1;
  const std::uint64_t steps =
      options.subdivide ? whole_number(*options.subdivide, "--subdivide") : 0;
  if (!is_written(options.file)) {
    throw Error("--output: " + in_quotes(options.file) + " must end in .ply, .obj or .stl");
  }
  check_files({{"--output", options.file}}, {});

  const Stopwatch stopwatch;
  const Mesh mesh = subdivided(make_shape(options.shape, triangle_count, seed), steps);
  write_mesh(mesh, options.file);
  print("wrote " + one_line(options.file) + ": " + options.shape + ", " +
        counted(mesh.triangle_count(), "triangle", "triangles") + ", " +
        counted(mesh.vertex_count(), "vertex", "vertices") + ", in " +
        duration(stopwatch.seconds()) + "\n");
  return k_exit_ok;
}

}  // namespace

Command add_make(CLI::App& program) {
  const auto options = std::make_shared<MakeOptions>();
  CLI::App* const app = add_command(program, "make", "Write a built-in shape to a file");
  add_argument(*app, "SHAPE", options->shape, names_of(shapes()), Need::required);
  add_value(*app, "--triangles", options->triangles, "N",
            "as near this many as the shape's pattern allows (default " +
                grouped(k_default_triangle_count) + ")");
  add_value(*app, "--seed", options->seed, "S", "for random shapes (default 1)");
  add_value(*app, "--subdivide", options->subdivide, "K",
            "then split each triangle into four, K times (default 0)");
  add_value(*app, "-o,--output", options->file, "FILE", "the file to write: .ply, .obj or .stl",
            Need::required);
  set_footer(*app, k_examples);
  return {app, [options] { return run(*options); }};
}

}  // namespace tandem::cli
