#include "commands/collide/collide_options.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "options/mesh_source.h"
#include "options/named_choices.h"
#include "options/pose_option.h"
#include "options/shared_options.h"
#include "options/whole_numbers.h"
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
  tandem collide shape:box shape:box --pose-b 0.3,0.2,1.99 --contacts contacts.json
  tandem collide rock.ply shape:torus --picture touch.png --picture-size 320x200
  printf '0 -1 0 0.5\n1 0 0 0\n0 0 1 0.25\n0 0 0 1\n' > pose.txt
  tandem collide rock.ply rock.ply --pose-a pose.txt --statistics
  tandem collide rock.ply shape:knot --traversal stackless --builder sah --arity 4 --statistics
  tandem collide rock.ply rock.ply --pose-b 1,0,0 --structure dop24 --traversal list
  tandem collide rock.ply shape:box --first --exit-code || echo "they touch")";

void add_output_options(CLI::App& app, CollideOptions& options) {
  add_value(app, "--pairs", options.pairs_file, "FILE",
            "write all pairs, sorted: 'triangle_of_a triangle_of_b' per line,\n"
            "ids in file order from 0; {\"pairs\": [[a, b], ...]} when FILE ends\n"
            "in .json; - is standard output and silences the report");
  add_value(app, "--segments", options.segments_file, "FILE.obj",
            "write what each pair shares, in world coordinates: l segments,\n"
            "f polygons, p points, one for each pair, in the order of --pairs");
  add_value(app, "--contacts", options.contacts_file, "FILE",
            "write the contact of each pair, in world coordinates and the order\n"
            "of --pairs: ends of the shared segment, unit normal from A to B,\n"
            "separation (negative: how deep); FILE ends in .csv, or in .json,\n"
            "which also gets the few points that stand for all: the manifold");
  add_picture_choice(app, options.picture,
                     "render both, the touching triangles and curves in colour", {});
  add_json_flag(app, options.json);
  add_flag(app, "--exit-code", options.exit_code, "exit with 1 when they touch (errors: 2)");
}

void add_search_options(CLI::App& app, CollideOptions& options) {
  add_value(app, "--structure", options.structure, "NAME",
            "what is made of each mesh and searched; the names: tandem list");
  add_value(app, "--traversal", options.traversal, "NAME",
            "how two structures are walked together; the names: tandem list");
  add_value(app, "--overlap", options.overlap, "NAME",
            "how nodes are told apart, where there is a choice; tandem list");
  add_value(app, "--triangle-test", options.triangle_test, "NAME",
            "how triangles are tested: exact, or as in a paper (tandem list)");
  add_value(app, "--builder", options.builder, "NAME",
            "how to build the structures; tandem list shows the names");
  add_value(app, "--arity", options.arity, "N",
            "the most children of a node, 2 to 16 (default 2); not for\n--structure wide");
  add_value(app, "--leaf-size", options.leaf_size, "N",
            "the most triangles of a leaf, 1 to 64, for boxtrees with two planes per node");
}

void check_outputs(const CollideOptions& options) {
  if (options.first + options.count + options.pairs_file.has_value() > 1) {
    throw Error("--first, --count and --pairs exclude each other: choose one of them");
  }
  if (options.pairs_file == "-" && options.json) {
    throw Error("--pairs - and --json both want standard output: give --pairs a file name");
  }
  if (options.first && options.picture.file) {
    throw Error("--first and --picture exclude each other: a picture shows all touching pairs");
  }
  if (options.first && options.contacts_file) {
    throw Error("--first and --contacts exclude each other: contacts are those of all pairs");
  }
  if (options.segments_file && file_ending(*options.segments_file) != ".obj") {
    throw Error("--segments: " + in_quotes(*options.segments_file) + " must end in .obj");
  }
  if (options.contacts_file) {
    const std::string ending = file_ending(*options.contacts_file);
    if (ending != ".csv" && ending != ".json") {
      throw Error("--contacts: " + in_quotes(*options.contacts_file) +
                  " must end in .csv or .json");
    }
  }

  std::vector<NamedFile> inputs = {{"A", options.a}, {"B", options.b}};
  if (options.pose_a) inputs.push_back({"--pose-a", *options.pose_a});
  if (options.pose_b) inputs.push_back({"--pose-b", *options.pose_b});
  std::vector<NamedFile> outputs;
  if (options.pairs_file && *options.pairs_file != "-") {
    outputs.push_back({"--pairs", *options.pairs_file});
  }
  if (options.segments_file) outputs.push_back({"--segments", *options.segments_file});
  if (options.contacts_file) outputs.push_back({"--contacts", *options.contacts_file});
  add_picture_file(options.picture, outputs);
  check_files(outputs, inputs);
}

