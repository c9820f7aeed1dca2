// tandem clash: which parts of assemblies touch or cross, and where.
#include <tandem/tandem.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "commands/commands.h"
#include "options/mesh_source.h"
#include "options/shared_options.h"
#include "render/collision_picture.h"
#include "render/png_file.h"
#include "text/json.h"
#include "text/numbers.h"
#include "text/output.h"
#include "text/progress_bar.h"
#include "text/stopwatch.h"
#include "text/strings.h"
#include "text/table.h"

namespace tandem::cli {

namespace {

constexpr const char* k_help = R"(
Parts are the groups and objects of an OBJ, the solids of an STL and the nodes of a glTF, or, with
--components, the connected pieces of each of them. Two parts touch when they share points but
neither goes through the other, as blocks that stand on each other do; otherwise they cross. Of
closed parts, those cross that have volume in common. Curves are where surfaces meet: points joined
end to end.

Examples (each runs as it stands):
  tandem clash shape:box shape:knot
  tandem make pipes --triangles 5000 -o pipes.stl
  tandem clash pipes.stl --components --table clashes.md
  tandem clash pipes.stl shape:rock:5000 --components --json clashes.json --curves curves.obj
  tandem clash pipes.stl shape:box --components --picture clash.png --picture-size 320x200
  tandem clash shape:box shape:rock --exit-code || echo "they meet")";

struct ClashOptions {
  std::vector<std::string> files;
  ReadChoices read;
  bool components = false;
  std::optional<std::string> json_file;
  std::optional<std::string> table_file;
  std::optional<std::string> curves_file;
  std::optional<std::string> picture_file;
  std::optional<std::string> picture_size;
  std::optional<std::string> threads;
  bool exit_code = false;
  bool quiet = false;
};

/// Two parts that meet.
struct Clash {
  ObjectPair objects;
  std::size_t first_pair = 0;
  std::size_t pair_count = 0;
  Meeting meeting = Meeting::touching;
  /// In the world.
  std::vector<ContactCurve> curves;
  double curve_length = 0;
};

struct Parts {
  tandem::Scene scene;
  std::size_t model_count = 0;
  std::size_t triangle_count = 0;
};

double length_of(const ContactCurve& curve) {
  double sum = 0;
  for (std::size_t i = 1; i < curve.points.size(); ++i) {
    sum += length(curve.points[i] - curve.points[i - 1]);
  }
  return curve.closed ? sum + length(curve.points.front() - curve.points.back()) : sum;
}

/// Reads all files; each mesh becomes one model, however many parts show it.
Parts load_parts(const ClashOptions& options, int threads, Reporting reporting) {
  Parts parts;
  for (const std::string& file : options.files) {
    Assembly assembly = load_assembly(file, reporting, options.read.options());
    if (options.components) assembly = split_components(assembly);
    std::vector<Model> models;
    models.reserve(assembly.meshes.size());
    for (Mesh& mesh : assembly.meshes) {
      models.emplace_back(std::move(mesh), BuildOptions{.threads = threads});
    }
    for (const AssemblyPart& part : assembly.parts) {
      // Names are unique in a file; with several files, the file's comes first.
      const std::string name = options.files.size() == 1 ? part.name : file + ":" + part.name;
      parts.scene.add(models[part.mesh], part.pose, {.name = name, .group = file});
      parts.triangle_count += models[part.mesh].mesh().triangle_count();
    }
    parts.model_count += models.size();
  }
  return parts;
}

std::vector<Clash> find_clashes(const tandem::Scene& scene, const SceneResult& result) {
  std::vector<Clash> clashes;
  for (std::size_t i = 0; i < result.objects.size(); ++i) {
    const ObjectPair& objects = result.objects[i];
    const Model& a = scene.model(objects.a);
    const Model& b = scene.model(objects.b);
    const Pose& a_in_world = scene.pose(objects.a);
    const Pose b_in_a = relative_pose(a_in_world, scene.pose(objects.b));
    Clash clash{.objects = objects,
                .first_pair = result.offsets[i],
                .pair_count = result.pairs_of(i).size(),
                .meeting = meeting(a, b, b_in_a),
                .curves = contact_curves(a, b, b_in_a, result.pairs_of(i))};
    for (ContactCurve& curve : clash.curves) {
      for (Vec3d& point : curve.points) point = transform_point(a_in_world, point);
      clash.curve_length += length_of(curve);
    }
    clashes.push_back(std::move(clash));
  }
  return clashes;
}

const char* word_for(Meeting meeting) {
  return meeting == Meeting::crossing ? "cross" : "touch";
}

const std::string& name_of(const tandem::Scene& scene, ObjectId object) {
  return scene.labels(object).name;
}

/// The clashes as rows of text, each cell as `cell` makes it.
std::string rows_text(const tandem::Scene& scene, const std::vector<Clash>& clashes,
                      const std::string& before, const std::string& between,
                      const std::string& after, std::string (*cell)(const std::string&)) {
  std::string text;
  for (const Clash& clash : clashes) {
    const std::string cells[] = {cell(name_of(scene, clash.objects.a)),
                                 cell(name_of(scene, clash.objects.b)),
                                 word_for(clash.meeting),
                                 std::to_string(clash.pair_count),
                                 std::to_string(clash.curves.size()),
                                 shortest(clash.curve_length)};
    text += before;
    for (std::size_t i = 0; i < std::size(cells); ++i) text += (i == 0 ? "" : between) + cells[i];
    text += after + "\n";
  }
  return text;
}

std::string csv_cell(const std::string& text) {
  std::string cell = "\"";
  for (const char c : text) cell += c == '"' ? std::string("\"\"") : std::string(1, c);
  return cell + "\"";
}

std::string markdown_cell(const std::string& text) {
  std::string cell;
  for (const char c : one_line(text)) cell += c == '|' ? std::string("\\|") : std::string(1, c);
  return cell;
}

void write_table(const std::string& file, const tandem::Scene& scene,
                 const std::vector<Clash>& clashes) {
  if (file_ending(file) == ".csv") {
    write_file(file, "part_a,part_b,meeting,triangle_pairs,curves,curve_length\n" +
                         rows_text(scene, clashes, "", ",", "", csv_cell));
    return;
  }
  write_file(
      file,
      "| part | part | | triangle pairs | curves | their length |\n|---|---|---|---|---|---|\n" +
          rows_text(scene, clashes, "| ", " | ", " |", markdown_cell));
}

void write_clash_json(const std::string& file, const Parts& parts, const SceneResult& result,
                      const std::vector<Clash>& clashes) {
  Json object;
  object["parts"] = parts.scene.size();
  object["triangles"] = parts.triangle_count;
  object["clashes"] = Json::array();
  for (const Clash& clash : clashes) {
    Json row = {{"a", name_of(parts.scene, clash.objects.a)},
                {"b", name_of(parts.scene, clash.objects.b)},
                {"meeting", clash.meeting == Meeting::crossing ? "crossing" : "touching"},
                {"triangle_pairs", clash.pair_count},
                {"curve_length", clash.curve_length},
                {"pairs", Json::array()},
                {"curves", Json::array()}};
    for (std::size_t i = 0; i < clash.pair_count; ++i) {
      const TrianglePair& pair = result.pairs[clash.first_pair + i];
      row["pairs"].push_back({pair.a, pair.b});
    }
    for (const ContactCurve& curve : clash.curves) {
      Json points = Json::array();
      for (const Vec3d& point : curve.points) points.push_back({point.x, point.y, point.z});
      row["curves"].push_back({{"closed", curve.closed}, {"points", std::move(points)}});
    }
    object["clashes"].push_back(std::move(row));
  }
  write_json(file, object);
}

/// Polylines of Wavefront's OBJ, a group for each two parts.
void write_curves(const std::string& file, const tandem::Scene& scene,
                  const std::vector<Clash>& clashes) {
  write_file(file, [&](const Write& write) {
    TextBuffer text(write);
    std::size_t vertex = 1;
    for (const Clash& clash : clashes) {
      text << "g " << one_line(name_of(scene, clash.objects.a)) << " and "
           << one_line(name_of(scene, clash.objects.b)) << "\n";
      for (const ContactCurve& curve : clash.curves) {
        for (const Vec3d& p : curve.points) {
          text << "v " << shortest(p.x) << " " << shortest(p.y) << " " << shortest(p.z) << "\n";
        }
        text << (curve.points.size() == 1 ? "p" : "l");
        for (std::size_t i = 0; i < curve.points.size(); ++i) {
          text << " " << std::to_string(vertex + i);
        }
        if (curve.closed) text << " " << std::to_string(vertex);
        text << "\n";
        vertex += curve.points.size();
      }
    }
    text.flush();
  });
}

void write_picture(const ClashOptions& options, const Parts& parts, const SceneResult& result,
                   const std::vector<Clash>& clashes, Reporting reporting) {
  const tandem::Scene& scene = parts.scene;
  if (parts.triangle_count == 0) {
    throw Error(one_line(*options.picture_file) +
                ": there is nothing to render, as no part has triangles");
  }
  // Greys that differ a little tell neighbours apart.
  constexpr Vec3d k_colours[] = {{0.55, 0.58, 0.62},
                                 {0.42, 0.48, 0.56},
                                 {0.62, 0.6, 0.55},
                                 {0.48, 0.55, 0.52},
                                 {0.58, 0.52, 0.5}};
  std::vector<PictureBody> bodies;
  for (const ObjectId id : scene.objects()) {
    const Mesh& mesh = scene.model(id).mesh();
    bodies.push_back({&mesh, scene.pose(id), std::vector<bool>(mesh.triangle_count()),
                      k_colours[id % std::size(k_colours)], k_touching_colour});
  }
  std::vector<TriangleIntersection> shared;
  for (const Clash& clash : clashes) {
    const std::span pairs = std::span(result.pairs).subspan(clash.first_pair, clash.pair_count);
    for (const TrianglePair& pair : pairs) {
      bodies[clash.objects.a].touching[pair.a] = true;
      bodies[clash.objects.b].touching[pair.b] = true;
    }
    if (clash.meeting == Meeting::crossing) {
      bodies[clash.objects.a].touching_colour = k_crossing_colour;
      bodies[clash.objects.b].touching_colour = k_crossing_colour;
    }
    const std::vector<TriangleIntersection> more =
        shared_in_world(scene.model(clash.objects.a), scene.model(clash.objects.b),
                        scene.pose(clash.objects.a), scene.pose(clash.objects.b), pairs);
    shared.insert(shared.end(), more.begin(), more.end());
  }
  CollisionPicture picture;
  if (options.picture_size) {
    picture.size = parse_picture_size(*options.picture_size, "--picture-size");
  }
  write_contact_picture(*options.picture_file, bodies, shared, picture, reporting);
}

void report(const ClashOptions& options, const Parts& parts, const std::vector<Clash>& clashes,
            double read_s, double search_s) {
  constexpr std::size_t k_shown = 20;
  if (options.json_file == "-") return;
  const auto crossing = static_cast<std::uint64_t>(
      std::count_if(clashes.begin(), clashes.end(),
                    [](const Clash& clash) { return clash.meeting == Meeting::crossing; }));
  std::string text = counted(parts.scene.size(), "part", "parts") + ", " +
                     counted(parts.triangle_count, "triangle", "triangles") +
                     ", read and built in " + duration(read_s) + "\n";
  if (clashes.empty()) {
    text += "no two of them meet";
  } else {
    text += counted(clashes.size(), "two parts meet", "pairs of parts meet") + ": " +
            grouped(crossing) + " cross, " + grouped(clashes.size() - crossing) + " touch";
  }
  text += ", found in " + duration(search_s) + "\n";
  Table table;
  table.add_row({"part", "part", "", "triangle pairs", "curves", "length"});
  for (std::size_t i = 0; i < std::min(clashes.size(), k_shown); ++i) {
    const Clash& clash = clashes[i];
    table.add_row({one_line(name_of(parts.scene, clash.objects.a)),
                   one_line(name_of(parts.scene, clash.objects.b)), word_for(clash.meeting),
                   grouped(clash.pair_count), grouped(clash.curves.size()),
                   shortest(static_cast<float>(clash.curve_length))});
  }
  if (!clashes.empty()) text += table.text("  ");
  if (clashes.size() > k_shown) {
    text += "  ... and " + grouped(clashes.size() - k_shown) + " more; --table FILE.csv has all\n";
  }
  for (const auto& file :
       {options.json_file, options.table_file, options.curves_file, options.picture_file}) {
    if (file) text += "wrote " + one_line(*file) + "\n";
  }
  print(text);
}

void check_options(const ClashOptions& options) {
  if (options.table_file) {
    const std::string ending = file_ending(*options.table_file);
    if (ending != ".csv" && ending != ".md") {
      throw Error("--table: " + in_quotes(*options.table_file) + " must end in .csv or .md");
    }
  }
  if (options.curves_file && file_ending(*options.curves_file) != ".obj") {
    throw Error("--curves: " + in_quotes(*options.curves_file) + " must end in .obj");
  }
  if (options.picture_file) check_png(*options.picture_file, "--picture");
  if (!options.picture_file && options.picture_size) {
    throw Error("--picture-size goes with --picture");
  }
  std::vector<NamedFile> inputs;
  for (const std::string& file : options.files) inputs.push_back({"FILE", file});
  std::vector<NamedFile> outputs;
  const auto add = [&](const char* option, const std::optional<std::string>& file) {
    if (file && *file != "-") outputs.push_back({option, *file});
  };
  add("--json", options.json_file);
  add("--table", options.table_file);
  add("--curves", options.curves_file);
  add("--picture", options.picture_file);
  check_files(outputs, inputs);
}

int run(const ClashOptions& options) {
  check_options(options);
  const int threads = thread_count(options.threads);
  const Reporting reporting = cli::reporting(options.quiet);
  const Stopwatch read_watch;
  const Parts parts = load_parts(options, threads, reporting);
  const double read_s = read_watch.seconds();

  const Stopwatch search_watch;
  SceneResult result;
  {
    ProgressBar bar("searching", reporting);
    result = parts.scene.collide({.threads = threads, .progress = bar.callback()});
  }
  const std::vector<Clash> clashes = find_clashes(parts.scene, result);
  const double search_s = search_watch.seconds();

  if (options.json_file) write_clash_json(*options.json_file, parts, result, clashes);
  if (options.table_file) write_table(*options.table_file, parts.scene, clashes);
  if (options.curves_file) write_curves(*options.curves_file, parts.scene, clashes);
  if (options.picture_file) write_picture(options, parts, result, clashes, reporting);
  report(options, parts, clashes, read_s, search_s);
  return options.exit_code && !clashes.empty() ? k_exit_touching : k_exit_ok;
}

}  // namespace

