// tandem info: what a mesh is like.
#include <tandem/tandem.h>

#include <memory>

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
  tandem info soup.ply --json)";

struct InfoOptions {
  std::string source;
  ReadLimits limits;
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
  return "(" + shortest(point.x) + ", " + shortest(point.y) + ", " + shortest(point.z) + ")";
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

void report_json(const std::string& source, const MeshInfo& info) {
  const auto point = [](const Vec3f& p) { return Json::array({p.x, p.y, p.z}); };
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
    object["bounds"] = {{"lower", point(info.bounds.lower)}, {"upper", point(info.bounds.upper)}};
  }
  print_json(object);
}

}  // namespace

Command add_info(CLI::App& program) {
  const auto options = std::make_shared<InfoOptions>();
  CLI::App* const app = program.add_subcommand(
      "info", "Describe a mesh: counts, bounds, closed or open, components, faults");
  add_argument(*app, "MESH", options->source, k_mesh_source_help)->required();
  add_json_flag(*app, options->json);
  add_read_limits(*app, options->limits);
  add_quiet_flag(*app, options->quiet);
  app->footer(k_examples);
  return {app, [options]() -> int {
            const MeshInfo info = describe(
                load_mesh(options->source, reporting(options->quiet), options->limits.options()));
            options->json ? report_json(options->source, info) : report_text(options->source, info);
            return k_exit_ok;
          }};
}

}  // namespace tandem::cli
