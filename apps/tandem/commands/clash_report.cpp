#include "commands/clash_report.h"

#include <tandem/error.h>

#include <algorithm>
#include <iterator>
#include <span>
#include <utility>

#include "options/mesh_source.h"
#include "options/shared_options.h"
#include "parallel/parallel_for.h"
#include "render/collision_picture.h"
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

/// All that is reported.
struct Findings {
  SceneResult result;
  std::vector<Clash> clashes;
  /// Only with a clearance.
  std::vector<ObjectClearance> close;
};

/// So many rows are shown; files have all.
constexpr std::size_t k_shown = 20;

constexpr CollisionPicture k_picture{.size = {640, 400}, .samples = 4, .bounces = 2};

/// What stands around the cells of a table in a file.
struct Rows {
  std::string before;
  std::string between;
  std::string after;
  /// Makes a cell of a name.
  std::string (*cell)(const std::string&);

  std::string line(const std::vector<std::string>& cells) const {
    std::string text = before;
    for (std::size_t i = 0; i < cells.size(); ++i) text += (i == 0 ? "" : between) + cells[i];
    return text + after + "\n";
  }

  /// The clashes, then what is close; distances only where a clearance was asked for.
  std::string text(const tandem::Scene& scene, const Findings& found, bool distances) const {
    std::string text;
    for (const Clash& clash : found.clashes) {
      std::vector<std::string> cells = {cell(name_of(scene, clash.objects.a)),
                                        cell(name_of(scene, clash.objects.b)),
                                        word_for(clash.meeting),
                                        std::to_string(clash.pair_count),
                                        std::to_string(clash.curves.size()),
                                        shortest(clash.curve_length)};
      if (distances) cells.emplace_back("0");
      text += line(cells);
    }
    for (const ObjectClearance& close : found.close) {
      text += line({cell(name_of(scene, close.objects.a)), cell(name_of(scene, close.objects.b)),
                    "close", "0", "0", "0", shortest(close.distance)});
    }
    return text;
  }
};

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

void write_table(const std::string& file, const ClashingScene& in, const Findings& found,
                 bool distances) {
  if (file_ending(file) == ".csv") {
    write_file(file, in.noun + "_a," + in.noun + "_b,meeting,triangle_pairs,curves,curve_length" +
                         (distances ? ",distance\n" : "\n") +
                         Rows{"", ",", "", csv_cell}.text(in.scene, found, distances));
    return;
  }
  write_file(file, "| " + in.noun + " | " + in.noun +
                       " | | triangle pairs | curves | their length |" +
                       (distances ? " distance |\n|---|---|---|---|---|---|---|\n"
                                  : "\n|---|---|---|---|---|---|\n") +
                       Rows{"| ", " | ", " |", markdown_cell}.text(in.scene, found, distances));
}

