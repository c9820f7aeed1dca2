// tandem list: what there is to choose from.
#include <tandem/tandem.h>

#include <memory>

#include "commands.h"
#include "format.h"
#include "mesh_source.h"
#include "output.h"

namespace tandem::cli {

namespace {

constexpr const char* k_examples = R"(Examples:
  tandem list
  tandem list --json)";

bool is_default(const AlgorithmInfo& info) {
  return info.algorithm == QueryOptions{}.algorithm;
}

void report_text() {
  // The description is the last cell and of its own length: pad the names by hand.
  const auto row = [](std::string_view name, std::string_view text) {
    std::string line = "  " + std::string(name);
    line.resize(std::max<std::size_t>(line.size() + 2, 18), ' ');
    return line.append(text).append("\n");
  };
  std::string text = "Shapes, for tandem make and as shape:NAME[:TRIANGLES[:SEED]]\n";
  for (const ShapeInfo& shape : shapes()) text += row(shape.name, shape.description);
  text += "\nAlgorithms, for --algorithm; each finds the same pairs\n";
  for (const AlgorithmInfo& info : algorithms()) {
    text += row(info.name, std::string(info.description) + (is_default(info) ? " (default)" : ""));
  }
  text += "\nFile formats\n";
  for (const FormatInfo& format : formats()) {
    const char* use = format.writes  ? "read and written"
                      : format.reads ? "read"
                                     : "not in this build (it needs Assimp)";
    text += row(format.name, std::string(format.endings) + ": " + use);
  }
  print(text);
}

void report_json() {
  Json object;
  object["version"] = TANDEM_VERSION;
  object["shapes"] = Json::array();
  for (const ShapeInfo& shape : shapes()) {
    object["shapes"].push_back({{"name", shape.name}, {"description", shape.description}});
  }
  object["algorithms"] = Json::array();
  for (const AlgorithmInfo& info : algorithms()) {
    object["algorithms"].push_back(
        {{"name", info.name}, {"description", info.description}, {"default", is_default(info)}});
  }
  object["formats"] = Json::array();
  for (const FormatInfo& format : formats()) {
    object["formats"].push_back({{"name", format.name},
                                 {"endings", format.endings},
                                 {"reads", format.reads},
                                 {"writes", format.writes}});
  }
  print_json(object);
}

}  // namespace

Command add_list(CLI::App& program) {
  const auto json = std::make_shared<bool>(false);
  CLI::App* const app =
      program.add_subcommand("list", "List the shapes, algorithms and file formats");
  app->add_flag("--json", *json, "report as one JSON object");
  app->footer(k_examples);
  return {app, [json]() -> int {
            *json ? report_json() : report_text();
            return k_exit_ok;
          }};
}

}  // namespace tandem::cli
