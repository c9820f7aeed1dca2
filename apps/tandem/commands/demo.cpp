// tandem demo: a first result without any file.
#include <tandem/tandem.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "commands/commands.h"
#include "options/pose_option.h"
#include "options/shared_options.h"
#include "render/collision_picture.h"
#include "render/png_file.h"
#include "text/counters.h"
#include "text/numbers.h"
#include "text/output.h"
#include "text/stopwatch.h"
#include "text/strings.h"
#include "text/table.h"

namespace tandem::cli {

namespace {

// Two knots in general position. The large ones are for the default engine. The small ones are
// for all traversals; the time of brute force grows with the product of the triangle counts.
constexpr const char* k_pose = "0.6,0.3,0.1,axis,1,2,3,angle,40";
constexpr std::size_t k_large_triangle_count = 80'000;
constexpr std::size_t k_small_triangle_count = 3'000;

// Which counters the table of traversals shows. The number of pairs has its own column.
bool is_shown(const Counter& counter) {
  return counter.value != &Statistics::aligned_visits &&
         counter.value != &Statistics::tumbled_visits &&
         counter.value != &Statistics::triangle_overlaps;
}

// The shortest time of a query, repeated for a tenth of a second.
double query_seconds(const Model& knot, const Pose& b_in_a, const Engine& engine) {
  std::vector<double> times_s;
  const Stopwatch total;
  do {
    const Stopwatch stopwatch;
    collide(knot, knot, b_in_a, {.engine = engine});
    times_s.push_back(stopwatch.seconds());
  } while (total.seconds() < 0.1);
  return *std::min_element(times_s.begin(), times_s.end());
}

// The first result: large knots, the default engine.
void show_large_knots(const Pose& b_in_a) {
  Mesh mesh = make_shape("knot", k_large_triangle_count);
  const std::size_t triangle_count = mesh.triangle_count();
  print("Two knots of " + grouped(triangle_count) + " triangles, the second turned and moved:\n");

  const Stopwatch build_watch;
  const Model knot(std::move(mesh));
  const double build_s = build_watch.seconds();

  const CollideResult result = collide(knot, knot, b_in_a);
  const double query_s = query_seconds(knot, b_in_a, {});
  Table table;
  table.add_row({"touching pairs", grouped(result.pairs.size())});
  table.add_row({"time of the query", duration(query_s)});
  table.add_row({"time to build, once", duration(build_s)});
  print(table.text("  "));
}

// The first structure that has the traversal.
Structure structure_with(Traversal traversal) {
  const auto all = Structure::all();
  return *std::find_if(all.begin(), all.end(), [&](Structure structure) {
    return exists(Engine{.structure = structure, .traversal = traversal});
  });
}

// All traversals side by side on small knots. Throws when they do not agree.
void compare_traversals(const Pose& b_in_a) {
  const Model knot(make_shape("knot", k_small_triangle_count));
  print("\nEvery traversal on knots of " + grouped(knot.mesh().triangle_count()) + " triangles:\n");
  Table table;
  std::vector<std::string> head = {"traversal", "time", "pairs"};
  for (const Counter& counter : k_counters) {
    if (is_shown(counter)) head.push_back(counter.title());
  }
  table.add_row(std::move(head));

  const std::vector<TrianglePair> expected = collide(knot, knot, b_in_a).pairs;
  for (const Traversal traversal : Traversal::all()) {
    const Engine engine{.structure = structure_with(traversal), .traversal = traversal};
    knot.prepare(engine);
    const CollideResult result =
        collide(knot, knot, b_in_a, {.engine = engine, .statistics = true});
    if (result.pairs != expected) {
      throw Error("the traversal " + std::string(traversal.name()) +
                  " found other pairs than the default: this is a bug in Tandem");
    }
    std::vector<std::string> row = {std::string(traversal.name()),
                                    duration(query_seconds(knot, b_in_a, engine)),
                                    grouped(result.pairs.size())};
    for (const Counter& counter : k_counters) {
      if (is_shown(counter)) row.push_back(grouped(result.statistics.*counter.value));
    }
    table.add_row(std::move(row));
  }
  print(table.text("  ") + "  All of them found the same pairs.\n");
}

// The large knots again, rendered.
void draw_large_knots(const std::string& file, const CollisionPicture& picture, const Pose& b_in_a,
                      Reporting reporting) {
  const Model knot(make_shape("knot", k_large_triangle_count));
  const Stopwatch stopwatch;
  write_collision_picture(file, knot, knot, Pose(), b_in_a, collide(knot, knot, b_in_a).pairs,
                          picture, reporting);
  print("\nwrote " + one_line(file) + " in " + duration(stopwatch.seconds()) + "\n");
}

// Commands whose files go to `folder`, beside the demo's picture: after `make run` that is a folder
// that git ignores.
void suggest(const std::string& program, const std::filesystem::path& folder) {
  const auto in_folder = [&](const char* name) { return one_line((folder / name).string()); };
  const std::string knot = "shape:knot:" + std::to_string(k_large_triangle_count);
  const std::string rock = in_folder("rock.ply");
  const std::string commands[] = {
      "collide " + knot + " " + knot + " --pose-b " + k_pose + " --segments " +
          in_folder("curve.obj"),
      "make rock --triangles 20000 -o " + rock,
      "collide " + rock + " shape:torus:5000 --pairs " + in_folder("pairs.txt"),
      "collide " + rock + " shape:torus:5000 --picture " + in_folder("touch.png") +
          " --picture-size 480x300",
      "info " + rock,
      "collide --help"};
  std::string text = "\nWhat to type next:\n";
  for (const std::string& command : commands) {
    text.append("  ").append(program).append(" ").append(command).append("\n");
  }
  print(text);
}

struct DemoOptions {
  std::optional<std::string> picture_file;
  std::optional<std::string> picture_size;
};

int run(const DemoOptions& options, const std::string& invoked_as) {
  const Pose b_in_a = parse_pose(k_pose, "demo");
  CollisionPicture picture;
  if (options.picture_size) {
    if (!options.picture_file) throw Error("--picture-size goes with --picture");
    picture.size = parse_picture_size(*options.picture_size, "--picture-size");
  }
  std::filesystem::path folder;
  if (options.picture_file) {
    check_png(*options.picture_file, "--picture");
    check_files({{"--picture", *options.picture_file}}, {});
    folder = std::filesystem::path(*options.picture_file).parent_path();
  }
  show_large_knots(b_in_a);
  compare_traversals(b_in_a);
  if (options.picture_file) {
    draw_large_knots(*options.picture_file, picture, b_in_a, reporting(false));
  }
  suggest(one_line(invoked_as), folder);
  return k_exit_ok;
}

}  // namespace

Command add_demo(CLI::App& program, std::string invoked_as) {
  CLI::App* const app =
      add_command(program, "demo", "Two knots, their touching pairs, all traversals side by side");
  const auto options = std::make_shared<DemoOptions>();
  add_value(*app, "--picture", options->picture_file, "FILE.png", "render the two knots too");
  add_value(*app, "--picture-size", options->picture_size, "WxH", "its pixels (default 960x600)");
  set_footer(*app, "Examples:\n  tandem demo");
  return {app, [invoked_as = std::move(invoked_as), options] { return run(*options, invoked_as); }};
}

}  // namespace tandem::cli