void write_clash_json(const std::string& file, const ClashingScene& in, const Findings& found,
                      std::optional<double> clearance) {
  Json object;
  object[in.noun + "s"] = in.scene.size();
  object["triangles"] = in.triangle_count;
  object["clashes"] = Json::array();
  for (const Clash& clash : found.clashes) {
    Json row = {{"a", name_of(in.scene, clash.objects.a)},
                {"b", name_of(in.scene, clash.objects.b)},
                {"meeting", clash.meeting == Meeting::crossing ? "crossing" : "touching"},
                {"triangle_pairs", clash.pair_count},
                {"curve_length", clash.curve_length},
                {"pairs", Json::array()},
                {"curves", Json::array()}};
    for (std::size_t i = 0; i < clash.pair_count; ++i) {
      const TrianglePair& pair = found.result.pairs[clash.first_pair + i];
      row["pairs"].push_back({pair.a, pair.b});
    }
    for (const ContactCurve& curve : clash.curves) {
      Json points = Json::array();
      for (const Vec3d& point : curve.points) points.push_back({point.x, point.y, point.z});
      row["curves"].push_back({{"closed", curve.closed}, {"points", std::move(points)}});
    }
    object["clashes"].push_back(std::move(row));
  }
  if (clearance) {
    object["clearance"] = *clearance;
    object["close"] = Json::array();
    for (const ObjectClearance& close : found.close) {
      object["close"].push_back(close_json(in.scene, close));
    }
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

void write_picture(const ClashOutputs& outputs, const ClashingScene& in, const Findings& found,
                   Reporting reporting) {
  const tandem::Scene& scene = in.scene;
  if (in.triangle_count == 0) {
    throw Error(one_line(*outputs.picture.file) + ": there is nothing to render, as no " + in.noun +
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
  for (const ObjectClearance& close : found.close) {
    for (const auto& [object, triangle] :
         {std::pair(close.objects.a, close.pair.a), std::pair(close.objects.b, close.pair.b)}) {
      bodies[object].touching[triangle] = true;
      bodies[object].touching_colour = k_close_colour;
    }
    shared.push_back({.count = 2, .points = {close.on_a, close.on_b}});
  }
  for (const Clash& clash : found.clashes) {
    const std::span pairs =
        std::span(found.result.pairs).subspan(clash.first_pair, clash.pair_count);
    for (const TrianglePair& pair : pairs) {
      bodies[clash.objects.a].touching[pair.a] = true;
      bodies[clash.objects.b].touching[pair.b] = true;
    }
    for (const ObjectId object : {clash.objects.a, clash.objects.b}) {
      Vec3d& colour = bodies[object].touching_colour;
      if (clash.meeting == Meeting::crossing) {
        colour = k_crossing_colour;
      } else if (colour == k_close_colour) {
        colour = k_touching_colour;
      }
    }
    const std::vector<TriangleIntersection> more =
        shared_in_world(scene.model(clash.objects.a), scene.model(clash.objects.b),
                        scene.pose(clash.objects.a), scene.pose(clash.objects.b), pairs);
    shared.insert(shared.end(), more.begin(), more.end());
  }
  write_contact_picture(*outputs.picture.file, bodies, shared,
                        picture_of(outputs.picture, k_picture), reporting);
}

/// A line for each two objects that come close, and how close.
std::string close_text(const ClashingScene& in, const std::vector<ObjectClearance>& close,
                       double clearance) {
  std::string text = close.empty() ? "no others come"
                                   : counted(close.size(), "other pair comes", "other pairs come");
  text += " as close as " + shortest(clearance) + "\n";
  if (close.empty()) return text;
  Table table;
  table.add_row({in.noun, in.noun, "distance", "triangles"});
  for (std::size_t i = 0; i < std::min(close.size(), k_shown); ++i) {
    const ObjectClearance& each = close[i];
    table.add_row({one_line(name_of(in.scene, each.objects.a)),
                   one_line(name_of(in.scene, each.objects.b)), three_digits(each.distance),
                   std::to_string(each.pair.a) + " and " + std::to_string(each.pair.b)});
  }
  text += table.text("  ");
  if (close.size() > k_shown) {
    text += "  ... and " + grouped(close.size() - k_shown) + " more; --table FILE.csv has all\n";
  }
  return text;
}

void report(const ClashOutputs& outputs, const ClashingScene& in, const Findings& found,
            std::optional<double> clearance, double search_s) {
  if (outputs.json_file == "-") return;
  const std::vector<Clash>& clashes = found.clashes;
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
  if (clearance) text += close_text(in, found.close, *clearance);
  for (const auto& file :
       {outputs.json_file, outputs.table_file, outputs.curves_file, outputs.picture.file}) {
    if (file) text += "wrote " + one_line(*file) + "\n";
  }
  print(text);
}

}  // namespace

void add_clash_outputs(CLI::App& app, ClashOutputs& outputs, const std::string& noun) {
  add_value(app, "--clearance", outputs.clearance, "D",
            "also find " + noun +
                "s that come as close as D without touching: a number,\n"
                "or one with mm, cm, m, in or ft for metres");
  add_value(app, "--json", outputs.json_file, "FILE",
            "write all clashes with their triangle pairs and curves; - is\n"
            "standard output and silences the report");
  add_value(app, "--table", outputs.table_file, "FILE",
            "write a row for each clash: .csv, or .md for Markdown");
  add_value(app, "--curves", outputs.curves_file, "FILE.obj",
            "write the curves as polylines, a group for each clash");
  add_picture_choice(app, outputs.picture,
                     "render all " + noun +
                         "s, clashing triangles and curves in colour: red\n"
                         "where " +
                         noun + "s cross, orange where they touch, yellow where they\nare close",
                     k_picture);
}

std::optional<double> clearance_of(const ClashOutputs& outputs) {
  if (!outputs.clearance) return std::nullopt;
  return parse_length(*outputs.clearance, "--clearance");
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
  picture_of(outputs.picture, k_picture);
  clearance_of(outputs);
  std::vector<NamedFile> files;
  const auto add = [&](const char* option, const std::optional<std::string>& file) {
    if (file && *file != "-") files.push_back({option, *file});
  };
  add("--json", outputs.json_file);
  add("--table", outputs.table_file);
  add("--curves", outputs.curves_file);
  add_picture_file(outputs.picture, files);
  check_files(files, inputs);
}

std::vector<ObjectClearance> find_close(const tandem::Scene& scene, double clearance,
                                        SceneQueries& queries, const SceneOptions& options) {
  std::vector<ObjectClearance> found = queries.clearances(scene, clearance, options);
  std::erase_if(found, [](const ObjectClearance& each) { return each.distance == 0; });
  return found;
}

Json close_json(const tandem::Scene& scene, const ObjectClearance& close) {
  const auto list = [](const Vec3d& v) { return Json{v.x, v.y, v.z}; };
  return {{"a", name_of(scene, close.objects.a)},
          {"b", name_of(scene, close.objects.b)},
          {"distance", close.distance},
          {"pair", {close.pair.a, close.pair.b}},
          {"points", {list(close.on_a), list(close.on_b)}}};
}

std::size_t report_clashes(const ClashingScene& in, const ClashOutputs& outputs,
                           SceneQueries& queries, int threads, Reporting reporting) {
  const std::optional<double> clearance = clearance_of(outputs);
  const Stopwatch search_watch;
  Findings found;
  {
    ProgressBar bar("searching", reporting);
    found.result = queries.collide(in.scene, {.threads = threads, .progress = bar.callback()});
  }
  found.clashes = find_clashes(in.scene, found.result, threads);
  if (clearance) {
    ProgressBar bar("measuring", reporting);
    found.close =
        find_close(in.scene, *clearance, queries, {.threads = threads, .progress = bar.callback()});
  }
  const double search_s = search_watch.seconds();
  if (outputs.json_file) write_clash_json(*outputs.json_file, in, found, clearance);
  if (outputs.table_file) write_table(*outputs.table_file, in, found, clearance.has_value());
  if (outputs.curves_file) write_curves(*outputs.curves_file, in.scene, found.clashes);
  if (outputs.picture.file) write_picture(outputs, in, found, reporting);
  report(outputs, in, found, clearance, search_s);
  return found.clashes.size() + found.close.size();
}

}  // namespace tandem::cli
