// tandem info: what a mesh is like.
#include <tandem/tandem.h>

#include <cstdio>
#include <memory>
#include <vector>

#include "commands/commands.h"
#include "options/mesh_source.h"
#include "options/shared_options.h"
#include "text/json.h"
#include "text/numbers.h"
#include "text/output.h"
#include "text/strings.h"
#include "text/table.h"

namespace tandem::cli {

namespace {

constexpr const char* k_examples = R"(Examples:
  tandem info shape:knot:80000
  tandem make soup --triangles 1000 -o soup.ply
  tandem info soup.ply --json
  tandem info soup.ply --scale mm
  printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\ng left\nf 1 2 3\ng right\nf 3 2 1\n' > two.obj
  tandem info two.obj --parts
  tandem info shape:pipes:2000 --components)";

struct InfoOptions {
  std::string source;
  ReadChoices reading;
  bool parts = false;
  bool components = false;
  bool json = false;
  bool quiet = false;
};

// What kind of surface the triangles form, in one word.
const char* surface(const MeshInfo& info) {
  if (info.triangle_count == 0) return "empty";
  if (info.closed()) return "closed";
  return info.component_count == info.triangle_count ? "soup" : "open";
}

const char* surface_meaning(const MeshInfo& info) {
  const std::string_view kind = surface(info);
  if (kind == "empty") return "no triangles";
  if (kind == "closed") return "each edge has exactly two triangles";
  if (kind == "soup") return "no two triangles are connected";
  return info.boundary_edge_count > 0 ? "some edges have only one triangle"
                                      : "some edges have three triangles or more";
}

std::string point_text(const Vec3f& point) {
  return std::string("(") + shortest(point.x) + ", " + shortest(point.y) + ", " +
         shortest(point.z) + ")";
}

void report_text(const std::string& source, const MeshInfo& info) {
  Table counts;
  counts.add_row({"triangles", grouped(info.triangle_count)});
  counts.add_row({"  degenerate (zero area)", grouped(info.degenerate_triangle_count)});
  counts.add_row({"  duplicates of another", grouped(info.duplicate_triangle_count)});
  counts.add_row({"vertices", grouped(info.vertex_count)});
  counts.add_row({"  distinct positions", grouped(info.distinct_position_count)});
  counts.add_row({"  used by no triangle", grouped(info.unused_vertex_count)});
  counts.add_row({"boundary edges", grouped(info.boundary_edge_count)});
  counts.add_row({"non-manifold edges", grouped(info.non_manifold_edge_count)});
  counts.add_row({"components", grouped(info.component_count)});
  std::string text = one_line(source) + ": " + surface(info) + ", " + surface_meaning(info) + "\n";
  text += counts.text("  ");
  if (info.triangle_count > 0) {
    text += "  bounds  " + point_text(info.bounds.lower) + " to " + point_text(info.bounds.upper) +
            "\n";
  }
  print(text);
}

Json bounds_json(const Bounds& bounds) {
  const auto point = [](const Vec3f& p) { return Json::array({p.x, p.y, p.z}); };
  return {{"lower", point(bounds.lower)}, {"upper", point(bounds.upper)}};
}

void report_json(const std::string& source, const MeshInfo& info) {
  Json object;
  object["source"] = source;
  object["surface"] = surface(info);
  object["closed"] = info.closed();
  object["triangles"] = info.triangle_count;
  object["degenerate_triangles"] = info.degenerate_triangle_count;
  object["duplicate_triangles"] = info.duplicate_triangle_count;
  object["vertices"] = info.vertex_count;
  object["distinct_positions"] = info.distinct_position_count;
  object["unused_vertices"] = info.unused_vertex_count;
  object["boundary_edges"] = info.boundary_edge_count;
  object["non_manifold_edges"] = info.non_manifold_edge_count;
  object["components"] = info.component_count;
  object["bounds"] = nullptr;
  if (info.triangle_count > 0) {
    object["bounds"] = bounds_json(info.bounds);
  }
  print_json(object);
}

std::uint64_t triangle_count(const Assembly& assembly) {
  std::uint64_t count = 0;
  for (const AssemblyPart& part : assembly.parts) {
    count += assembly.meshes[part.mesh].triangle_count();
  }
  return count;
}

// Along x, y and z, to four digits.
std::string size_text(const Mesh& mesh) {
  const Bounds bounds = mesh.bounds();
  const Vec3d size = Vec3d(bounds.upper) - Vec3d(bounds.lower);
  char text[64];
  std::snprintf(text, sizeof text, "%.4g x %.4g x %.4g", size.x, size.y, size.z);
  return text;
}

void report_parts_text(const std::string& source, const Assembly& assembly) {
  print(one_line(source) + ": " + counted(assembly.parts.size(), "part", "parts") + " of " +
        counted(assembly.meshes.size(), "mesh", "meshes") + ", " +
        counted(triangle_count(assembly), "triangle", "triangles") + "\n");
  if (assembly.parts.empty()) return;
  std::vector<std::string> sizes;
  for (const Mesh& mesh : assembly.meshes) sizes.push_back(size_text(mesh));
  Table table;
  table.add_row({"part", "mesh", "triangles", "vertices", "size"});
  for (const AssemblyPart& part : assembly.parts) {
    const Mesh& mesh = assembly.meshes[part.mesh];
    table.add_row({one_line(part.name), std::to_string(part.mesh), grouped(mesh.triangle_count()),
                   grouped(mesh.vertex_count()), sizes[part.mesh]});
  }
  print(table.text("  "));
}

// Row by row, as `tandem batch` reads it.
Json matrix_json(const Pose& pose) {
  Json matrix = Json::array();
  for (int row = 0; row < 3; ++row) {
    for (int column = 0; column < 3; ++column) matrix.push_back(pose.rotation(row, column));
    matrix.push_back(pose.translation()[row]);
  }
  for (const double entry : {0, 0, 0, 1}) matrix.push_back(entry);
  return matrix;
}

void report_parts_json(const std::string& source, const Assembly& assembly) {
  // Of each mesh in its own frame, so that an instance costs nothing.
  std::vector<Json> bounds;
  for (const Mesh& mesh : assembly.meshes) bounds.push_back(bounds_json(mesh.bounds()));
  Json object;
  object["source"] = source;
  object["triangles"] = triangle_count(assembly);
  object["meshes"] = assembly.meshes.size();
  object["parts"] = Json::array();
  for (const AssemblyPart& part : assembly.parts) {
    const Mesh& mesh = assembly.meshes[part.mesh];
    object["parts"].push_back({{"name", part.name},
                               {"mesh", part.mesh},
                               {"triangles", mesh.triangle_count()},
                               {"vertices", mesh.vertex_count()},
                               {"bounds", bounds[part.mesh]},
                               {"matrix", matrix_json(part.pose)}});
  }
  print_json(object);
}

int run(const InfoOptions& options) {
  const Reporting reporting = cli::reporting(options.quiet);
  const ReadOptions read = options.reading.options();
  if (options.parts || options.components) {
    Assembly assembly = load_assembly(options.source, reporting, read);
    if (options.components) assembly = split_components(assembly);
    options.json ? report_parts_json(options.source, assembly)
                 : report_parts_text(options.source, assembly);
    return k_exit_ok;
  }
  const MeshInfo info = describe(load_mesh(options.source, reporting, read));
  options.json ? report_json(options.source, info) : report_text(options.source, info);
  return k_exit_ok;
}

}  // namespace

Command add_info(CLI::App& program) {
  const auto options = std::make_shared<InfoOptions>();
  CLI::App* const app =
      add_command(program, "info",
                  "Describe a mesh: counts, bounds, closed or open, parts, components, faults");
  add_argument(*app, "MESH", options->source, k_mesh_source_help, Need::required);
  add_flag(*app, "--parts", options->parts,
           "list the parts instead: groups and objects of OBJ, solids of STL,\n"
           "nodes of glTF");
  add_flag(*app, "--components", options->components,
           "list the connected components of each part instead");
  add_json_flag(*app, options->json);
  add_read_options(*app, options->reading);
  add_quiet_flag(*app, options->quiet);
  set_footer(*app, k_examples);
  return {app, [options] { return run(*options); }};
}

}  // namespace tandem::cli