QueryOptions query_options(const CollideOptions& options) {
  QueryOptions query{.statistics = options.statistics};
  Engine& engine = query.engine;
  if (options.structure)
    engine.structure = find_choice<Structure>(*options.structure, "--structure");
  if (options.traversal)
    engine.traversal = find_choice<Traversal>(*options.traversal, "--traversal");
  if (options.overlap) engine.overlap = find_choice<OverlapTest>(*options.overlap, "--overlap");
  if (options.triangle_test) {
    engine.triangle_test = find_choice<TriangleTest>(*options.triangle_test, "--triangle-test");
  }
  return query;
}

/// Whether the structure has what the other options ask for.
bool fits(Structure structure, const Engine& engine, BuildOptions build) {
  build.structure = structure;
  try {
    Model(Mesh(), build);
  } catch (const Error&) {
    return false;
  }
  return exists(Engine{structure, engine.traversal, engine.overlap, engine.triangle_test});
}

/// Without --structure the first one that has all that is asked for; the default one where none
/// has, which the library then explains.
BuildOptions build_options(const CollideOptions& options, const Engine& engine) {
  BuildOptions build{.structure = engine.structure};
  if (options.builder) build.builder = find_choice<Builder>(*options.builder, "--builder");
  if (options.arity) build.arity = whole_number_in(*options.arity, "--arity", 2, 16);
  if (options.leaf_size) {
    build.boxtree.leaf_size = whole_number_in(*options.leaf_size, "--leaf-size", 1, 64);
  }
  if (build.structure.is_automatic()) {
    const auto all = Structure::all();
    const auto first = std::find_if(all.begin(), all.end(), [&](Structure structure) {
      return fits(structure, engine, build);
    });
    if (first != all.end()) build.structure = *first;
  }
  return build;
}

/// Says at once, before meshes are read, what does not go together.
void check_engine(const BuildOptions& build, const QueryOptions& query) {
  const Model empty(Mesh(), build);
  count(empty, empty, Pose(), query);
}

/// A device has methods of its own, and counts nothing.
std::optional<DeviceMethod> device_options(const CollideOptions& options) {
  const std::optional<DeviceMethod> chosen = device_method(options.device);
  if (!chosen) return chosen;
  for (const auto& [name, given] : {std::pair{"--structure", options.structure.has_value()},
                                    {"--traversal", options.traversal.has_value()},
                                    {"--overlap", options.overlap.has_value()},
                                    {"--triangle-test", options.triangle_test.has_value()},
                                    {"--statistics", options.statistics}}) {
    if (given) throw Error(std::string(name) + " is for --device cpu");
  }
  return chosen;
}

}  // namespace

void add_collide_options(CLI::App& app, CollideOptions& options) {
  add_argument(app, "A", options.a, k_mesh_source_help, Need::required);
  add_argument(app, "B", options.b, "the same; tandem list shows the shapes and file formats",
               Need::required);
  add_value(app, "--pose-a", options.pose_a, "POSE", "where A stands in the world (see below)");
  add_value(app, "--pose-b", options.pose_b, "POSE", "where B stands in the world");
  add_flag(app, "--first", options.first, "stop at the first touching pair found: do they touch?");
  add_flag(app, "--count", options.count, "count the touching pairs without storing them");
  add_output_options(app, options);
  add_search_options(app, options);
  add_flag(app, "--statistics", options.statistics, "report the search's counters");
  add_threads(app, options.threads);
  add_device_choice(app, options.device);
  add_read_options(app, options.reading);
  add_quiet_flag(app, options.quiet);
  set_footer(app, std::string(k_pose_help) + "\n" + k_examples);
}

CollidePlan make_collide_plan(const CollideOptions& options) {
  CollidePlan plan;
  plan.picture = picture_of(options.picture, {});
  check_outputs(options);
  plan.read = options.reading.options();
  plan.query = query_options(options);
  plan.on_device = device_options(options);
  plan.build = build_options(options, plan.query.engine);
  check_engine(plan.build, plan.query);
  plan.query.threads = thread_count(options.threads);
  plan.build.threads = plan.query.threads;
  if (options.pose_a) plan.a_in_world = parse_pose(*options.pose_a, "--pose-a");
  if (options.pose_b) plan.b_in_world = parse_pose(*options.pose_b, "--pose-b");
  return plan;
}

}  // namespace tandem::cli
