// tandem collide: which triangles of A touch which triangles of B.
#include <tandem/tandem.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>

#include "commands/collide_files.h"
#include "commands/commands.h"
#include "options/mesh_source.h"
#include "options/named_choices.h"
#include "options/picture_size.h"
#include "options/pose_option.h"
#include "render/collision_picture.h"
#include "render/png_file.h"
#include "text/numbers.h"
#include "text/output.h"
#include "text/progress_bar.h"

namespace tandem::cli {

namespace {

constexpr const char* k_examples = R"(
Examples (each runs as it stands):
  tandem collide shape:knot:20000 shape:torus:5000
  tandem collide shape:knot shape:knot --pose-b 0.5,0.2,0
  tandem collide shape:knot shape:knot --pose-b "0.5 0 0 axis 1 1 0 angle 30" --count
  tandem collide shape:box shape:rock --pose-b "1.5 0 0 quat 0.9 0 0.1 0" --first --json
  tandem make rock --triangles 5000 -o rock.ply
  tandem collide rock.ply shape:plane --pairs pairs.txt --segments curve.obj
  tandem collide rock.ply shape:plane --pairs - | head -n 3
  tandem collide rock.ply shape:torus --picture touch.png --picture-size 320x200
  printf '0 -1 0 0.5\n1 0 0 0\n0 0 1 0.25\n0 0 0 1\n' > pose.txt
  tandem collide rock.ply rock.ply --pose-a pose.txt --statistics
  tandem collide rock.ply shape:knot --algorithm stackless --builder sah --arity 4 --statistics
  tandem collide rock.ply rock.ply --pose-b "1 0 0 axis z angle 20" --volume dop24 --algorithm list
  tandem collide rock.ply shape:box --first --exit-code || echo "they touch")";

struct CollideOptions {
  std::string a;
  std::string b;
  std::optional<std::string> pose_a;
  std::optional<std::string> pose_b;
  std::optional<std::string> pairs_file;
  std::optional<std::string> segments_file;
  std::optional<std::string> picture_file;
  std::optional<std::string> picture_size;
  std::optional<std::string> picture_samples;
  std::optional<std::string> algorithm;
  std::optional<std::string> volume;
  std::optional<std::string> overlap;
  std::optional<std::string> triangle_test;
  std::optional<std::string> builder;
  std::optional<std::string> arity;
  std::optional<std::string> leaf_size;
  bool first = false;
  bool count = false;
  bool json = false;
  bool exit_code = false;
  bool statistics = false;
  bool quiet = false;
};

// What the query found. `pairs` holds all pairs, or the first one with --first, or none with
// --count alone; `pair_count` is unknown with --first.
struct Answer {
  bool touching = false;
  std::optional<std::uint64_t> pair_count;
  std::vector<TrianglePair> pairs;
  Statistics statistics;
  double read_s = 0;
  double build_s = 0;
  double query_s = 0;
};

const AlgorithmInfo& find_algorithm(const std::optional<std::string>& name) {
  if (name) return find_named(algorithms(), *name, "--algorithm: there is none called");
  return info_of(algorithms(), &AlgorithmInfo::algorithm, QueryOptions{}.algorithm);
}

QueryOptions query_options(const CollideOptions& options) {
  QueryOptions query{.algorithm = find_algorithm(options.algorithm).algorithm,
                     .statistics = options.statistics};
  if (options.overlap) {
    query.overlap =
        find_named(overlaps(), *options.overlap, "--overlap: there is none called").overlap;
  }
  if (options.triangle_test) {
    query.triangle_test = find_named(triangle_tests(), *options.triangle_test,
                                     "--triangle-test: there is none called")
                              .triangle_test;
  }
  return query;
}

// Without --volume the default one, or boxes where an option is for other volumes than that.
BuildOptions build_options(const CollideOptions& options, const QueryOptions& query) {
  BuildOptions build;
  if (options.volume) {
    build.volume = find_named(volumes(), *options.volume, "--volume: there is none called").volume;
  }
  if (options.builder) {
    build.builder =
        find_named(builders(), *options.builder, "--builder: there is none called").builder;
  }
  if (options.arity) {
    const std::uint64_t arity = whole_number(*options.arity, "--arity");
    if (arity < 2 || arity > 16) throw Error("--arity must be from 2 to 16, not " + *options.arity);
    build.arity = static_cast<int>(arity);
  }
  if (options.leaf_size) {
    const std::uint64_t leaf_size = whole_number(*options.leaf_size, "--leaf-size");
    if (leaf_size < 1 || leaf_size > 64) {
      throw Error("--leaf-size must be from 1 to 64, not " + *options.leaf_size);
    }
    build.leaf_size = static_cast<int>(leaf_size);
  }
  const bool fits = works_with(build.builder, build.volume) &&
                    works_with(query.algorithm, build.volume) && !options.arity &&
                    works_with(query.overlap, build.volume);
  if (!options.volume && !fits) build.volume = Volume::aabb;
  if (!works_with(build.builder, build.volume)) {
    throw Error("--builder: " + *options.builder + " does not make hierarchies of this volume");
  }
  if (!works_with(query.overlap, build.volume)) {
    throw Error("--overlap: not with this volume; aabb and boxtrees have a choice of tests");
  }
  if (!works_with(query.algorithm, build.volume)) {
    throw Error(
        "--algorithm: not with this volume; wide has a traversal of its own, boxtrees have "
        "recursive, "
        "the stacks, one-level-up and the lists, obb-relative has recursive and the stacks");
  }
  return build;
}

bool is_same_file(const std::string& one, const std::string& other) {
  namespace fs = std::filesystem;
  return fs::weakly_canonical(fs::absolute(one)) == fs::weakly_canonical(fs::absolute(other));
}

// Whatever can be found wrong before the meshes are read.
void check(const CollideOptions& options) {
  if (options.first + options.count + options.pairs_file.has_value() > 1) {
    throw Error("--first, --count and --pairs exclude each other: choose one of them");
  }
  if (options.pairs_file == "-" && options.json) {
    throw Error("--pairs - and --json both want standard output: give --pairs a file name");
  }
  if (options.pairs_file && *options.pairs_file != "-") {
    check_writable(*options.pairs_file, "--pairs");
  }
  if (options.picture_file) check_png(*options.picture_file, "--picture");
  if (options.first && options.picture_file) {
    throw Error("--first and --picture exclude each other: a picture shows all touching pairs");
  }
  if (!options.picture_file && (options.picture_size || options.picture_samples)) {
    throw Error("--picture-size and --picture-samples go with --picture");
  }
  if (options.segments_file) {
    if (ending(*options.segments_file) != ".obj") {
      throw Error("--segments: " + in_quotes(*options.segments_file) + " must end in .obj");
    }
    check_writable(*options.segments_file, "--segments");
    if (options.pairs_file && is_same_file(*options.pairs_file, *options.segments_file)) {
      throw Error("--pairs and --segments name the same file " + in_quotes(*options.pairs_file));
    }
  }
}

CollisionPicture picture_options(const CollideOptions& options) {
  CollisionPicture picture;
  if (options.picture_size) {
    picture.size = parse_picture_size(*options.picture_size, "--picture-size");
  }
  if (options.picture_samples) {
    picture.samples = whole_number_in(*options.picture_samples, "--picture-samples", 1, 1'000'000);
  }
  return picture;
}

Model build(Mesh mesh, BuildOptions options, const char* label, Reporting reporting) {
  ProgressBar bar(label, reporting);
  options.progress = bar.callback();
  return Model(std::move(mesh), options);
}

void run_query(const CollideOptions& options, const Model& a, const Model& b, const Pose& b_in_a,
               QueryOptions query, Reporting reporting, Answer& answer) {
  ProgressBar bar("searching", reporting);
  query.progress = bar.callback();
  const Stopwatch stopwatch;
  if (options.first) {
    const IntersectsResult result = intersects(a, b, b_in_a, query);
    if (result.pair) answer.pairs.push_back(*result.pair);
    answer.touching = result.pair.has_value();
    answer.statistics = result.statistics;
  } else if (options.count && !options.segments_file && !options.picture_file) {
    const CountResult result = count(a, b, b_in_a, query);
    answer.pair_count = result.count;
    answer.touching = result.count > 0;
    answer.statistics = result.statistics;
  } else {
    CollideResult result = collide(a, b, b_in_a, query);
    answer.pair_count = result.pairs.size();
    answer.touching = !result.pairs.empty();
    answer.pairs = std::move(result.pairs);
    answer.statistics = result.statistics;
  }
  answer.query_s = stopwatch.seconds();
}

void write_pairs(const std::string& path, const std::vector<TrianglePair>& pairs) {
  if (path == "-") return write_pairs_text(pairs, print);
  const bool json = ending(path) == ".json";
  write_file(path, [&](const Write& write) {
    json ? write_pairs_json(pairs, write) : write_pairs_text(pairs, write);
  });
}

void report_json(const CollideOptions& options, const AlgorithmInfo& algorithm, const Model& a,
                 const Model& b, const Answer& answer) {
  Json object;
  const auto describe = [](const std::string& source, const Model& model) {
    return Json{{"source", source},
                {"triangles", model.mesh().triangle_count()},
                {"hierarchy_bytes", model.hierarchy_bytes()}};
  };
  object["a"] = describe(options.a, a);
  object["b"] = describe(options.b, b);
  object["volume"] = info_of(volumes(), &VolumeInfo::volume, a.volume()).name;
  object["algorithm"] = algorithm.name;
  object["touching"] = answer.touching;
  if (answer.pair_count) object["pair_count"] = *answer.pair_count;
  if (options.first) {
    object["first_pair"] = nullptr;
    if (answer.touching) object["first_pair"] = {answer.pairs[0].a, answer.pairs[0].b};
  }
  object["read_ms"] = answer.read_s * 1e3;
  object["build_ms"] = answer.build_s * 1e3;
  object["time_ms"] = answer.query_s * 1e3;
  if (options.statistics) {
    for (const Counter& counter : k_counters) {
      object["statistics"][std::string(counter.key)] = answer.statistics.*counter.value;
    }
  }
  print_json(object);
}

void report_text(const CollideOptions& options, const AlgorithmInfo& algorithm, const Model& a,
                 const Model& b, const Answer& answer) {
  constexpr std::size_t k_shown_pairs = 5;
  Table sources;
  sources.add_row({"A  " + options.a, counted(a.mesh().triangle_count(), "triangle", "triangles")});
  sources.add_row({"B  " + options.b, counted(b.mesh().triangle_count(), "triangle", "triangles")});
  std::string text = sources.text("");
  text += "read in " + duration(answer.read_s) + ", built in " + duration(answer.build_s) + "\n";

  if (!answer.touching) {
    text += "no triangles touch";
  } else if (options.first) {
    text += "they touch: triangle " + std::to_string(answer.pairs[0].a) + " of A and triangle " +
            std::to_string(answer.pairs[0].b) + " of B";
  } else {
    text += counted(*answer.pair_count, "touching pair", "touching pairs");
  }
  text += answer.touching ? ", found in " : ", searched in ";
  text += duration(answer.query_s) + " (" + std::string(algorithm.name) + ")\n";

  // The first few pairs, unless the user chose what to see.
  if (!options.first && !options.count && !options.pairs_file && answer.touching) {
    Table shown;
    const std::size_t shown_count = std::min(answer.pairs.size(), k_shown_pairs);
    shown.add_row({"", "triangle of A", "triangle of B"});
    for (std::size_t i = 0; i < shown_count; ++i) {
      shown.add_row({"", std::to_string(answer.pairs[i].a), std::to_string(answer.pairs[i].b)});
    }
    text += shown.text("");
    if (answer.pairs.size() > shown_count) {
      text += "  ... and " + grouped(answer.pairs.size() - shown_count) +
              " more; --pairs FILE writes them all\n";
    }
  }
  if (options.statistics) {
    Table counters;
    for (const Counter& counter : k_counters) {
      counters.add_row({counter.title(), grouped(answer.statistics.*counter.value)});
    }
    text += counters.text("");
  }
  for (const auto& file : {options.pairs_file, options.segments_file, options.picture_file}) {
    if (file) text += "wrote " + *file + "\n";
  }
  print(text);
}

int run(const CollideOptions& options) {
  // Everything that can be wrong with the options, before the long work
  check(options);
  const AlgorithmInfo& algorithm = find_algorithm(options.algorithm);
  const QueryOptions query = query_options(options);
  const BuildOptions build_how = build_options(options, query);
  const CollisionPicture picture = picture_options(options);
  const Pose a_in_world = options.pose_a ? parse_pose(*options.pose_a, "--pose-a") : Pose();
  const Pose b_in_world = options.pose_b ? parse_pose(*options.pose_b, "--pose-b") : Pose();
  const Pose b_in_a = relative_pose(a_in_world, b_in_world);
  const Reporting reporting = cli::reporting(options.quiet);

  // Read; a mesh that is both A and B is read and built once
  Answer answer;
  Stopwatch read_watch;
  const bool same = options.a == options.b;
  Mesh mesh_a = load_mesh(options.a, reporting);
  Mesh mesh_b = same ? Mesh() : load_mesh(options.b, reporting);
  answer.read_s = read_watch.seconds();

  // Build
  const Stopwatch build_watch;
  const Model a = build(std::move(mesh_a), build_how, "building A", reporting);
  const Model b = same ? a : build(std::move(mesh_b), build_how, "building B", reporting);
  answer.build_s = build_watch.seconds();

  // Search
  run_query(options, a, b, b_in_a, query, reporting, answer);

  // Write the files, then report
  if (options.pairs_file) write_pairs(*options.pairs_file, answer.pairs);
  if (options.segments_file) {
    write_file(*options.segments_file, [&](const Write& write) {
      write_segments(a, b, a_in_world, b_in_world, answer.pairs, write);
    });
  }
  if (options.picture_file) {
    write_collision_picture(*options.picture_file, a, b, a_in_world, b_in_world, answer.pairs,
                            picture, reporting);
  }
  if (options.json) {
    report_json(options, algorithm, a, b, answer);
  } else if (options.pairs_file != "-") {
    report_text(options, algorithm, a, b, answer);
  }
  return options.exit_code && answer.touching ? k_exit_touching : k_exit_ok;
}

}  // namespace