Command add_clash(CLI::App& program) {
  const auto options = std::make_shared<ClashOptions>();
  CLI::App* const app = program.add_subcommand(
      "clash", "Find which parts of assemblies touch or cross, and in which curves");
  add_argument(*app, "FILE", options->files, "one or more assemblies: mesh files, or shapes")
      ->required();
  app->add_flag("--components", options->components, "every connected piece is a part of its own");
  add_value(*app, "--json", options->json_file, "FILE",
            "write all clashes with their triangle pairs and curves; - is\n"
            "standard output and silences the report");
  add_value(*app, "--table", options->table_file, "FILE",
            "write a row for each clash: .csv, or .md for Markdown");
  add_value(*app, "--curves", options->curves_file, "FILE.obj",
            "write the curves as polylines, a group for each clash");
  add_value(*app, "--picture", options->picture_file, "FILE.png",
            "render all parts, clashing triangles and curves in colour: red\n"
            "where parts cross, orange where they touch");
  add_value(*app, "--picture-size", options->picture_size, "WxH", "its pixels (default 960x600)");
  add_threads(*app, options->threads);
  app->add_flag("--exit-code", options->exit_code, "exit with 1 when any parts meet (errors: 2)");
  add_read_options(*app, options->read);
  add_quiet_flag(*app, options->quiet);
  app->footer(k_help);
  return {app, [options] { return run(*options); }};
}

}  // namespace tandem::cli
