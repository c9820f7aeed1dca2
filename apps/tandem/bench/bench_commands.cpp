#include "bench/bench_commands.h"

#include <tandem/error.h>

#include "options/named_choices.h"
#include "options/whole_numbers.h"
#include "text/strings.h"

namespace tandem::cli {

CLI::App* add_benchmark(CLI::App& bench, const char* name, const char* description,
                        const char* footer) {
  CLI::App* const app = bench.add_subcommand(name, description);
  app->group("Benchmarks");
  app->footer(footer);
  return app;
}

void add_turn_options(CLI::App& app, TurnOptions& options, const std::string& timed) {
  add_list(app, "--distances", options.distances, "distances of the centres");
  add_value_with_default(app, "--steps", options.steps, "N", "steps of the turn");
  add_value_with_default(app, "--rounds", options.rounds, "N",
                         "times that " + timed + " is timed; the median counts");
}

int step_count(const TurnOptions& options) {
  return whole_number_in(options.steps, "--steps", 1, 100'000);
}

int round_count(const TurnOptions& options) {
  return whole_number_in(options.rounds, "--rounds", 1, 1000);
}

std::string missing_peers_paragraph() {
  const std::vector<PeerPackage> missing = missing_peers();
  if (missing.empty()) return "";
  std::string packages;
  for (const PeerPackage& one : missing) packages.append(" ").append(one.package);
  return wrapped("Not in this build of the program: " + names_of(missing) +
                     ". To compare with them, install their packages (Debian:" + packages +
                     ") and build it again; in Tandem's sources: tools/setup bench && make run",
                 100, "", "") +
         "\n";
}

Json missing_peers_json() {
  Json list = Json::array();
  for (const PeerPackage& missing : missing_peers()) {
    list.push_back({{"peer", missing.name}, {"package", missing.package}});
  }
  return list;
}

std::vector<PeerInfo> find_peers(const std::string& names) {
  for (const std::string& name : split_list(names, "--peers")) {
    for (const PeerPackage& missing : missing_peers()) {
      if (name != missing.name) continue;
      throw Error("--peers: this build of the program has no " + name +
                  "; install its package (Debian: " + std::string(missing.package) +
                  ") and build it again");
    }
  }
  return find_choices(peers(), names, "--peers");
}

std::vector<PeerInfo> find_peers_with_tandem(const std::string& names) {
  std::vector<PeerInfo> chosen = find_peers(names);
  if (chosen.empty() || chosen[0].name != peers()[0].name) {
    chosen.insert(chosen.begin(), peers()[0]);
  }
  return chosen;
}

}  // namespace tandem::cli
