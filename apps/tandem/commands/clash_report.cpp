#include "commands/clash_report.h"

#include <tandem/error.h>

#include <algorithm>
#include <iterator>
#include <span>
#include <utility>

#include "options/picture_size.h"
#include "options/shared_options.h"
#include "options/whole_numbers.h"
#include "parallel/parallel_for.h"
#include "render/collision_picture.h"
#include "render/png_file.h"
#include "text/json.h"
#include "text/numbers.h"
#include "text/stopwatch.h"
#include "text/strings.h"
#include "text/table.h"

namespace tandem::cli {

namespace {

double length_of(const ContactCurve& curve) {
  double sum = 0;
  for (std::size_t i = 1; i < curve.points.size(); ++i) {
    sum += length(curve.points[i] - curve.points[i - 1]);
  }
  return curve.closed ? sum + length(curve.points.front() - curve.points.back()) : sum;
}

std::vector<Clash> find_clashes(const tandem::Scene& scene, const SceneResult& result,
                                int threads) {
  std::vector<Clash> clashes(result.objects.size());
  detail::parallel_for(clashes.size(), 1, threads, [&](std::size_t i, std::size_t) {
    const ObjectPair& objects = result.objects[i];
    const Model& a = scene.model(objects.a);
    const Model& b = scene.model(objects.b);
    const Pose& a_in_world = scene.pose(objects.a);
    const Pose b_in_a = relative_pose(a_in_world, scene.pose(objects.b));
    clashes[i] = {.objects = objects,
                  .first_pair = result.offsets[i],
                  .pair_count = result.pairs_of(i).size(),
                  .meeting = meeting(a, b, b_in_a),
                  .curves = contact_curves(a, b, b_in_a, result.pairs_of(i))};
    for (ContactCurve& curve : clashes[i].curves) {
      for (Vec3d& point : curve.points) point = transform_point(a_in_world, point);
      clashes[i].curve_length += length_of(curve);
    }
  });
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

void write_table(const std::string& file, const ClashingScene& in,
                 const std::vector<Clash>& clashes) {
  if (file_ending(file) == ".csv") {
    write_file(file, in.noun + "_a," + in.noun + "_b,meeting,triangle_pairs,curves,curve_length\n" +
                         rows_text(in.scene, clashes, "", ",", "", csv_cell));
    return;
  }
  write_file(file,
             "| " + in.noun + " | " + in.noun +
                 " | | triangle pairs | curves | their length |\n|---|---|---|---|---|---|\n" +
                 rows_text(in.scene, clashes, "| ", " | ", " |", markdown_cell));
}

void write_clash_json(const std::string& file, const ClashingScene& in, const SceneResult& result,
                      const std::vector<Clash>& clashes) {
  Json object;
  object[in.noun + "s"] = in.scene.size();
  object["triangles"] = in.triangle_count;
  object["clashes"] = Json::array();
  for (const Clash& clash : clashes) {
    Json row = {{"a", name_of(in.scene, clash.objects.a)},
                {"b", name_of(in.scene, clash.objects.b)},
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

void write_picture(const ClashOutputs& outputs, const ClashingScene& in, const SceneResult& result,
                   const std::vector<Clash>& clashes, Reporting reporting) {
  const tandem::Scene& scene = in.scene;
  if (in.triangle_count == 0) {
    throw Error(one_line(*outputs.picture_file) + ": there is nothing to render, as no " + in.noun +
                " has triangles");
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
  CollisionPicture picture{.size = {640, 400}, .samples = 4, .bounces = 2};
  if (outputs.picture_samples) {
    picture.samples = whole_number_in(*outputs.picture_samples, "--picture-samples", 1, 100'000);
  }
  if (outputs.picture_size) {
    picture.size = parse_picture_size(*outputs.picture_size, "--picture-size");
  }
  write_contact_picture(*outputs.picture_file, bodies, shared, picture, reporting);
}

void report(const ClashOutputs& outputs, const ClashingScene& in, const std::vector<Clash>& clashes,
            double search_s) {
  constexpr std::size_t k_shown = 20;
  if (outputs.json_file == "-") return;
  const auto crossing = static_cast<std::uint64_t>(
      std::count_if(clashes.begin(), clashes.end(),
                    [](const Clash& clash) { return clash.meeting == Meeting::crossing; }));
  std::string text = counted(in.scene.size(), in.noun, in.noun + "s") + ", " +
                     counted(in.triangle_count, "triangle", "triangles") + ", read and built in " +
                     duration(in.read_s) + "\n";
  if (clashes.empty()) {
    text += "no two of them meet";
  } else {
    text += counted(clashes.size(), "pair of " + in.noun + "s meets",
                    "pairs of " + in.noun + "s meet") +
            ": " + grouped(crossing) + " cross, " + grouped(clashes.size() - crossing) + " touch";
  }
  text += ", found in " + duration(search_s) + "\n";
  Table table;
  table.add_row({in.noun, in.noun, "", "triangle pairs", "curves", "length"});
  for (std::size_t i = 0; i < std::min(clashes.size(), k_shown); ++i) {
    const Clash& clash = clashes[i];
    table.add_row({one_line(name_of(in.scene, clash.objects.a)),
                   one_line(name_of(in.scene, clash.objects.b)), word_for(clash.meeting),
                   grouped(clash.pair_count), grouped(clash.curves.size()),
                   shortest(static_cast<float>(clash.curve_length))});
  }
  if (!clashes.empty()) text += table.text("  ");
  if (clashes.size() > k_shown) {
    text += "  ... and " + grouped(clashes.size() - k_shown) + " more; --table FILE.csv has all\n";
  }
  for (const auto& file :
       {outputs.json_file, outputs.table_file, outputs.curves_file, outputs.picture_file}) {
    if (file) text += "wrote " + one_line(*file) + "\n";
  }
  print(text);
}

}  // namespace

void add_clash_outputs(CLI::App& app, ClashOutputs& outputs, const std::string& noun) {
  add_value(app, "--json", outputs.json_file, "FILE",
            "write all clashes with their triangle pairs and curves; - is\n"
            "standard output and silences the report");
  add_value(app, "--table", outputs.table_file, "FILE",
            "write a row for each clash: .csv, or .md for Markdown");
  add_value(app, "--curves", outputs.curves_file, "FILE.obj",
            "write the curves as polylines, a group for each clash");
  add_value(app, "--picture", outputs.picture_file, "FILE.png",
            "render all " + noun +
                "s, clashing triangles and curves in colour: red\n"
                "where " +
                noun + "s cross, orange where they touch");
  add_value(app, "--picture-size", outputs.picture_size, "WxH", "its pixels (default 640x400)");
  add_value(app, "--picture-samples", outputs.picture_samples, "N",
            "paths of light through each pixel (default 4); 32 look better");
}

void check_clash_outputs(const ClashOutputs& outputs, const std::vector<NamedFile>& inputs) {
  if (outputs.table_file) {
    const std::string ending = file_ending(*outputs.table_file);
    if (ending != ".csv" && ending != ".md") {
      throw Error("--table: " + in_quotes(*outputs.table_file) + " must end in .csv or .md");
    }
  }
  if (outputs.curves_file && file_ending(*outputs.curves_file) != ".obj") {
    throw Error("--curves: " + in_quotes(*outputs.curves_file) + " must end in .obj");
  }
  if (outputs.picture_file) check_png(*outputs.picture_file, "--picture");
  if (!outputs.picture_file && (outputs.picture_size || outputs.picture_samples)) {
    throw Error("--picture-size and --picture-samples go with --picture");
  }
  std::vector<NamedFile> files;
  const auto add = [&](const char* option, const std::optional<std::string>& file) {
    if (file && *file != "-") files.push_back({option, *file});
  };
  add("--json", outputs.json_file);
  add("--table", outputs.table_file);
  add("--curves", outputs.curves_file);
  add("--picture", outputs.picture_file);
  check_files(files, inputs);
}

std::size_t report_clashes(const ClashingScene& in, const ClashOutputs& outputs,
                           SceneQueries& queries, int threads, Reporting reporting) {
  const Stopwatch search_watch;
  SceneResult result;
  {
    ProgressBar bar("searching", reporting);
    result = queries.collide(in.scene, {.threads = threads, .progress = bar.callback()});
  }
  const std::vector<Clash> clashes = find_clashes(in.scene, result, threads);
  const double search_s = search_watch.seconds();
  if (outputs.json_file) write_clash_json(*outputs.json_file, in, result, clashes);
  if (outputs.table_file) write_table(*outputs.table_file, in, clashes);
  if (outputs.curves_file) write_curves(*outputs.curves_file, in.scene, clashes);
  if (outputs.picture_file) write_picture(outputs, in, result, clashes, reporting);
  report(outputs, in, clashes, search_s);
  return clashes.size();
}

}  // namespace tandem::cli
