// tandem list: what there is to choose from.
#include <tandem/tandem.h>

#include <memory>

#include "commands/commands.h"
#include "options/mesh_source.h"
#include "papers/paper.h"
#include "text/numbers.h"
#include "text/output.h"

namespace tandem::cli {

namespace {

constexpr const char* k_examples = R"(Examples:
  tandem list
  tandem list --json)";

bool is_default(const AlgorithmInfo& info) {
  return info.algorithm == QueryOptions{}.algorithm;
}

bool is_default(const BuilderInfo& info) {
  return info.builder == BuildOptions{}.builder;
}

bool is_default(const VolumeInfo& info) {
  return info.volume == BuildOptions{}.volume;
}

bool is_default(const OverlapInfo& info) {
  return info.overlap == QueryOptions{}.overlap;
}

bool is_default(const TriangleTestInfo& info) {
  return info.triangle_test == QueryOptions{}.triangle_test;
}

bool is_default(const RayTraversalInfo& info) {
  return info.traversal == RayOptions{}.traversal;
}

// Everything that has a name, a description and a default.
template <class Info>
Json to_json(std::span<const Info> infos) {
  Json array = Json::array();
  for (const Info& info : infos) {
    array.push_back(
        {{"name", info.name}, {"description", info.description}, {"default", is_default(info)}});
  }
  return array;
}

void report_text() {
  // The description is the last cell and of its own length: pad the names by hand.
  const auto row = [](std::string_view name, std::string_view text) {
    std::string line = "  " + std::string(name);
    line.resize(std::max<std::size_t>(line.size() + 2, 21), ' ');
    return line.append(text).append("\n");
  };
  std::string text = "Shapes, for tandem make and as shape:NAME[:TRIANGLES[:SEED]]\n";
  for (const ShapeInfo& shape : shapes()) text += row(shape.name, shape.description);
  const auto rows = [&](const auto& infos) {
    for (const auto& info : infos) {
      text +=
          row(info.name, std::string(info.description) + (is_default(info) ? " (default)" : ""));
    }
  };
  text += "\nAlgorithms, for --algorithm; each finds the same pairs\n";
  rows(algorithms());
  text += "\nTraversals of rays, for --traversal of tandem render; each finds the same hits\n";
  for (const RayTraversalInfo& info : ray_traversals()) {
    const std::string state =
        info.state_bytes == 0 ? "" : ", state of " + std::to_string(info.state_bytes) + " bytes";
    text += row(info.name,
                std::string(info.description) + state + (is_default(info) ? " (default)" : ""));
  }
  text += "\nVolumes, for --volume; the pairs do not depend on them\n";
  for (const VolumeInfo& info : volumes()) {
    text +=
        row(info.name, std::string(info.description) + ", " + std::to_string(info.bytes_per_node) +
                           " bytes a node" + (is_default(info) ? " (default)" : ""));
  }
  text += "\nOverlap tests, for --overlap; the pairs do not depend on them\n";
  rows(overlaps());
  text +=
      "\nTriangle tests, for --triangle-test; those of papers find other pairs here and there\n";
  rows(triangle_tests());
  text += "\nBuilders, for --builder; the pairs do not depend on them\n";
  rows(builders());
  text += "\nFile formats\n";
  for (const FormatInfo& format : formats()) {
    const char* use = format.writes  ? "read and written"
                      : format.reads ? "read"
                                     : "not in this build (it needs Assimp)";
    text += row(format.name, std::string(format.endings) + ": " + use);
  }
  text += "\nPapers, for tandem reproduce\n";
  for (const PaperInfo& paper : papers()) text += row(paper.name, paper.description);
  print(text);
}

void report_json() {
  Json object;
  object["version"] = TANDEM_VERSION;
  object["shapes"] = Json::array();
  for (const ShapeInfo& shape : shapes()) {
    object["shapes"].push_back({{"name", shape.name}, {"description", shape.description}});
  }
  object["algorithms"] = to_json(algorithms());
  object["ray_traversals"] = to_json(ray_traversals());
  for (std::size_t i = 0; i < ray_traversals().size(); ++i) {
    object["ray_traversals"][i]["state_bytes"] = ray_traversals()[i].state_bytes;
  }
  object["volumes"] = to_json(volumes());
  for (std::size_t i = 0; i < volumes().size(); ++i) {
    object["volumes"][i]["bytes_per_node"] = volumes()[i].bytes_per_node;
  }
  object["overlaps"] = to_json(overlaps());
  object["triangle_tests"] = to_json(triangle_tests());
  object["builders"] = to_json(builders());
  object["formats"] = Json::array();
  for (const FormatInfo& format : formats()) {
    object["formats"].push_back({{"name", format.name},
                                 {"endings", format.endings},
                                 {"reads", format.reads},
                                 {"writes", format.writes}});
  }
  object["papers"] = Json::array();
  for (const PaperInfo& paper : papers()) {
    object["papers"].push_back({{"name", paper.name}, {"description", paper.description}});
  }
  print_json(object);
}

}  // namespace

Command add_list(CLI::App& program) {
  const auto json = std::make_shared<bool>(false);
  CLI::App* const app = program.add_subcommand(
      "list", "List the shapes, algorithms, volumes, tests, builders, file formats and papers");
  app->add_flag("--json", *json, "report as one JSON object");
  app->footer(k_examples);
  return {app, [json]() -> int {
            *json ? report_json() : report_text();
            return k_exit_ok;
          }};
}

}  // namespace tandem::cli
