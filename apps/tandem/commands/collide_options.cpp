#include "commands/collide_options.h"

#include <filesystem>

#include "options/mesh_source.h"
#include "options/named_choices.h"
#include "options/pose_option.h"
#include "options/shared_options.h"
#include "options/whole_numbers.h"
#include "render/png_file.h"
#include "text/output.h"
#include "text/strings.h"

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

void add_output_options(CLI::App& app, CollideOptions& options) {
  add_value(app, "--pairs", options.pairs_file, "FILE",
            "write all pairs, sorted: 'triangle_of_a triangle_of_b' per line,\n"
            "ids in file order from 0; {\"pairs\": [[a, b], ...]} when FILE ends\n"
            "in .json; - is standard output and silences the report");
  add_value(app, "--segments", options.segments_file, "FILE.obj",
            "write what each pair shares, in world coordinates: l segments,\n"
            "f polygons, p points, one for each pair, in the order of --pairs");
  add_value(app, "--picture", options.picture_file, "FILE.png",
            "render both, the touching triangles and curves in colour");
  add_value(app, "--picture-size", options.picture_size, "WxH", "its pixels (default 960x600)");
  add_value(app, "--picture-samples", options.picture_samples, "N",
            "paths through each pixel (default 24)");
  add_json_flag(app, options.json);
  app.add_flag("--exit-code", options.exit_code, "exit with 1 when they touch (errors: 2)");
}

void add_search_options(CLI::App& app, CollideOptions& options) {
  add_value(app, "--algorithm", options.algorithm, "NAME",
            "how to search; tandem list shows the names");
  add_value(app, "--volume", options.volume, "NAME",
            "what encloses the nodes of the hierarchies; the names: tandem list");
  add_value(app, "--overlap", options.overlap, "NAME",
            "how boxes (--volume aabb, boxtrees) are tested; the names: tandem list");
  add_value(app, "--triangle-test", options.triangle_test, "NAME",
            "how triangles are tested: exact, or as in a paper (tandem list)");
  add_value(app, "--builder", options.builder, "NAME",
            "how to build the hierarchies; tandem list shows the names");
  add_value(app, "--arity", options.arity, "N",
            "the most children of a node, 2 to 16 (default 2); not for\n--volume wide");
  add_value(app, "--leaf-size", options.leaf_size, "N",
            "the most triangles of a leaf, 1 to 64, for boxtrees with two planes per node");
}

bool is_same_file(const std::string& one, const std::string& other) {
  namespace fs = std::filesystem;
  return fs::weakly_canonical(fs::absolute(one)) == fs::weakly_canonical(fs::absolute(other));
}

void check_outputs(const CollideOptions& options) {
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
    if (file_ending(*options.segments_file) != ".obj") {
      throw Error("--segments: " + in_quotes(*options.segments_file) + " must end in .obj");
    }
    check_writable(*options.segments_file, "--segments");
    if (options.pairs_file && is_same_file(*options.pairs_file, *options.segments_file)) {
      throw Error("--pairs and --segments name the same file " + in_quotes(*options.pairs_file));
    }
  }
}

QueryOptions query_options(const CollideOptions& options) {
  QueryOptions query{.statistics = options.statistics};
  if (options.algorithm) {
    query.algorithm = find_choice(algorithms(), *options.algorithm, "--algorithm").algorithm;
  }
  if (options.overlap) {
    query.overlap = find_choice(overlaps(), *options.overlap, "--overlap").overlap;
  }
  if (options.triangle_test) {
    query.triangle_test =
        find_choice(triangle_tests(), *options.triangle_test, "--triangle-test").triangle_test;
  }
  return query;
}

void check_volume(const CollideOptions& options, const QueryOptions& query,
                  const BuildOptions& build) {
  if (!works_with(build.builder, build.volume)) {
    throw Error("--builder: " + *options.builder + " does not build hierarchies of this volume");
  }
  if (!works_with(query.overlap, build.volume)) {
    throw Error("--overlap: not with this volume; aabb and boxtrees have a choice of tests");
  }
  if (!works_with(query.algorithm, build.volume)) {
    throw Error(
        "--algorithm: not with this volume; wide has a traversal of its own, boxtrees have "
        "recursive, the stacks, one-level-up and the lists, obb-relative has recursive and the "
        "stacks");
  }
}

BuildOptions build_options(const CollideOptions& options, const QueryOptions& query) {
  BuildOptions build;
  if (options.volume) build.volume = find_choice(volumes(), *options.volume, "--volume").volume;
  if (options.builder) {
    build.builder = find_choice(builders(), *options.builder, "--builder").builder;
  }
  if (options.arity) build.arity = whole_number_in(*options.arity, "--arity", 2, 16);
  if (options.leaf_size) {
    build.leaf_size = whole_number_in(*options.leaf_size, "--leaf-size", 1, 64);
  }
  // Without --volume the default one, or boxes when another option does not work with that.
  const bool fits = works_with(build.builder, build.volume) &&
                    works_with(query.algorithm, build.volume) &&
                    works_with(query.overlap, build.volume) && !options.arity;
  if (!options.volume && !fits) build.volume = Volume::aabb;
  check_volume(options, query, build);
  return build;
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

}  // namespace

void add_collide_options(CLI::App& app, CollideOptions& options) {
  add_argument(app, "A", options.a, k_mesh_source_help)->required();
  add_argument(app, "B", options.b, "the same; tandem list shows the shapes and file formats")
      ->required();
  add_value(app, "--pose-a", options.pose_a, "POSE", "where A stands in the world (see below)");
  add_value(app, "--pose-b", options.pose_b, "POSE", "where B stands in the world");
  app.add_flag("--first", options.first, "stop at the first touching pair found: do they touch?");
  app.add_flag("--count", options.count, "count the touching pairs without storing them");
  add_output_options(app, options);
  add_search_options(app, options);
  app.add_flag("--statistics", options.statistics, "report the search's counters");
  add_quiet_flag(app, options.quiet);
  app.footer(std::string(k_pose_help) + "\n" + k_examples);
}

CollidePlan make_collide_plan(const CollideOptions& options) {
  check_outputs(options);
  CollidePlan plan;
  plan.query = query_options(options);
  plan.build = build_options(options, plan.query);
  plan.picture = picture_options(options);
  if (options.pose_a) plan.a_in_world = parse_pose(*options.pose_a, "--pose-a");
  if (options.pose_b) plan.b_in_world = parse_pose(*options.pose_b, "--pose-b");
  return plan;
}

}  // namespace tandem::cli