Command add_collide(CLI::App& program) {
  const auto options = std::make_shared<CollideOptions>();
  CLI::App* const app =
      program.add_subcommand("collide", "Find which triangles of A touch which triangles of B");
  app->add_option("A", options->a, k_mesh_source_help)->required()->option_text(" ");
  app->add_option("B", options->b, "the same; tandem list shows the shapes and file formats")
      ->required()
      ->option_text(" ");
  app->add_option("--pose-a", options->pose_a, "where A stands in the world (see below)")
      ->option_text("POSE");
  app->add_option("--pose-b", options->pose_b, "where B stands in the world")->option_text("POSE");
  app->add_flag("--first", options->first, "stop at the first touching pair found: do they touch?");
  app->add_flag("--count", options->count, "count the touching pairs without storing them");
  app->add_option("--pairs", options->pairs_file,
                  "write all pairs, sorted: 'triangle_of_a triangle_of_b' a line,\n"
                  "ids in file order from 0; {\"pairs\": [[a, b], ...]} when FILE ends\n"
                  "in .json; - is standard output and silences the report")
      ->option_text("FILE");
  app->add_option("--segments", options->segments_file,
                  "write what each pair shares, in world coordinates: l segments,\n"
                  "f polygons, p points, one a pair, in the order of --pairs")
      ->option_text("FILE.obj");
  app->add_option("--picture", options->picture_file,
                  "render both, the touching triangles and curves in colour")
      ->option_text("FILE.png");
  app->add_option("--picture-size", options->picture_size, "its pixels (default 960x600)")
      ->option_text("WxH");
  app->add_option("--picture-samples", options->picture_samples,
                  "paths through each pixel (default 24)")
      ->option_text("N");
  app->add_flag("--json", options->json, "report as one JSON object");
  app->add_flag("--exit-code", options->exit_code, "exit with 1 when they touch (errors: 2)");
  app->add_option("--algorithm", options->algorithm, "how to search; tandem list shows the names")
      ->option_text("NAME");
  app->add_option("--volume", options->volume,
                  "what encloses the nodes of the hierarchies; the names: tandem list")
      ->option_text("NAME");
  app->add_option("--overlap", options->overlap,
                  "how boxes (--volume aabb, boxtrees) are tested; the names: tandem list")
      ->option_text("NAME");
  app->add_option("--triangle-test", options->triangle_test,
                  "how triangles are tested: exact, or as in a paper (tandem list)")
      ->option_text("NAME");
  app->add_option("--builder", options->builder,
                  "how to build the hierarchies; tandem list shows the names")
      ->option_text("NAME");
  app->add_option("--arity", options->arity,
                  "the most children of a node, 2 to 16 (default 2); not for\n--volume wide")
      ->option_text("N");
  app->add_option("--leaf-size", options->leaf_size,
                  "the most triangles of a leaf, 1 to 64, for boxtrees with two planes a node")
      ->option_text("N");
  app->add_flag("--statistics", options->statistics, "report the search's counters");
  app->add_flag("--quiet", options->quiet, "no progress bars");
  app->footer(std::string(k_pose_help) + "\n" + k_examples);
  return {app, [options] { return run(*options); }};
}

}  // namespace tandem::cli
